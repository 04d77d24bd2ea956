"""Suites about pure functions: a scenario is one call, and what is seen is its value or its error.

Enters: a spec, and as much of a suite as its author has. Leaves: a Suite. A table of vectors with `expect` is enough;
a reference, checks, faults and a generator may come when there is something to generalise.

An adapter records one thing: `{"fact": "result", "value": V}`, or `{"fact": "result", "error": {"type": T, "message":
M}}`. The dialect's patterns find the error's kind in `T: M`. A number without a fraction is a whole one, however a
language writes it: 2.0 is 2, and 2e15 is 2000000000000000. From 2^53 on it is `{"$integer": DIGITS}`, as the SDKs spell
what JSON lacks. A reference is a function too: `bindproof_reference.functions` makes one of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, Final

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.patterns import Pattern
from bindproof.core.tokens import tokens
from bindproof.spec.error_patterns import error_patterns
from bindproof.spec.vectors import vectors
from bindproof.suite_api import Choices, Evidence, Fault, Json, ObservationError, Prepared, SmokeStep, Spec
from bindproof.suite_api.callables import need
from bindproof.suite_api.grammar import Grammar

UNKNOWN: Final = "unknown"
"""The kind of an error that no pattern finds."""

SAFE: Final = 2**53 - 1
"""Up to here every language tells whole numbers apart."""

FIRST_STEPS: Final = 3
"""So many vectors are the first steps of an adapter's author."""

Check = Callable[["Returned"], Sequence[Evidence] | None]
Predict = Callable[[Json, str, Json], Json]
"""Of a reference: takes scenario, edition and dialect, and gives the lanes that are allowed (see `Prepared`)."""


class Returned(Struct, frozen=True):
    """What came out of one call: what checks are given."""

    scenario: Json
    """What the call was given."""
    value: Json
    """Its value; None where there is an error."""
    kind: str | None
    """The kind of its error; None where there is a value."""
    message: str = ""
    """The error's own words."""

    def unlike(self, expected: Json, text: str) -> list[Evidence]:
        """Return the one failure of a call that should have come out otherwise."""
        return [Evidence("program", text, 0, expected, self.value if self.kind is None else {"error": self.kind})]


