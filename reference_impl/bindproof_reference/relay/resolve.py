"""One lawful run of a prediction: lanes merged in an order that the contract allows, matchers made into values.

Enters: a prediction, a seed, the dialect as plain data. Leaves: a raw log as an adapter would record it. The same
seed gives the same run; different seeds differ in everything that the contract leaves open.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from bindproof_reference.relay.run import PROGRAM
from bindproof_reference.relay.storms import interleaved
from bindproof_reference.relay.values import ANY, DEEP, Json, copy


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json = None) -> list[Json]:
    """Return the records of one lawful run, `settled` last; the prediction says all, the scenario is not asked."""
    if "storm" in prediction:
        return interleaved(prediction["storm"], seed, lambda one, own: resolve(one, own, dialect))
    random = Random(seed)  # noqa: S311 - a run, no secret
    for group in prediction.get("in_some_order", ()):
        prediction = prediction | {"lanes": prediction["lanes"] | _ordered(prediction["lanes"], group, random)}
    world = _World(random, dialect, prediction["lanes"])
    return [world.value(record) for record in _merged(prediction, world.random)]


def _ordered(lanes: Json, group: list[str], random: Random) -> Json:
    """Return lanes whose records may be any of each other's, each with those of one."""
    order = random.sample(range(len(group)), len(group))
    return {lane: [one["$one_of"][of] for one in lanes[lane]] for lane, of in zip(group, order, strict=True)}


def _merged(prediction: Json, random: Random) -> Iterator[Json]:
    """Merge the lanes at random; `settled` is held back until all else is out, and `after` pairs are kept.

    Of records of one stream that may be missing each lane has equally many first ones.
    """
    present: dict[str, int] = defaultdict(lambda: random.randrange(4))
    lanes = {lane: _present(records, present) for lane, records in prediction["lanes"].items()}
    waits: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for lane, position, other, seen in prediction["after"]:
        waits.setdefault((lane, position), []).append((other, seen))
    done = dict.fromkeys(lanes, 0)

    def passed(lane: str, position: int) -> bool:
        return done[lane] == len(lanes[lane]) or lanes[lane][done[lane]][0] > position

    def free(lane: str) -> bool:
        if done[lane] == len(lanes[lane]):
            return False
        behind = waits.get((lane, lanes[lane][done[lane]][0]))
        return behind is None or all(passed(other, seen) for other, seen in behind)

    def held() -> bool:
        last = done[PROGRAM] == len(lanes[PROGRAM]) - 1
        return last and any(done[name] < len(lanes[name]) for name in lanes if name != PROGRAM)

    while ready := [lane for lane in lanes if free(lane) and not (lane == PROGRAM and held())]:
        lane = random.choice(ready)
        yield lanes[lane][done[lane]][1]
        done[lane] += 1


def _present(records: list[Json], present: Mapping[str, int]) -> list[tuple[int, Json]]:
    """Return the records of a lane with their places; of those of one stream that may be missing so many first ones."""
    left: dict[str, int] = {}
    absent: Counter[str] = Counter()
    found: list[tuple[int, Json]] = []
    for position, record in enumerate(records):
        if "$maybe" not in record:
            found.append((position, _counted(record, absent)))
        elif left.setdefault(record["of"], present[record["of"]]):
            found += [(position, _counted(one, absent)) for one in record["$maybe"]]
            left[record["of"]] -= 1
        else:
            absent.update(record.get("counts", {}))
    return found


def _counted(record: Json, absent: Counter[str]) -> Json:
    """Return a record with the number of its entry: those that are missing do not count."""
    k = record.get("k")
    return {**record, "k": k["$counted"]["all"] - absent[k["$counted"]["of"]]} if isinstance(k, dict) else record


FIRST = 1_767_225_600_000_000_000
"""The first second of a run, in nanoseconds since 1970."""

LONG = 3_600_000_000_000
"""How far ahead, in nanoseconds, a time lies that another is measured from before it is seen."""


