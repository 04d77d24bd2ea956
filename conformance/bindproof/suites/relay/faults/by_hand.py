"""Planted faults of the chapter *Events* (EVT) about what a program says of what it starts and ends itself."""

from __future__ import annotations

from bindproof.core.model import Json, same
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.null_answers import answer_of
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.spans import ToldSpan, all_spans, families, spans
from bindproof.suites.relay.observation.status import DESCRIPTION, STATUS

FAULTS: dict[str, Fault] = {}

OTHER_TIME = "2001-02-03T04:05:06.000000000+00:00"


def _by_hand(spoiled: Spoiled, *kinds: str) -> list[ToldSpan]:
    """The spans of the calls that a program started itself, where nothing ran when they were published."""
    if spoiled.transcript.published:
        return []
    return [span for kind in kinds for span in spans(spoiled.transcript, kind) if span.act.step["step"] == "start"]


def _end_step(spoiled: Spoiled, span: ToldSpan) -> Json:
    return next((act.step for act in ends_of(spoiled.transcript, span.act)), {})


@plant(
    FAULTS,
    "stale_answer",
    "the end of a call that a program ends shows another answer",
    "EVT-036",
    also=("EVT-009", "EVT-031", "EVT-039"),
)
def stale_answer(spoiled: Spoiled) -> bool:
    """Replace the data of the end of every manual call that was ended without a codec."""
    found = [span for span in _by_hand(spoiled, "llm", "tool") if not _end_step(spoiled, span).get("response_codec")]
    ends = [end for span in found for _, end in span.ends]
    for end in ends:
        end["data"] = PLANTED
    return bool(ends)


@plant(
    FAULTS,
    "stale_argument",
    "the start of a call by hand shows something else",
    "EVT-042",
    also=("EVT-031", "LIF-027"),
)
def stale_argument(spoiled: Spoiled) -> bool:
    """Replace the data of the start of every manual call."""
    starts = [span.start[1] for span in _by_hand(spoiled, "llm", "tool")]
    for start in starts:
        start["data"] = PLANTED
    return bool(starts)


@plant(FAULTS, "own_time", "a start that a program gave a time has another one", "EVT-037", also=("EVT-031",))
def own_time(spoiled: Spoiled) -> bool:
    """Give every start of that kind another time, long ago."""
    found = [] if spoiled.transcript.published else all_spans(spoiled.transcript)
    found = [span for span in found if span.act.step.get("timestamp") is not None]
    for span in found:
        span.start[1]["timestamp"] = OTHER_TIME
    return bool(found)


@plant(FAULTS, "forget_attributes", "no event has the attributes", "EVT-038", also=("EVT-031",))
def forget_attributes(spoiled: Spoiled) -> bool:
    """Take the attributes from every start and end."""
    found = [] if spoiled.transcript.published else all_spans(spoiled.transcript)
    found = [span for span in found if span.act.step["attributes"]]
    for event in [event for span in found for _, event in (span.start, *span.ends)]:
        event["attributes"] = []
    return bool(found)


@plant(FAULTS, "forget_answers_annotation", "the end of a manual call has no annotation", "EVT-039", also=("EVT-031",))
def forget_answers_annotation(spoiled: Spoiled) -> bool:
    """Take the annotation of the answer from the end of every LLM call that a program ended."""
    ends = [end for span in _by_hand(spoiled, "llm") for _, end in span.ends]
    return _forget_annotations([end for end in ends if end["data"] is not None])


def _forget_annotations(ends: list[Json]) -> bool:
    ends = [end for end in ends if "annotated_response" in (end["category_profile"] or {})]
    for end in ends:
        end["category_profile"] = {
            key: value for key, value in end["category_profile"].items() if key != "annotated_response"
        }
    return bool(ends)


