"""Scopes, manual calls and marks as calls of nemo-relay.

Enters: steps that start, end or mark something. Leaves: the package's handles. Must not know callbacks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable as Function
from datetime import UTC, datetime, timedelta
from typing import Any

from objects import measurement
from typed import Types

from bindproof_adapter import Unsupported

Json = Any

KEYWORDS = {"model": "model_name", "parent": "handle"}
"""Member of a step → keyword of the package, where the two differ."""

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
"""What timestamps of steps are counted from, in microseconds."""


class Scopes:
    """What a program starts, ends and marks itself."""

    def __init__(self, relay: Any, types: Types, built_in: Function[[str], Any]) -> None:
        self._relay, self._types, self._built_in = relay, types, built_in

    def start(self, step: Json) -> Any:
        """Push a scope, or start a manual call."""
        relay, name = self._relay, step["name"]
        options = {**given(step, "data", "metadata", "parent"), **_timed(step), **self._types.attributes(step)}
        if step["kind"] == "scope":
            options |= given(step, "input")
            return relay.scope.push(name, self._types.scope_type(step["type"]), **options)
        if step["kind"] == "llm":
            options |= given(step, "model")
            return relay.llm.call(name, self._types.request(step["request"]), **options)
        return relay.tools.call(name, step["args"], **options, **given(step, "tool_call_id"))

    def block(self, step: Json, ends_at: int | None) -> tuple[Any, Function[[BaseException | None], object]]:
        """Enter a `with` block; return its scope, and what leaves it."""
        options = {**given(step, "input", "data", "metadata", "parent"), **_timed(step), **self._types.attributes(step)}
        if ends_at is not None:
            options["end_timestamp"] = _time(ends_at)
        block = self._relay.scope.scope(step["name"], self._types.scope_type(step["type"]), **options)

        def leave(raised: BaseException | None) -> None:
            if raised is None:
                block.__exit__(None, None, None)
            elif not block.__exit__(type(raised), raised, raised.__traceback__):
                raise raised

        return block.__enter__(), leave

    def end(self, step: Json) -> None:
        """Pop a scope, or end a manual call."""
        relay, options = self._relay, {**given(step, "metadata"), **_timed(step)}
        if step["kind"] == "scope":
            relay.scope.pop(step["of"], **options, **given(step, "output"))
            return
        options |= given(step, "data")
        if step["kind"] == "llm":
            if step["annotation"] is not None:
                options["annotated_response"] = step["annotation"]
            if step["response_codec"] is not None:
                options["response_codec"] = self._built_in(step["response_codec"])
            relay.llm.call_end(step["of"], step["output"], **options)
        else:
            result = {"result": step["output"], "annotation": step["annotation"]}
            relay.tools.call_end(step["of"], self._types.result(result), **options)

    def handle(self, step: Json) -> Json:
        """Return what a handle says."""
        handle, members = step["of"], ("uuid", "parent_uuid", "name", "data", "metadata")
        said = {name: getattr(handle, name) for name in members if hasattr(handle, name)}
        if step["kind"] == "scope":
            said["type"] = str(handle.scope_type).rpartition(".")[2].lower()
        return {**said, "attributes": self._types.attributes_json(step["kind"], handle.attributes)}

    def current(self) -> Json:
        """Return the current scope."""
        scope = self._relay.scope.get_handle()
        return {"uuid": scope.uuid, "name": scope.name}

    def mark(self, step: Json) -> None:
        """Emit a mark."""
        options = {**given(step, "data", "metadata", "data_schema", "parent"), **_timed(step)}
        if "data_schema" in options:
            must_take(self._relay.scope.event, "data_schema")
        if step["severity"] is not None:
            options["severity"] = self._types.severity(step["severity"])
        self._relay.scope.event(step["name"], **options)

    def metric(self, step: Json) -> None:
        """Emit a group of measurements; releases before 0.8 have none."""
        relay = self._relay
        if not hasattr(relay.scope, "metric"):
            raise Unsupported("measurements", "this release emits no metrics")
        stated = [{name: item for name, item in one.items() if item is not None} for one in step["measurements"]]
        group = [measurement(relay, one) for one in stated]
        relay.scope.metric(step["name"], group, **given(step, "metadata", "parent"), **_timed(step))


def given(step: Json, *names: str) -> dict[str, Any]:
    """Return the members of a step that are not null, by the names of the package's keywords."""
    return {KEYWORDS.get(name, name): step[name] for name in names if step[name] is not None}


def _timed(step: Json) -> dict[str, Any]:
    """Return the keyword that hands a step's own time over."""
    if step["timestamp"] is None:
        return {}
    return {"timestamp": _time(step["timestamp"])}


def _time(microseconds: int) -> datetime:
    return FIRST + timedelta(microseconds=microseconds)


def must_take(function: Any, keyword: str) -> None:
    """Raise Unsupported where a release has no such keyword."""
    if keyword not in inspect.signature(function).parameters:
        raise Unsupported(keyword, "this release has no such argument")
