"""Where the data folders are: `spec/` and `adapters/`.

Enters: nothing. Leaves: paths. Must not know what the folders hold.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bindproof.errors import UsageError

PACKAGE = Path(__file__).resolve().parent


@cache
def data_root() -> Path:
    """The folder that holds `spec/` and `adapters/`.

    An installed wheel carries both inside the package; a checkout, and an editable install of one, has them beside
    `conformance/`.

    Raises:
        UsageError: neither place has them, so the installation is not whole.
    """
    for root in (PACKAGE / "_data", PACKAGE.parent.parent):
        if (root / "spec").is_dir() and (root / "adapters").is_dir():
            return root
    raise UsageError(
        f"this installation of bindproof is not whole: no spec/ and adapters/ in {PACKAGE / '_data'} "
        f"nor in {PACKAGE.parent.parent}. Install it again: pip install --force-reinstall bindproof"
    )


def spec_root() -> Path:
    """The folder `spec/`. Raises UsageError as `data_root` does."""
    return data_root() / "spec"


def adapters_root() -> Path:
    """The folder `adapters/`. Raises UsageError as `data_root` does."""
    return data_root() / "adapters"
