"""What ran when one event was published, beside the event as it was told: facts about a story.

Enters: a Story. Leaves: publications, and the chains of call sanitizers. It judges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bindproof.core.model import Json
from bindproof.suites.relay.observation.spans import newest, spans
from bindproof.suites.relay.observation.story import Act, Event, Run, Story
from bindproof.suites.relay.scenario.spelling import SANITIZERS

FIELDS = ("data", "category_profile", "metadata")


@dataclass(eq=False, slots=True)
class Publication:
    """The injectors and sanitizers that one event went through, in order, and the event as a subscriber was told it."""

    told: Event
    injectors: list[Run] = field(default_factory=list)
    sanitizers: list[Run] = field(default_factory=list)

    def runs(self) -> list[Run]:
        """All that ran, in the order of the log."""
        return sorted(self.injectors + self.sanitizers, key=lambda run: run.entered)


@newest
def publications(story: Story) -> list[Publication]:
    """Return what each event that a subscriber was told went through; each event once, as first told."""
    found: dict[str, Publication] = {}
    for events in story.events.values():
        for told in events:
            found.setdefault(_key(told[1]), Publication(told))
    for run in story.published:
        event = run.given.get("event")
        one = found.get(_key(event)) if isinstance(event, dict) else None
        if one is not None:
            (one.sanitizers if run.part in SANITIZERS else one.injectors).append(run)
    return list(found.values())


def _key(event: Json) -> str:
    return repr((event.get("uuid"), event.get("scope_category"), event.get("timestamp")))


@dataclass(eq=False, slots=True)
class Payload:
    """A chain of call sanitizers as it ran for one start or end: the call, the callbacks, the event as it was told."""

    act: Act
    runs: list[Run]
    told: Event


MEMBER = {
    "llm.sanitize_request": "request",
    "llm.sanitize_response": "response",
    "tool.sanitize_request": "args",
    "tool.sanitize_response": "result",
}
"""Family → the member of what it is given that is the payload."""


@newest
def payloads(story: Story) -> list[Payload]:
    """Return the chains of call sanitizers: of families whose registrations stay the same from the first call on, and
    where chains and the events that they are of are equally many.
    """
    found: list[Payload] = []
    for family in [family for family in MEMBER if _stays(story, family)]:
        kind = family.partition(".")[0]
        own = spans(story, kind)
        own = [span for span in own if span.subscriber == own[0].subscriber] if own else []
        if any(span.act.step["step"] != "call" or span.act.step["kind"] != kind for span in own):
            continue
        events = [
            (span.act, span.start if family.endswith("request") else span.ends[0])
            for span in own
            if family.endswith("request") or (span.act.error is None and span.ends)
        ]
        events.sort(key=lambda event: event[1][0])  # calls in flight end in another order than they start in
        chains = _chains([run for run in story.published if run.part == family])
        if len(chains) == len(events):
            found += [Payload(act, runs, told) for (act, told), runs in zip(events, chains, strict=True)]
    return found


def _stays(story: Story, family: str) -> bool:
    """Tell whether all that is registered of a family is global, was there before the first call, and stays."""
    first = min((act.began for act in story.acts if act.step["step"] in ("call", "start")), default=0)
    registered = [act for act in story.acts if act.step["step"] == "register" and act.step["family"] == family]
    names = {act.step["as"] for act in registered}
    taken = any(act.step["step"] == "deregister" and act.step["of"] in names for act in story.acts)
    return not taken and all(act.step["scope"] == "global" and (act.done or 0) < first for act in registered)


def _chains(runs: list[Run]) -> list[list[Run]]:
    """Part the callbacks of one family where one of them runs again."""
    chains: list[list[Run]] = []
    for run in runs:
        if not chains or run.callback in {one.callback for one in chains[-1]}:
            chains.append([])
        chains[-1].append(run)
    return chains
