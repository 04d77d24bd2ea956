"""Built-in codecs of the reference: what they read, what they write back, and what they leave to nobody's guess."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof_reference.relay.builtin import FORMS, UnreadableError, decode, encode
from bindproof_reference.relay.callbacks import ScenarioError

Json = Any

HI = [{"role": "user", "content": "hi"}]


OF_GEMINI = {
    "systemInstruction": {"parts": [{"text": "be short"}]},
    "contents": [{"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [{"text": "ho"}]}],
    "generationConfig": {"temperature": 0.25, "maxOutputTokens": 5},
    "model": "m",
    "x-own": [None],
}
TURN = {"role": "USER", "content": [{"type": "TEXT", "text": "hi"}]}
OF_OCI = {
    "apiFormat": "GENERIC",
    "messages": [TURN],
    "temperature": 0.25,
    "maxTokens": 5,
    "x-own": [None],
}
ENCLOSED = {"chatRequest": OF_OCI, "servingMode": {"modelId": "m"}, "compartmentId": "c"}
PLAIN = {"model": "m", "temperature": 0.5, "x-own": [None]}
CONTENTS: list[tuple[str, Json]] = [
    ("openai_chat", {"messages": HI, **PLAIN}),
    ("openai_responses", {"input": HI, **PLAIN}),
    ("anthropic_messages", {"messages": HI, "system": "be short", **PLAIN}),
    ("gemini_generate_content", OF_GEMINI),
    ("oci_genai", OF_OCI),
    ("oci_genai", ENCLOSED),
]


@pytest.mark.parametrize(("codec", "content"), CONTENTS)
def test_what_nobody_edits_comes_back(codec: str, content: Json) -> None:
    assert encode(codec, decode(codec, content), content) == content


def test_each_built_in_codec_is_tried() -> None:
    assert {codec for codec, _ in CONTENTS} == set(FORMS)


@pytest.mark.parametrize(
    ("codec", "content", "annotation"),
    [
        (
            "gemini_generate_content",
            OF_GEMINI,
            {
                "messages": [
                    {"role": "system", "content": "be short"},
                    {"role": "user", "content": "hi"},
                    {"role": "assistant", "content": "ho"},
                ],
                "model": "m",
                "params": {"temperature": 0.25, "max_tokens": 5},
                "x-own": [None],
            },
        ),
        (
            "oci_genai",
            ENCLOSED,
            {
                "messages": HI,
                "model": "m",
                "params": {"temperature": 0.25, "max_tokens": 5},
                "x-own": [None],
                "api_specific": {
                    "api": "oci_genai",
                    "api_format": "GENERIC",
                    "compartment_id": "c",
                    "serving_mode": {"modelId": "m"},
                },
            },
        ),
        ("oci_genai", {}, {"messages": [], "api_specific": {"api": "oci_genai", "api_format": "GENERIC"}}),
    ],
)
def test_gemini_and_oci_are_read_as_others_are(codec: str, content: Json, annotation: Json) -> None:
    assert decode(codec, content) == annotation


def test_an_edit_of_gemini_is_written_in_its_form() -> None:
    annotation = decode("gemini_generate_content", OF_GEMINI)
    edited = {**annotation, "messages": [{"role": "system", "content": "be long"}, *HI], "params": {"temperature": 0.5}}
    edited["params"]["max_tokens"] = 5
    assert encode("gemini_generate_content", edited, OF_GEMINI) == {
        **OF_GEMINI,
        "systemInstruction": {"parts": [{"text": "be long"}]},
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "generationConfig": {"temperature": 0.5, "maxOutputTokens": 5},
    }
    without = {**annotation, "messages": HI}
    assert "systemInstruction" not in encode("gemini_generate_content", without, OF_GEMINI)


def test_an_edit_of_oci_is_written_in_its_form() -> None:
    annotation = decode("oci_genai", ENCLOSED)
    edited = {**annotation, "messages": [{"role": "system", "content": "be long"}, *HI], "x-more": 1}
    del edited["x-own"]
    inner = {name: value for name, value in OF_OCI.items() if name != "x-own"}
    assert encode("oci_genai", edited, ENCLOSED) == {
        **ENCLOSED,
        "chatRequest": {
            **inner,
            "messages": [{"role": "SYSTEM", "content": [{"type": "TEXT", "text": "be long"}]}, TURN],
            "x-more": 1,
        },
    }


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
    ("codec", "content"),
    [
        ("gemini_generate_content", {}),
        ("gemini_generate_content", {"contents": "hi"}),
        ("gemini_generate_content", {**OF_GEMINI, "model": 5}),
        ("oci_genai", {"messages": "hi"}),
        ("oci_genai", []),
    ],
)
def test_what_is_no_request_of_gemini_or_oci_is_unreadable(codec: str, content: Json) -> None:
    with pytest.raises(UnreadableError):
        decode(codec, content)


@pytest.mark.parametrize(
    ("codec", "content", "edit"),
    [
        ("gemini_generate_content", OF_GEMINI, {"instructions": "be short"}),
        ("oci_genai", OF_OCI, {"instructions": "be short"}),
        ("oci_genai", OF_OCI, {"model": "n"}),
        ("oci_genai", ENCLOSED, {"model": "n"}),
    ],
)
def test_what_gemini_and_oci_cannot_take_is_refused(codec: str, content: Json, edit: Json) -> None:
    with pytest.raises(UnreadableError):
        encode(codec, decode(codec, content) | edit, content)


@pytest.mark.parametrize(
    ("codec", "content"),
    [
        ("gemini_generate_content", {"contents": [{"role": "tool", "parts": [{"text": "hi"}]}]}),
        ("gemini_generate_content", {"contents": [{"parts": []}]}),
        ("gemini_generate_content", {"contents": [], "generationConfig": {"topK": 1}}),
        ("gemini_generate_content", {"contents": [], "apiFormat": "GENERIC"}),
        ("oci_genai", {"apiFormat": "COHERE", "message": "hi"}),
        ("oci_genai", {"messages": [{"role": "TOOL", "content": [{"type": "TEXT", "text": "hi"}]}]}),
        ("oci_genai", {"messages": [{"role": "USER", "content": "hi"}]}),
        ("oci_genai", {"chatRequest": 5}),
        ("oci_genai", {"chatRequest": {}, "x-own": 1}),
        ("oci_genai", {"chatRequest": {}, "servingMode": {"modelId": 5}}),
    ],
)
def test_what_the_chapter_does_not_name_of_gemini_and_oci_is_asked_of_nobody(codec: str, content: Json) -> None:
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        decode(codec, content)


def test_gemini_has_one_place_for_what_the_system_says() -> None:
    annotation = decode("gemini_generate_content", OF_GEMINI)
    annotation["messages"] = [*annotation["messages"], {"role": "system", "content": "be long"}]
    with pytest.raises(ScenarioError, match="the chapter does not say"):
        encode("gemini_generate_content", annotation, OF_GEMINI)


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
