"""What a change is about, in words.

Enters: a scenario, its lawful log, a change. Leaves: the class of the change, a text. Two changes of one class are of
the same sort of record, at the same place in it, with the same beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.attribution.changes import Place
from bindproof.core.model import Json
from bindproof.suites.relay.observation.published import payloads, publications
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import made_outside
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.callbacks import PUBLISHED, callback_named
from bindproof.suites.relay.scenario.complete import all_steps

DEPTH = 5
"""So much of a place inside a record is told."""


class Words:
    """Tells the class of a change of one scenario's lawful log."""

    def __init__(self, full: Json, log: list[Json], reading: Reading) -> None:
        self._log, self._reading = log, reading
        steps = all_steps(full)
        self._steps = {step["as"]: step for step in steps}
        self._inner = self._steps.keys() - {step["as"] for step in full["steps"]}
        self._words = reading.words
        self._closed = {one.step["as"] for one in reading.streams if one.closed is not None and not one.ended}
        self._owners = self._owned()
        self._first = set(self._firsts())
        chunks = [at for at, own in self._owners.items() if own.startswith("chunk mark")]
        self._of_chunks = {log[at]["event"]["uuid"] for at in chunks}

    def _owned(self) -> dict[int, str]:
        """Return what each event is of, and whether that is outside any scope, by index."""
        told, found = self._reading.deliveries, {}
        for act, lives in told.lives.items():
            sort = self._sort(act.step)
            for life in lives.values():
                pending = [event for _, event in life.pending if event]
                for words, events in (
                    ("start", life.starts),
                    ("end", life.ends),
                    ("mark in", life.marks),
                    ("pending mark", pending),
                    ("chunk mark", life.chunks),
                ):
                    found.update({at: f"{words} of {sort}{self._around(act)}" for at, _ in events})
        for words, marks in (("mark", told.marked), ("rejection", told.rejected)):
            for act, own in marks.items():
                sort = self._sort(act.step) if words == "rejection" else self._place(act.step)
                found.update({at: f"{words} of {sort}{self._around(act)}" for at, _ in own.values()})
        return found

    def _firsts(self) -> Iterator[int]:
        """Yield where what rewrites an event, or a payload, is entered first of its sort."""
        transcript = self._reading.transcript
        for one in publications(transcript):
            yield from (run.entered for run in (*one.injectors[:1], *one.sanitizers[:1]))
        yield from (chain.runs[0].entered for chain in payloads(transcript))

    def _place(self, step: Json) -> str:
        if step["as"] not in self._inner:
            return "the program"
        act = self._reading.transcript.by_id[step["as"]]
        return "a provider" if act.within is not None and act.within.part == "provider" else "a callback"

    def _sort(self, step: Json) -> str:
        kind = step.get("kind", "")
        manual = "manual " if step["step"] == "start" and kind != "scope" else ""
        beside = " in flight" if step.get("background") else ""
        inner = " in a callback" if step["as"] in self._inner else ""
        given = " with metadata" if isinstance(step.get("metadata"), dict) else ""
        early = " closed early" if step["as"] in self._closed else ""
        return f"{manual}{kind}{early}{beside}{inner}{given}"

    def record(self, at: int) -> str:
        """Return what a record is."""
        record = self._log[at]
        fact = record["fact"]
        if fact == "event":
            event = record["event"]
            own = self._owners.get(at)
            if own is None:
                own = f"{event.get('scope_category') or 'mark'} of {event.get('category')}"
            return f"event {own}{self._rewritten(own)}"
        if "callback" not in record:
            step = self._steps.get(record.get("step", ""), {})
            what = f"{step.get('step', '?')} {step.get('kind') or step.get('family') or ''}".strip()
            inner = " in a callback" if record.get("step") in self._inner else ""
            beside = " in flight" if step.get("background") else ""
            failed = self._failed(record)
            return f"{fact} {what}{beside}{inner}{failed}"
        name, part = callback_named(str(record["callback"]))
        step = self._steps.get(name, {})
        what = step.get("family") or f"{part} of {step.get('kind') or step.get('step')}"
        words = [" in flight"] * bool(step.get("background")) + [" async"] * bool(step.get("async"))
        if fact == "enter" and part in PUBLISHED:
            words.append(" first" if at in self._first else " later")
            words += [" of a chunk mark"] * self._is_of_a_chunk(record["given"].get("event"))
        return f"{fact} {what}{''.join(words)}"

    def _is_of_a_chunk(self, given: Json) -> bool:
        """Tell whether an event that a callback is given is a mark of a chunk."""
        return isinstance(given, dict) and given.get("uuid") in self._of_chunks

    def _failed(self, record: Json) -> str:
        """Tell of an error whether a collector raised it: that is another rule's."""
        if "error" not in record:
            return ""
        raised_by = str(record["error"].get("same_as")).rpartition(".")[2]
        return " that failed by its collector" if raised_by == "collector" else " that failed"

    def _rewritten(self, own: str) -> str:
        first = own.split(" ")[0]
        phase = first if first in ("start", "end") else "mark"
        there = [f"{phase}.sanitize" in self._words, "event.metadata" in self._words]
        return " sanitized" * there[0] + " injected" * there[1]

    def _around(self, act: Act) -> str:
        return " outside" if made_outside(self._reading.transcript, act) and not act.step.get("parent") else ""

    def of(self, kind: str, place: Place) -> str:
        """Return the class of a change."""
        if kind in ("drop", "double"):
            return f"{kind}: {self.record(place[0])}"
        if kind == "swap":
            return f"{kind}: {self.record(place[0])} / {self.record(place[1])}"
        if kind == "other value":
            return f"{kind}: {self.record(place[0])}"
        inside = place[1:-1] if kind == "time" else place[1:]
        return f"{kind}: {self.record(place[0])} @{'/'.join(map(str, inside[: DEPTH + 1]))}"
