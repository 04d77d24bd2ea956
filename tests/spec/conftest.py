from __future__ import annotations

from pathlib import Path

import pytest

from tests.loose import module_at


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The folder of a small suite without a problem; the data root is two levels above."""
    folder = module_at(Path(__file__).with_name("small_spec.py")).write(tmp_path)
    assert isinstance(folder, Path)
    return folder
