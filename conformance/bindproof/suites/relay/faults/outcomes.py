"""Planted faults of the chapter *LLM request outcomes* (OUT), and refusals that say nothing, of all chapters."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import FOREIGN_UUID, Spoiled, plant, stands
from bindproof.suites.relay.observation.in_flight import cancellings
from bindproof.suites.relay.observation.outcomes import rejection
from bindproof.suites.relay.observation.reading import Entry, LlmCall

FAULTS: dict[str, Fault] = {}


@plant(
    FAULTS,
    "vague_refusal",
    "a malformed outcome is refused with an error that does not say so",
    *("OUT-001", "OUT-008", "OUT-011", "MRK-007", "MRK-008", "DLC-005", "DLC-007", "CTR-007"),
    also=("REF-000", "DLC-013"),
)
def vague_refusal(spoiled: Spoiled) -> bool:
    """Make the error of every refused outcome say something else."""
    return spoil_errors(spoiled, lambda call, kind: kind == "outcome_malformed")


def spoil_errors(spoiled: Spoiled, wanted: Callable[[LlmCall, str], bool]) -> bool:
    """Replace the message of the errors whose kind is wanted; `wanted` takes the call and the kind."""
    done = False
    for call in spoiled.reading.calls:
        if call.error is not None and call.done is not None and wanted(call, kind_in(spoiled, call)):
            spoiled.log[call.done]["error"] = {**call.error, "message": "something failed"}
            done = True
    return done


def kind_in(spoiled: Spoiled, call: LlmCall) -> str:
    """Return the kind of a call's error as the call's own records show it."""
    if rejection(call.act) is not None:
        return "guardrail_rejected"
    if call.act in cancellings(spoiled.transcript):
        return "cancelled"
    if call.executions:
        return "callback_raised"
    raised = any(one.raised is not None for one in call.act.everything if one.part not in ("decode", "encode"))
    if raised or any(act.step["odd"] for act in spoiled.transcript.of_kind("register")):
        return "callback_raised"
    if any(_failed_codec(one) for one in call.decodes + call.encodes):
        return "codec_failed"
    last = call.intercepts[-1] if call.intercepts else None
    if call.codec and last is not None and isinstance(last.reply, dict) and _requests_are_whole(last):
        if last.reply["request"]["content"] != last.given["request"]["content"]:
            return "content_changed"
        if last.reply.get("annotated_request") is None:
            return "annotation_missing"
    return "codec_failed" if call in spoiled.reading.builtin else "outcome_malformed"


def _failed_codec(one: Entry) -> bool:
    return one.raised is not None or not isinstance(one.reply, dict)


def _requests_are_whole(one: Entry) -> bool:
    request = one.reply.get("request")
    return isinstance(request, dict) and request.keys() >= {"headers", "content"}


@plant(FAULTS, "invent_annotation", "an omitted annotation is not null", "OUT-002")
def invent_annotation(spoiled: Spoiled) -> bool:
    """Give the next intercept an annotation where the outcome before it stated none."""
    name = spoiled.spelling.argument.get("annotated_request", "annotated_request")
    found = [
        after
        for call in spoiled.reading.calls
        for one, after in zip(call.intercepts, call.intercepts[1:], strict=False)
        if not call.codec and isinstance(one.reply, dict) and "annotated_request" not in one.reply
    ]
    for after in found:
        after.raw_given[name] = {"messages": []}
    return bool(found)


@plant(FAULTS, "demand_marks", "an outcome without pending marks is refused", "OUT-003", "OUT-013")
def demand_marks(spoiled: Spoiled) -> bool:
    """Fail every helper whose intercepts left the marks out."""
    done = False
    for call in spoiled.reading.calls:
        lacks = any(isinstance(one.reply, dict) and "pending_marks" not in one.reply for one in call.intercepts)
        if call.helper and call.error is None and call.done is not None and lacks:
            record = spoiled.log[call.done]
            record.pop("value")
            message = spoiled.message("outcome_malformed")
            record["error"] = {"type": "Error", "message": message, "code": None, "same_as": None}
            done = True
    return done


@plant(FAULTS, "refuse_well_formed", "a well-formed outcome is refused", "OUT-013")
def refuse_well_formed(spoiled: Spoiled) -> bool:
    """Fail every helper that succeeded and whose intercepts stated their marks."""
    name = spoiled.spelling.reply.get("pending_marks", "pending_marks")
    found = [
        spoiled.log[call.done]
        for call in spoiled.reading.calls
        if call.helper and call.error is None and call.done is not None and call.intercepts
        if all(name in one.raw_reply for one in call.intercepts)
    ]
    for record in found:
        record.pop("value")
        record["error"] = {"type": "Error", "message": "it did not please", "code": None, "same_as": None}
    return bool(found)


# behind an outcome that was taken and had to be refused, what is given next is the reference's alone to tell
@plant(FAULTS, "forget_outcome", "the next intercept is not given the accepted request", "OUT-004", also=("REF-000",))
def forget_outcome(spoiled: Spoiled) -> bool:
    """Put a header that nobody set into what every second intercept is given."""
    found = [
        after
        for call in spoiled.reading.calls
        for one, after in zip(call.intercepts, call.intercepts[1:], strict=False)
        if one.replied
    ]
    for after in found:
        after.raw_given["request"] = {
            **after.raw_given["request"],
            "headers": {**after.raw_given["request"]["headers"], "planted": "1"},
        }
    return bool(found)


@plant(FAULTS, "wrong_order", "two intercepts change places", "OUT-005", also=("MID-002", "MID-003"))
def wrong_order(spoiled: Spoiled) -> bool:
    """Exchange the names of the first two intercepts of the chain, where neither breaks it nor fails."""
    chains = [call.intercepts for call in spoiled.reading.calls if len(call.intercepts) > 1 and call.error is None]
    chains = [chain for chain in chains if not any(map(stands, chain))]
    if spoiled.breaks_chain() or spoiled.raises() or not chains:
        return False
    one, other = chains[0][0].callback, chains[0][1].callback
    names = {one: other, other: one}
    if any(len(names.keys() & {each.callback for each in call.intercepts}) == 1 for call in spoiled.reading.calls):
        return False  # where one of them runs alone no order is changed
    for record in spoiled.log:
        if record.get("callback") in names:
            record["callback"] = names[record["callback"]]
    return True


@plant(FAULTS, "ignore_break", "the chain goes on behind a breaking intercept", "OUT-006")
def ignore_break(spoiled: Spoiled) -> bool:
    """Entry the intercept that comes after the one that broke the chain."""
    for call in spoiled.reading.calls:
        last = call.intercepts[-1] if call.intercepts else None
        if (
            last is not None
            and last.replied
            and call.error is None
            and spoiled.reading.intercepts[last.callback]["break_chain"]
        ):
            return _run_next(spoiled, call, last)
    return False


@plant(FAULTS, "go_on_after_failure", "a later intercept runs though one failed", "OUT-007", also=("HLP-007",))
def go_on_after_failure(spoiled: Spoiled) -> bool:
    """Entry the intercept that comes after the one that raised."""
    for call in spoiled.reading.calls:
        last = call.intercepts[-1] if call.intercepts else None
        if last is not None and last.raised is not None:
            return _run_next(spoiled, call, last, last.given)
    return False


def _run_next(spoiled: Spoiled, call: LlmCall, one: Entry, outcome: Json = None) -> bool:
    step = spoiled.next_intercept(call, one)
    if step is None or one.left is None:
        return False
    spoiled.insert(one.left, *spoiled.passes_through(step["as"], call, one.reply if outcome is None else outcome))
    return True


@plant(FAULTS, "go_on_after_refusal", "a later intercept runs though the codec's authority was broken", "AUT-006")
def go_on_after_refusal(spoiled: Spoiled) -> bool:
    """Entry the intercept that comes after the one that changed the content or left out the annotation."""
    for call in spoiled.managed:
        last = call.intercepts[-1] if call.intercepts else None
        broken = call.error is not None and kind_in(spoiled, call) in ("content_changed", "annotation_missing")
        if last is not None and broken:
            return _run_next(spoiled, call, last, last.given)
    return False


@plant(
    FAULTS,
    "unset_fields",
    "what a mark of the helper's outcome leaves unset is not there",
    "OUT-009",
    also=("DLC-003",),
)
def unset_fields(spoiled: Spoiled) -> bool:
    """Take every null out of the marks of every helper's outcome."""
    name = spoiled.spelling.helper.get("pending_marks", "pending_marks")
    found = [mark for call in spoiled.reading.helpers if call.error is None for mark in call.raw_value.get(name, ())]
    found = [mark for mark in found if None in mark.values()]
    for mark in found:
        for key in [key for key, value in mark.items() if value is None]:
            del mark[key]
    return bool(found)


