"""A file of expectations, changed as a person would: by entries, with its comments and its order.

Enters: the text of a file, entries or stale lines. Leaves: the changed text, and what was done in words. Must not know
logs. tomlkit keeps what it does not change as it was written, which no reader of TOML does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tomlkit
from msgspec import Struct
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Table

from bindproof.core.errors import FileError
from bindproof.results import StaleLine
from bindproof.runner.excused_failures import json_text
from bindproof.runner.expectation_files.found import Entry, versions_of

TODO = "TODO"
"""The reason of an entry of which nobody has said yet why it is so; the reader refuses it."""

HEAD = "Divergences that are known. Each is checked both ways: one that does not occur any more makes a run red."

SIGN = ("expected", "expected_matches", "observed", "observed_matches", "at")


class Changed(Struct, frozen=True):
    """A file's new text, and what was done to it, a line for each thing."""

    text: str
    done: tuple[str, ...]


def updated(text: str, entries: Iterable[Entry], source: str, file: str) -> Changed:
    """Return a file with entries added; of one that is there already, the vectors that it lacks.

    text: of the file, empty for a new one. source: what is written as the `source` of a new entry. file: its name, for
    errors. Raises FileError for what is no TOML.
    """
    document = _parsed(text, file)
    there = _tables(document, file)
    done, fresh = list[str](), list[str]()
    for entry in entries:
        name = f"{entry.requirement or entry.verdict} on {entry.target} {entry.version}"
        known = next((table for table in there if _is_of(table, entry)), None)
        if known is None:
            fresh.append(_written(entry, source))
            done.append(f"added {name}: {', '.join(entry.vectors)}")
            continue
        new = [vector for vector in entry.vectors if vector not in known["vectors"]]
        for vector in new:
            known["vectors"].append(vector)
        if new:
            done.append(f"added to {name}: {', '.join(new)}")
    if not done:
        return Changed(text, ())
    before = tomlkit.dumps(document).rstrip("\n") if text.strip() else f"# {HEAD}"
    return Changed("\n\n".join([before, *fresh]) + "\n", tuple(done))


def pruned(text: str, stale: Sequence[StaleLine], file: str) -> Changed:
    """Return a file without what did not occur: whole entries, or of an entry the vectors that did not show it.

    Raises FileError where the file is no TOML, or has changed since the run, or where a glob names more than what did
    not occur: a person has to say what is meant then.
    """
    tables, heads = _tables(_parsed(text, file), file), _heads(text, file)
    gone, less, done = set[int](), dict[int, set[str]](), list[str]()
    for one in stale:
        line = int(one.source.rpartition(":")[2])
        at = heads.index(line) if line in heads else len(tables)
        if at >= len(tables) or not _is_named(tables[at], one):
            raise FileError(file, line, "this file is not as it was in that run; run again, and prune then")
        written = {str(vector) for vector in tables[at].get("vectors", [])}
        missed = set(one.vectors)
        if not missed <= written:
            shown = ", ".join(sorted(missed - written))
            what = f"a glob names {shown}, which did not show it: narrow it, or add `vectors_without`"
            raise FileError(file, line, what)
        if missed == written:
            gone.add(at)
            done.append(f"removed {one.expectation}")
        else:
            less[at] = missed
            done.append(f"removed from {one.requirement} on {one.adapter}: {', '.join(sorted(missed))}")
    if not done:
        return Changed(text, ())
    document = _parsed(_without(text, [heads[at] for at in gone], heads), file)
    kept = [at for at in range(len(tables)) if at not in gone]
    for table, at in zip(_tables(document, file), kept, strict=True):
        _take_out(table, less.get(at, set()))
    return Changed(tomlkit.dumps(document), tuple(done))


def _take_out(table: Table, vectors: set[str]) -> None:
    written = [str(vector) for vector in table.get("vectors", [])]
    for at in reversed([at for at, vector in enumerate(written) if vector in vectors]):
        del table["vectors"][at]


