"""Whether dialects agree with the suite that they spell.

Enters: a Spec. Leaves: Problems, each at its line. Must not know what is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bindproof.core.patterns import compile_pattern
from bindproof.spec.editions import editions_in
from bindproof.spec.files.folder import relative
from bindproof.spec.files.reader import Written, read
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem

if TYPE_CHECKING:
    from bindproof.spec.files.models import DialectFile


def dialect_problems(spec: Spec) -> Iterator[Problem]:
    """What is wrong between the dialects and suite.toml; what a dialect alone gets wrong is told where it is read."""
    from bindproof.spec.files.models import DialectFile

    for name in spec.dialects:
        path = spec.folder / "dialects" / f"{name}.toml"
        file = read(path, relative(spec.root, path), DialectFile, [])
        if file is not None:
            yield from problems_of(spec, file)


def problems_of(spec: Spec, file: Written[DialectFile]) -> Iterator[Problem]:
    """What is wrong between one dialect and suite.toml."""
    yield from _spelling(spec, file)
    yield from _errors(spec, file)
    yield from _editions(spec, file)


def _spelling(spec: Spec, file: Written[DialectFile]) -> Iterator[Problem]:
    keys = {given.name: given.keys for given in spec.objects}
    for name, table in file.value.spelling.items():
        if name not in keys:
            text = f"there is no object {name!r} to spell; suite.toml has {', '.join(keys)}"
            yield file.problem(text, "spelling", name)
            continue
        for key in table:
            if key not in keys[name]:
                text = f"{key!r} is no canonical key of {name!r}; suite.toml has {', '.join(keys[name])}"
                yield file.problem(text, "spelling", name, key)


def _errors(spec: Spec, file: Written[DialectFile]) -> Iterator[Problem]:
    for number, error in enumerate(file.value.error):
        place = ("error", number)
        if error.kind not in spec.error_kinds:
            text = f"{error.kind!r} is no error kind; suite.toml has {', '.join(spec.error_kinds)}"
            yield file.problem(text, *place, "kind")
        if error.example is not None and not compile_pattern(error.pattern).search(error.example):
            text = f"pattern {error.pattern!r} does not find its example {error.example!r}"
            yield file.problem(text, *place, "pattern")
        if not error.pattern.startswith("^"):
            text = f"pattern {error.pattern!r} is not anchored: begin it with ^"
            yield file.problem(text, *place, "pattern")
        yield from _range(spec, file, error.editions, *place, "editions")


def _editions(spec: Spec, file: Written[DialectFile]) -> Iterator[Problem]:
    yield from _range(spec, file, file.value.editions, "editions")
    for number, withheld in enumerate(file.value.withheld):
        for at, name in enumerate(withheld.editions or ()):
            if name not in spec.edition_names:
                text = f"there is no edition {name!r}; suite.toml has {', '.join(spec.edition_names)}"
                yield file.problem(text, "withheld", number, "editions", at)


def _range(spec: Spec, file: Written[DialectFile], text: str | None, *place: str | int) -> Iterator[Problem]:
    try:
        editions_in(text or spec.editions[0].name, spec.edition_names)
    except ValueError as error:
        yield file.problem(str(error), *place)