@plant(FAULTS, "helper_forgets_marks", "the helper returns no marks", "OUT-009", also=("HLP-012",))
def helper_forgets_marks(spoiled: Spoiled) -> bool:
    """Empty the marks of every helper's outcome; where an intercept breaks the chain MRK-009 would break too."""
    name = spoiled.spelling.helper.get("pending_marks", "pending_marks")
    found = [call.raw_value for call in spoiled.reading.calls if call.helper and (call.raw_value or {}).get(name)]
    if spoiled.breaks_chain():
        return False
    for value in found:
        value[name] = []
    return bool(found)


@plant(FAULTS, "helper_emits", "the helper emits its marks", "OUT-010", also=("HLP-005", "EVT-051"))
def helper_emits(spoiled: Spoiled) -> bool:
    """Emit a mark that a helper returned, in a scenario that makes no call."""
    helpers = [call for call in spoiled.reading.calls if call.helper and call.pending_marks and call.done is not None]
    if spoiled.managed or not helpers or not spoiled.subscribers():
        return False
    event = spoiled.mark_event(helpers[0].pending_marks[0]["name"], FOREIGN_UUID)
    for subscriber in spoiled.subscribers():
        spoiled.insert(helpers[0].done or 0, {"fact": "event", "subscriber": subscriber, "event": event})
    return True


@plant(
    FAULTS, "wrap_exception", "the caller is given another exception than the one raised", "OUT-012", also=("REF-000",)
)
def wrap_exception(spoiled: Spoiled) -> bool:
    """Say of every error that it is nobody's own."""
    found = [spoiled.log[call.done] for call in spoiled.reading.calls if call.error and call.done is not None]
    owned = [record for record in found if record["error"]["same_as"] is not None]
    for record in owned:
        record["error"] = {**record["error"], "same_as": None}
    return bool(owned)
