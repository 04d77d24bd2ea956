"""Where data lies: `spec/` and `adapters/`, bindproof's own and those of other packages that provide a suite.

Enters: the entry points of installed packages. Leaves: paths. Must not know what the folders hold.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from bindproof.core.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP: Final = "bindproof.suites"
"""The entry-point group of suites: each entry is named as its suite, and loads what `bindproof.suites.load` calls."""

TARGETS: Final = "bindproof.targets"
"""The entry-point group of ways to get a target: each entry is named as `from` in a manifest, and loads a module."""

OWN = "bindproof"
"""The package that provides our own suites."""

PACKAGE = Path(__file__).resolve().parent.parent


def resolved(path: str | Path) -> Path:
    """Return the absolute path that a user means, without links and `..`, `~` being the home folder.

    Raises UsageError for a link that leads in a circle, and for the home of somebody who is not known.
    """
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"{path}: this leads nowhere: {error}") from None


@cache
def data_root() -> Path:
    """The folder that holds bindproof's own `spec/` and `adapters/`.

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


def templates_root() -> Path:
    """The folder `templates/` of bindproof itself. Raises UsageError as `data_root` does."""
    return data_root() / "templates"


def adapters_root() -> Path:
    """The folder `adapters/` of bindproof itself, which has the SDKs. Raises UsageError as `data_root` does."""
    return data_root() / "adapters"


@cache
def entries(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, of all installed packages, in the order of their names."""
    return tuple(sorted(set(_all_entries().select(group=group))))


@cache
def _all_entries() -> EntryPoints:
    from importlib.metadata import entry_points  # slow to import, and not needed by who names a data root

    return cast("EntryPoints", entry_points())  # Python 3.11 has a class of its own for all of them


@cache
def providers() -> dict[str, str]:
    """Return the package that provides each suite, by the suite's name: the part before the first dot of its entry.

    Raises UsageError where two packages provide suites of one name.
    """
    found: dict[str, str] = {}
    for entry in entries(GROUP):
        package = entry.value.partition(":")[0].partition(".")[0]
        other = found.setdefault(entry.name, package)
        if other != package:
            raise UsageError(f"{other} and {package} both provide a suite {entry.name!r}; uninstall one of the two")
    return found


@cache
def home_of(package: str) -> Path:
    """Return the folder that holds `spec/` and `adapters/` of a package that provides suites: the package's own.

    Raises UsageError where its metadata is installed and the package is not.
    """
    import importlib.util

    if package == OWN:
        return data_root()
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        remedy = "install it again, or uninstall it"
        raise UsageError(f"the package {package} says that it provides a suite, but is not there; {remedy}")
    return Path(found.submodule_search_locations[0]).resolve()


def homes() -> tuple[Path, ...]:
    """Return every folder that may hold `spec/` and `adapters/`: bindproof's own, then those of other packages."""
    others = sorted(set(providers().values()) - {OWN})
    return (data_root(), *(home_of(package) for package in others))
