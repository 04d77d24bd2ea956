"""Scopes, manual calls and marks as calls of the library; and the arguments that managed calls take too."""

from __future__ import annotations

import json
from typing import Any

from bindproof_adapter import Inexpressible
from bindproof_c import Library, c_string, plain

Json = Any
Pointer = Any

SCOPE, LLM, TOOL = (
    (f"Ffi{kind}Handle", f"nemo_relay_{name}_handle_free")
    for kind, name in (("Scope", "scope"), ("LLM", "llm"), ("Tool", "tool"))
)
ATTRIBUTES = {"parallel": 1, "relocatable": 2, "stateful": 1, "streaming": 2, "remote": 1}
"""Attribute → its bit in the number that the library takes, which names none of them."""

OF_KIND = {"scope": ("parallel", "relocatable"), "llm": ("stateful", "streaming"), "tool": ("remote",)}
"""Kind of what is started → its attributes."""

TYPES = (
    "agent", "function", "tool", "llm", "retriever", "embedder", "reranker", "guardrail", "evaluator", "custom",
    "unknown",
)  # fmt: skip
"""The types of scopes, in the order of the library's numbers."""

SEVERITIES = ("trace", "debug", "info", "warn", "error")

METRIC_KINDS = ("counter", "up_down_counter", "gauge", "histogram")
VALUE_TYPES = ("u64", "i64", "f64")
"""In the order of the library's numbers, which begin at 1."""


