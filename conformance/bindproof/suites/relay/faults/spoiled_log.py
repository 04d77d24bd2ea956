"""What every planted fault needs: an observation to spoil, read as the checks read it, and a register of faults.

Enters: a complete scenario, a raw log, the dialect, the edition. Leaves: a spoiled copy of the log. Must not know the
checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import is_

import msgspec
from msgspec import Struct

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.reading import Entry, Life, LlmCall, Reading
from bindproof.suites.relay.observation.records import decode
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.transcript import Act, Asked, Transcript
from bindproof.suites.relay.scenario.callbacks import every_op, scripts
from bindproof.suites.relay.scenario.complete import all_steps, raised_texts
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof.suites.relay.scenario.storms import storm_of
from bindproof_reference.relay.editions import Rules, rules

PLANTED = {"planted": True}
"""A value that no binding makes of its own."""

AGAIN = -1
"""The count of an entry that a fault adds; what counts them all anew makes it the next."""

FOREIGN_UUID = "0fa117ed-0000-7000-8000-000000000000"
"""An identity that no binding gives."""


class Spoiled(Struct):
    """A copy of an observation that a fault edits in place."""

    full: Json
    log: list[Json]
    dialect: Json
    spelling: Spelling
    reading: Reading
    """Its events and raw givens are the copy's own objects."""
    rules: Rules
    """What the edition's events have."""

    @property
    def transcript(self) -> Transcript:
        """The program as it went."""
        return self.reading.transcript

    @property
    def managed(self) -> list[LlmCall]:
        """The managed calls."""
        return self.reading.managed

    def alone(self) -> list[LlmCall]:
        """The managed calls that nothing wraps and nobody cancels, and that are no streams."""
        cancelled = cancellings(self.transcript)
        return [one for one in self.managed if not one.wrapped and not one.streamed and one.act not in cancelled]

    def lives(self) -> list[tuple[LlmCall, list[Life]]]:
        """Each managed call that was told of, with what each subscriber was told."""
        return [(call, list(call.lives.values())) for call in self.managed if call.lives]

    def marked(self) -> list[tuple[LlmCall, list[Life]]]:
        """The calls of which pending marks were told, each subscriber of the same ones."""
        return [(call, lives) for call, lives in self.lives() if all(life.marks for life in lives)]

    def raises(self) -> bool:
        """Tell whether a callback of the scenario may raise."""
        return bool(raised_texts(self.full))

    def breaks_chain(self) -> bool:
        """Tell whether an intercept of the scenario breaks its chain."""
        return any(step["break_chain"] for step in self.reading.intercepts.values())

    def subscribers(self) -> list[str]:
        """The subscribers that were registered before the first call."""
        return self.reading.calls[0].audience if self.reading.calls else []

    def succeed(self, act: Act, value: Json) -> None:
        """Let a step that failed come back with a value."""
        self.log[act.done or 0] = {"fact": "done", "step": act.step["as"], "value": value}

    def fail(self, act: Act, error: Json) -> None:
        """Let a step that came back fail."""
        self.log[act.done or 0] = {"fact": "done", "step": act.step["as"], "error": error}

    def drop(self, events: Sequence[Json]) -> None:
        """Take the records of events out of the log."""
        gone = {id(event) for event in events}
        self.log[:] = [record for record in self.log if id(record.get("event")) not in gone]

    def run_again(self, asked: Iterable[Asked]) -> bool:
        """Repeat the records of the first provider that an intercept went on to; tell whether there is one."""
        for run in (one.inside[0] for one in asked):
            if run.part == "provider" and run.left == run.entered + 1:
                self.insert(run.entered + 1, *({**self.log[at], "k": AGAIN} for at in (run.entered, run.entered + 1)))
                return True
        return False

    def rewrites(self, *named: str) -> bool:
        """Tell whether something of these families was registered."""
        return bool(families(self.transcript) & set(named))

    def insert(self, after: int, *records: Json) -> None:
        """Put records behind the one at this index."""
        self.log[after + 1 : after + 1] = records

    def remove(self, unwanted: Callable[[Json], bool]) -> None:
        """Take records out."""
        self.log[:] = [record for record in self.log if not unwanted(record)]

    def message(self, kind: str) -> str:
        """Return a message that this dialect's binding gives an error of the kind."""
        examples = [entry["example"] for entry in self.dialect["error"] if entry["kind"] == kind]
        return next(filter(None, examples), f"{kind}: planted")

    def next_intercept(self, call: LlmCall, one: Entry) -> Json | None:
        """Return the registration that would come after this intercept in the chain, or None."""
        steps = sorted(self.reading.intercepts.values(), key=lambda step: (step["priority"], step["name"]))
        names = [step["as"] for step in steps]
        behind = steps[names.index(one.callback) + 1 :]
        ran = {other.callback for other in call.intercepts}
        return next((step for step in behind if step["as"] not in ran), None)

    def passes_through(self, callback: str, call: LlmCall, outcome: Json) -> tuple[Json, Json]:
        """Return the records of an intercept that is given an outcome's parts and changes nothing."""
        request, annotation = outcome.get("request"), outcome.get("annotated_request")
        own, reply = self.spelling.argument, self.spelling.reply
        name = "annotated_request"
        given = {"name": call.step["name"], "request": request, own.get(name, name): annotation}
        natural = {
            "request": request,
            reply.get(name, name): annotation,
            reply.get("pending_marks", "pending_marks"): [],
        }
        key = {"callback": callback, "k": 0}
        return {"fact": "enter", **key, "given": given}, {"fact": "leave", **key, "reply": natural}

    def mark_event(self, name: str, parent: str, like: Json | None = None) -> Json:
        """Return a lawful mark event; `like` is an event whose root and time it shares."""
        like = like or {"propagation_root_uuid": FOREIGN_UUID, "timestamp": "2026-01-01T00:00:00.000000000+00:00"}
        root = {"propagation_root_uuid": like["propagation_root_uuid"]} if self.rules.propagation_root else {}
        return {
            "atof_version": "0.1",
            "kind": "mark",
            "name": name,
            "category": None,
            "category_profile": None,
            "data": None,
            "data_schema": None,
            "metadata": None,
            "uuid": FOREIGN_UUID,
            "parent_uuid": parent,
            **root,
            "timestamp": like["timestamp"],
        }


