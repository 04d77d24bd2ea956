from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.authority import (
    codec_told,
    natural_decode,
    natural_encode,
    provider_headers,
    refusal,
    resolved,
)
from bindproof_reference.relay.editions import rules
from bindproof_reference.relay.outcomes import Outcome

Json = Any

HEADERS: Json = {"h": 1, "traceparent": 1, "TraceParent": 2, "tracestate": 3, "TraceState": 4}


@pytest.mark.parametrize(
    ("given", "returned", "annotation", "refused"),
    [
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, {}, None),
        ({"a": 1}, {"a": 2}, {}, "content_changed"),
        ({"a": 1}, {"a": 1.0}, {}, "content_changed"),
        ({"a": 1}, {"a": True}, {}, "content_changed"),
        ({"a": 1}, {}, {}, "content_changed"),
        ({"a": 1}, None, {}, "content_changed"),
        (None, None, {"messages": []}, None),
        ({"a": 1}, {"a": 1}, None, "annotation_missing"),
        ({"a": 1}, {"a": 2}, None, "content_changed"),
    ],
)
def test_what_a_codec_refuses(given: Json, returned: Json, annotation: Json, refused: str | None) -> None:
    outcome = Outcome({"headers": {"x": 1}, "content": returned}, annotation)
    assert refusal({"headers": {}, "content": given}, outcome) == refused


@pytest.mark.parametrize(
    ("content", "annotation"),
    [
        ({"messages": [1], "model": "m", "x": 2}, {"messages": [1], "model": "m"}),
        ({}, {"messages": []}),
        ({"model": None}, {"messages": [], "model": None}),
        ("text", {"messages": []}),
        (None, {"messages": []}),
    ],
)
def test_the_natural_decode(content: Json, annotation: Json) -> None:
    assert natural_decode({"headers": {}, "content": content}) == annotation


@pytest.mark.parametrize(
    ("content", "annotation", "encoded"),
    [
        ({"messages": [], "x": 1}, {"messages": [2]}, {"messages": [2], "x": 1}),
        ({}, {}, {}),
        ("text", {"messages": []}, {"messages": []}),
    ],
)
def test_the_natural_encode(content: Json, annotation: Json, encoded: Json) -> None:
    original = {"headers": {"h": 1}, "content": content}
    assert natural_encode(annotation, original) == {"headers": {"h": 1}, "content": encoded}


def test_the_body_is_the_codecs_and_the_headers_are_the_outcomes() -> None:
    request = {"headers": {"a": 1, "b": 2}, "content": "outcome"}
    encoded = {"headers": {"a": 9, "c": 3}, "content": "encoded"}
    assert resolved(request, encoded) == {"headers": {"a": 1, "b": 2, "c": 3}, "content": "encoded"}


@pytest.mark.parametrize(
    ("edition", "left"),
    [("0.10", {"h": 1}), ("0.8", {"h": 1, "tracestate": 3, "TraceState": 4}), ("0.7", HEADERS)],
)
def test_headers_that_the_runtime_owns(edition: str, left: Json) -> None:
    assert provider_headers(HEADERS, rules(edition)) == left


@pytest.mark.parametrize(
    ("codec", "by_name", "told"),
    [
        (None, True, ("none", None, False)),
        ("none", True, ("none", None, False)),
        ({"decode": [], "encode": []}, True, ("opaque", None, True)),
        ("openai_chat", True, ("builtin", "openai_chat", True)),
        ("openai_chat", False, ("opaque", None, True)),
    ],
)
def test_which_codec_a_sanitizer_is_told(codec: Json, by_name: bool, told: tuple[Json, ...]) -> None:
    assert codec_told(codec, by_name=by_name) == dict(zip(("kind", "id", "resolves"), told, strict=True))