class Manual:
    """What a program starts, ends and marks itself."""

    def __init__(self, library: Library) -> None:
        self._library, self._calls, self._null = library, library.calls, library.null

    def start(self, step: Json) -> Pointer:
        """Push a scope, or start a manual call."""
        calls, made, said, time = self._calls, self._library.made, self._library.said, self._time(step)
        lead = self.lead(step)
        if step["kind"] == "llm":
            return made(calls.nemo_relay_llm_call, *LLM, *self.request(step), *lead, said(step, "model"), time)
        if step["kind"] == "tool":
            return made(calls.nemo_relay_tool_call, *TOOL, *self.tool(step), *lead, said(step, "tool_call_id"), time)
        kind = getattr(calls, f"NEMO_RELAY_SCOPE_TYPE_{step['type'].upper()}")
        more = (self._library.stated(step, "input"), time)
        return made(calls.nemo_relay_push_scope, *SCOPE, c_string("name", step["name"]), kind, *lead, *more)

    def end(self, step: Json) -> None:
        """Pop a scope, or end a manual call."""
        calls, time, stated, of = self._calls, self._time(step), self._library.stated, step["of"]
        metadata, data = stated(step, "metadata"), stated(step, "data")
        if step["kind"] == "scope":
            status = calls.nemo_relay_pop_scope(of, stated(step, "output"), metadata, time)
        elif step["kind"] == "llm":
            if step["annotation"] is not None or step["response_codec"] is not None:
                raise Inexpressible("end.annotation", "nemo_relay_llm_call_end takes neither an annotation nor a codec")
            status = calls.nemo_relay_llm_call_end(of, plain(step["output"]), data, metadata, time)
        else:
            result = plain({"result": step["output"], "annotation": step["annotation"]})
            status = calls.nemo_relay_tool_call_end(of, result, data, metadata, time)
        self._library.check(status)

    def handle(self, step: Json) -> Json:
        """Return what a handle says: those of calls have neither data nor metadata."""
        of, kind, library = step["of"], step["kind"], self._library

        def said(member: str) -> Any:
            return getattr(self._calls, f"nemo_relay_{kind}_handle_{member}")(of)

        texts = {name: library.owned(said(name)) for name in ("uuid", "parent_uuid", "name")}
        bits = said("attributes")
        found: Json = {**texts, "attributes": sorted(name for name in OF_KIND[kind] if bits & ATTRIBUTES[name])}
        if kind == "scope":
            payloads = {name: library.owned(said(name)) for name in ("data", "metadata")}
            found |= {name: json.loads(text) if text else None for name, text in payloads.items()}
            found["type"] = TYPES[said("scope_type")]
        return found

    def current(self) -> Json:
        """Return the current scope."""
        calls, library = self._calls, self._library
        scope = library.made(calls.nemo_relay_get_handle, *SCOPE)
        uuid, name = calls.nemo_relay_scope_handle_uuid(scope), calls.nemo_relay_scope_handle_name(scope)
        return {"uuid": library.owned(uuid), "name": library.owned(name)}

    def mark(self, step: Json) -> None:
        """Emit a mark."""
        named = (c_string("name", step["name"]), step["parent"] or self._null)
        data, schema, metadata = (self._library.stated(step, name) for name in ("data", "data_schema", "metadata"))
        at = self._time(step)
        if step["severity"] is None and step["data_schema"] is None:
            self._library.check(self._calls.nemo_relay_event(*named, data, metadata, at))
            return
        severity = self._null
        if step["severity"] is not None:
            severity = self._library.ffi.new("int32_t *", SEVERITIES.index(step["severity"]))
        self._library.check(self._calls.nemo_relay_event_v2(*named, data, schema, metadata, severity, at))

    def metric(self, step: Json) -> None:
        """Emit a group of measurements: by its name as a text or as structs, so that it is the same each time."""
        new, stated = self._library.ffi.new, step["measurements"]
        named = (c_string("name", step["name"]), step["parent"] or self._null)
        more = (self._library.stated(step, "metadata"), self._time(step))
        if sum(step["name"].encode()) % 2 == 0:
            self._library.check(self._calls.nemo_relay_metric_json(*named, plain(stated), *more))
            return
        group = [self._measurement(one) for one in stated]
        measurements = new("struct NemoRelayMetricMeasurement[]", group)
        self._library.check(self._calls.nemo_relay_metric(*named, measurements, len(group), *more))

    def _measurement(self, one: Json) -> dict[str, Any]:
        """Return the members of the struct of a measurement, which have to live as long as it does."""
        new = self._library.ffi.new
        said = {key: c_string(key, one[key]) for key in ("name", "unit", "description") if one[key] is not None}
        if one["attributes"] is not None:
            said["attributes_json"] = plain(one["attributes"])
        texts = {key: new("char[]", text) for key, text in said.items()}
        bounds = one["boundaries"] or []
        boundaries = self._null if one["boundaries"] is None else new("double[]", max(len(bounds), 1))
        for at, bound in enumerate(bounds):
            boundaries[at] = bound
        kind, value_type = METRIC_KINDS.index(one["kind"]) + 1, VALUE_TYPES.index(one["value_type"]) + 1
        numbers = {"kind": kind, "value_type": value_type, f"{one['value_type']}_value": one["value"]}
        return {**texts, **numbers, "boundaries": boundaries, "boundaries_len": len(bounds)}

    def _time(self, step: Json) -> Pointer:
        """Return the step's own time, or the null pointer."""
        return self._null if step["timestamp"] is None else self._library.ffi.new("int64_t *", step["timestamp"])

    # -- arguments that several calls take -----------------------------------------------------------------------------

    def request(self, step: Json) -> tuple[bytes, bytes]:
        """Return the name and the request."""
        return c_string("name", step["name"]), plain(step["request"])

    def tool(self, step: Json) -> tuple[bytes, bytes]:
        """Return the name and the arguments."""
        return c_string("name", step["name"]), plain(step["args"])

    def lead(self, step: Json) -> tuple[Any, ...]:
        """Return the parent, the attributes, a call's data, the metadata."""
        data = self._library.stated(step, "data")
        attributes = sum(ATTRIBUTES[name] for name in step["attributes"])
        return step["parent"] or self._null, attributes, data, self._library.stated(step, "metadata")