def stands(run: Entry) -> bool:
    """Tell whether a callback waits at a latch, which another one of its chain does not."""
    return any(op["op"] == "wait" for op in run.step.get("do", ()))


def plant(
    table: dict[str, Fault], name: str, title: str, *breaks: str, also: tuple[str, ...] = (), storms: bool = False
) -> Callable[[Callable[[Spoiled], bool]], None]:
    """Return a decorator that puts a fault into a chapter's table; the function says whether it spoiled anything.

    also: what it may break besides (see `suite_api.Fault`). storms: it is one of storms, where no other finds anything.
    """

    def put(spoil: Callable[[Spoiled], bool]) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            if storms is not (storm_of(full) is not None):
                return None
            spare = _Spare.of(full, log, dialect, edition)
            if spoil(spare.copy):
                spoiled = spare.copy.log
                return None if _leaves_steps(full, log, spoiled) else _counted(spoiled)
            spare.keep()
            return None

        table[name] = Fault(name, title, breaks, planted, also)

    return put


class _Spare(Struct, frozen=True):
    """A copy of an observation, and what it is one of: these very objects.

    Most faults find nothing to spoil. Such a copy is kept for the next fault that is tried on the same observation, as
    to copy and read it takes longer than to look for something to spoil.
    """

    asked: tuple[Json, list[Json], Json, str]
    encoded: bytes
    """The observation as JSON: to write a copy again and compare is a fifth of the work of comparing two logs."""
    copy: Spoiled

    @classmethod
    def of(cls, full: Json, log: list[Json], dialect: Json, edition: str) -> _Spare:
        """Return the copy that was kept, where it is one of this observation, else a new one."""
        try:
            kept = _KEPT.pop()
        except IndexError:
            kept = None
        if kept is not None and kept._is_of(full, log, dialect, edition):
            return kept
        encoded = msgspec.json.encode(log)
        copy = msgspec.json.decode(encoded)
        spelling = _spelling(msgspec.json.encode(dialect))
        seen = Reading.of(edition, spelling, full, decode(copy), copy, copy, {}).in_json
        spoiled = Spoiled(full, copy, dialect, spelling, seen, rules(edition))
        return cls((full, log, dialect, edition), encoded, spoiled)

    def _is_of(self, *asked: Json) -> bool:
        """Tell whether this is a copy of these objects, which no fault has changed since."""
        same = all(map(is_, self.asked, asked))
        return same and msgspec.json.encode(self.copy.log) == self.encoded

    def keep(self) -> None:
        """Let the next fault have this copy, in place of any other that was kept."""
        _KEPT[:] = [self]


def _leaves_steps(full: Json, log: list[Json], spoiled: list[Json]) -> bool:
    """Tell whether a callback that does steps is entered more often, or less, than before: its steps are not.

    No adapter records that, so there is nothing to spoil in this way.
    """
    acting = {name for step in all_steps(full) for name, ops in scripts(step) if any(map(_does_a_step, every_op(ops)))}
    return bool(acting) and _entries(log, acting) != _entries(spoiled, acting)


def _does_a_step(op: Json) -> bool:
    return bool(op["op"] == "step")


def _entries(log: list[Json], callbacks: set[str]) -> Counter[str]:
    return Counter(
        record["callback"] for record in log if record["fact"] == "enter" and record["callback"] in callbacks
    )


_KEPT: list[_Spare] = []
"""The one copy that is kept; it is taken out while somebody has it, so that no two threads have the same."""


@lru_cache(maxsize=8)
def _spelling(dialect: bytes) -> Spelling:
    return Spelling.of(msgspec.json.decode(dialect))


def _counted(log: list[Json]) -> list[Json]:
    """Return a log with each callback's entries counted anew: an adapter counts what it sees."""
    counts: Counter[str] = Counter()
    became: dict[tuple[str, Json], int] = {}
    found: list[Json] = []
    for record in log:
        if "callback" not in record:
            found.append(record)
            continue
        own = record["callback"], record["k"]
        if record["fact"] == "enter":
            became[own] = counts[record["callback"]]
            counts[record["callback"]] += 1
        found.append({**record, "k": became.get(own, record["k"])})
    return found
