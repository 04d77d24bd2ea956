"""Every published release of the Python package is judged by its own edition, and migration notes are true of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core.model import AdapterCommand
from bindproof.core.paths import data_root
from bindproof.results import Line, VerdictLine
from bindproof.runner import RunRequest, execute
from bindproof.spec import load
from bindproof.spec.changes import Change, read_changes
from bindproof.spec.files.models import Note, ProgramExample
from bindproof.suites.relay.targets import c_library
from bindproof.targets import resolve
from bindproof.targets.terms import Terms
from tests.bindings.toolchains import toolchain
from tests.relay import BETWEEN

pytestmark = pytest.mark.binding

EDITIONS = {
    "0.4": ("0.4.0",),
    "0.5": ("0.5.0",),
    "0.6": ("0.6.0",),
    "0.7": ("0.7.0", "0.7.1", "0.7.2", "0.7.3"),
    "0.8": ("0.8.0", "0.8.1", "0.8.2", "0.8.3", "0.8.4"),
    "0.9": ("0.9.0", "0.9.1", "0.9.2", "0.9.3", "0.9.4"),
    "0.10": ("0.10.0", "0.10.1", "0.10.2", "0.10.3", "0.10.4"),
    "0.11": ("0.11.0rc1", "0.11.0rc2", "0.11.0rc3"),
}
"""What is published of nemo-relay, and the edition that each release is judged by."""

NEWEST = {edition: releases[-1] for edition, releases in EDITIONS.items()}
LIBRARIES = {**NEWEST, "0.11": "0.11.0"}
"""The newest C library of each edition; in 0.11 the Python package has pre-releases alone."""
BUILT_ANYWAY = ("0.8.4", "0.9.4", "0.10.4")
"""The C libraries that other tests need too. Each takes two minutes to build, once."""
CHANGES = read_changes(load(data_root(), "relay"))[0]


@pytest.mark.parametrize(
    ("edition", "releases"),
    [
        *((edition, tuple(dict.fromkeys((of[0], of[-1])))) for edition, of in EDITIONS.items()),
        *(pytest.param(edition, of[1:-1], marks=BETWEEN) for edition, of in EDITIONS.items() if of[1:-1]),
    ],
)
def test_each_release_keeps_its_edition(
    edition: str, releases: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of one edition in one run: they share its predictions."""
    names = [f"python@{release}" for release in releases]
    code = main(["run", "--suite", "relay", "--json", *(word for name in names for word in ("--adapter", name))])
    lines = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]
    ready = {line["version"]: line["suites"] for line in lines if line["type"] == "adapter"}
    editions = {version: [speaks["edition"] for speaks in suites] for version, suites in ready.items()}
    assert editions == {release: [edition] for release in releases}
    assert (code, lines[-1]["why"]) == (0, "everything is as expected")
    assert all(lines[-1]["outcomes"][name].get("conforms", 0) > 100 for name in names)


def test_a_release_from_before_the_first_edition_is_unsupported() -> None:
    found = verdicts("python@0.3.0")
    assert {line.outcome for line in found.values()} == {"unsupported"}
    assert not any(line.demanded for line in found.values())
    assert {line.reason for line in found.values()} == {"nemo-relay 0.3.0 is of no edition; the first is that of 0.4"}


def verdicts(adapter: str, **more: object) -> dict[str, VerdictLine]:
    """The verdict on each plan."""
    lines: list[Line] = []
    execute(RunRequest(adapters=(adapter,), suite="relay", **more), lines.append, lambda words: None)  # type: ignore[arg-type]
    return {line.plan: line for line in lines if isinstance(line, VerdictLine)}


def shown(change: Change) -> list[Note]:
    """The notes that vectors show on Python; what is of C alone takes a build, and is held on the reference."""
    spoken = [(note, {dialect for act in note.act for dialect in act.dialects}) for _, note in change.notes]
    return [note for note, dialects in spoken if note.vectors and dialects & {"all", "python"}]


SHOWN = [change for change in CHANGES if shown(change)]


