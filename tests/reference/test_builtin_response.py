"""Built-in response codecs of the reference: what the chapter does not speak of is asked of nobody."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.builtin_response import annotation
from bindproof_reference.relay.callbacks import ScenarioError

Json = Any

HALF = [
    ("openai_chat", {"choices": [{}]}),
    ("openai_chat", {"choices": [{"message": None}]}),
    ("openai_chat", {"choices": ["text"]}),
    ("openai_chat", {"choices": [], "usage": []}),
    ("openai_responses", {"output": [{"type": "message"}]}),
    ("openai_responses", {"output": [{"content": []}]}),
    ("openai_responses", {"output": [], "status": {}}),
    ("anthropic_messages", {"content": [{"type": "text"}]}),
    ("anthropic_messages", {"content": [], "usage": {"input_tokens": 1}}),
    ("gemini_generate_content", {"candidates": [{}]}),
    ("gemini_generate_content", {"candidates": [{"content": {"parts": []}}]}),
    ("gemini_generate_content", {"candidates": [], "id": "i"}),
    ("oci_genai", {"choices": [{"message": {"content": "hi"}}]}),
    ("oci_genai", {"chatResponse": 5}),
    ("oci_genai", {"apiFormat": "COHERE", "text": "hi"}),
    ("oci_genai", {"chatResponse": {}, "id": "i"}),
]
"""Codec and an answer of which a part is missing, or of another form."""


@pytest.mark.parametrize(("codec", "answer"), HALF)
def test_half_an_answer_is_asked_of_nobody(codec: str, answer: Json) -> None:
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        annotation(codec, answer)


@pytest.mark.parametrize(
    ("codec", "answer", "expected"),
    [
        (
            "gemini_generate_content",
            {
                "candidates": [{"content": {"parts": [{"text": "hi"}]}, "finishReason": "MAX_TOKENS"}],
                "modelVersion": "m",
                "responseId": "i",
                "x-own": 1,
            },
            {"message": "hi", "finish_reason": "length", "model": "m", "id": "i", "x-own": 1},
        ),
        (
            "oci_genai",
            {
                "modelId": "m",
                "chatResponse": {
                    "apiFormat": "GENERIC",
                    "choices": [{"message": {"content": [{"type": "TEXT", "text": "hi"}]}, "finishReason": "stop"}],
                    "usage": {"promptTokens": 1, "completionTokens": 2},
                },
                "x-own": 1,
            },
            {
                "message": "hi",
                "finish_reason": "complete",
                "model": "m",
                "usage": {"prompt_tokens": 1, "completion_tokens": 2},
                "x-own": 1,
                "api_specific": {"api": "oci_genai", "api_format": "GENERIC"},
            },
        ),
        ("oci_genai", {"choices": 5}, {"api_specific": {"api": "oci_genai", "api_format": "GENERIC"}}),
        ("oci_genai", "hi", {"raw": "hi"}),
        ("oci_genai", None, {"raw": None}),
    ],
)
def test_answers_of_gemini_and_oci_are_read_as_others_are(codec: str, answer: Json, expected: Json) -> None:
    assert annotation(codec, answer) == expected


@pytest.mark.parametrize("answer", [None, [], "hi", {"candidates": {}}])
def test_an_answer_that_is_none_of_geminis_is_not_read(answer: Json) -> None:
    assert annotation("gemini_generate_content", answer) is None
