"""The steps that programs in compiled languages say alike: by functions of one C library.

Enters: steps of an outline. Leaves: lines of source text. Must not know any language: its writer says how a
call is written.
"""

from __future__ import annotations

from typing import ClassVar

from bindproof.core.model import Json
from bindproof.suites.relay.programs.compiled import SEVERITIES, Compiled
from bindproof.suites.relay.programs.node_streams import ATTRIBUTES
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.python_words import KINDS

UNDECLARED = ("tool.request", "tool.sanitize_request", "tool.sanitize_response")
"""The families whose functions the library exports, and its header does not declare."""


class Steps(Compiled):
    """The steps of one program."""

    library: ClassVar[str]
    """What stands before the name of a function of the library."""

    # what each language writes in its own way

    def _lent(self, text: str | None) -> str:
        """Return a text for the library; None is null."""
        raise NotImplementedError

    def _micros(self, time: int) -> str:
        """Return a time for the library."""
        raise NotImplementedError

    def _severity(self, number: int) -> str:
        """Return a severity for the library."""
        raise NotImplementedError

    def _tried(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that answers with a status alone."""
        raise NotImplementedError

    def _done(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that gives nothing, which is shown."""
        raise NotImplementedError

    def _left(self, step: Json, function: str, given: list[str]) -> list[str]:
        """Return the lines of a call that leaves JSON text, which is shown."""
        raise NotImplementedError

    # what steps give the library

    def _order(self, step: Json) -> list[str]:
        if step["family"] == "subscriber":
            return []
        breaks = step["family"] in ("llm.request", "tool.request")
        return [str(step["priority"]), *([str(step["break_chain"]).lower()] if breaks else [])]

    def _time(self, step: Json) -> str:
        return self.null if step.get("timestamp") is None else self._micros(step["timestamp"])

    def _lead(self, step: Json) -> list[str]:
        return [self._parent(step), str(sum(ATTRIBUTES[name] for name in step["attributes"] or ()))]

    def _managed(self, step: Json, last: str) -> list[str]:
        return [*self._lead(step), *self._optional(step, "data", "metadata"), self._lent(step[last])]

    def _value_of(self, step: Json) -> tuple[str, str]:
        """Return what a call is given, for the library, and what it is given last."""
        value, last = ("request", "model") if step["kind"].startswith("llm") else ("args", "tool_call_id")
        return self._encoded(step[value]), last

    def _reading(self, step: Json) -> str:
        codec = step.get("response_codec")
        return f"{self.library}nemo_relay_{codec}_codec_new()" if codec else self.null

    def _codec(self, step: Json) -> list[str]:
        """Return what the library is given of decode and encode; nothing where there is no codec."""
        codec = step["codec"]
        if isinstance(codec, dict):
            return [self._callback(f"{step['as']}.{part}", part, codec[part]) for part in ("decode", "encode")]
        if codec != "none":
            raise NoProgramError("a call takes a built-in codec for its response alone; a request's is two functions")
        return []

    def _registered(self, step: Json) -> tuple[str, list[str]]:
        """Return the stem of the functions that register, and what they are given first; note what takes it back."""
        local = step["scope"] != "global"
        owner = [f"{self.library}nemo_relay_scope_handle_uuid({self._variable(step['scope'])})"] if local else []
        level, given = "scope_" if local else "", [*owner, self._lent(step["name"])]
        taken = f"{self.library}nemo_relay_{level}deregister_{KINDS[step['family']]}({', '.join(given)})"
        self._outline.registered[step["as"]] = taken
        return level, given

    def _installing(self, step: Json) -> str:
        """Return the name of the function in which a plugin registers."""
        if not self._outline.edition_at_least("0.9"):
            raise NoProgramError("programs install no plugins of releases before 0.9")
        return self._names.of(f"{step['as']} registers")

    # steps

    def _deregister(self, step: Json) -> list[str]:
        if step["of"] not in self._outline.registered:
            raise NoProgramError("a program takes back only what it has registered itself")
        return self._done(step, self._outline.registered[step["of"]])

    def _start(self, step: Json) -> list[str]:
        name, tail = self._lent(step["name"]), [self._time(step), f"&{self._variable(step['as'])}"]
        if step["kind"] == "scope":
            given = [name, f"{self.library}NEMO_RELAY_SCOPE_TYPE_{step['type'].upper()}", *self._lead(step)]
            given += [*self._optional(step, "data", "metadata", "input"), *tail]
            return self._tried(step, f"{self.library}nemo_relay_push_scope({', '.join(given)})")
        value, last = self._value_of(step)
        given = [name, value, *self._managed(step, last), *tail]
        return self._tried(step, f"{self.library}nemo_relay_{step['kind']}_call({', '.join(given)})")

    def _end(self, step: Json) -> list[str]:
        handle, time, kind = self._variable(step["of"]), self._time(step), self._outline.kind_of(step["of"])
        if kind == "scope":
            given = [handle, *self._optional(step, "output", "metadata"), time]
            return self._tried(step, f"{self.library}nemo_relay_pop_scope({', '.join(given)})")
        output = step["output"]
        if kind == "tool":
            output = {"result": output, "annotation": step["annotation"]}
        elif step["annotation"] is not None or step["response_codec"] is not None:
            raise NoProgramError("nemo_relay_llm_call_end takes neither an annotation nor a codec")
        given = [handle, self._encoded(output), *self._optional(step, "data", "metadata"), time]
        return self._tried(step, f"{self.library}nemo_relay_{kind}_call_end({', '.join(given)})")

    def _mark(self, step: Json) -> list[str]:
        severity = self._severity(SEVERITIES.index(step["severity"])) if step["severity"] else self.null
        given = [self._lent(step["name"]), self._parent(step)]
        given += [*self._optional(step, "data", "data_schema", "metadata"), severity, self._time(step)]
        return self._tried(step, f"{self.library}nemo_relay_event_v2({', '.join(given)})")

    def _flush(self, step: Json) -> list[str]:
        return self._tried(step, f"{self.library}nemo_relay_flush_subscribers()")

    def _helper(self, step: Json) -> list[str]:
        kind, name, value = step["kind"], self._lent(step["name"]), self._value_of(step)[0]
        stem = f"{self.library}nemo_relay_{kind.replace('.', '_')}"
        if kind == "llm.conditional":
            return self._done(step, f"{stem}_execution({value})")
        if kind == "tool.conditional":
            return self._done(step, f"{stem}_execution({name}, {value})")
        return self._left(step, f"{stem}_intercepts", [name, value])