def _without(text: str, gone: Iterable[int], heads: Sequence[int]) -> str:
    """Return a text without the entries that begin on some lines: each with the comment right above it."""
    lines = text.splitlines(keepends=True)
    begins = [_above(lines, head) for head in heads]
    ends = [*begins[1:], len(lines)]
    left_out = {
        at for begin, end, head in zip(begins, ends, heads, strict=True) if head in gone for at in range(begin, end)
    }
    return "".join(line for at, line in enumerate(lines) if at not in left_out)


def _above(lines: Sequence[str], head: int) -> int:
    """Return the index of the first line of an entry, or of the comment that stands right above it."""
    at = head - 1
    while at > 0 and lines[at - 1].lstrip().startswith("#") and not lines[at - 1].startswith("#:"):
        at -= 1
    return at


def named_vectors(text: str, file: str) -> list[tuple[int, list[str]]]:
    """Return for each entry of a file its line, and the globs of vectors that it has; raises FileError as `pruned`."""
    tables = _tables(_parsed(text, file), file)
    named = (table.unwrap().get("vectors") for table in tables)
    globs = [list(filter(_is_text, one)) if isinstance(one, list) else [] for one in named]
    return list(zip(_heads(text, file), globs, strict=True))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _parsed(text: str, file: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise FileError(file, getattr(error, "line", None), f"this is no TOML: {error}") from None


def _tables(document: tomlkit.TOMLDocument, file: str) -> list[Table]:
    found = document.get("divergence", [])
    if not isinstance(found, AoT) and found != []:
        raise FileError(file, None, "`divergence` is no list of tables: write [[divergence]] above each")
    return list(found)


def _heads(text: str, file: str) -> list[int]:
    """Return the lines on which the entries begin, in order, as many as there are."""
    lines = enumerate(text.splitlines(), 1)
    heads = [number for number, line in lines if line.partition("#")[0].replace(" ", "").strip() == "[[divergence]]"]
    if len(heads) != len(_tables(_parsed(text, file), file)):
        raise FileError(file, None, "write each [[divergence]] on a line of its own, and nowhere else")
    return heads


def _written(entry: Entry, source: str) -> str:
    """Return an entry as TOML."""
    table = tomlkit.table()
    what = ("requirement", entry.requirement) if entry.requirement is not None else ("verdict", entry.verdict)
    rows: list[tuple[str, Any]] = [what, ("target", entry.target)]
    rows += [("versions", versions_of(entry))] if versions_of(entry) else []
    rows += [("vectors", list(entry.vectors)), *entry.sign]
    rows += [] if entry.sometimes is None else [("sometimes", dict(zip(("seen", "of"), entry.sometimes, strict=True)))]
    rows += [("reason", TODO), ("source", source)]
    for key, value in rows:
        table.add(key, _inline(value))
    entries = tomlkit.aot()
    entries.append(table)
    document = tomlkit.document()
    document.add("divergence", entries)
    return tomlkit.dumps(document).rstrip("\n")


def _inline(value: Any) -> Any:
    """Return a value as it stands on one line: tables below tables would begin sections of their own."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        for key, item in value.items():
            table.append(key, _inline(item))
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        for item in value:
            array.append(_inline(item))
        return array
    return value


def _is_of(table: Table, entry: Entry) -> bool:
    """Tell whether an entry of the file is the same but for its vectors, and may be added to."""
    plain = table.unwrap()
    if not isinstance(plain.get("vectors"), list) or plain.get("vectors_without"):
        return False
    if ("sometimes" in plain) != (entry.sometimes is not None):
        return False
    same = ("target", entry.target), ("requirement", entry.requirement), ("verdict", entry.verdict)
    if any(plain.get(key) != value for key, value in same) or plain.get("versions", []) != versions_of(entry):
        return False
    return json_text({key: plain[key] for key in SIGN if key in plain}) == json_text(dict(entry.sign))


def _is_named(table: Table, stale: StaleLine) -> bool:
    plain = table.unwrap()
    return stale.requirement in (plain.get("requirement"), plain.get("verdict")) and stale.expectation.startswith(
        f"{plain.get('target')} {stale.requirement} on "
    )
