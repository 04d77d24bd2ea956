from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The folder of a small suite without a problem; the data root is two levels above."""
    place = importlib.util.spec_from_file_location("small_spec", Path(__file__).with_name("small_spec.py"))
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    folder = module.write(tmp_path)
    assert isinstance(folder, Path)
    return folder
