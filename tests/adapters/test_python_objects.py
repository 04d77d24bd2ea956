"""What the adapter of Python builds of members that a scenario states, and what it reads back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bindproof.core.paths import adapters_root
from bindproof_adapter import Unsupported
from tests.loose import module_at
from tests.relay import VECTORS

Json = Any

objects: Any = module_at(adapters_root() / "python" / "objects.py")
STATED = [
    step["value"]
    for vector in VECTORS
    for step in vector.scenario["steps"]
    if step.get("object") == "annotated_request" and "messages" in step["value"]
]


class Annotation:
    """An annotation that notes what it was built of, and what was set afterwards."""

    messages = instructions = model = params = tools = tool_choice = api_specific = None
    built: set[str]
    changed: set[str]

    def __init__(self, messages: Json, **more: Json) -> None:
        self.__dict__.update({"messages": messages, "extra": {}, **more}, built=set(more), changed=set())

    def __setattr__(self, name: str, value: Json) -> None:
        self.__dict__[name] = value
        self.changed.add(name)

    def system_prompt(self) -> str:
        """Return what nobody stated."""
        return "short"

    def last_user_message(self) -> None:
        """Fail, as a question may."""
        raise ValueError("there is none")

    def has_tool_calls(self) -> bool:
        """Return that there are none."""
        return False


def test_every_member_is_given_to_the_constructor_and_is_set_in_some_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(Annotation, "system_prompt", lambda self: made.append(self))
    for value in STATED:
        objects.built(SimpleNamespace(AnnotatedLLMRequest=Annotation), "annotated_request", value)
    members = {*objects.REQUEST, "extra"} - {"messages"}
    assert set().union(*(one.built for one in made)) == members
    assert set().union(*(one.changed for one in made)) == members | {"messages"}


def test_what_is_the_programs_own_stands_beside_the_members_and_a_question_that_fails_is_answered_null() -> None:
    value = {"messages": [], "model": "m", "x-own": 1}
    said = objects.built(SimpleNamespace(AnnotatedLLMRequest=Annotation), "annotated_request", value)
    assert (said["model"], said["x-own"], said["tools"]) == ("m", 1, None)
    assert said["asked"] == {"system_prompt": "short", "last_user_message": None, "has_tool_calls": False}


@pytest.mark.parametrize("name", ["measurement", "propagation_context"])
def test_a_release_without_such_objects_is_not_judged_by_them(name: str) -> None:
    with pytest.raises(Unsupported):
        objects.built(SimpleNamespace(), name, {})


def test_a_release_without_a_member_is_not_judged_by_it() -> None:
    older = type("Older", (), {"messages": None})
    with pytest.raises(Unsupported, match="instructions"):
        objects.built(
            SimpleNamespace(AnnotatedLLMRequest=older), "annotated_request", {"messages": [], "instructions": "i"}
        )


def test_a_kind_that_the_package_does_not_have_is_read_back_as_it_is() -> None:
    kinds = SimpleNamespace(Counter=1, UpDownCounter=2, Gauge=3, Histogram=4)
    types = SimpleNamespace(U64=1, I64=2, F64=3)

    def of_another_kind(**given: Json) -> SimpleNamespace:
        return SimpleNamespace(**(given | {"kind": 9}))

    package = SimpleNamespace(MetricKind=kinds, MetricValueType=types, MetricMeasurement=of_another_kind)
    said = objects.built(package, "measurement", {"name": "m", "kind": "gauge", "value_type": "i64", "value": 1})
    assert said == {"name": "m", "kind": "9", "value_type": "i64", "value": 1}
