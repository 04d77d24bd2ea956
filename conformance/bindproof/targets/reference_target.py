"""Starts the references of the suites as one adapter, of any edition and dialect.

Enters: a manifest and the choice. Leaves: an AdapterCommand. Must not know the references' rules.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bindproof import __version__
from bindproof.core.model import AdapterCommand
from bindproof.core.paths import data_root
from bindproof.spec import suite_roots
from bindproof.spec.head import head_of
from bindproof.targets import cache
from bindproof.targets.environment import with_python_path
from bindproof.targets.manifest import Manifest, folder_of
from bindproof.targets.names import reference_choice
from bindproof.targets.python_target import sdk
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

OWN: Final = "bindproof_reference"
"""Our own package of references, whose parts others may be made of."""


class Referenced(Struct, frozen=True):
    """A suite that names its reference."""

    name: str
    folder: Path
    """Of its spec."""
    module: str
    """The reference."""
    editions: tuple[str, ...]
    """Oldest first."""
    newest: str
    """Of those that are no previews."""

    def dialect(self, name: str) -> Path:
        """Return the file of a dialect, which need not be there."""
        return self.folder / "dialects" / f"{name}.toml"


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the references; raises Unmet for a dialect or edition that no suite has.

    Only suites that have both are spoken then.
    """
    asked, edition = reference_choice(rest)
    dialect = asked or manifest.dialect
    suites = list(_chosen(dialect, edition))
    packages = {_package(suite.module) for suite in suites} | {_package(OWN)}
    words = [word for suite in suites for word in _words(suite, dialect, edition)]
    program = str(folder_of(manifest) / manifest.start.program)
    return AdapterCommand(
        name=name,
        argv=(sys.executable, "-S", program, "--version", __version__, "--seed", "0", *words),
        env=with_python_path(
            [*sorted({package.parent for package in packages}), sdk(), Path(msgspec.__file__).parents[1]]
        ),
        cwd=str(folder_of(manifest)),
        files={path: digest for package in sorted(packages) for path, digest in _hashed(package, terms).items()},
        version=__version__,
    )


def _words(suite: Referenced, dialect: str, edition: str | None) -> tuple[str, ...]:
    return ("--suite", suite.name, suite.module, edition or suite.newest, str(suite.dialect(dialect)))


def _chosen(dialect: str, edition: str | None) -> Iterator[Referenced]:
    """Yield the suites that have this dialect and edition."""
    there = [_read(root, name) for name, root in suite_roots().items()]
    suites = [suite for suite in there if suite.module]
    dialects = sorted({path.stem for suite in suites for path in suite.folder.glob("dialects/*.toml")})
    editions = list(dict.fromkeys(one for suite in suites for one in suite.editions))
    _hold_one_of("dialect", dialect, dialects)
    if edition is not None:
        _hold_one_of("edition", edition, editions)
    found = [s for s in suites if s.dialect(dialect).is_file() and edition in (None, *s.editions)]
    if not found:
        raise Unmet(f"no suite has both the dialect {dialect!r} and the edition {edition!r}", "--adapter reference")
    yield from found


def _hold_one_of(what: str, chosen: str, there: list[str]) -> None:
    if chosen not in there:
        remedy = f"--adapter reference, or reference@DIALECT:EDITION with one of the {what}s {', '.join(there)}"
        raise Unmet(f"the spec has no {what} {chosen!r}", remedy)


def _read(root: Path, name: str) -> Referenced:
    head = head_of(root, name)
    editions = tuple(edition.name for edition in head.editions)
    return Referenced(name, root / "spec" / name, head.reference or "", editions, head.newest.name)


def _package(module: str) -> Path:
    """Return the folder of the package that a reference is in."""
    name = module.partition(".")[0]
    beside = data_root() / "reference_impl" / name
    if beside.is_dir():
        return beside
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise Unmet(f"the package {name}, which has a reference, is not there", "install the suite's package again")
    return Path(found.submodule_search_locations[0])


def _hashed(package: Path, terms: Terms) -> dict[str, str]:
    remembered = cache.key_of("reference", "0", str(package))
    return dict(cache.hash_files(package.parent, [package], remembered, anew=terms.anew))
