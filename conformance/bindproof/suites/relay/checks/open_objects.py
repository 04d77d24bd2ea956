"""A check about annotations, measurements and propagation contexts that a program has built (DLC)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bindproof.core.model import Evidence, Json, same
from bindproof.suites.relay.checks.building import stated
from bindproof.suites.relay.checks.common import PROGRAM, Check, Found, judged, part, register
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.building import MEMBERS, malformed_members

CHECKS: dict[str, Check] = {}


@register(CHECKS, "DLC-016")
def an_object_says_what_it_is_made_of(reading: Reading) -> Found:
    """It is built, each member that was stated has its value, and what it is asked for is what these say."""
    built = [act for act in reading.transcript.of_kind("build") if act.step["object"] in MEMBERS]
    acts = [act for act in built if not malformed_members(act.step["object"], act.step["value"])]
    return judged([evidence for act in acts for evidence in (*stated(act), *_answers(act))], acts)


def _answers(act: Act) -> Iterator[Evidence]:
    if act.error is not None:
        return
    asked = part(act.value, "asked")
    for question, of_members in QUESTIONS.get(act.step["object"], {}).items():
        if question in SINCE and isinstance(asked, dict) and question not in asked:
            continue
        expected, found = of_members(act.step["value"]), part(asked, question)
        if not same(expected, found):
            yield Evidence(PROGRAM, f"{question} is what the members say", act.done, expected, found)


def _system_prompt(members: Json) -> Json:
    said = members.get("instructions")
    return _text(_content_of("system", members["messages"]) if said is None else said)


def _last_user_message(members: Json) -> Json:
    return _text(_content_of("user", members["messages"][::-1]))


def _messages_ask(members: Json) -> Json:
    return any(message.get("tool_calls", []) != [] for message in members["messages"])


def _header(members: Json) -> Json:
    if members.get("traceparent") is not None or members.get("root_uuid") is None:
        return members.get("traceparent")
    trace, span = members["root_uuid"].replace("-", ""), members["parent_uuid"][19:].replace("-", "")
    return f"00-{trace}-{span}-01"


QUESTIONS: Mapping[str, Mapping[str, Callable[[Json], Json]]] = {
    "annotated_request": {
        "system_prompt": _system_prompt,
        "last_user_message": _last_user_message,
        "has_tool_calls": _messages_ask,
    },
    "annotated_response": {
        "response_text": lambda members: _text(members.get("message")),
        "has_tool_calls": lambda members: bool(members.get("tool_calls")),
    },
    "propagation_context": {"to_traceparent": _header},
}
"""Object → what it is asked for → what its members say of that."""

SINCE = ("to_traceparent",)
"""What objects are asked for from some edition on."""


def _content_of(role: str, messages: Json) -> Json:
    return next((message["content"] for message in messages if message["role"] == role), None)


def _text(content: Json) -> Json:
    """Return the text of a content, of one in parts that of the first."""
    return content[0]["text"] if isinstance(content, list) else content
