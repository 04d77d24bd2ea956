"""Checks of the chapter *Request authority* (AUT) about codecs that are asked: by a program, and in a sanitizer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.builtin import cannot_be_written, miswritten
from bindproof.suites.relay.checks.common import PROGRAM, PUBLICATION, Check, Found, judged, part, register
from bindproof.suites.relay.checks.provider_forms import portable
from bindproof.suites.relay.checks.responses import is_readable, read
from bindproof.suites.relay.checks.told_codecs import told
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act

CHECKS: dict[str, Check] = {}


class Question(NamedTuple):
    """A step that asks a codec: which one, None where there is none, and what it is to read, or to write into."""

    act: Act
    codec: str | None
    payload: Json


def _asking(reading: Reading, *, own: bool) -> list[Act]:
    """Return the steps that ask the codec which a sanitizer gets, or a named one."""
    acts = [*reading.transcript.of_kind("decode"), *reading.transcript.of_kind("encode")]
    return [act for act in acts if (act.step["codec"] == "own") is own]


def _by_programs(reading: Reading) -> list[Question]:
    return [Question(act, act.step["codec"], act.step["payload"]) for act in _asking(reading, own=False)]


def _in_sanitizers(reading: Reading) -> list[Question]:
    """Return what sanitizers asked whose call's codec is known, and is none that the program has made."""
    codecs = {run.entered: codec for run, codec in told(reading) if not isinstance(codec, dict)}
    return [
        Question(act, codecs[within.entered], within.given.get(_side(act)))
        for act in _asking(reading, own=True)
        for within in [act.within]
        if within is not None and within.entered in codecs
    ]


def _side(act: Act) -> str:
    return str(act.step.get("side", "request"))


@register(CHECKS, "AUT-021")
def a_codec_that_a_program_asks(reading: Reading) -> Found:
    """It reads and writes what it does in a call, and fails where it cannot."""
    found = _by_programs(reading)
    return judged([evidence for one in found for evidence in _answered(one, PROGRAM)], found)


@register(CHECKS, "AUT-022")
def the_codec_that_a_sanitizer_gets(reading: Reading) -> Found:
    """It is that of the call, which reads and writes what the sanitizer was given; where there is none, none."""
    found = _in_sanitizers(reading)
    return judged([evidence for one in found for evidence in _answered(one, PUBLICATION)], found)


def _answered(asked: Question, lane: str) -> Iterator[Evidence]:
    """Yield what is wrong with what a codec answered."""
    act = asked.act
    if asked.codec is None:
        if act.error is not None or act.value is not None:
            yield Evidence(lane, "there is no codec to be had", act.done, None, act.error or act.value)
    elif not _can(asked):
        if part(act.error, "kind") != "codec_failed":
            yield Evidence(lane, "the codec cannot say that", act.done, "codec_failed", act.error or act.value)
    elif act.error is not None:
        yield Evidence(lane, "the codec can say that, yet it failed", act.done, None, act.error)
    else:
        yield from (_written if act.step["step"] == "encode" else _read)(asked, asked.codec, lane)


def _read(asked: Question, codec: str, lane: str) -> Iterator[Evidence]:
    """Yield what is wrong with the annotation that was read."""
    act = asked.act
    if _side(act) == "request":
        expected = portable(codec, part(asked.payload, "content"))
        if not same(expected, act.value):
            yield Evidence(lane, "the annotation's form", act.done, expected, act.value)
    else:
        for name, wanted in read(codec, asked.payload):
            if not same(found := part(act.value, *name.split(".")), wanted):
                yield Evidence(lane, f"{name} of the answer", act.done, wanted, found)


def _can(asked: Question) -> bool:
    """Tell whether the codec can read what it is given, and say what it is to write."""
    codec = str(asked.codec)
    if _side(asked.act) == "response":
        return is_readable(codec, asked.payload)
    content = part(asked.payload, "content")
    if portable(codec, content) is None:
        return False
    return asked.act.step["step"] == "decode" or not cannot_be_written(codec, asked.act.step["annotation"], content)


def _written(asked: Question, codec: str, lane: str) -> Iterator[Evidence]:
    """Yield what is wrong with the request that an annotation was written into."""
    act, annotation = asked.act, asked.act.step["annotation"]
    before, after = part(asked.payload, "content"), part(act.value, "content")
    if not same(headers := part(asked.payload, "headers"), found := part(act.value, "headers")):
        yield Evidence(lane, "the headers stay", act.done, headers, found)
    known = portable(codec, before)
    if same(known, annotation):
        if not same(before, after):
            yield Evidence(lane, "what nobody edits stays", act.done, before, after)
        return
    for text, wanted, said in miswritten(codec, known, annotation, before, after):
        yield Evidence(lane, text, act.done, wanted, said)