@pytest.mark.parametrize("change", SHOWN, ids=lambda change: f"{change.old} to {change.new}")
def test_a_package_of_the_old_edition_breaks_the_vectors_of_a_change(change: Change) -> None:
    notes = shown(change)
    chosen = tuple(name for note in notes for name in note.vectors)
    lived = verdicts(f"python@{NEWEST[change.old]}", vectors=chosen, edition=change.new)
    moved = verdicts(f"python@{NEWEST[change.new]}", vectors=chosen, edition=change.new)
    for note in notes:
        for name in note.vectors:
            broken = {one.requirement for one in lived[name].broken}
            assert lived[name].outcome == "diverges", name
            assert not note.requirements or broken & {*note.requirements, "OUT-013"}, (name, broken)
            assert moved[name].outcome == "conforms", name


def programs(dialect: str) -> Iterator[object]:
    """The programs of all notes in a dialect, each with the releases before and behind its change."""
    newest = {"python": NEWEST, "c": LIBRARIES}[dialect]
    for change in CHANGES:
        for _, note in change.notes:
            for program in note.program:
                if program.dialect == dialect:
                    new = newest[change.new]
                    marks = [toolchain(dialect), *([] if dialect != "c" else [library_is_asked_for(new)])]
                    yield pytest.param(newest[change.old], new, program, id=f"{change.new} {note.title}", marks=marks)


def library_is_asked_for(release: str) -> pytest.MarkDecorator:
    """Skips what would build a C library for itself alone, unless somebody asks for that."""
    asked = release in BUILT_ANYWAY or bool(os.environ.get("BINDPROOF_BUILDS"))
    return pytest.mark.skipif(not asked, reason=f"BINDPROOF_BUILDS=1 builds the C library {release} for it")


@pytest.mark.parametrize(("old", "new", "program"), list(programs("python")))
def test_the_programs_of_a_note_run_where_it_says(old: str, new: str, program: ProgramExample) -> None:
    assert ended(program.before, old) == ""
    assert ended(program.before, new) != ""
    assert ended(program.after, new) == ""


@pytest.mark.parametrize(("old", "new", "program"), list(programs("c")))
def test_so_do_those_in_c_also_where_the_old_one_is_not_built_anew(
    old: str, new: str, program: ProgramExample, tmp_path: Path
) -> None:
    before, after = library(old), library(new)
    assert compiled_and_ended(program.before, before, before, tmp_path / "old") == ""
    assert compiled_and_ended(program.before, after, after, tmp_path / "anew") != ""
    assert compiled_and_ended(program.before, before, after, tmp_path / "mixed") != ""
    assert compiled_and_ended(program.after, after, after, tmp_path / "new") == ""


RUNNER = """
import os, sys, traceback
try:
    exec(compile(sys.stdin.read(), "<example>", "exec"), {"__name__": "__main__"})
except BaseException:
    traceback.print_exc()
sys.stderr.flush()
os._exit(0)
"""
"""Leaves without tearing the interpreter down: releases crash then at random, whatever was run (docs/findings.md)."""


LOGGED = re.compile(r"\S+Z (ERROR|WARN) root=\w+ target=")


def ended(program: str, release: str) -> str:
    """What a program says on stderr with this release, less what the package logs: what ends it, or nothing."""
    command = resolve(f"python@{release}", required=True, progress=lambda _: None)
    assert isinstance(command, AdapterCommand)
    done = subprocess.run(
        [sys.executable, "-S", "-c", RUNNER],
        input=program,
        env=dict(command.env),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return "".join(line for line in done.stderr.splitlines(keepends=True) if not LOGGED.match(line))


def compiled_and_ended(program: str, header: Path, shared: Path, place: Path) -> str:
    """What the compiler says of a program, or else how it ended; nothing where it ran well."""
    if said := compiled(program, header, shared, place):
        return said
    done = subprocess.run([place], capture_output=True, text=True, timeout=60, check=False)
    return done.stderr or ("" if done.returncode == 0 else f"it ended with {done.returncode}")


def library(release: str) -> Path:
    """The folder with header and library of a release, built on first use."""
    return c_library.library(release, Terms(lambda _: None)).folder


def compiled(program: str, header: Path, shared: Path, place: Path) -> str:
    """What the compiler refuses; a callback of another type is an error, as it is in C++ and to newer compilers."""
    source = place.with_suffix(".c")
    source.write_text(program, encoding="utf-8")
    wanted = ["-Werror=incompatible-pointer-types", f"-I{header}", f"-L{shared}", f"-Wl,-rpath,{shared}"]
    command = ["cc", str(source), *wanted, f"-l{c_library.LIBRARY}", "-o", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stderr if done.returncode else ""
