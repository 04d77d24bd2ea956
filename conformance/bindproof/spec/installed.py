"""Which suites there are: those of bindproof and those of other installed packages.

Enters: the data folders of `bindproof.core.paths`. Leaves: names, the data root of each, and what is read there. Must
not know what provides a suite's code.
"""

from __future__ import annotations

from pathlib import Path

from bindproof.core import paths
from bindproof.core.errors import UsageError
from bindproof.spec.kept import load_kept
from bindproof.spec.load import suites_in
from bindproof.spec.models import Spec


def suite_roots() -> dict[str, Path]:
    """Return the data root of each suite by the suite's name, bindproof's own first.

    Raises UsageError where two packages have a suite of one name, or one lacks the spec of the suite it provides.
    """
    found: dict[str, Path] = {}
    for home in paths.homes():
        for name in suites_in(home):
            if name in found:
                raise UsageError(f"{found[name]} and {home} both have a suite {name!r}; uninstall one of the two")
            found[name] = home
    for name, package in paths.providers().items():
        if name not in found and package != paths.__package__:
            place = paths.home_of(package) / "spec" / name / "suite.toml"
            raise UsageError(f"the package {package} provides the suite {name!r}, but there is no {place}")
    return found


def root_of(name: str) -> Path:
    """Return the data root of one suite; raises UsageError, which names those there are."""
    known = suite_roots()
    if name not in known:
        raise UsageError(f"there is no suite {name!r}; there is {', '.join(known)}")
    return known[name]


def installed(name: str) -> Spec:
    """Return one suite's spec. Raises UsageError for a name that none has, SpecError as `load_kept` does."""
    return load_kept(root_of(name), name)


def all_installed() -> list[Spec]:
    """Return the spec of every suite. Raises as `installed` does."""
    return [load_kept(root, name) for name, root in suite_roots().items()]
