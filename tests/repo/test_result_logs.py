"""A result log has one reader: whoever wants something of a log gets typed lines from `bindproof.results`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bindproof.results import VerdictLine, Writer, read
from tests.repo.sources import HARNESS, ROOT, imports, modules

READING = ("cli", "pytest_plugin", "report", "runner", "scaffold", "smoke")
"""The parts that are given logs, or lines of them: those that come after `results`."""

PUBLIC = {"bindproof.results", "bindproof.results.fold"}

DECODES = {"loads", "load", "decode", "Decoder", "convert", "raw_decode"}
"""What makes values of JSON, in `json` and in msgspec."""

FROM = {"json", "msgspec"}

TAG = "type"
"""The member of a raw line that tells its type."""


def of_parts(parts: tuple[str, ...]) -> list[Path]:
    """The modules of these parts."""
    return [module for module in modules(HARNESS) if module.relative_to(HARNESS).with_suffix("").parts[0] in parts]


def raw_readings(source: str) -> Iterator[tuple[int, str]]:
    """Each place of a module that makes values of JSON, or asks a mapping for its `type`; with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(
                value=ast.Name(id=package) | ast.Attribute(value=ast.Name(id=package), attr="json"), attr=name
            ) if package in FROM and name in DECODES:
                yield node.lineno, f"{package} … {name}"
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in FROM:
                yield from ((node.lineno, f"from {module} import {one.name}") for one in names if one.name in DECODES)
            case ast.Subscript(slice=ast.Constant(value=key)) if key == TAG:
                yield node.lineno, f"[{TAG!r}]"
            case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=key), *_]) if key == TAG:
                yield node.lineno, f".get({TAG!r})"


@pytest.mark.parametrize(
    "source",
    [
        "json.loads(line)",
        "msgspec.json.decode(line)",
        "msgspec.json.Decoder(Line)",
        "msgspec.convert(line, Line)",
        "from json import loads",
        "from msgspec.json import decode as read",
        'line["type"] == "verdict"',
        'line.get("type")',
    ],
)
def test_a_raw_reading_is_seen(source: str) -> None:
    assert len(list(raw_readings(source))) == 1


@pytest.mark.parametrize(
    "source",
    ["json.dumps(value)", "msgspec.json.encode(line)", "msgspec.msgpack.Decoder(Key)", 'step["step"]', "read(path)"],
)
def test_what_reads_no_raw_line_is_none(source: str) -> None:
    assert list(raw_readings(source)) == []


@pytest.mark.long
def test_nobody_outside_results_reads_raw_lines() -> None:
    readers = of_parts(READING)
    assert {module.relative_to(HARNESS).with_suffix("").parts[0] for module in readers} == set(READING)
    wrong = [
        f"{module.relative_to(ROOT)}:{line} has {what}"
        for module in readers
        for line, what in raw_readings(module.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_the_modules_of_results_are_its_own() -> None:
    """But for the exit codes, which every command has."""
    below = {f"bindproof.results.{path.stem}" for path in (HARNESS / "results").glob("[a-z]*.py")}
    assert len(below) > 4
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in of_parts(READING)
        for name, line in imports(module)
        if name in below - PUBLIC
    ]
    assert not wrong, "\n".join(wrong)


def test_the_example_of_the_package_runs(
    tmp_path: Path, mixed_log: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (HARNESS / "results" / "__init__.py").read_text(encoding="utf-8").split("\n\n")
    example = "\n\n".join(part for part in words if part.startswith("    "))
    assert example.count("\n") > 4
    monkeypatch.chdir(tmp_path)
    with Writer(Path("run.jsonl")) as writer:
        for line in mixed_log:
            writer.write(line)  # type: ignore[arg-type]
    exec(ast.unparse(ast.parse("if True:\n" + example)), {})
    unexpected = [line for line in read(Path("run.jsonl")) if isinstance(line, VerdictLine) and line.unexpected]
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"{line.adapter} {line.plan} ['MRK-001']" for line in unexpected
    ]
    assert unexpected
