"""The typed objects of nemo-relay as JSON, and back.

Enters: the package. Leaves: JSON for the log, and objects from its constructors. Must not know scenarios.
"""

from __future__ import annotations

from typing import Any

from objects import OBJECTS, REQUEST, RESPONSE, built, with_extra

from bindproof_adapter import Unsupported

Json = Any

MARK = ("name", "category", "category_profile", "data", "metadata", "data_schema", "severity")

ATTRIBUTES = {
    "scope": "ScopeAttributes",
    "llm": "LLMAttributes",
    "llm_stream": "LLMAttributes",
    "tool": "ToolAttributes",
}
"""Kind of a step → the class of its attributes."""


class Types:
    """The package's typed objects as JSON, and back."""

    def __init__(self, relay: Any) -> None:
        self._relay = relay
        severity = getattr(relay, "LogSeverity", None)
        names = [name for name in dir(severity) if name[0].isupper()] if severity else []
        self._severities = {name.lower(): getattr(severity, name) for name in names}
        self._raw_results = not hasattr(relay, "ToolExecutionResult")
        self._pairs = not hasattr(relay, "LLMRequestInterceptOutcome")

    def request_json(self, request: Any) -> Json:
        """Return an LLMRequest as JSON."""
        return {"headers": request.headers, "content": request.content}

    def annotation_json(self, annotation: Any) -> Json:
        """Return an AnnotatedLLMRequest as JSON, unknown fields at the top level, or None."""
        if annotation is None:
            return None
        return _present(annotation, REQUEST)

    def response_json(self, annotation: Any) -> Json:
        """Return an AnnotatedLLMResponse as JSON, unknown fields at the top level."""
        return _present(annotation, RESPONSE)

    def outcome_json(self, outcome: Any) -> Json:
        """Return an LLMRequestInterceptOutcome as JSON with every key that this release has."""
        if self._pairs:
            raise Unsupported("helper llm.request", "the helper of this release answers with a request alone")
        plain = {
            "request": self.request_json(outcome.request),
            "annotated_request": self.annotation_json(outcome.annotated_request),
            "pending_marks": [self._mark_json(mark) for mark in outcome.pending_marks],
        }
        if hasattr(outcome, "optimization_contributions"):
            plain["optimization_contributions"] = outcome.optimization_contributions
        return plain

    def request(self, value: Json) -> Any:
        """Build an LLMRequest from a JSON object; anything else is handed over as it is."""
        return self._relay.LLMRequest(**value) if isinstance(value, dict) else value

    def annotation(self, value: Json) -> Any:
        """Build an AnnotatedLLMRequest; unknown keys go into its extra fields."""
        if not isinstance(value, dict):
            return value
        return self._relay.AnnotatedLLMRequest(**with_extra(value, REQUEST))

    def outcome(self, value: Json) -> Any:
        """Build an LLMRequestInterceptOutcome and all that is in it; before 0.5 a pair says less."""
        if self._pairs:
            return self._pair(value)
        if not isinstance(value, dict):
            return value
        parts = {"request": self.request, "annotated_request": self.annotation, "pending_marks": self._marks}
        built = {key: parts.get(key, lambda item: item)(item) for key, item in value.items()}
        return self._relay.LLMRequestInterceptOutcome(**built)

    def result_json(self, result: Any) -> Json:
        """Return a ToolExecutionResult as JSON; releases before 0.8 give the tool's own result."""
        if self._raw_results:
            return {"result": result, "annotation": None}
        return {"result": result.result, "annotation": result.annotation}

    def result(self, value: Json) -> Any:
        """Build a ToolExecutionResult from a JSON object; anything else is handed over as it is."""
        if self._raw_results:
            return _raw(value)
        return self._relay.ToolExecutionResult(**value) if isinstance(value, dict) else value

    def tool_outcome(self, value: Json) -> Any:
        """Build a ToolExecutionInterceptOutcome and the marks in it."""
        if self._pairs:
            return _raw({key: item for key, item in _unmarked(value).items() if key != "pending_marks"})
        if not isinstance(value, dict):
            return value
        if self._raw_results:
            value = _unannotated(value)
        built = {key: self._marks(item) if key == "pending_marks" else item for key, item in value.items()}
        return self._relay.ToolExecutionInterceptOutcome(**built)

    def tool_outcome_json(self, outcome: Any) -> Json:
        """Return a ToolExecutionInterceptOutcome as JSON."""
        marks = [self._mark_json(mark) for mark in outcome.pending_marks]
        return {"result": outcome.result, "annotation": getattr(outcome, "annotation", None), "pending_marks": marks}

    def built(self, name: str, value: Json) -> Json:
        """Return what an object that is built of these members says of itself."""
        if name in OBJECTS:
            return built(self._relay, name, value)
        if (name == "tool_result" and self._raw_results) or (name != "request" and self._pairs):
            raise Unsupported("build", f"this release has no object for a {name.replace('_', ' ')}")
        build, read = {
            "request": (self.request, self.request_json),
            "mark": (self._mark, self._mark_json),
            "outcome": (self.outcome, self.outcome_json),
            "tool_result": (self.result, self.result_json),
            "tool_outcome": (self.tool_outcome, self.tool_outcome_json),
        }[name]
        return read(build(value))

    def severity(self, name: str) -> Any:
        """Return the member of LogSeverity of this name; releases before 0.8 have none."""
        if not self._severities:
            raise Unsupported("severity", "marks of this release have no severity")
        return self._severities[name]

    def attributes(self, step: Json) -> dict[str, Any]:
        """Return the keyword that hands the attributes of a scope or a call over, where it has some."""
        if not step["attributes"]:
            return {}
        flags = getattr(self._relay, ATTRIBUTES[step["kind"]])
        value = 0
        for name in step["attributes"]:
            value |= getattr(flags, name.upper())
        return {"attributes": flags(value)}

    def attributes_json(self, kind: str, value: Any) -> Json:
        """Return the names of the attributes that a handle says, by their bits and by the accessor that each has."""
        flags = getattr(self._relay, ATTRIBUTES[kind])
        names = [name.lower() for name in dir(flags) if name.isupper() and value.value & getattr(flags, name)]
        return sorted(name for name in names if getattr(value, f"is_{name}", True))

    def scope_type(self, name: str) -> Any:
        """Return the member of ScopeType of this name."""
        return getattr(self._relay.ScopeType, name.capitalize())

    def _pair(self, value: Json) -> Any:
        """Return what an intercept returns before 0.5, a request and its annotation."""
        if _unmarked(value).keys() != {"request", "annotated_request", "pending_marks"}:
            raise Unsupported("outcome", "an intercept of this release returns a pair, which names nothing")
        return self.request(value["request"]), self.annotation(value["annotated_request"])

    def _marks(self, value: Json) -> Any:
        return [self._mark(item) for item in value] if isinstance(value, list) else value

    def _mark(self, value: Json) -> Any:
        if not isinstance(value, dict):
            return value
        severity = value.get("severity")
        if isinstance(severity, str) and severity in self._severities:
            value = {**value, "severity": self._severities[severity]}
        return self._relay.PendingMarkSpec(**value)

    def _mark_json(self, mark: Any) -> Json:
        plain = {name: getattr(mark, name) for name in MARK if hasattr(mark, name)}
        if plain.get("severity") is not None:
            plain["severity"] = next(text for text, member in self._severities.items() if member == plain["severity"])
        return plain


def _present(annotation: Any, members: tuple[str, ...]) -> Json:
    """Return what an annotation says of these members, without those that are null or not of this release."""
    known = {name: getattr(annotation, name, None) for name in members}
    return {name: value for name, value in known.items() if value is not None} | (annotation.extra or {})


def _unmarked(value: Json) -> Json:
    """Return what an intercept says in a release that has no pending marks."""
    if not isinstance(value, dict) or value.get("pending_marks") != []:
        raise Unsupported("pending_marks", "intercepts of this release state no marks")
    return value


def _unannotated(value: Json) -> Json:
    """Return what a tool's callback or intercept says in a release whose results have no annotation."""
    if value.get("annotation") is not None:
        raise Unsupported("tool annotation", "results of this release have no annotation")
    return {key: item for key, item in value.items() if key != "annotation"}


def _raw(value: Json) -> Json:
    """Return the tool's own result, which is all that a release before 0.8 takes."""
    stated = _unannotated(value) if isinstance(value, dict) else {}
    if stated.keys() != {"result"}:
        raise Unsupported("tool result", "any value is a result in this release: none is malformed")
    return stated["result"]