def _without_the_answer(spoiled: Spoiled) -> list[tuple[Json, Json]]:
    """The ends of annotated LLM calls that have no data, or others than they were given, each with its step."""
    if "end.sanitize" in families(spoiled.transcript):
        return []
    found = [span for span in spans(spoiled.transcript, "llm") if span.act.step["step"] == "start"]
    ends = [(_end_step(spoiled, span), end) for span in found for _, end in span.ends]
    return [
        (step, end)
        for step, end in ends
        if step.get("annotation") is not None
        if not same(end["data"], answer_of(step)) or end["data"] is None
    ]


@plant(FAULTS, "annotate_what_is_hidden", "an annotation stands without its answer", "EVT-045", also=("EVT-031",))
def annotate_what_is_hidden(spoiled: Spoiled) -> bool:
    """Give the end of every LLM call the annotation of its program that has it not, where the answer is not there."""
    ends = [(step, end) for step, end in _without_the_answer(spoiled) if not end["category_profile"]]
    for step, end in ends:
        end["category_profile"] = {"annotated_response": step["annotation"]}
    return bool(ends)


@plant(FAULTS, "hide_annotations_too", "an annotation goes with its answer", "EVT-046", also=("EVT-031", "EVT-045"))
def hide_annotations_too(spoiled: Spoiled) -> bool:
    """Take the annotation from the end of every LLM call whose answer is not there."""
    return _forget_annotations([end for _, end in _without_the_answer(spoiled)])


@plant(
    FAULTS,
    "read_the_unreadable",
    "an end says something of an answer that cannot be read",
    "EVT-041",
    also=("EVT-045",),
)
def read_the_unreadable(spoiled: Spoiled) -> bool:
    """Give the end of every LLM call an annotation whose program named a codec that made none."""
    found = [span for span in _by_hand(spoiled, "llm") if _end_step(spoiled, span).get("response_codec")]
    ends = [end for span in found for _, end in span.ends]
    ends = [end for end in ends if "annotated_response" not in (end["category_profile"] or {})]
    for end in ends:
        end["category_profile"] = {**(end["category_profile"] or {}), "annotated_response": PLANTED}
    return bool(ends)


@plant(FAULTS, "refuse_to_end", "a call that was started cannot be ended", "EVT-040")
def refuse_to_end(spoiled: Spoiled) -> bool:
    """Let each step that ends a manual call fail, and nobody be told of the end."""
    calls = {act.step["as"]: act for act in spoiled.transcript.of_kind("start") if act.step["kind"] != "scope"}
    ends = [act for act in spoiled.transcript.of_kind("end") if act.step["of"] in calls and act.within is None]
    if not ends or spoiled.transcript.published:
        return False
    if any(act.step["response_codec"] for act in ends):
        return False
    told = [end for span in _by_hand(spoiled, "llm", "tool") for _, end in span.ends]
    message = spoiled.message("invalid_argument")
    error = {"type": "Error", "message": message, "code": None, "same_as": None}
    for act in ends:
        spoiled.fail(act, error)
    spoiled.drop(told)
    return True


def _ends_of_blocks(spoiled: Spoiled) -> list[tuple[Json, Json]]:
    """The ends of blocks as they were told, each with the step, where nothing ran when they were published."""
    found = [] if spoiled.transcript.published else spans(spoiled.transcript, "scope")
    return [(_end_step(spoiled, span), end) for span in found if span.act.step["block"] for _, end in span.ends]


@plant(FAULTS, "forget_how_it_went", "the end of a block has no status", "EVT-044", also=("EVT-031",))
def forget_how_it_went(spoiled: Spoiled) -> bool:
    """Take the status out of the end of every block."""
    found = _ends_of_blocks(spoiled)
    for _, end in found:
        end["metadata"] = {name: value for name, value in end["metadata"].items() if name != STATUS}
    return bool(found)


@plant(
    FAULTS, "forget_what_was_raised", "the end of a block that raised does not say what", "EVT-044", also=("EVT-031",)
)
def forget_what_was_raised(spoiled: Spoiled) -> bool:
    """Put other words into the end of every block that raised."""
    found = [end for step, end in _ends_of_blocks(spoiled) if step["raises"] is not None]
    for end in found:
        end["metadata"] = {**end["metadata"], DESCRIPTION: "planted"}
    return bool(found)
