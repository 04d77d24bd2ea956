"""Checks of the chapters *Request authority* (AUT) and *Dialects* (DLC): which codec a sanitizer is told of."""

from __future__ import annotations

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.common import EVERY_LANE, Check, Found, judged, register
from bindproof.suites.relay.observation.published import payloads
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.scopes import ends_of
from bindproof.suites.relay.observation.transcript import Act, Entry

CHECKS: dict[str, Check] = {}

SIDE = {"llm.sanitize_request": "codec", "llm.sanitize_response": "response_codec"}
"""Family → the member of a call's step that has the codec of its side."""

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


def _compared(found: list[tuple[Entry, Json]], wanted: list[Json]) -> Found:
    """Judge what each of these was told, by what each should have been."""
    return judged(
        [
            Evidence(EVERY_LANE, "it is told the codec of its call", run.entered, expected, run.given.get("codec"))
            for (run, _), expected in zip(found, wanted, strict=True)
            if not same(run.given.get("codec"), expected)
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
    return _compared(found, [{"kind": "builtin", "id": codec, "resolves": True} for _, codec in found])


@register(CHECKS, "DLC-011")
def a_codec_of_functions_has_no_name(reading: Reading) -> Found:
    """A built-in codec is told as if the program had made it."""
    found = _built_in(reading)
    return _compared(found, [OPAQUE for _ in found])
