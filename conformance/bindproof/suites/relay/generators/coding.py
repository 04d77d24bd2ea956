"""Generated calls with built-in codecs, which the program and sanitizers ask too.

Enters: a source of choices, a dialect. Leaves: a scenario in canonical spelling. All its calls make one request, so
that an annotation which a sanitizer writes is one of that request, whichever call it runs for.
"""

from __future__ import annotations

from typing import NamedTuple

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import READ

CODELESS = ("c", "go", "go-upstream")
"""Dialects whose calls take a built-in codec for the answer alone, and whose programs ask none."""

TEXTS = ("hi", "ж✓", "two words")
FOREIGN: Json = {"role": "provider_native", "provider": "elsewhere", "kind": "k", "value": {}}


class Said(NamedTuple):
    """A content of a provider's request, and the annotation that says the same."""

    codec: str
    content: dict[str, Json]
    annotation: dict[str, Json]


def coding_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return a scenario about codecs. dialect: what the binding can say, None: anything."""
    codeless = dialect in CODELESS
    said = _said(choices)
    steps: list[Json] = [{"step": "register", "as": "s", "family": "subscriber", "name": "s"}]
    steps += [_sanitizer(choices, said, f"q{index}") for index in range(choices.integer(0, 2))]
    steps += [_reader(choices, f"p{index}") for index in range(choices.integer(0, 2))]
    coded = not codeless and choices.chance(70)
    if choices.chance(40):
        edit = {"/annotated_request/x-own": "seen"} if coded else {"/request/headers/x": "1"}
        steps.append(
            {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [{"op": "edit", "set": edit}]}
        )
    for index in range(choices.integer(1, 3)):
        steps.append(_call(choices, said, f"c{index}", coded=coded))
        if not codeless and choices.chance(50):
            steps.append(_question(choices, said))
    return {"steps": steps}


def _said(choices: Choices) -> Said:
    """Return a request of some provider, with the parts that annotations of all three have."""
    codec = choices.pick(("openai_chat", "openai_responses", "anthropic_messages"))
    text = choices.pick(TEXTS)
    messages = [{"role": "user", "content": text}]
    if codec == "openai_chat" and choices.chance(50):
        messages.insert(0, {"role": "system", "content": choices.pick(TEXTS)})
    plain = codec == "openai_responses" and choices.chance(50)
    said = Said(
        codec,
        {"input" if codec == "openai_responses" else "messages": text if plain else messages},
        {"messages": messages, "api_specific": {"api": codec}},
    )
    for name, value in (("model", choices.pick(("m", ""))), ("x-own", choices.pick((1, None, {"a": [None]})))):
        if choices.chance(50):
            said.content[name] = said.annotation[name] = value
    if choices.chance(50):
        said.content["temperature"] = 0.25
        said.annotation["params"] = {"temperature": 0.25}
    if codec != "openai_chat" and choices.chance(50):
        said.content["system" if codec == "anthropic_messages" else "instructions"] = "be short"
        said.annotation["instructions"] = "be short"
    return said


def _edited(choices: Choices, said: Said) -> Json:
    """Return the annotation as somebody may have edited it; now and then so that the provider cannot take it."""
    annotation = said.annotation
    match choices.pick(("nothing", "model", "message", "unknown", "less", "setting", "foreign")):
        case "model":
            return annotation | {"model": "n"}
        case "message":
            return annotation | {"messages": [*annotation["messages"][:-1], {"role": "user", "content": "edited"}]}
        case "unknown":
            return annotation | {"x-more": {"b": 1}}
        case "less":
            return {name: value for name, value in annotation.items() if name != "x-own"}
        case "setting":
            return annotation | {"params": {"temperature": 0.5}}
        case "foreign":
            return annotation | {"messages": [FOREIGN]}
    return annotation


def _inside(step: Json) -> Json:
    return {"op": "step", "step": step}


def _sanitizer(choices: Choices, said: Said, name: str) -> Json:
    """Return a request sanitizer that asks its codec; it may hide what no provider has."""
    ops = [_inside({"step": "decode", "codec": "own"})]
    if choices.chance(50):
        ops.append(_inside({"step": "encode", "codec": "own", "annotation": _edited(choices, said)}))
    if choices.chance(40):
        ops.append({"op": "edit", "set": {"/content/x-own": "hidden"}})
    step = {"step": "register", "as": name, "family": "llm.sanitize_request", "name": name, "do": ops}
    return step | {"priority": choices.integer(-1, 1)}


def _reader(choices: Choices, name: str) -> Json:
    ops = [_inside({"step": "decode", "codec": "own", "side": "response"})]
    step = {"step": "register", "as": name, "family": "llm.sanitize_response", "name": name, "do": ops}
    return step | {"priority": choices.integer(-1, 1)}


def _call(choices: Choices, said: Said, name: str, *, coded: bool) -> Json:
    reads, answer = choices.pick(READ)
    call: Json = {"step": "call", "as": name, "name": "gpt"}
    if coded:
        content = said.content if choices.chance(90) else {**said.content, "model": 5}
        call |= {"codec": said.codec, "request": {"headers": {}, "content": content}}
    if choices.chance(60):
        call |= {"response_codec": reads, "provider": [{"op": "edit", "set": {"": answer}}]}
    return call


def _question(choices: Choices, said: Said) -> Json:
    """Return a step of the program that asks a codec."""
    request = {"headers": {"a": "1"}, "content": said.content}
    match choices.pick(("request", "response", "annotation", "unreadable")):
        case "request":
            return {"step": "decode", "codec": said.codec, "payload": request}
        case "response":
            reads, answer = choices.pick(READ)
            return {"step": "decode", "codec": reads, "side": "response", "payload": answer}
        case "annotation":
            return {"step": "encode", "codec": said.codec, "annotation": _edited(choices, said), "payload": request}
    return {"step": "decode", "codec": said.codec, "payload": {"headers": {}, "content": {**said.content, "model": 5}}}
