"""Checks of the chapters *Request authority* (AUT) and *Dialects* (DLC): which codecs callbacks are told of."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.published import payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.transcript import Act, Entry

CHECKS: dict[str, Check] = {}
EXECUTING: dict[str, Check] = {}
"""Of what wraps an execution."""

SIDE = {"llm.sanitize_request": "codec", "llm.sanitize_response": "response_codec"}
"""Family → the member of a call's step that has the codec of its side."""

WRAPPING = {"llm": "llm.execution", "llm_stream": "llm.stream"}
"""Kind of call → the family of what wraps its execution."""

NONE: Json = {"kind": "none", "id": None, "resolves": False}
OPAQUE: Json = {"kind": "opaque", "id": None, "resolves": True}


def told(reading: Reading) -> list[tuple[Entry, Json]]:
    """Return the sanitizers that ran, each with the codec that its call has, or None, where that is sure."""
    sure = {run.entered: one.act for one in payloads(reading.transcript) for run in one.runs}
    called = [act for act in reading.transcript.acts if act.step["step"] in ("call", "start")]
    found = []
    for run in (run for run in reading.transcript.published if run.part in SIDE):
        acts = [sure[run.entered]] if run.entered in sure else called
        codecs = [codec for act in acts for codec in _codecs(reading, act, SIDE[run.part])]
        if codecs and all(same(codec, codecs[0]) for codec in codecs):
            found.append((run, None if codecs[0] == "none" else codecs[0]))
    return found


def _codecs(reading: Reading, act: Act, side: str) -> list[Json]:
    """Return the codecs that one side of a call may have: what a program ends it with names its response codec."""
    if side == "codec" or act.step["step"] == "call":
        return [act.step.get(side)]
    return [end.step.get(side) for end in ends_of(reading.transcript, act)]


def _built_in(reading: Reading) -> list[tuple[Entry, Json]]:
    return [(run, codec) for run, codec in told(reading) if isinstance(codec, str)]


def _compared(found: list[tuple[Entry, Json]], wanted: list[Json], member: str = "codec") -> Found:
    """Judge what each of these was told in a member of what it was given, by what each should have been."""
    return judged(
        [
            Evidence(EVERY_LANE, f"it is told the {member} of its call", run.entered, expected, run.given.get(member))
            for (run, _), expected in zip(found, wanted, strict=True)
            if not same(run.given.get(member), expected)
        ],
        found,
    )


@register(CHECKS, "AUT-017")
def a_sanitizer_is_told_of_a_codec(reading: Reading) -> Found:
    """It is told none where there is none, an opaque one of a scripted one, and of a built-in one that there is one."""
    found = told(reading)
    shown = [run.given.get("codec") for run, _ in found]
    named = [isinstance(one, dict) and one.get("kind") != "none" and one.get("resolves") is True for one in shown]
    built_in = [one if good else "one that resolves" for one, good in zip(shown, named, strict=True)]
    wanted = [
        NONE if codec is None else built_in[at] if isinstance(codec, str) else OPAQUE
        for at, (_, codec) in enumerate(found)
    ]
    return _compared(found, wanted)


@register(CHECKS, "AUT-018")
def a_built_in_codec_is_told_by_name(reading: Reading) -> Found:
    """A built-in codec is told as such, with its name."""
    found = _built_in(reading)
    return _compared(found, [_named(codec) for _, codec in found])


@register(CHECKS, "DLC-011")
def a_codec_of_functions_has_no_name(reading: Reading) -> Found:
    """A built-in codec is told as if the program had made it."""
    found = _built_in(reading)
    return _compared(found, [OPAQUE for _ in found])


@register(EXECUTING, "AUT-026")
def an_execution_is_told_of_codecs(reading: Reading) -> Found:
    """What wraps an LLM's execution is told of the request's codec, and of the response's where that is no stream."""
    found = [
        (run, act.step)
        for kind, family in WRAPPING.items()
        for act in reading.transcript.calls(kind)
        for run in act.everything
        if run.part == family
    ]
    return _compared(found, [codecs_of(step) for _, step in found], "codecs")


def codecs_of(step: Json) -> Json:
    """Return of which codecs what wraps the execution of a call is told (AUT-026)."""
    response = None if step["kind"] == "llm_stream" else _named(step["response_codec"])
    return {"request": _named(step["codec"]), "response": response}


def _named(codec: Json) -> Json:
    """Return what is told of a codec by a binding that tells the names of those that it has built in."""
    if codec is None or codec == "none":
        return NONE
    return {"kind": "builtin", "id": codec, "resolves": True} if isinstance(codec, str) else OPAQUE
