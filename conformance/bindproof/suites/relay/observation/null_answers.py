"""Null answers, for which data stand in at the end of a call (EVT-036, EVT-056).

Enters: a Transcript. Leaves: data. It states facts and judges nothing.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.observation.published import Payload
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.streams import streams
from bindproof.suites.relay.observation.transcript import Act, Entry, Transcript, plain


def shown_of(answer: Json, step: Json) -> Json:
    """Return what an end shows of an answer: where that is null the data beside it.

    step: what made a managed call, or ended another one.
    """
    return step["data"] if plain(answer) is None else answer


def answer_of(step: Json) -> Json:
    """Return what a step ends a call with: the answer, and where that is null the data beside it."""
    return shown_of(step["output"], step)


def beside(transcript: Transcript, act: Act) -> Json:
    """Return the data that the end of a call shows in place of null, None where there are none."""
    return next((step["data"] for step in _ending(transcript, act)), None)


def standing_in(transcript: Transcript, act: Act) -> Json:
    """Return the data that stand in for a call's answer, None where it has one, or it is not known to be null."""
    if act.step["step"] == "call":
        nothing = act.error is not None or any(final.raised is not None for final in _finals(transcript, act))
        return act.step["data"] if nothing or answers_null(transcript, act) else None
    return next((step["data"] for step in _ending(transcript, act) if step["output"] is None), None)


def is_of_a_stand_in(transcript: Transcript, one: Payload) -> bool:
    """Tell whether sanitizers of an answer ran for data that stand in for it."""
    return one.runs[0].part.endswith(".sanitize_response") and standing_in(transcript, one.act) is not None


def _ending(transcript: Transcript, act: Act) -> list[Json]:
    """Return the steps that have the data of a call's end: the one that made it, or those that ended it."""
    if act.step["step"] == "call":
        return [act.step]
    return [end.step for end in ends_of(transcript, act) if end.error is None]


def answers_null(transcript: Transcript, act: Act) -> bool:
    """Tell whether a managed call is known to have had an answer, and that it was null."""
    if act.step["kind"] == "llm_stream":
        return any(final.replied and plain(final.reply) is None for final in _finals(transcript, act))
    if act.done is None or act.error is not None:
        return False
    answer = act.value
    if act.step["kind"] == "tool":
        answer = answer.get("result") if isinstance(answer, dict) else None
    return answer is None


def _finals(transcript: Transcript, act: Act) -> list[Entry]:
    """Return the first run of a stream's finalizer, if there was one."""
    return [final for stream in streams(transcript) if stream.act is act for final in stream.finals[:1]]
