"""What checks are given: one observation, read once.

Enters: what a scenario's steps are, its normalised log, the dialect's spelling. Leaves: a Reading: the transcript of
the observation, and what several checks ask of it, worked out once. It states facts and judges nothing; the reference
is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from bindproof.core.model import Json
from bindproof.spec.forms import Form
from bindproof.suites.relay.observation.cached import cached
from bindproof.suites.relay.observation.calls import Event, Life, LlmCall, calls, marks_of
from bindproof.suites.relay.observation.deliveries import Deliveries, deliveries
from bindproof.suites.relay.observation.no_json import in_json, is_taken
from bindproof.suites.relay.observation.reader import transcript
from bindproof.suites.relay.observation.records import Record
from bindproof.suites.relay.observation.storms import Story, story
from bindproof.suites.relay.observation.streams import StreamCall, streams
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript
from bindproof.suites.relay.scenario.complete import all_steps, raised_texts
from bindproof.suites.relay.scenario.no_json import WORD as NO_JSON
from bindproof.suites.relay.scenario.no_json import as_null, hands_over_no_json
from bindproof.suites.relay.scenario.rules.program import words
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof.suites.relay.scenario.storms import storm_of

__all__ = ["Entry", "Event", "Life", "LlmCall", "Reading", "marks_of"]


class Reading(Struct, eq=False, dict=True):
    """One observation, ready to be judged."""

    edition: str
    spelling: Spelling
    full: Json
    records: list[Record]
    """The normalised ones as types."""
    log: list[Json]
    raw: list[Json]
    """`log` and `raw`: the same records, normalised and as recorded."""
    forms: Mapping[str, Form]
    """Name of a contract object → its form in the edition."""
    rules: frozenset[str] = frozenset()
    """The requirements that are in force, by id."""
    storm: Story | None = None
    """What was seen of a storm. Then the above has nothing: that is read as one thing after the other."""
    faults: dict[Entry, str | None] = field(default_factory=dict)
    """What `checks.malformed` found of replies, by entry."""

    @classmethod
    def of(
        cls,
        edition: str,
        spelling: Spelling,
        full: Json,
        records: list[Record],
        log: list[Json],
        raw: list[Json],
        forms: Mapping[str, Form],
        rules: frozenset[str] = frozenset(),
    ) -> Reading:
        """Return the reading of an observation."""
        if storm_of(full) is None:
            return cls(edition, spelling, full, records, log, raw, forms, rules)
        return cls(edition, spelling, {"steps": []}, [], [], [], forms, rules, story(full, records))

    @cached
    def words(self) -> frozenset[str]:
        """What is in the scenario, in words (see `scenario.rules.program.words`)."""
        return words(all_steps(self.full))

    @cached
    def in_json(self) -> Reading:
        """The same of a program that hands over and replies JSON alone (DLC-012, DLC-013): null in place of what JSON
        lacks where that was taken, and without the steps that failed at once for it."""
        if NO_JSON not in self.words:
            return self
        refused = {act.step["as"] for act in self.transcript.acts if hands_over_no_json(act.step) and not is_taken(act)}
        steps = [step for step in self.full["steps"] if step["as"] not in refused]
        full = {**self.full, "steps": [as_null(step) if hands_over_no_json(step) else step for step in steps]}
        records = in_json(self.transcript, self.records)
        return Reading(self.edition, self.spelling, full, records, self.log, self.raw, self.forms, self.rules)

    @cached
    def raises(self) -> dict[str, str]:
        """The texts that callbacks may raise: text → callback id."""
        return raised_texts(self.full)

    @cached
    def transcript(self) -> Transcript:
        """The program as it went: steps with the callbacks that ran in them, and the events."""
        return transcript(self.full, self.records, self.spelling)

    @cached
    def deliveries(self) -> Deliveries:
        """Who was told what."""
        return deliveries(self.transcript)

    @cached
    def events(self) -> list[tuple[str, Event]]:
        """Every event with its subscriber, in the order of the log."""
        return [(row["subscriber"], (at, row["event"])) for at, row in enumerate(self.log) if row["fact"] == "event"]

    @cached
    def unowned(self) -> list[tuple[str, Event]]:
        """The events that are of no step."""
        return self.deliveries.unowned

    @cached
    def streams(self) -> list[StreamCall]:
        """The stream calls as they went."""
        return streams(self.transcript)

    @cached
    def raw_steps(self) -> list[Act]:
        """The raw steps that came back, in order."""
        return self.transcript.of_kind("raw")

    @cached
    def calls(self) -> list[LlmCall]:
        """The managed LLM calls, streams too, and the helpers of their request intercepts."""
        return calls(self.transcript, self.spelling)

    @cached
    def intercepts(self) -> Mapping[str, Json]:
        """The registrations of LLM request intercepts by callback id."""
        return {step["as"]: step for step in all_steps(self.full) if step.get("family") == "llm.request"}

    @cached
    def managed(self) -> list[LlmCall]:
        """The managed calls."""
        return [call for call in self.calls if not call.helper]

    @cached
    def reached(self) -> list[LlmCall]:
        """The managed calls that reached their execution."""
        return [call for call in self.managed if call.executions]

    @cached
    def coded(self) -> list[LlmCall]:
        """The managed calls with a codec."""
        return [call for call in self.calls if call.codec]

    @cached
    def scripted(self) -> list[LlmCall]:
        """The managed calls whose codec is scripted: what it was given and said is on record."""
        return [call for call in self.coded if isinstance(call.step["codec"], dict)]

    @cached
    def builtin(self) -> list[LlmCall]:
        """The managed calls whose codec is a built-in one."""
        return [call for call in self.coded if isinstance(call.step["codec"], str)]

    @cached
    def helpers(self) -> list[LlmCall]:
        """The standalone helpers of request intercepts."""
        return [call for call in self.calls if call.helper]

    @cached
    def lived(self) -> list[tuple[LlmCall, str, Life]]:
        """Each call whose interception succeeded with each subscriber of its audience and what that was told."""
        return [
            (call, subscriber, call.lives.get(subscriber) or Life())
            for call in self.managed
            if call.intercepted
            for subscriber in call.audience
        ]

    @cached
    def marked(self) -> list[tuple[LlmCall, str, Life]]:
        """The lives of calls whose intercepts stated marks."""
        return [(call, subscriber, life) for call, subscriber, life in self.lived if call.pending_marks]

    @cached
    def matched_marks(self) -> list[tuple[LlmCall, str, Json, Event]]:
        """Pending marks of calls, each beside the event that it became for a subscriber."""
        return [
            (call, subscriber, mark, event)
            for call, subscriber, life in self.marked
            for mark, event in life.pending
            if event is not None
        ]

    @cached
    def replies(self) -> list[tuple[LlmCall, Entry]]:
        """Every reply of every intercept with the call that it belongs to."""
        return [(call, one) for call in self.calls for one in call.intercepts if one.replied]

    @cached
    def followed(self) -> list[tuple[LlmCall, Entry, Entry]]:
        """Each intercept with its call and the intercept that ran after it."""
        return [
            (call, one, after)
            for call in self.calls
            if len(call.intercepts) > 1
            for one, after in zip(call.intercepts, call.intercepts[1:], strict=False)
        ]
