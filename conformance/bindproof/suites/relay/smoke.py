"""The first scenarios that an adapter of `relay` has to act out, from nothing to everything.

Enters: nothing. Leaves: `STEPS`, in the order in which an adapter is best written. Must not know how they are run.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import SmokeStep

AWKWARD = "separators \u2028 \u2029, next line \u0085, NUL \u0000, a smile \U0001f600"
MEGABYTE = "x" * (1 << 20)

_SUBSCRIBER = {"step": "register", "as": "s", "family": "subscriber", "name": "s"}
_CALL = {"step": "call", "as": "c", "name": "gpt"}


def _intercept(name: str, *ops: Json, **fields: Json) -> Json:
    return {"step": "register", "as": name, "family": "llm.request", "name": name, "do": list(ops), **fields}


def _edit(**parts: Json) -> Json:
    return {"op": "edit", **parts}


_MARKS = _edit(append={"/pending_marks": [{"name": "m1", "data": {"k": 1}}, {"name": "m2"}]})
_EVERYTHING = [
    _SUBSCRIBER,
    {"step": "register", "as": "s2", "family": "subscriber", "name": "s2"},
    _intercept("a", _MARKS),
    _intercept("b", _edit(set={"/request/headers/x": "1"}), priority=1, break_chain=True),
    {**_CALL, "codec": {}},
    {"step": "helper", "as": "h", "name": "gpt"},
]

STEPS = (
    SmokeStep("settles a scenario with nothing in it", {"steps": [{"step": "flush"}]}, "record `done`, then `settled`"),
    SmokeStep(
        "calls a provider and records what it was given, and what the caller got",
        {"steps": [_CALL]},
        "the provider records `enter` and `leave`; the call's value is its `done`",
    ),
    SmokeStep(
        "edits a provider's natural answer",
        {"steps": [{**_CALL, "provider": [_edit(set={"/more": [1]}, remove=["/ok"], append={"/more": [2]})]}]},
        "an `edit` sets, then removes, then appends",
    ),
    SmokeStep(
        "raises inside a provider, and records the caller's error",
        {"steps": [{**_CALL, "provider": [{"op": "raise", "text": "boom-1!"}]}]},
        "`leave` says `raised`; `done` has an `error` whose message holds the text",
    ),
    SmokeStep(
        "registers a subscriber and passes its events on, keys untouched",
        {"steps": [_SUBSCRIBER, _CALL]},
        "flush before `settled`, and record each event as the binding serialises it",
    ),
    SmokeStep(
        "registers an intercept that returns the natural reply",
        {"steps": [_intercept("i"), _CALL]},
        "an intercept is given name, request and annotation; its natural reply is the same with no marks",
    ),
    SmokeStep(
        "returns pending marks from an intercept",
        {"steps": [_SUBSCRIBER, _intercept("i", _MARKS), _CALL]},
        "the reply of an intercept reaches the binding with its marks",
    ),
    SmokeStep(
        "keeps priority and break_chain of a registration",
        {"steps": [_intercept("b", priority=2), _intercept("a", priority=1, break_chain=True), _CALL]},
        "hand `priority` and `break_chain` to the binding's own call",
    ),
    SmokeStep(
        "decodes and encodes with a scripted codec",
        {"steps": [_intercept("i", _edit(set={"/annotated_request/model": "m"})), {**_CALL, "codec": {}}]},
        "decode's natural reply is messages and model; encode's lays the annotation over the content",
    ),
    SmokeStep(
        "runs the standalone helper",
        {"steps": [_intercept("i", _MARKS), {"step": "helper", "as": "h", "name": "gpt"}]},
        "the helper's value is the whole outcome in the binding's own names",
    ),
    SmokeStep(
        "passes awkward letters in both directions",
        {
            "steps": [
                {
                    **_CALL,
                    "request": {"headers": {}, "content": {"t": AWKWARD}},
                    "provider": [_edit(set={"": {"$get": "given/request/content"}})],
                }
            ]
        },
        "split lines at \\n alone: many line readers also split at U+2028 and U+0085",
    ),
    SmokeStep(
        "passes a line of a megabyte in both directions",
        {"steps": [{**_CALL, "provider": [_edit(set={"": MEGABYTE})]}]},
        "read and write whole lines, however long; the limit is 16 MiB",
    ),
    SmokeStep(
        "acts everything out at once", {"steps": _EVERYTHING}, "each part works alone: look at what differs here"
    ),
    SmokeStep(
        "leaves nothing of it behind",
        {"steps": [_CALL]},
        "after each scenario flush, deregister in reverse and flush again; begin on a fresh scope stack",
    ),
)
"""The steps, each on the one before it."""
