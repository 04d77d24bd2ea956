"""The steps of programs in Rust.

Enters: steps of an outline. Leaves: lines of source text. Must not know how a program is put together.
"""

from __future__ import annotations

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.python_words import KINDS
from bindproof.suites.relay.programs.rust_streams import Streams
from bindproof.suites.relay.programs.rust_values import ROOM, deeper, text_of
from bindproof.suites.relay.programs.rust_words import CODECS, FAMILIES
from bindproof.suites.relay.programs.writing import capitals

_SEVERITIES = ("trace", "debug", "info", "warn", "error")


class Steps(Streams):
    """The steps of one program."""

    # -- what a step says ----------------------------------------------------------------------------------------------

    def _tried(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call that gives nothing."""
        if not self._outline.may_fail(step["as"]):
            return f"{call}{self._trying};".split("\n")
        return [*f"if let Err(error) = {call} {{".split("\n"), f"    fails({text_of(step['as'])}, error);", "}"]

    def _shown(self, step: Json, expression: str, made: str = "{}") -> list[str]:
        """Return the lines of a call whose value is shown. made: what makes JSON of it."""
        name, used = text_of(step["as"]), self._outline.is_used(step["as"])
        key = f"{step['as']} value"
        if not self._outline.may_fail(step["as"]):
            value = made.format(f"{expression}{self._trying}")
            if not used:
                return f"gives({name}, {value});".split("\n")
            return [*self._kept(key, value).split("\n"), f"gives({name}, {self._copy(key)});"]
        if used:
            raise NoProgramError("what may fail has no value that others name")
        bound = "()" if made == "Value::Null" else "value"
        return [
            *f"match {expression} {{".split("\n"),
            f"    Ok({bound}) => gives({name}, {made.format('value')}),",
            f"    Err(error) => fails({name}, error),",
            "}",
        ]

    def _copy(self, key: str) -> str:
        got = self._got(key)
        return got if got.endswith("()") else f"{got}.clone()"

    def _emptied(self, step: Json, call: str) -> list[str]:
        """Return the lines of a call whose value is null, which is shown."""
        if self._outline.may_fail(step["as"]):
            return self._shown(step, call, "Value::Null")
        return [*f"{call}{self._trying};".split("\n"), f"gives({text_of(step['as'])}, Value::Null);"]

    def _guarded(self, step: Json, lines: list[str]) -> list[str]:
        """Return the lines of what a plugin registers: its error is the plugin's."""
        fails = f"fails({text_of(step['as'])}, error);"
        if not self._outline.may_fail(step["as"]):
            return [f"{line}?;" for line in lines]
        return [part for line in lines for part in (f"if let Err(error) = {line} {{", f"    {fails}", "}")]

    # -- registrations -------------------------------------------------------------------------------------------------

    def _order(self, step: Json) -> list[str]:
        if step["family"] == "subscriber":
            return []
        breaks = step["family"] in ("llm.request", "tool.request")
        return [str(step["priority"]), *([str(step["break_chain"]).lower()] if breaks else [])]

    def _register(self, step: Json) -> list[str]:
        kind, local = KINDS[step["family"]], step["scope"] != "global"
        named = [*([f"&{self._variable(step['scope'])}.uuid"] if local else []), text_of(step["name"])]
        level = "scope_" if local else ""
        self._outline.registered[step["as"]] = f"{level}deregister_{kind}({', '.join(named)})"
        given = [*named, *self._order(step), self._callee(step)]
        return self._tried(step, _call(f"{level}register_{kind}", given))

    def _registering(self, step: Json) -> str:
        given = [text_of(step["name"]), *self._order(step), self._callee(step)]
        return _call(f"context.register_{KINDS[step['family']]}", given)

    def _deregister(self, step: Json) -> list[str]:
        if step["of"] not in self._outline.registered:
            raise NoProgramError("a program takes back only what it has registered itself")
        return self._shown(step, self._outline.registered[step["of"]])

    def _install(self, step: Json) -> list[str]:
        function, who = self._names.of(f"{step['as']} registers"), text_of(step["as"])
        lines = [
            f'saw({who}, "is given", json!({{"plugin": {self._plugin(step)}}}));',
            *self._registrations(step, step["do"]),
        ]
        raising = [at for at, line in enumerate(lines) if line.startswith("return Err(FlowError::Internal(")]
        if raising:
            error = lines[raising[0]].removeprefix("return ").removesuffix(";")
            lines = [*lines[: raising[0]], error.replace("FlowError::Internal", "PluginError::RegistrationFailed")]
        else:
            lines.append("Ok(())")
        context = "context" if any("context." in line for line in lines) else "_context"
        self._function(f"fn {function}({context}: &mut PluginRegistrationContext) -> plugin::Result<()>", lines)
        call = f"install({function}).await"
        if self._outline.may_fail(step["as"]):
            return self._tried(step, call)
        taken = any(one["step"] == "uninstall" and one["of"] == step["as"] for one in self._outline.steps)
        return [f"let {'' if taken else '_'}{self._names.of(step['as'])} = {call}?;"]

    def _uninstall(self, step: Json) -> list[str]:
        return self._tried(step, f"uninstall({self._names.of(step['of'])})")

    def _list(self, step: Json) -> list[str]:
        kind = f"Some({text_of(KINDS[step['only']])})" if step["only"] else "None"
        return self._shown(step, f"registered({kind})")

    def _current(self, step: Json) -> list[str]:
        return self._shown(step, "current_scope()")

    def _build(self, step: Json) -> list[str]:
        raise NoProgramError("what a constructor makes of a value is not written in Rust yet")

    # -- by hand -------------------------------------------------------------------------------------------------------

    def _options(self, step: Json, *names: str) -> list[tuple[str, str]]:
        own = {"model": "model_name"}
        found = [(name, step.get(name)) for name in names]
        return [
            (own.get(name, name), text_of(value) if name in ("model", "tool_call_id") else self._value(value, 80))
            for name, value in found
            if value is not None
        ]

    def _lead(self, step: Json, kind: str, *, owned: bool = False) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        if step["parent"] is not None:
            parent = self._variable(step["parent"])
            if owned:
                parent = parent if parent.endswith("()") else f"{parent}.clone()"
            else:
                parent = f"&{parent}"
            found.append(("parent", parent))
        if step["attributes"]:
            found.append(("attributes", " | ".join(f"{kind}Attributes::{one.upper()}" for one in step["attributes"])))
        return found

    def _time(self, step: Json) -> list[tuple[str, str]]:
        return [] if step.get("timestamp") is None else [("timestamp", f"micros({step['timestamp']})")]

    def _start(self, step: Json) -> list[str]:
        name, kind = [("name", text_of(step["name"]))], step["kind"]
        if kind == "scope":
            given = [*name, ("scope_type", f"ScopeType::{step['type'].capitalize()}"), *self._lead(step, "Scope")]
            given += [*self._options(step, "data", "metadata", "input"), *self._time(step)]
            made = _built("PushScopeParams", given)
            return self._started(step, f"push_scope({made})")
        if kind == "llm":
            request = f'let request: LlmRequest = typed("request", {self._value(step["request"])}){self._trying};'
            given = [*name, ("request", "&request"), *self._lead(step, "Llm")]
            given += [*self._options(step, "data", "metadata", "model"), *self._time(step)]
            return [*request.split("\n"), *self._started(step, f"llm_call({_built('LlmCallParams', given)})")]
        given = [*name, ("args", self._value(step["args"], 80)), *self._lead(step, "Tool")]
        given += [*self._options(step, "data", "metadata", "tool_call_id"), *self._time(step)]
        return self._started(step, f"tool_call({_built('ToolCallParams', given)})")

    def _started(self, step: Json, call: str) -> list[str]:
        if self._outline.may_fail(step["as"]):
            return self._tried(step, call)
        if step["as"] not in self._shared and not self._is_named(step["as"]):
            return f"{call}{self._trying};".split("\n")
        return self._kept(step["as"], f"{call}{self._trying}").split("\n")

    def _is_named(self, step: str) -> bool:
        return any(step in (one.get("of"), one.get("parent"), one.get("scope")) for one in self._outline.steps)

    def _end(self, step: Json) -> list[str]:
        handle, kind = self._variable(step["of"]), self._outline.kind_of(step["of"])
        if kind == "scope":
            given = [("handle_uuid", f"&{handle}.uuid"), *self._options(step, "output", "metadata"), *self._time(step)]
            return self._tried(step, f"pop_scope({_built('PopScopeParams', given)})")
        more = [*self._options(step, "data", "metadata"), *self._time(step)]
        if kind == "tool":
            result = [self._value(step["output"], 70)]
            function = "ToolExecutionResult::new"
            if step["annotation"] is not None:
                result, function = [*result, self._value(step["annotation"], 70)], "ToolExecutionResult::annotated"
            given = [("handle", f"&{handle}"), ("execution_result", f"{function}({', '.join(result)})"), *more]
            return self._tried(step, f"tool_call_end({_built('ToolCallEndParams', given)})")
        given = [("handle", f"&{handle}"), ("response", self._value(step["output"], 80)), *more]
        if step["annotation"] is not None:
            annotation = self._value(step["annotation"], 60)
            given.append(("annotated_response", f'Arc::new(typed("annotation", {annotation}){self._trying})'))
        if step["response_codec"] is not None:
            given.append(("response_codec", f"Arc::new({CODECS[step['response_codec']]})"))
        return self._tried(step, f"llm_call_end({_built('LlmCallEndParams', given)})")

    def _mark(self, step: Json) -> list[str]:
        given = [("name", text_of(step["name"])), *self._lead({**step, "attributes": None}, "")]
        given += self._options(step, "data")
        if step["data_schema"] is not None:
            schema = self._value(step["data_schema"], 70)
            given.append(("data_schema", f'typed("data_schema", {schema}){self._trying}'))
        given += self._options(step, "metadata")
        if step["severity"] in _SEVERITIES:
            given.append(("severity", f"LogSeverity::{step['severity'].capitalize()}"))
        elif step["severity"] is not None:
            given.append(("severity", f'typed("severity", json!({text_of(step["severity"])})){self._trying}'))
        return self._tried(step, f"event({_built('EmitMarkEventParams', [*given, *self._time(step)])})")

    def _flush(self, step: Json) -> list[str]:
        return self._tried(step, "flush_subscribers()")

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _helper(self, step: Json) -> list[str]:
        name = text_of(step["name"])
        if step["kind"].startswith("tool"):
            args = self._value(step["args"], 60)
            if step["kind"] == "tool.request":
                return self._shown(step, f"tool_request_intercepts({name}, {args}).await")
            return self._emptied(step, f"tool_conditional_execution({name}, &{args}).await")
        request = f'let request: LlmRequest = typed("request", {self._value(step["request"])}){self._trying};'
        if step["kind"] == "llm.request":
            shown = self._shown(step, f"llm_request_intercepts({name}, request).await", "json!({})")
        else:
            shown = self._emptied(step, "llm_conditional_execution(&request).await")
        return [*request.split("\n"), *shown]

    def _call(self, step: Json) -> list[str]:
        if step["kind"] == "llm_stream":
            return self._stream(step)
        provider = self._callback(f"{step['as']}.provider", f"{step['kind']}.provider", step["provider"], waits=True)
        params = "ToolCallExecuteParams" if step["kind"] == "tool" else "LlmCallExecuteParams"
        lines = self._params(step, params, provider, [])
        call = f"{step['kind']}_call_execute(params).await"
        if step["background"]:
            made = f"{call}.map(result_json)" if step["kind"] == "tool" else call
            function, key = self._names.of(f"{step['as']} beside"), f"{step['as']} value"
            lines.append(made)
            if self._outline.is_used(step["as"]):
                lines[-1:] = [f"let answer = {made}?;", self._kept(key, "answer.clone()"), "Ok(answer)"]
            self._function(f"async fn {function}() -> Result<Value>", lines)
            return [f"aside({text_of(step['as'])}, {function}()).await;"]
        return [*lines, *self._shown(step, call, "result_json({})" if step["kind"] == "tool" else "{}")]

    def _params(self, step: Json, params: str, provider: str, more: list[tuple[str, str]]) -> list[str]:
        kind = "Tool" if step["kind"] == "tool" else "Llm"
        if kind == "Tool":
            value = ("args", self._value(step["args"], 80))
        else:
            value = ("request", f'typed("request", {self._value(step["request"], 65)}){self._trying}')
        given = [("name", text_of(step["name"])), value, ("func", provider), *more]
        given += self._lead(step, kind, owned=True)
        given += self._options(step, "data", "metadata", "model" if kind == "Llm" else "tool_call_id")
        if kind == "Llm":
            given += self._codecs(step)
        return f"let params = {_built(params, given)};".split("\n")

    def _codecs(self, step: Json) -> list[tuple[str, str]]:
        codec, response = step["codec"], step.get("response_codec")
        found: list[tuple[str, str]] = []
        if isinstance(codec, dict):
            found.append(("codec", f"Arc::new({self._own_codec(step)})"))
        elif codec != "none":
            found.append(("codec", f"Arc::new({CODECS[codec]})"))
        if response:
            found.append(("response_codec", f"Arc::new({CODECS[response]})"))
        return found

    def _own_codec(self, step: Json) -> str:
        """Write a codec whose two methods do what a step says; return its name."""
        name = capitals(self._names.of(f"{step['as']} codec"))
        methods: list[str] = []
        for part in ("decode", "encode"):
            shape = FAMILIES[part]
            lines = self._body(f"{step['as']}.{part}", part, shape, step["codec"][part])
            head = f"fn {part}({shape.parameters}) -> Result<{shape.returns}>"
            methods.append("\n".join([f"{head} {{", *deeper(lines), "}"]))
        body = "\n\n".join(methods).split("\n")
        self._functions.append(f"struct {name};")
        self._functions.append("\n".join([f"impl LlmCodec for {name} {{", *deeper(body), "}"]))
        return name

    def _open(self, step: Json) -> list[str]:
        if step["latch"] in self._outline.held:
            return ["open_held();"]
        return [f"open_latch({text_of(step['latch'])}).await;"]

    def _cancel(self, step: Json) -> list[str]:
        return [f"cancel({text_of(step['of'])}).await;"]


def _call(function: str, given: list[str]) -> str:
    """Return a call, in one line where it fits."""
    line = f"{function}({', '.join(given)})"
    if len(line) <= ROOM and "\n" not in line:
        return line
    return "\n".join([f"{function}(", *deeper(f"{one}," for one in given), ")"])


def _built(params: str, given: list[tuple[str, str]]) -> str:
    """Return what a builder makes, in one line where that is short."""
    chain = [f".{name}({value})" for name, value in given]
    line = f"{params}::builder(){''.join(chain)}.build()"
    if len(line) <= 80 and "\n" not in line:
        return line
    return "\n".join([f"{params}::builder()", *deeper([*chain, ".build()"])])
