"""The lane of each record: what is in one order, and in none with what is beside it.

Enters: a record of a log, what the scenario has that is beside the program. Leaves: the lane's name. It judges nothing.

| what | lane |
|-|-|
| a step, and a callback that it runs inline | `program` |
| a provider's entry, where an intercept goes on to it several times at once | `<callback>.<k>` |
| a callback that runs when an event is published, and the steps that it does | `publication` |
| what hands the chunks of a stream over | `<callback>.stream`; the provider's is its id |
| what collects them, and finishes | `<call>.collector` |
| that a callback is told that its call is cancelled | `<callback>.cancelled` |
| an event, and that who is told of it waits | the subscriber's id |
| the end of a call that the program cancels, where it is an error | `<subscriber>.cancelled.<name>` |
| the end of a guardrail that is cancelled | the same, with its own name |
"""

from __future__ import annotations

from functools import lru_cache

from bindproof.core.model import Json
from bindproof.suites.relay.observation.status import is_error
from bindproof.suites.relay.scenario.callbacks import BESIDE, PUBLISHED, TOLD, callback_named, is_of_sanitizer

PROGRAM = "program"
PUBLICATION = "publication"


def lane_of(record: Json, cancelled: frozenset[str], apart: frozenset[str] = frozenset()) -> str:
    """Return the lane of a record.

    cancelled: the names of the calls that some step cancels. apart: the callbacks of which several may be at work.
    """
    if record["fact"] == "event":
        subscriber = str(record["subscriber"])
        if cancelled and is_cancelled_end(record["event"], cancelled):
            return f"{subscriber}.cancelled.{record['event']['name']}"
        return subscriber
    if record["fact"] == "done" and is_of_sanitizer(str(record["step"])):
        return PUBLICATION
    if record.get("callback") in apart:
        return f"{record['callback']}.{record['k']}"
    return _lane_of_callback(record["fact"], str(record.get("callback", "")), bool(record.get("k")))


def is_cancelled_end(event: Json, cancelled: frozenset[str]) -> bool:
    """Tell whether an event is the failed end of a call that the program cancels, or of a guardrail in such a call.

    The call has a name of its own, and so has the guardrail.
    """
    if not isinstance(event, dict) or event.get("scope_category") != "end":
        return False
    name = event.get("name")
    return isinstance(name, str) and (_of_guardrail(event) or (name in cancelled and is_error(event.get("metadata"))))


def _of_guardrail(event: Json) -> bool:
    """Tell whether an event is the end of a guardrail that says in one way or another that it is cancelled."""
    data = event.get("data")
    if event.get("category") != "guardrail" or not isinstance(data, dict):
        return False
    return data.get("cancelled") is True or str(data.get("error")).endswith("cancelled")


def at_publication(callback: str, *, again: bool) -> bool:
    """Tell whether a callback runs when an event is published.

    A codec decodes first for the call itself; from then on it does so for the call's events. again: it ran before.
    """
    part = callback_named(callback).part
    return part in PUBLISHED or (again and part == "decode")


@lru_cache(maxsize=4096)
def _lane_of_callback(fact: str, callback: str, again: bool) -> str:
    """Return the lane of what is no event; the same few are asked for again and again."""
    step, part = callback_named(callback)
    if at_publication(callback, again=again):
        return PUBLICATION
    if fact == "cancelled":
        return f"{callback}.cancelled"
    if part == "source":
        return callback
    if part == TOLD:
        return step
    if part in BESIDE:
        return f"{step}.collector"
    return f"{callback}.stream" if fact in ("chunk", "over") else PROGRAM
