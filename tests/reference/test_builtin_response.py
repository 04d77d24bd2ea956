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
]
"""Codec and an answer of which a part is missing, or of another form."""


@pytest.mark.parametrize(("codec", "answer"), HALF)
def test_half_an_answer_is_asked_of_nobody(codec: str, answer: Json) -> None:
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        annotation(codec, answer)