class PreparedCall(Struct, frozen=True):
    """A scenario made ready (see `Prepared`)."""

    spelled: Json
    prediction: Json
    patterns: Sequence[tuple[str, Pattern]]

    def observe(self, log: list[Json]) -> tuple[list[Json], Returned]:
        """Return the normalised record and what it says; raises ObservationError for a log of another form."""
        if len(log) != 1 or not isinstance(log[0], dict):
            raise ObservationError("a call has one record")
        (record,) = log
        if record.keys() == {"fact", "value"}:
            value = _whole(record["value"])
            return [{**record, "value": value}], Returned(self.spelled, value, None)
        error = record.get("error")
        if record.keys() != {"fact", "error"} or not isinstance(error, dict):
            raise ObservationError('the record is neither {"fact", "value"} nor {"fact", "error"}')
        message = f"{error.get('type', '')}: {error.get('message', '')}"
        kind = next((kind for kind, pattern in self.patterns if pattern.search(message)), UNKNOWN)
        return [{**record, "error": {**error, "kind": kind}}], Returned(self.spelled, None, kind, message)

    def normal(self, value: Json) -> Json:
        """Return a value with its numbers as `observe` gives them."""
        return _whole(value)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply into a key: all of it."""
        return lambda result: result


class FunctionSuite:
    """The suite of a pure function.

    predict: of its reference, whose module suite.toml names; None: there is none, and vectors say what comes out.
    members: what a scenario has, each with the type of its value, such as `str`; `object` is any. complete: gives a
    scenario in full form, or raises ValueError. Without the two any JSON object is a scenario. generate: makes a
    scenario of choices; None: scenarios are those of the vectors. parts: the parts of a scenario (see `Divisible`);
    None: of its texts those parts of which the reference gives a value, as it does of the whole, and where there is no
    reference those that its grammar has. grammar: of members that are texts of a grammar's rule, grammar and rule; what
    a campaign finds is then made smaller by shorter texts of the rule. Raises TypeError for what should be a function
    and cannot be called.
    """

    def __init__(
        self,
        spec: Spec,
        *,
        predict: Predict | None = None,
        checks: Mapping[str, Check] | None = None,
        faults: Mapping[str, Fault] | None = None,
        members: Mapping[str, type] | None = None,
        complete: Callable[[Json], Json] | None = None,
        generate: Callable[[Choices], Json] | None = None,
        parts: Callable[[Json], Iterable[Json]] | None = None,
        grammar: Mapping[str, tuple[Grammar, str]] | None = None,
    ) -> None:
        for name, function, count in (
            ("predict", predict, 3),
            ("complete", complete, 1),
            ("generate", generate, 1),
            ("parts", parts, 1),
        ):
            need(name, function, count)
        of = {"prepare": predict, "complete": complete, "generate": generate}
        self.given: Mapping[str, object] = {name: one for name, one in of.items() if one is not None}
        self.name = spec.name
        self.checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]] = checks or {}
        self.faults: Mapping[str, Fault] = faults or {}
        self._spec, self._predict, self._complete, self._generate = spec, predict, complete, generate
        self._members, self._parts, self._grammar = members, parts, grammar or {}
        self._patterns = cache(partial(error_patterns, spec))

    @cached_property
    def smoke(self) -> Sequence[SmokeStep]:
        """The first vectors: what they expect is not judged here."""
        hint = "a call has one record: its value, or its error with type and message"
        return [SmokeStep(one.title, one.scenario, hint) for one in self._table[:FIRST_STEPS]]

    @cached_property
    def _table(self) -> list[Any]:
        return [one for one in vectors(self._spec) if one.defect is None]

    def complete(self, scenario: Json) -> Json:
        """Return the scenario in full form; raises ValueError."""
        if not isinstance(scenario, dict):
            raise ValueError("a scenario is a JSON object")  # noqa: TRY004 - what is written is wrong, not the program
        if self._members is not None and not _has(self._members, scenario):
            wanted = ", ".join(f'"{name}": {kind.__name__}' for name, kind in self._members.items())
            raise ValueError(f"a scenario is {{{wanted}}}")
        return scenario if self._complete is None else self._complete(scenario)

    def brief(self, full: Json) -> Json:
        """Return the scenario as it is."""
        return full

    def prepare(self, full: Json, edition: str, dialect: str) -> Prepared:
        """Make a scenario ready; raises ValueError where the reference cannot act it out."""
        if self._predict is None:
            prediction: Json = {"lanes": {"program": [{"$any": True}]}, "after": [], "open": True}
        else:
            prediction = _whole(self._predict(full, edition, self._spec.dialects[dialect].as_json()))
            self._hold_to_kinds(prediction)
        return PreparedCall(full, prediction, self._patterns(dialect, edition))

    def _hold_to_kinds(self, prediction: Json) -> None:
        """Raise LookupError for a kind of error that no dialect could tell: every binding would be blamed for it."""
        try:
            kind = prediction["lanes"]["program"][0]["error"]["$contains"]["kind"]
        except (KeyError, TypeError, IndexError):
            return
        if isinstance(kind, str) and kind not in (UNKNOWN, *self._spec.error_kinds):
            raise LookupError(f"{kind!r} is no error kind; suite.toml has {', '.join(self._spec.error_kinds)}")

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return that the one record is the program's."""
        return lambda record: "program"

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a scenario that the choices decide.

        Raises UsageError where there is nothing to take it from, or nothing that would judge it.
        """
        if self._predict is None and not self.checks:
            what = "no reference and no checks, so nothing would judge a generated scenario"
            raise UsageError(f"suite {self.name} has {what}: it judges by its vectors, with `bindproof run`")
        if self._generate is not None:
            return self.complete(self._generate(choices))
        if not self._table:
            raise UsageError(f"suite {self.name} has neither a generator nor vectors to take scenarios from")
        return self.complete(choices.pick(self._table).scenario)

    def parts(self, full: Json) -> Iterable[Json]:
        """Yield the parts of a scenario, shorter ones first."""
        if self._parts is not None:
            yield from self._parts(full)
        elif self._predict is None:
            yield from self._with_texts(full, Grammar.parts)
        elif self._gives_a_value(full):
            for name, text in full.items():
                if isinstance(text, str):
                    candidates = ({**full, name: part} for part in _within(text))
                    yield from (one for one in candidates if self._gives_a_value(one))

    def smaller(self, full: Json) -> Iterable[Json]:
        """Yield the scenario with shorter texts of its grammar (see `Reducible`); nothing where there is none."""
        return self._with_texts(full, Grammar.smaller)

    def _with_texts(self, full: Json, texts: Callable[[Grammar, str, str], Iterable[str]]) -> Iterator[Json]:
        """Yield the scenario with each of the texts that take the place of one of its own."""
        for name, (grammar, rule) in self._grammar.items():
            if isinstance(full.get(name), str):
                yield from ({**full, name: text} for text in texts(grammar, full[name], rule))

    def _gives_a_value(self, full: Json) -> bool:
        if self._predict is None:
            return False
        dialect = next(iter(self._spec.dialects.values())).as_json()
        lanes = self._predict(full, self._spec.newest.name, dialect)["lanes"]
        return all("error" not in record for lane in lanes.values() for record in lane)


def _within(text: str) -> Iterator[str]:
    """Yield the parts of a text, shorter ones first, each without space around it."""
    pieces = tokens(text)
    for length in range(1, len(pieces)):
        for at in range(len(pieces) - length + 1):
            if pieces[at].strip() and pieces[at + length - 1].strip():
                yield "".join(pieces[at : at + length])


def _has(members: Mapping[str, type], scenario: Json) -> bool:
    return scenario.keys() == members.keys() and all(
        isinstance(scenario[name], kind) and (kind in (bool, object) or not isinstance(scenario[name], bool))
        for name, kind in members.items()
    )


def _whole(value: Json) -> Json:
    """Return a value in which each number without a fraction is a whole one, and one past SAFE its digits."""
    if isinstance(value, float) and value.is_integer():
        return _whole(int(value))
    if isinstance(value, int) and not -SAFE <= value <= SAFE:
        return {"$integer": str(value)}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return {key: _whole(one) for key, one in value.items()} if isinstance(value, dict) else value
