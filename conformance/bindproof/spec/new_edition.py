"""Lays out a new edition of a suite after its last one: it begins as the same, and what differs is then written.

Enters: a Spec, the new edition's name. Leaves: files below the suite's folder, and what has to be done next. Nothing
that was there is changed but suite.toml, which gets one more `[[edition]]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.spec.editions import editions_in
from bindproof.spec.files.document import parse
from bindproof.spec.files.folder import files_in, relative
from bindproof.spec.files.text import read_text
from bindproof.spec.forms import BASE
from bindproof.spec.load import load
from bindproof.spec.models import Edition, Spec
from bindproof.spec.problem import SpecError

_NAME: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z._]*")
_NUMBER: Final = re.compile(r"(.*?)(\d+)")


class LaidOut(Struct, frozen=True):
    """What was written, and what comes next."""

    files: tuple[str, ...]
    """Paths below the data root."""
    next: tuple[str, ...]
    """What to do, in this order."""


def lay_out(spec: Spec, name: str, after: str) -> LaidOut:
    """Write the edition `name` of a suite, which comes after its last one.

    Raises UsageError where it is there already, or `after` is not the last; where suite.toml cannot be read afterwards
    nothing is left of it, and SpecError is raised.
    """
    _refuse(spec, name, after)
    before = spec.edition(after)
    suite = spec.folder / "suite.toml"
    kept = read_text(suite, relative(spec.root, suite))
    files = dict(_schemas(spec, name, after))
    files[spec.folder / "changes" / f"{after}--{name}.toml"] = _notes(spec, name, after)
    taken = [path for path in files if path.exists()]
    if taken:
        raise UsageError(f"{taken[0]} is there already; remove what is left of an earlier try")
    try:
        suite.write_text(_with_edition(kept, before, name), encoding="utf-8")
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = load(spec.root, spec.name)
    except (OSError, SpecError):
        suite.write_text(kept, encoding="utf-8")
        for path in files:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            (spec.folder / "schemas" / name).rmdir()
        raise
    written = (relative(spec.root, path) for path in (suite, *files))
    return LaidOut(tuple(written), tuple(_next(found, name, before)))


def _refuse(spec: Spec, name: str, after: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of an edition: letters, digits and dots, as in 0.12")
    if name in spec.edition_names:
        raise UsageError(f"suite {spec.name} has the edition {name} already")
    last = spec.edition_names[-1]
    if after != last:
        raise UsageError(f"a new edition comes after the last one of {spec.name}, which is {last}, and not {after!r}")


def _schemas(spec: Spec, name: str, after: str) -> Iterator[tuple[Path, str]]:
    """Yield the schemas of the last edition under the new one's ids, byte for byte else."""
    folder = spec.folder / "schemas"
    for path in files_in(spec.root, folder / after, "*.json", []):
        text = read_text(path, relative(spec.root, path))
        old, new = (json.dumps(f"{BASE}{spec.name}/{edition}/{path.name}") for edition in (after, name))
        yield folder / name / path.name, text.replace(old, new, 1)


def _notes(spec: Spec, name: str, after: str) -> str:
    editors = "" if not (spec.root / "spec" / "editors").is_dir() else "#:schema ../../editors/changes.schema.json\n"
    return f"{editors}# What breaks between the editions {after} and {name}.\n"


def _with_edition(text: str, before: Edition, name: str) -> str:
    """Return suite.toml with one more edition behind the last, its comments and all else as they were."""
    lines = text.splitlines(keepends=True)
    document = parse(text.encode(), "suite.toml")
    start = document.line("edition", len(document.value["edition"]) - 1)
    end = next(
        (
            number
            for number, line in enumerate(lines[start:], start)
            if line.startswith("[") and not line.startswith("[edition.")
        ),
        len(lines),
    )
    while end > start and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    block = "".join(f"{line}\n" for line in _table(before, name))
    return "".join(lines[:end]).rstrip("\n") + "\n\n" + block + "".join(lines[end:])


def _table(before: Edition, name: str) -> Iterator[str]:
    yield "# A preview until there is a release of it: write `open` then, and lock it when it is complete."
    yield "[[edition]]"
    yield f"name = {json.dumps(name)}"
    yield 'state = "preview"'
    if before.capabilities:
        yield f"capabilities = {json.dumps(list(before.capabilities))}"
    releases = _releases(before, name)
    if releases:
        yield ""
        yield "[edition.releases]"
        for target, specifier in releases.items():
            key = target if re.fullmatch(r"[\w-]+", target) else json.dumps(target)
            yield f"{key} = {json.dumps([specifier])}"


def _releases(before: Edition, name: str) -> Mapping[str, str]:
    """Return the next range of each target whose last one is from the edition's own name to the new one's."""
    following = _NUMBER.fullmatch(name)
    if following is None:
        return {}
    end = f"{following[1]}{int(following[2]) + 1}"
    said = (f">={before.name},<{name}",)
    return {target: f">={name},<{end}" for target, range_ in before.releases.items() if tuple(range_) == said}


def _next(spec: Spec, name: str, before: Edition) -> Iterator[str]:
    after = before.name
    if spec.reference:
        yield f"let the reference {spec.reference} know the edition {name}, with no rule of its own at first"
    ended = [
        rule.id for rule in spec.requirements.values() if after in rule.in_editions and name not in rule.in_editions
    ]
    if ended:
        yield f"these end with {after}: write `{after}–` in their chapters, or a note on each: {', '.join(ended)}"
    names = spec.edition_names
    silent = [
        dialect.name
        for dialect in spec.dialects.values()
        if dialect.editions and after in (spoken := editions_in(dialect.editions, names)) and name not in spoken
    ]
    if silent:
        yield f"these dialects are not spoken in it, unless their files say so: {', '.join(silent)}"
    lost = sorted(before.releases.keys() - spec.edition(name).releases.keys())
    if lost:
        yield f"say in suite.toml which releases of {', '.join(lost)} it is about"
    if before.state != "locked":
        yield f"lock {after} as soon as it is complete, so that it stays what this one is compared with: " + (
            f"`bindproof spec lock {after} --suite {spec.name}`"
        )
    words = f"{spec.name}:{after} {spec.name}:{name}"
    yield f"change its schemas and chapters; `bindproof evolve diff {words}` says what that breaks"
    file = f"spec/{spec.name}/changes/{after}--{name}.toml"
    yield f"`bindproof evolve note {words} >> {file}` writes the skeleton of what is missing there"
    yield f"`bindproof spec check {spec.name}`, then `bindproof evolve check {words}`: both have to be green"
    yield 'when there is a release, write state = "open" in suite.toml'
    yield f"when it is complete: `bindproof spec lock {name} --suite {spec.name}`"
