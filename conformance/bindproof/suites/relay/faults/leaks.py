"""Planted faults of the chapter *Pending marks* (MRK): what outcomes say gets to where it has no business."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.deliveries import lives
from bindproof.suites.relay.observation.outcomes import marks_of
from bindproof.suites.relay.observation.published import rewriting
from bindproof.suites.relay.observation.transcript import Act, Entry

FAULTS: dict[str, Fault] = {}

LLM: Final = ("llm", "llm_stream", "llm.request")
TOOL: Final = ("tool",)

PLACES: Final[dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]] = {
    "leak_marks": ("the provider is given the pending marks", LLM, ("provider", "source")),
    "leak_to_sanitizers": ("a sanitizer of requests is given the pending marks", LLM, ("llm.sanitize_request",)),
    "leak_to_wrapping": ("an execution intercept is given the pending marks", LLM, ("llm.execution",)),
    "leak_to_streams": ("what wraps a stream is given the pending marks", LLM, ("llm.stream",)),
    "leak_to_collectors": ("a collector is given the pending marks", LLM, ("collector",)),
    "leak_to_answers": ("a sanitizer of answers is given the pending marks", LLM, ("llm.sanitize_response",)),
    "leak_to_intercepts": ("the next intercept is given the pending marks", LLM, ("llm.request",)),
    "leak_to_codecs": ("a codec is given the pending marks", LLM, ("encode",)),
    "leak_to_tools": ("a tool is given the pending marks", TOOL, ("provider",)),
    "leak_around_tools": ("what wraps a tool is given the pending marks", TOOL, ("tool.execution",)),
    "leak_to_arguments": ("a sanitizer of arguments is given the pending marks", TOOL, ("tool.sanitize_request",)),
    "leak_to_results": ("a sanitizer of results is given the pending marks", TOOL, ("tool.sanitize_response",)),
    "leak_to_starts": ("a sanitizer of starts is given the pending marks", (*LLM, *TOOL), ("start.sanitize",)),
    "leak_to_ends": ("a sanitizer of ends is given the pending marks", (*LLM, *TOOL), ("end.sanitize",)),
    "leak_to_marks": ("a sanitizer of marks is given the pending marks", (*LLM, *TOOL), ("mark.sanitize",)),
    "leak_to_injectors": ("an injector is given the pending marks", (*LLM, *TOOL), ("event.metadata",)),
}
"""Fault → what it is in words, the kinds of the calls, and the parts of them that are given the marks of an outcome."""

UNANNOTATED: Final = (
    "provider",
    "source",
    "llm.execution",
    "llm.stream",
    "llm.sanitize_request",
    "llm.sanitize_response",
)
"""The parts of an LLM's call that no annotation is for."""


def leak(spoiled: Spoiled, kinds: tuple[str, ...], parts: tuple[str, ...], *, annotation: bool = False) -> bool:
    """Put what outcomes state, marks or an annotation, beside what the last such callback of a call is given.

    The last of a tool's is one that ran before: it is given the marks of another try.
    """
    found = []
    for act in spoiled.transcript.working:
        stated = _annotation(act) if annotation else _marks(act)
        runs = [run for run in _runs(spoiled, act) if run.part in parts] if act.step["kind"] in kinds else []
        if stated and runs:
            found.append((runs[-1], stated))
    for run, stated in found:
        spoiled.log[run.entered]["given"]["annotated_request" if annotation else "pending_marks"] = stated
    return bool(found)


def _marks(act: Act) -> list[Json]:
    outcomes = [run.reply for run in act.everything if run.part in ("llm.request", "tool.execution") and run.replied]
    return [mark for outcome in outcomes for mark in marks_of(outcome)]


def _annotation(act: Act) -> Json:
    outcomes = [run.reply for run in act.everything if run.part == "llm.request" and run.replied]
    return next((one.get("annotated_request") for one in reversed(outcomes) if isinstance(one, dict)), None)


def _runs(spoiled: Spoiled, act: Act) -> list[Entry]:
    """Return what a call runs, and what runs when its events are published, in the order of the log."""
    return sorted([*act.everything, *rewriting(spoiled.transcript, act)], key=lambda run: run.entered)


def _leaking(kinds: tuple[str, ...], parts: tuple[str, ...]) -> Callable[[Spoiled], bool]:
    return lambda spoiled: leak(spoiled, kinds, parts)


for _name, (_title, _kinds, _parts) in PLACES.items():
    plant(FAULTS, _name, _title, "MRK-011", also=("DLC-004", "MID-027", "REF-000"))(_leaking(_kinds, _parts))


@plant(FAULTS, "leak_annotation", "what is to have no annotation is given one", "MRK-011", also=("MID-027", "REF-000"))
def leak_annotation(spoiled: Spoiled) -> bool:
    """Put the annotation beside the request or the answer that the last such callback of each LLM call is given."""
    return leak(spoiled, LLM, UNANNOTATED, annotation=True)


@plant(
    FAULTS, "show_marks", "the data of an end show the pending marks", "MRK-011", also=("EVT-014", "EVT-016", "REF-000")
)
def show_marks(spoiled: Spoiled) -> bool:
    """Put the marks into the profile of the end of each call that states some and whose end has one."""
    done = False
    for act in spoiled.transcript.working:
        for life in lives(spoiled.transcript, act).values():
            for _, event in life.ends:
                if _marks(act) and isinstance(event["category_profile"], dict):
                    event["category_profile"]["pending_marks"] = _marks(act)
                    done = True
    return done
