"""Generated calls with built-in codecs, which the program and sanitizers ask too.

Enters: a source of choices, a dialect. Leaves: a scenario in canonical spelling. All its calls make one request, so
that an annotation which a sanitizer writes is one of that request, whichever call it runs for.
"""

from __future__ import annotations

from typing import NamedTuple

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.parts import READ, READ_BY_GEMINI, READ_BY_OCI

CODELESS = ("c", "go", "go-upstream")
"""Dialects whose calls take a built-in codec for the answer alone, and whose programs ask none."""

GEMINI, OCI = "gemini_generate_content", "oci_genai"

INSTRUCTED = {"anthropic_messages": "system", "openai_responses": "instructions"}
"""Built-in codec → where its provider's requests have instructions."""

TEXTS = ("hi", "ж✓", "two words")
FOREIGN: Json = {"role": "provider_native", "provider": "elsewhere", "kind": "k", "value": {}}


Answers = tuple[tuple[str, Json], ...]


class Said(NamedTuple):
    """A content of a provider's request, and the annotation that says the same."""

    codec: str
    content: dict[str, Json]
    annotation: dict[str, Json]


def coding_scenario(choices: Choices, dialect: str | None) -> Json:
    """Return a scenario about codecs. dialect: what the binding can say, None: anything."""
    codeless = dialect in CODELESS
    read = (*READ, *READ_BY_GEMINI) if codeless else (*READ, *READ_BY_GEMINI, *READ_BY_OCI)
    said = _said(choices)
    steps: list[Json] = [{"step": "register", "as": "s", "family": "subscriber", "name": "s"}]
    coded = not codeless and choices.chance(70)
    hidden = "/chatRequest/x-own" if coded and "chatRequest" in said.content else "/x-own"
    steps += [_sanitizer(choices, said, f"q{index}", hidden) for index in range(choices.integer(0, 2))]
    steps += [_reader(choices, f"p{index}") for index in range(choices.integer(0, 2))]
    if choices.chance(40):
        edit = {"/annotated_request/x-own": "seen"} if coded else {"/request/headers/x": "1"}
        steps.append(
            {"step": "register", "as": "i", "family": "llm.request", "name": "i", "do": [{"op": "edit", "set": edit}]}
        )
    for index in range(choices.integer(1, 3)):
        steps.append(_call(choices, said, f"c{index}", coded=coded, read=read))
        if not codeless and choices.chance(50):
            steps.append(_question(choices, said))
    return {"steps": steps}


def _said(choices: Choices) -> Said:
    """Return a request of some provider, with the parts that annotations have of all."""
    codec = choices.pick(("openai_chat", "openai_responses", "anthropic_messages", GEMINI, OCI))
    text = choices.pick(TEXTS)
    messages = [{"role": "user", "content": text}]
    if codec in ("openai_chat", GEMINI, OCI) and choices.chance(50):
        messages.insert(0, {"role": "system", "content": choices.pick(TEXTS)})
    said = Said(codec, *_conversation(choices, codec, messages))
    for name, value in (("model", choices.pick(("m", ""))), ("x-own", choices.pick((1, None, {"a": [None]})))):
        if choices.chance(50) and (codec, name) != (OCI, "model"):
            said.content[name] = said.annotation[name] = value
    if choices.chance(50):
        settings = {"temperature": 0.25}
        said.content.update({"generationConfig": settings} if codec == GEMINI else settings)
        said.annotation["params"] = settings
    if codec in INSTRUCTED and choices.chance(50):
        said.content[INSTRUCTED[codec]] = said.annotation["instructions"] = "be short"
    return _enclosed(said) if codec == OCI and choices.chance(50) else said


def _conversation(choices: Choices, codec: str, messages: list[Json]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return these messages in the provider's form, and as an annotation."""
    annotation = {"messages": messages, "api_specific": {"api": codec}}
    if codec == "openai_responses":
        plain = choices.chance(50)
        return {"input": messages[0]["content"] if plain else messages}, annotation
    if codec == GEMINI:
        turns = [{"role": one["role"], "parts": [{"text": one["content"]}]} for one in messages]
        system = {"systemInstruction": {"parts": turns[0]["parts"]}} if len(turns) == 2 else {}
        return {"contents": turns[-1:], **system}, {"messages": messages}
    if codec == OCI:
        turns = [
            {"role": one["role"].upper(), "content": [{"type": "TEXT", "text": one["content"]}]} for one in messages
        ]
        return {"messages": turns}, annotation | {"api_specific": {"api": codec, "api_format": "GENERIC"}}
    return {"messages": messages}, annotation


def _enclosed(said: Said) -> Said:
    """Return a request to OCI as it is sent: in another, which has the model."""
    content = {"chatRequest": said.content, "servingMode": {"modelId": "m"}, "compartmentId": "c"}
    around = {"compartment_id": "c", "serving_mode": {"modelId": "m"}}
    specific = said.annotation["api_specific"] | around
    return Said(said.codec, content, said.annotation | {"model": "m", "api_specific": specific})


def _edited(choices: Choices, said: Said) -> Json:
    """Return the annotation as somebody may have edited it; now and then so that the provider cannot take it."""
    annotation = said.annotation
    match choices.pick(("nothing", "model", "message", "unknown", "less", "setting", "instructions", "foreign")):
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
        case "instructions":
            return annotation | {"instructions": "be long"}
        case "foreign":
            return annotation | {"messages": [FOREIGN]}
    return annotation


def _inside(step: Json) -> Json:
    return {"op": "step", "step": step}


def _sanitizer(choices: Choices, said: Said, name: str, hidden: str) -> Json:
    """Return a request sanitizer that asks its codec; it may hide what no provider has. hidden: where that stands."""
    ops = [_inside({"step": "decode", "codec": "own"})]
    if choices.chance(50):
        ops.append(_inside({"step": "encode", "codec": "own", "annotation": _edited(choices, said)}))
    if choices.chance(40):
        ops.append({"op": "edit", "set": {f"/content{hidden}": "hidden"}})
    step = {"step": "register", "as": name, "family": "llm.sanitize_request", "name": name, "do": ops}
    return step | {"priority": choices.integer(-1, 1)}


def _reader(choices: Choices, name: str) -> Json:
    ops = [_inside({"step": "decode", "codec": "own", "side": "response"})]
    step = {"step": "register", "as": name, "family": "llm.sanitize_response", "name": name, "do": ops}
    return step | {"priority": choices.integer(-1, 1)}


def _unreadable(said: Said) -> dict[str, Json]:
    """Return the content of a request that is none of the provider's."""
    if said.codec != OCI:
        return said.content | {"model": 5}
    inner = said.content.get("chatRequest", said.content) | {"messages": 5}
    return said.content | {"chatRequest": inner} if "chatRequest" in said.content else inner


def _call(choices: Choices, said: Said, name: str, *, coded: bool, read: Answers) -> Json:
    reads, answer = choices.pick(read)
    call: Json = {"step": "call", "as": name, "name": "gpt"}
    if coded:
        content = said.content if choices.chance(90) else _unreadable(said)
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
            reads, answer = choices.pick(choices.pick((READ, READ_BY_GEMINI, READ_BY_OCI)))
            return {"step": "decode", "codec": reads, "side": "response", "payload": answer}
        case "annotation":
            return {"step": "encode", "codec": said.codec, "annotation": _edited(choices, said), "payload": request}
    return {"step": "decode", "codec": said.codec, "payload": {"headers": {}, "content": _unreadable(said)}}