@dataclass
class _World:
    """What a run has settled so far: identities, times and numbers by name, and what else an object has by what it has.

    So what a sanitizer was given, what it returned and what was told of it are one in a run.
    """

    random: Random
    dialect: Json
    lanes: Json
    identities: dict[str, str] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    objects: dict[str, Json] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    clock: int = 0

    def value(self, value: Json) -> Json:
        """Return a concrete value that the matcher accepts."""
        if isinstance(value, list):
            return [self.value(item) if type(item) in DEEP else item for item in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            name, argument = next(iter(value.items()))
            if name.startswith("$"):
                return self._matched(name, argument)
        if value.get("fact") == "refused":
            refusal = {"type": "TypeError", "message": "outcome_malformed: refused by the constructor"}
            return {key: self.value(item) for key, item in value.items()} | {"error": refusal}
        if "error" in value and isinstance(value["error"], dict) and "kind" in value["error"]:
            return value | {"error": self._error(value["error"])}
        return {key: self.value(item) if type(item) in DEEP else item for key, item in value.items()}

    def _matched(self, name: str, argument: Json) -> Json:
        match name:
            case "$any":
                return None
            case "$literal":
                return argument
            case "$one_of" | "$unordered":
                return self.value(self.random.choice([argument] if name == "$unordered" else argument))
            case "$contains":
                return self._object(argument)
            case "$text":
                return self.texts.setdefault(argument, self._around(argument))
            case "$number":
                return self.numbers.setdefault(argument["as"], argument["at_least"] + self.random.choice((0, 0.25)))
            case "$id":
                return self._identity(argument)
            case "$trace":
                named = argument.get("trace", argument["span"]), argument["span"]
                outermost, scope = (self._identity(name).replace("-", "") for name in named)
                return f"00-{outermost}-{scope[16:]}-01"
            case "$time":
                return self._time(argument)
            case other:
                raise AssertionError(f"{other} is no matcher")

    def _around(self, text: str) -> str:
        """Return a text with or without words of the runtime's own before it."""
        return f"{self.random.choice(['', 'internal error: '])}{text}"

    def _object(self, least: Json) -> Json:
        """Return an object with these members and perhaps more."""
        key = json.dumps(least)
        if key not in self.objects:
            extra = {"note": "free"} if self.random.random() < 0.5 else {}
            self.objects[key] = self.value(least) | extra
        return copy(self.objects[key])

    def _identity(self, name: str) -> str:
        if name not in self.identities:
            digits = f"{self.random.getrandbits(128):032x}"
            digits = f"{digits[:12]}7{digits[13:16]}8{digits[17:]}"
            self.identities[name] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        return self.identities[name]

    def _time(self, matcher: Json) -> str:
        name = matcher.get("as")
        if name is None or name not in self.times:
            nanoseconds = self._new_time(matcher)
            if name is None:
                return _text(nanoseconds)
            self.times[name] = nanoseconds
        return _text(self.times[name])

    def _new_time(self, matcher: Json) -> int:
        if "at" in matcher:
            return int(matcher["at"]) * 1000 - FIRST
        if "of" not in matcher:
            self.clock += self.random.randrange(1_000_000)
            return self.clock
        if matcher["of"] not in self.times:  # a callback may be told of an end first
            given = _given(self.lanes, matcher["of"])
            self.times[matcher["of"]] = self.clock + LONG if given is None else self._new_time(given)
        start = self.times[matcher["of"]]
        if "equal" in matcher:
            return int(start + matcher["equal"])
        return int(start + matcher["at_least"] + self.random.choice((0, 1, self.random.randrange(10_000_000))))

    def _error(self, error: Json) -> Json:
        kind, message = error["kind"], error["message"]
        own = message.get("$text") if isinstance(message, dict) else None  # a caller may be told in other words
        message = self.value(message) if own is None else self._around(own)
        if message is None or kind != "callback_raised":
            examples = [entry.get("example") for entry in self.dialect.get("error", []) if entry["kind"] == kind]
            wording = next((example for example in examples if example is not None), f"{kind}: refused")
            message = wording if message is None else f"{wording}: {message}"
        same_as = None if error["same_as"] == ANY else error["same_as"]
        of_class = "Error" if error["type"] == ANY else self.value(error["type"])
        return {"type": of_class, "message": message, "code": self.value(error["code"]), "same_as": same_as}


def _given(value: Json, name: str) -> Json:
    """Return what in a prediction says when the time of this name is, where a program gave it; else None."""
    if isinstance(value, dict):
        time = value.get("$time")
        if isinstance(time, dict) and time.get("as") == name and "at" in time:
            return time
        value = list(value.values())
    if isinstance(value, list):
        return next((found for item in value if (found := _given(item, name)) is not None), None)
    return None


def _text(nanoseconds: int) -> str:
    """Return a time of a run, in nanoseconds since its first second, as an event's timestamp."""
    seconds, fraction = divmod(nanoseconds, 1_000_000_000)
    moment = datetime(2026, 1, 1) + timedelta(seconds=seconds)
    return f"{moment.isoformat()}.{fraction:09}+00:00"
