"""Whether migration notes are true and none is missing, step by step from an edition to the next.

Enters: a Spec. Leaves: Problems: a change that no note tells, a note that tells what did not change, an example that
does not show what its note says. Must not know adapters: what packages do with the examples is for tests to say.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from bindproof.core.model import Json, same
from bindproof.spec.changes import Change, read_changes
from bindproof.spec.editions import settings
from bindproof.spec.files.document import parse
from bindproof.spec.forms import Form, forms, read_schemas
from bindproof.spec.migration import migrated, notes_of, patches
from bindproof.spec.models import ALL_DIALECTS, Requirement, Spec
from bindproof.spec.problem import Problem, SpecError
from bindproof.spec.schema_diff import differences
from bindproof.spec.vectors import vector_paths

if TYPE_CHECKING:
    from bindproof.spec.files.models import Note, ObjectExample

_PARSERS: Mapping[str, Callable[[str], object]] = {"python": ast.parse}
"""By dialect, what refuses a program that is none of its language; other languages have nothing to try it with here."""


def change_problems(spec: Spec) -> list[Problem]:
    """What is wrong with the notes of every step. All else has to be sound already."""
    changes, problems = read_changes(spec)
    if not problems:
        for change in changes:
            problems.extend(step_problems(spec, change))
    return problems


def step_problems(spec: Spec, change: Change) -> Iterator[Problem]:
    """Yield what is wrong with the notes of one step."""
    yield from _told(change, "schemas", changed_schemas(spec, change), _SCHEMA)
    yield from _told(change, "requirements", changed_requirements(spec, change), _REQUIREMENT)
    known = set(vector_paths(spec))
    accepts = [forms(spec, edition) for edition in (change.old, change.new)]
    yield from _migrations(change, *accepts)
    for line, note in change.notes:
        for text in (*_words(spec, note, known), *_shown(note, *accepts)):
            yield Problem(change.file, line, f"{note.title!r}: {text}")


_SCHEMA = "differs between the schemas of {old} and {new}"
_REQUIREMENT = "does not hold in both of {old} and {new}"


def _told(change: Change, table: str, real: set[str], what: str) -> Iterator[Problem]:
    """Hold what changed against what the notes say has changed, in both directions."""
    what = what.format(old=change.old, new=change.new)
    told = {name: line for line, note in change.notes for name in getattr(note, table)}
    for name in sorted(real - set(told)):
        yield Problem(change.file, 1, f"{name} {what}; a [[note]] has to name it in `{table}`")
    for name in sorted(set(told) - real):
        yield Problem(change.file, told[name], f"{table}: {name} is not what {what}")


def changed_schemas(spec: Spec, change: Change) -> set[str]:
    """`file#/pointer` of each difference between the schemas of the two editions; a file alone is `file#`."""
    old, new = (read_schemas(spec, edition) for edition in (change.old, change.new))
    alone = {f"{name}.json#" for name in old.keys() ^ new.keys()}
    return alone | {f"{name}.json#{at}" for name in old.keys() & new.keys() for at in differences(old[name], new[name])}


def changed_requirements(spec: Spec, change: Change) -> set[str]:
    """Requirements in force in one of the two editions only.

    Left out are those of a chapter that says nothing of the old edition, and those of dialects that are not known in
    both: there nothing has changed, it only was not looked at before.
    """
    spoken = [{dialect for edition, dialect in settings(spec) if edition == name} for name in (change.old, change.new)]
    both = spoken[0] & spoken[1]
    chapters = {rule.prefix for rule in spec.requirements.values() if change.old in rule.in_editions}
    return {
        rule.id
        for rule in spec.requirements.values()
        if (change.old in rule.in_editions) != (change.new in rule.in_editions)
        and rule.prefix in chapters
        and _spoken(rule, both)
    }


def _spoken(rule: Requirement, dialects: set[str]) -> bool:
    return rule.dialects == ALL_DIALECTS or bool(dialects & set(rule.dialects))


def _words(spec: Spec, note: Note, vectors: set[str]) -> Iterator[str]:
    """What the note names that is not there, and what it leaves out."""
    if not (note.object or note.program or note.vectors):
        yield "show it: give an [[note.object]], a [[note.program]] or `vectors`"
    for name in note.vectors:
        if name not in vectors:
            yield f"vectors: there is no {name!r}; `bindproof spec list --vectors` shows them"
    named = [name for act in note.act for name in act.dialects] + [program.dialect for program in note.program]
    for name in named:
        if name not in {*ALL_DIALECTS, *spec.dialects}:
            yield f"there is no dialect {name!r}; write {', '.join((*ALL_DIALECTS, *spec.dialects))}"
    for program in note.program:
        for text in (program.before, program.after):
            try:
                _PARSERS.get(program.dialect, str)(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                yield f"its program is no {program.dialect}: {error}"


def _shown(note: Note, old: Mapping[str, Form], new: Mapping[str, Form]) -> Iterator[str]:
    """What the objects show, held against whom the note says that they break."""
    broken: set[str] = set()
    for example in note.object:
        name = example.schema_.removesuffix(".json")
        if name not in old or name not in new:
            yield f"schema = {example.schema_!r}: no object of both editions; there is {', '.join(sorted(new))}"
            return
        try:
            before, after = _parsed(example)
        except SpecError as error:
            yield f"an example of {example.schema_} is no JSON: {error.what}"
            return
        if not old[name].accepts(before):
            yield f"`before` of {example.schema_} is refused by the old edition too"
        if not new[name].accepts(after):
            yield f"`after` of {example.schema_} is refused by the new edition"
        broken |= {"writers"} if not new[name].accepts(before) else set()
        broken |= {"readers"} if not old[name].accepts(after) else set()
    if broken != set(note.breaks):
        said, seen = (", ".join(sorted(names)) or "nobody" for names in (note.breaks, broken))
        yield f"`breaks` says {said}, its objects show {seen}"


def _migrations(change: Change, old: Mapping[str, Form], new: Mapping[str, Form]) -> Iterator[Problem]:
    """Hold what migrates objects against the examples of its note; only where all of it can be read."""
    for line, note in change.notes:
        for table in note.migrate:
            name = table.schema_.removesuffix(".json")
            shown = [example for example in note.object if example.schema_ == table.schema_]
            try:
                ways = patches(notes_of(change), table.schema_)
            except ValueError as error:
                yield Problem(change.file, line, f"{note.title!r}: migrate of {table.schema_}: {error}")
                continue
            if name not in old or name not in new:
                known = ", ".join(sorted(old.keys() & new.keys()))
                text = f"migrate: {table.schema_!r} is no object of both editions; there is {known}"
                yield Problem(change.file, line, f"{note.title!r}: {text}")
            elif not shown:
                text = f"migrate of {table.schema_} is shown by no [[note.object]] of that schema"
                yield Problem(change.file, line, f"{note.title!r}: {text}")
            for example in shown:
                with suppress(SpecError):  # told where examples are
                    before, after = _parsed(example)
                    if not same(migrated(before, ways), after):
                        text = f"`after` of {table.schema_} is not what `migrate` makes of `before`"
                        yield Problem(change.file, line, f"{note.title!r}: {text}")


def _parsed(example: ObjectExample) -> tuple[Json, Json]:
    return parse(example.before.encode(), "before").value, parse(example.after.encode(), "after").value
