"""Acts the vectors out on an adapter and holds its package and the surface file about it against what was judged.

Enters: an adapter's name. Leaves: a `Covered` for each suite. Must not know how names are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.core.origins import vector_of
from bindproof.core.request import RunRequest
from bindproof.coverage import c_surface, node_surface, python_surface, rust_surface
from bindproof.coverage.fates import Part, Table
from bindproof.results.lines import AdapterLine, Line, VerdictLine
from bindproof.runner.adapter_commands import imported_from, one_command
from bindproof.runner.execute import execute
from bindproof.runner.inputs import Inputs, read_inputs
from bindproof.spec.files.reader import read
from bindproof.spec.problem import Problem, SpecError
from bindproof.targets.crate_source import sources_of_crates
from bindproof.targets.manifest import Manifest, manifest_of
from bindproof.targets.names import split
from bindproof.targets.unmet import Unmet

if TYPE_CHECKING:
    from bindproof.spec.files.surface import SurfaceFile

NAMES: Mapping[str, Callable[[Path], list[str]]] = {
    "python": python_surface.names,
    "node": node_surface.names,
    "c": c_surface.names,
    "rust": rust_surface.names,
}
"""How a package says what it offers → what reads it."""


class Covered(Struct, frozen=True):
    """What becomes of each name of a package in one suite. stale: globs of the file that match nothing."""

    suite: str
    target: str
    file: str
    parts: tuple[Part, ...]
    stale: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Whether everything is judged, or stands in the file with its reason."""
        return not self.stale and all(part.fate != "missing" for part in self.parts)


class Offered(Struct, frozen=True):
    """All that a package offers, in one suite, and what was judged when its adapter acted the vectors out."""

    suite: str
    target: str
    file: str
    names: tuple[str, ...]
    table: Table

    def covered(self) -> Covered:
        """Return what becomes of each name."""
        parts, stale = map(self.table.part, self.names), self.table.stale(self.names)
        return Covered(self.suite, self.target, self.file, tuple(parts), tuple(stale))

    def of(self, vectors: Collection[str], rules: Collection[str], file: SurfaceFile) -> Offered:
        """Return the same as it would be if there were no other vectors and rules, and another surface file."""
        now = self.table
        judged = {name: [rule for rule in found if rule in rules] for name, found in now.judged.items()}
        table = Table(file, [vector for vector in now.vectors if vector.id in vectors], judged)
        return Offered(self.suite, self.target, self.file, self.names, table)


def covered(adapter: str, progress: Callable[[str], None]) -> list[Covered]:
    """Act the vectors out, and return what of the adapter's package is judged.

    Raises UsageError where there is no such package, or no file about it.
    """
    return [one.covered() for one in offered(adapter, progress)]


def offered(adapter: str, progress: Callable[[str], None]) -> list[Offered]:
    """Act the vectors out, and return what the adapter's package offers in each suite; raises as `covered`."""
    manifest = manifest_of(split(adapter)[0])
    inputs = read_inputs(RunRequest(adapters=(adapter,)))
    about = [(one, *found) for one in inputs.values() if (found := _file(one, manifest.name)) is not None]
    if not about:
        there = ", ".join(sorted({path.stem for one in inputs.values() for path in _files(one)})) or "none"
        raise UsageError(f"no suite has a file surfaces/*.toml about {manifest.name}; there is {there}")
    return [
        _offered(one, file, name, *_offering(adapter, manifest, file, progress, inputs), adapter)
        for one, file, name in about
    ]


def _offering(
    adapter: str, manifest: Manifest, file: SurfaceFile, progress: Callable[[str], None], inputs: Mapping[str, Inputs]
) -> tuple[Manifest, AdapterCommand]:
    """Return the adapter that has what is offered in its folder: several may drive one library, of one release."""
    if not file.folder_of:
        return manifest, one_command(adapter, progress, inputs)
    release = split(adapter)[1] or manifest.get.release
    return manifest_of(file.folder_of), one_command(f"{file.folder_of}@{release}", progress, inputs)


def _files(inputs: Inputs) -> list[Path]:
    return sorted((inputs.spec.folder / "surfaces").glob("*.toml"))


def _file(inputs: Inputs, adapter: str) -> tuple[SurfaceFile, str] | None:
    from bindproof.spec.files.surface import SurfaceFile

    problems: list[Problem] = []
    for path in _files(inputs):
        name = path.relative_to(inputs.spec.root).as_posix()
        written = read(path, name, SurfaceFile, problems)
        if problems:
            raise SpecError(problems)
        if written is not None and adapter in written.value.adapters:
            return written.value, name
    return None


def _offered(
    inputs: Inputs, file: SurfaceFile, name: str, manifest: Manifest, command: AdapterCommand, adapter: str
) -> Offered:
    names = sorted({one for folder in _folders(command, manifest, file) for one in NAMES[file.reads](folder)})
    target, judged = _judged(inputs.spec.name, adapter)
    table = Table(file, [vector for vector in inputs.vectors if vector.id in judged], judged)
    return Offered(inputs.spec.name, target, name, tuple(names), table)


def _judged(suite: str, adapter: str) -> tuple[str, dict[str, frozenset[str]]]:
    """Return what answered, and the requirements that were judged in each vector, its twin among it."""
    target = ""
    judged: dict[str, frozenset[str]] = {}

    def take(line: Line) -> None:
        nonlocal target
        if isinstance(line, AdapterLine):
            if line.state != "ready":
                raise UsageError(f"{adapter} is {line.state}: {line.reason}")
            target = f"{line.target} {line.version}"
        elif isinstance(line, VerdictLine) and (rules := {*line.held, *(one.requirement for one in line.broken)}):
            vector = vector_of(line.came_from) or line.plan
            judged[vector] = judged.get(vector, frozenset()) | rules

    execute(RunRequest(suite=suite, adapters=(adapter,)), take, lambda *_: None)
    return target, judged


def _folders(command: AdapterCommand, manifest: Manifest, file: SurfaceFile) -> list[Path]:
    """Return where to read what a package offers: it may hand on what others say."""
    if file.reads != "rust":
        return [_package(command, manifest)]
    try:
        return sources_of_crates(Path(command.cwd), manifest.name, [str(manifest.get.crate), *file.crates])
    except Unmet as unmet:
        raise UsageError(f"{command.name}: {unmet.reason}; to have them: {unmet.remedy}") from unmet


def _package(command: AdapterCommand, manifest: Manifest) -> Path:
    """Return the folder of what an adapter drives: a package of its language, or a library with its header."""
    imported = imported_from(command, manifest.get.module) if manifest.get.module else None
    candidates = [Path(command.cwd) / "node_modules" / manifest.target]
    candidates += [Path(one) for one in (*command.argv, command.cwd) if any(Path(one).glob("*.h"))]
    found = imported or next((one for one in candidates if one.is_dir()), None)
    if found is None:
        raise UsageError(f"{command.name} has no copy of {manifest.target} of its own; name a release")
    return found
