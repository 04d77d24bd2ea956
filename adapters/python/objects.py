"""The objects of nemo-relay that a program builds by itself and no callback is given, and what they say.

Enters: the package, and members as a scenario states them. Leaves: JSON of all that an object says. Must not know
scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Callable as Function
from typing import Any

from bindproof_adapter import Unsupported

Json = Any

REQUEST = ("messages", "instructions", "model", "params", "tools", "tool_choice", "api_specific")
RESPONSE = ("id", "model", "message", "tool_calls", "finish_reason", "usage", "api_specific", "optimization_summary")
CONTEXT = ("parent_uuid", "root_uuid", "version", "traceparent", "tracestate")
MEASUREMENT = ("name", "kind", "value_type", "value", "unit", "description", "attributes", "boundaries")


def built(relay: Any, name: str, value: Json) -> Json:
    """Return what an object says that is built of these members; raises Unsupported where the release has none such."""
    return OBJECTS[name](relay, value)


def measurement(relay: Any, value: Json) -> Any:
    """Build a measurement of a group; what of it has a type of its own is stated as text. Before 0.8 there are none."""
    if not hasattr(relay, "MetricMeasurement"):
        raise Unsupported("measurements", "this release emits no metrics")
    typed = {"kind": _kinds(relay), "value_type": _value_types(relay)}
    made_of = {name: typed[name][value[name]] for name in typed if name in value}
    return relay.MetricMeasurement(**(value | made_of))


def with_extra(value: Json, members: tuple[str, ...]) -> dict[str, Json]:
    """Return the members as the package takes them: what is the program's own is in its extra fields."""
    known = {name: item for name, item in value.items() if name in members}
    extra = {name: item for name, item in value.items() if name not in members}
    return {**known, **({"extra": extra} if extra else {})}


def _annotated_request(relay: Any, value: Json) -> Json:
    """Build it of all its members, or, of some values, of none, and then set each."""
    made_by, keywords = relay.AnnotatedLLMRequest, with_extra(value, REQUEST)
    _must_have(made_by, value, REQUEST)
    if "messages" not in value or sum(json.dumps(value).encode()) % 2:
        made = made_by(**keywords)
    else:
        made = made_by([])
        for name, item in keywords.items():
            setattr(made, name, item)
    return _said(made, REQUEST, made.extra) | _asked(made, "system_prompt", "last_user_message", "has_tool_calls")


def _annotated_response(relay: Any, value: Json) -> Json:
    made = relay.AnnotatedLLMResponse(**with_extra(value, RESPONSE))
    return _said(made, RESPONSE, made.extra) | _asked(made, "response_text", "has_tool_calls")


def _measurement(relay: Any, value: Json) -> Json:
    said = _said(measurement(relay, value), MEASUREMENT)
    texts = {"kind": _kinds(relay), "value_type": _value_types(relay)}
    return said | {member: _text_of(said[member], named) for member, named in texts.items()}


def _text_of(value: Any, named: dict[str, Any]) -> str:
    """Return the name of a value of the package's own type; of one that is none of these what it says it is."""
    return next((text for text, item in named.items() if item == value), str(value))


def _propagation_context(relay: Any, value: Json) -> Json:
    made_by = getattr(relay, "PropagationContext", None)
    if made_by is None:
        raise Unsupported("build", "this release has no propagation context")
    _must_have(made_by, value, CONTEXT)
    made = made_by(**value)
    return _said(made, CONTEXT) | _asked(made, "to_traceparent")


OBJECTS: dict[str, Function[[Any, Json], Json]] = {
    "annotated_request": _annotated_request,
    "annotated_response": _annotated_response,
    "measurement": _measurement,
    "propagation_context": _propagation_context,
}
"""Object → what builds it and says what it says."""


def _kinds(relay: Any) -> dict[str, Any]:
    """Return the kinds of measurements by their names."""
    kinds = {"counter": "Counter", "up_down_counter": "UpDownCounter", "gauge": "Gauge", "histogram": "Histogram"}
    return {name: getattr(relay.MetricKind, of_package) for name, of_package in kinds.items()}


def _value_types(relay: Any) -> dict[str, Any]:
    """Return the types of a measurement's value by their names."""
    return {name: getattr(relay.MetricValueType, name.upper()) for name in ("u64", "i64", "f64")}


def _must_have(made_by: Any, value: Json, members: tuple[str, ...]) -> None:
    missing = [name for name in members if name in value and not hasattr(made_by, name)]
    if missing:
        raise Unsupported("build", f"objects of this release have no member {missing[0]!r}")


def _said(made: Any, members: tuple[str, ...], extra: Json = None) -> dict[str, Json]:
    return {name: getattr(made, name) for name in members if hasattr(made, name)} | (extra or {})


def _asked(made: Any, *questions: str) -> dict[str, Json]:
    """Return what an object answers to those of its questions that the release has, null where that fails."""
    return {"asked": {question: _answer(getattr(made, question)) for question in questions if hasattr(made, question)}}


def _answer(question: Function[[], Json]) -> Json:
    try:
        return question()
    except ValueError:
        return None
