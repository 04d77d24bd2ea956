"""Planted faults of the chapter *Managed LLM lifecycle* (LIF)."""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.scopes import is_outside, made_outside
from bindproof.suites.relay.observation.status import STATUS
from bindproof_reference.relay.authority import CREDENTIALS

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "drop_end", "a call never ends", "LIF-001", also=("FLT-002", "FLT-011", "STR-005"))
def drop_end(spoiled: Spoiled) -> bool:
    """Drop every end event."""
    ends = {id(event) for _, lives in spoiled.lives() for life in lives for _, event in life.ends}
    spoiled.remove(lambda record: record["fact"] == "event" and id(record["event"]) in ends)
    return bool(ends)


@plant(FAULTS, "mark_before_start", "a mark is told before the start", "LIF-002", also=("FLT-001", "STR-006"))
def mark_before_start(spoiled: Spoiled) -> bool:
    """Exchange the start with the first mark."""
    lives = [life for _, lives in spoiled.marked() for life in lives if life.starts]
    for life in lives:
        (start, one), (mark, other) = life.starts[0], life.marks[0]
        spoiled.log[start]["event"], spoiled.log[mark]["event"] = other, one
    return bool(lives)


@plant(FAULTS, "early_end", "the end is as early as the start", "LIF-003", also=("EVT-011", "EVT-018", "STR-005"))
def early_end(spoiled: Spoiled) -> bool:
    """Give every end its start's time."""
    lives = [life for _, lives in spoiled.lives() for life in lives if life.starts and life.ends]
    for life in lives:
        life.ends[0][1]["timestamp"] = life.starts[0][1]["timestamp"]
    return bool(lives)


@plant(
    FAULTS,
    "stale_start",
    "the start's data is not the resolved request",
    "LIF-004",
    also=("EVT-016", "EVT-023", "REF-000"),
)
def stale_start(spoiled: Spoiled) -> bool:
    """Put another header into every start's data."""
    starts = [event for event in _starts(spoiled) if isinstance(event["data"], dict) and "headers" in event["data"]]
    for event in starts:
        event["data"] = {**event["data"], "headers": {**event["data"]["headers"], "planted": "1"}}
    return bool(starts)


@plant(
    FAULTS, "show_credentials", "a start shows the credentials that the provider is given", "LIF-026", also=("EVT-023",)
)
def show_credentials(spoiled: Spoiled) -> bool:
    """Put a credential header into every start's data, as it may stand there from 0.7 on never."""
    starts = [event for event in _starts(spoiled) if isinstance(event["data"], dict) and "headers" in event["data"]]
    given = [_headers(one.raw_given) for call in spoiled.managed for one in call.executions]
    held = {name: value for headers in given for name, value in headers.items() if name.lower() in CREDENTIALS}
    if not spoiled.rules.credentials_hidden or not held:
        return False
    for event in starts:
        event["data"] = {**event["data"], "headers": {**event["data"]["headers"], **held}}
    return bool(starts)


@plant(FAULTS, "hide_credentials", "a start leaves credentials out", "LIF-027", also=("EVT-023",))
def hide_credentials(spoiled: Spoiled) -> bool:
    """Take the credential headers out of every start's data."""
    starts = [event for event in _starts(spoiled) if isinstance(event["data"], dict) and "headers" in event["data"]]
    found = [event for event in starts if any(name.lower() in CREDENTIALS for name in event["data"]["headers"])]
    for event in found:
        kept = {name: value for name, value in event["data"]["headers"].items() if name.lower() not in CREDENTIALS}
        event["data"] = {**event["data"], "headers": kept}
    return bool(found)


@plant(FAULTS, "call_twice", "the provider is called twice", "LIF-005")
def call_twice(spoiled: Spoiled) -> bool:
    """Repeat the records of the first provider that answered."""
    for call in spoiled.alone():
        for provider in call.providers:
            if provider.replied and provider.left is not None:
                enter, leave = ({**spoiled.log[index], "k": 1} for index in (provider.entered, provider.left))
                spoiled.insert(provider.left, enter, leave)
                return True
    return False


@plant(FAULTS, "wrong_answer", "the caller is given another answer", "LIF-006", also=("EVT-024", "FLT-003", "FLT-008"))
def wrong_answer(spoiled: Spoiled) -> bool:
    """Replace the value of every call that succeeded."""
    found = [spoiled.log[call.done] for call in spoiled.alone() if call.done is not None and call.error is None]
    for record in found:
        record["value"] = PLANTED
    return bool(found)


@plant(FAULTS, "swallow_error", "a provider's error becomes a success", "LIF-007", also=("FLT-003",))
def swallow_error(spoiled: Spoiled) -> bool:
    """Give the caller an answer where the provider raised."""
    found = [c for c in spoiled.alone() if c.providers and c.providers[-1].raised is not None and c.done is not None]
    for call in found:
        record = spoiled.log[call.done or 0]
        record.pop("error", None)
        record["value"] = {"ok": True}
    return bool(found)


