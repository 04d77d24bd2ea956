"""Built-in codecs of the reference: what they read, what they write back, and what they leave to nobody's guess."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.builtin import FORMS, UnreadableError, decode, encode
from bindproof_reference.relay.callbacks import ScenarioError

Json = Any

HI = [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize("codec", FORMS)
def test_what_nobody_edits_comes_back(codec: str) -> None:
    content = {FORMS[codec].turns: HI, "model": "m", "temperature": 0.5, "x-own": [None]}
    assert encode(codec, decode(codec, content), content) == content


def test_a_text_is_one_message_and_stays_a_text() -> None:
    content = {"input": "hi"}
    annotation = decode("openai_responses", content)
    assert annotation["messages"] == HI

    annotation["messages"] = [{"role": "user", "content": "edited"}]
    assert encode("openai_responses", annotation, content) == {"input": "edited"}


def test_a_member_that_was_taken_out_is_gone() -> None:
    content = {"messages": HI, "x-own": 1}
    annotation = decode("openai_chat", content)
    del annotation["x-own"]
    assert encode("openai_chat", annotation, content) == {"messages": HI}


@pytest.mark.parametrize("content", [None, [], {}, {"messages": 5}, {"messages": "hi"}, {"messages": HI, "model": 5}])
def test_what_is_no_request_is_unreadable(content: Json) -> None:
    with pytest.raises(UnreadableError):
        decode("openai_chat", content)


@pytest.mark.parametrize(
    "edit",
    [
        {"instructions": "be short"},
        {"messages": [{"role": "provider_native", "provider": "anthropic_messages", "kind": "k", "value": {}}]},
    ],
)
def test_what_the_provider_cannot_take_is_refused(edit: Json) -> None:
    content = {"messages": HI}
    with pytest.raises(UnreadableError):
        encode("openai_chat", decode("openai_chat", content) | edit, content)


@pytest.mark.parametrize("content", [{"messages": HI, "seed": 7}, {"messages": [{"role": "user", "content": []}]}])
def test_what_the_chapter_does_not_name_is_asked_of_nobody(content: Json) -> None:
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        decode("openai_chat", content)


@pytest.mark.parametrize(
    "annotation",
    [{}, {"messages": ["hi"]}, {"messages": HI, "model": ["m"]}, {"messages": HI, "params": {"messages": []}}],
)
def test_an_edit_of_which_the_chapter_does_not_say_what_becomes_is_asked_of_nobody(annotation: Json) -> None:
    content = {"messages": HI, "x-own": 1}
    read = decode("openai_chat", content)
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        encode("openai_chat", {name: read[name] for name in ("api_specific", "x-own")} | annotation, content)