@plant(FAULTS, "wrong_status", "the end says that a failed call went well", "LIF-007", also=("EVT-010",))
def wrong_status(spoiled: Spoiled) -> bool:
    """Turn the status of every failed call's end."""
    failed = [call for call in spoiled.alone() if call.providers and call.providers[-1].raised is not None]
    ends = [event for call in failed for life in call.lives.values() for _, event in life.ends]
    for event in ends:
        event["metadata"] = {**event["metadata"], STATUS: "OK"}
    return bool(ends)


@plant(
    FAULTS,
    "deaf_subscriber",
    "one of two subscribers is told nothing",
    "LIF-008",
    also=(
        "EVT-006",
        "EVT-015",
        "EVT-052",
        "FLT-002",
        "FLT-006",
        "MID-004",
        "MID-009",
        "MID-021",
        "MID-026",
        "STR-005",
        "TOL-007",
    ),
)
def deaf_subscriber(spoiled: Spoiled) -> bool:
    """Drop all that the last subscriber of the first call was told."""
    audience = spoiled.managed[0].audience if spoiled.managed else []
    if len(audience) < 2 or audience[-1] not in spoiled.managed[0].lives:
        return False
    spoiled.remove(lambda record: record["fact"] == "event" and record["subscriber"] == audience[-1])
    return True


@plant(
    FAULTS,
    "unknown_event_key",
    "an event has a key that its schema does not know",
    "LIF-009",
    also=("EVT-001", "EVT-018"),
)
def unknown_event_key(spoiled: Spoiled) -> bool:
    """Add a key to every start."""
    for event in _starts(spoiled):
        event["planted"] = 1
    return bool(_starts(spoiled))


@plant(
    FAULTS,
    "wrong_trace",
    "the provider's traceparent names another scope",
    "LIF-010",
    "LIF-015",
    also=("LIF-023", "REF-000", "STR-017"),
)
def wrong_trace(spoiled: Spoiled) -> bool:
    """Replace the traceparent that every provider is given."""
    headers = [_headers(one.raw_given) for call in spoiled.managed for one in call.executions]
    for each in headers:
        each["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
    return bool(headers)


@plant(FAULTS, "keep_tracestate", "the caller's trace state reaches the provider", "LIF-011")
def keep_tracestate(spoiled: Spoiled) -> bool:
    """Put back the trace state that the final outcome has."""
    done = False
    for call in spoiled.managed:
        final = call.final["request"]["headers"] if call.providers and call.final["request"] else {}
        for one in call.providers:
            for name in final:
                if name.lower() == "tracestate" and name not in _headers(one.raw_given):
                    _headers(one.raw_given)[name] = final[name]
                    done = True
    return done


@plant(FAULTS, "forget_model", "the model's name is on no event", "LIF-012", also=("EVT-016", "REF-000"))
def forget_model(spoiled: Spoiled) -> bool:
    """Take the model's name out of every start and end."""
    events = [event for _, lives in spoiled.lives() for life in lives for _, event in life.starts + life.ends]
    named = [event for event in events if "model_name" in (event["category_profile"] or {})]
    for event in named:
        event["category_profile"] = {k: v for k, v in event["category_profile"].items() if k != "model_name"}
    return bool(named)


@plant(
    FAULTS, "forget_annotation", "the annotation is not on the start", "LIF-013", also=("EVT-016", "EVT-027", "REF-000")
)
def forget_annotation(spoiled: Spoiled) -> bool:
    """Take the annotation out of every start."""
    named = [event for event in _starts(spoiled) if "annotated_request" in (event["category_profile"] or {})]
    for event in named:
        event["category_profile"] = {k: v for k, v in event["category_profile"].items() if k != "annotated_request"}
    return bool(named)


@plant(FAULTS, "wrong_root", "an end names another root", "LIF-014", also=("EVT-018", "REF-000"))
def wrong_root(spoiled: Spoiled) -> bool:
    """Give every end another propagation root."""
    outside = [lives for call, lives in spoiled.lives() if is_outside(spoiled.transcript, call.act)]
    ends = [event for lives in outside for life in lives if life.starts for _, event in life.ends]
    ends = [event for event in ends if "propagation_root_uuid" in event]
    for event in ends:
        event["propagation_root_uuid"] = FOREIGN_UUID
    return bool(ends)


@plant(
    FAULTS,
    "other_parent",
    "the last of several calls has another parent",
    "LIF-014",
    "LIF-016",
    also=("EVT-018", "LIF-025", "REF-000", "MID-029"),
)
def other_parent(spoiled: Spoiled) -> bool:
    """Give start and end of the last call another parent."""
    calls = [lives for call, lives in spoiled.lives() if lives and made_outside(spoiled.transcript, call.act)]
    last = calls[-1] if len(calls) > 1 else []
    for event in (event for life in last for _, event in life.starts + life.ends):
        event["parent_uuid"] = FOREIGN_UUID
    return bool(last)


def _starts(spoiled: Spoiled) -> list[Json]:
    return [event for _, lives in spoiled.lives() for life in lives for _, event in life.starts]


def _headers(given: Json) -> Json:
    return given["request"]["headers"]
