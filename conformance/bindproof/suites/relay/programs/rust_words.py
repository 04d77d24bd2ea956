"""The words of programs in Rust: what the crate calls what scenarios name, and what a program may need besides.

Enters: nothing. Leaves: tables. Must not know scenarios.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from bindproof.suites.relay.programs.writing import Parts

_CRATE = {
    "nemo_relay::api::event": "Event EventSanitizeFields LogSeverity",
    "nemo_relay::api::llm": (
        "LlmAttributes LlmCallEndParams LlmCallExecuteParams LlmCallParams LlmHandle LlmRequest "
        "LlmRequestInterceptOutcome LlmStreamCallExecuteParams llm_call llm_call_end llm_call_execute "
        "llm_conditional_execution llm_request_intercepts llm_stream_call_execute"
    ),
    "nemo_relay::api::registry": "list_runtime_registrations",
    "nemo_relay::api::runtime": (
        "LlmCodecIdentity LlmExecutionContext LlmExecutionNextFn LlmJsonStream LlmSanitizeRequestContext "
        "LlmSanitizeResponseContext "
        "LlmStreamExecutionNextFn TASK_SCOPE_STACK ToolExecutionContext ToolExecutionNextFn current_scope_stack"
    ),
    "nemo_relay::api::scope": (
        "EmitMarkEventParams PopScopeParams PushScopeParams ScopeAttributes ScopeHandle ScopeType event get_handle "
        "pop_scope push_scope"
    ),
    "nemo_relay::api::subscriber": (
        "deregister_subscriber flush_subscribers register_subscriber scope_deregister_subscriber "
        "scope_register_subscriber"
    ),
    "nemo_relay::api::tool": (
        "ToolAttributes ToolCallEndParams ToolCallExecuteParams ToolCallParams ToolExecutionInterceptOutcome "
        "ToolExecutionResult ToolHandle tool_call tool_call_end tool_call_execute tool_conditional_execution "
        "tool_request_intercepts"
    ),
    "nemo_relay::codec::anthropic": "AnthropicMessagesCodec",
    "nemo_relay::codec::gemini_generate_content": "GeminiGenerateContentCodec",
    "nemo_relay::codec::oci_genai": "OCIGenAIChatCodec",
    "nemo_relay::codec::openai_chat": "OpenAIChatCodec",
    "nemo_relay::codec::openai_responses": "OpenAIResponsesCodec",
    "nemo_relay::codec::request": "AnnotatedLlmRequest",
    "nemo_relay::codec::traits": "LlmCodec",
    "nemo_relay::error": "FlowError Result",
    "nemo_relay::plugin": (
        "ConfigDiagnostic Plugin PluginComponentSpec PluginConfig PluginError PluginHostActivation "
        "PluginRegistrationContext deregister_plugin initialize register_plugin"
    ),
}

_OTHERS = {
    "chrono": "DateTime Utc",
    "regex": "Regex",
    "serde::de": "DeserializeOwned",
    "serde_json": "Map Value json",
    "std::collections": "BTreeMap BTreeSet",
    "std::error": "Error",
    "std::fmt": "Display",
    "std::future": "pending poll_fn",
    "std::pin": "Pin",
    "std::process": "ExitCode",
    "std::sync": "Arc Mutex",
    "std::sync::atomic": "AtomicBool AtomicUsize Ordering",
    "std::task": "Context Poll",
    "std::time": "Duration",
    "tokio::sync": "Notify oneshot",
    "tokio::task": "AbortHandle",
    "tokio_stream": "Stream",
}

PATHS: Mapping[str, str] = {
    name: path for path, names in (_CRATE | _OTHERS).items() for name in names.split()
}  # fmt: skip
"""Name → the module that has it."""

CRATES: Mapping[str, str] = {
    "chrono": 'chrono = "0.4"',
    "regex": 'regex = "1"',
    "serde": 'serde = "1"',
    "tokio_stream": 'tokio-stream = "0.1"',
}
"""Crate → its line among the dependencies of a program that uses it; what each program uses is not here."""

_TAKEN = (
    "abstract accepts answer answers argument args annotated as async await become box break chunk const context "
    "continue crate dyn else entry enum error extern false fields final fn for given host i32 i64 if impl in inner let "
    "loop macro main match mod move mut name next option original out override params priv program pub ref reply "
    "request response result return self static stream struct super trait true try type typeof u64 unsafe unsized use "
    "value vec virtual where while yield relay plugin working expected event_with"
)

RESERVED = frozenset(_TAKEN.split()) | frozenset(name.lower() for name in PATHS)
"""Names that a program has, or Rust itself."""

_DEFINES = re.compile(
    r"^(?:async fn|fn|static|const|struct|type|impl(?:<[^>]*>)?(?: [\w<>': ]+ for)?) +([A-Za-z]\w*)", re.M
)

_NAMES = re.compile(r"(?<![\w.:])(?:[A-Z]\w*|[a-z]\w*(?=\(|\)))")
"""A type, or a function that is called or handed over: neither a method nor what another type or module has."""

PARTS = Parts((Path(__file__).parent / "rust_parts.txt").read_text(encoding="utf-8"), _DEFINES, _NAMES)
"""What a program may need besides, which is the same in each."""

MATCHERS = {
    "any": ("$any", "true"),
    "one_of": ("$one_of", "is_one_of(given, value)"),
    "contains": ("$contains", "has(given, value)"),
    "unordered": ("$unordered", "is_in_any_order(given, value)"),
    "number_like": ("$number_like", "is_number_like(given, value)"),
    "text_with": ("$text_with", "is_text_with(given, value)"),
    "number": ("$number", "is_number(given, value)"),
    "counted": ("$counted", "is_counted(given, value)"),
    "id_of": ("$id_of", "is_id(given, value)"),
    "trace_of": ("$trace_of", "is_trace(given, value)"),
    "time": ("$time", "is_time(given, value)"),
    "failure": ("$failure", "is_failure(given, value)"),
}
"""The function that makes what stands for a value → its key, and what accepts the value."""

CODECS = {
    "openai_chat": "OpenAIChatCodec",
    "openai_responses": "OpenAIResponsesCodec",
    "anthropic_messages": "AnthropicMessagesCodec",
    "gemini_generate_content": "GeminiGenerateContentCodec",
    "oci_genai": "OCIGenAIChatCodec",
}


class Family(Struct, frozen=True):
    """How a callback of a family is written."""

    parameters: str
    returns: str
    """What it returns where it succeeds."""
    given: str
    """What it is told to be given, inside `json!`."""
    natural: str
    """What it replies by itself, in the crate's own type."""
    base: str
    """The same as JSON."""
    reply: str
    """What makes the reply of JSON."""


def _named(value: str) -> tuple[str, str]:
    return f"name: String, {value}: Value", f'{{"name": name, "{value}": {value}}}'


_FIELDS = Family(
    "event: Arc<Event>, fields: EventSanitizeFields", "EventSanitizeFields",
    '{"event": event_json(&event), "fields": fields}', "Ok(fields)", 'given["fields"].clone()',
    'typed("fields", reply)',
)  # fmt: skip

FAMILIES: Mapping[str, Family] = {
    "llm.request": Family(
        "name: String, request: LlmRequest, annotated: Option<AnnotatedLlmRequest>", "LlmRequestInterceptOutcome",
        '{"name": name, "request": request, "annotated_request": annotated}',
        "Ok(LlmRequestInterceptOutcome::new(request, annotated))",
        "json!(LlmRequestInterceptOutcome::new(request, annotated))", 'typed("intercept outcome", reply)',
    ),
    "llm.conditional": Family(
        "request: LlmRequest", "Option<String>", '{"request": request}', "Ok(None)", "Value::Null",
        'typed("conditional", reply)',
    ),
    "llm.sanitize_request": Family(
        "request: LlmRequest, context: LlmSanitizeRequestContext", "Option<LlmRequest>",
        '{"request": request, "codec": codec_json(context.codec(), context.resolve_codec().is_some())}',
        "Ok(Some(request))", "json!(request)", 'typed("request", reply)',
    ),
    "llm.sanitize_response": Family(
        "response: Value, context: LlmSanitizeResponseContext", "Option<Value>",
        '{"response": response, "codec": codec_json(context.codec(), context.resolve_codec().is_some())}',
        "Ok(Some(response))", "response", 'typed("sanitized response", reply)',
    ),
    "tool.request": Family(_named("args")[0], "Value", _named("args")[1], "Ok(args)", "args", "Ok(reply)"),
    "tool.conditional": Family(
        _named("args")[0], "Option<String>", _named("args")[1], "Ok(None)", "Value::Null",
        'typed("conditional", reply)',
    ),
    "tool.sanitize_request": Family(_named("args")[0], "Value", _named("args")[1], "Ok(args)", "args", "Ok(reply)"),
    "tool.sanitize_response": Family(
        _named("result")[0], "Value", _named("result")[1], "Ok(result)", "result", "Ok(reply)"
    ),
    "mark.sanitize": _FIELDS,
    "start.sanitize": _FIELDS,
    "end.sanitize": _FIELDS,
    "event.metadata": Family(
        "event: Arc<Event>", "BTreeMap<String, Value>", '{"event": event_json(&event)}', "Ok(BTreeMap::new())",
        "json!({})", 'typed("metadata", reply)',
    ),
    "llm.provider": Family(
        "request: LlmRequest", "Value", '{"request": request}', 'Ok(json!({"ok": true}))', 'json!({"ok": true})',
        "Ok(reply)",
    ),
    "tool.provider": Family(
        "args: Value", "ToolExecutionResult", '{"args": args}', 'Ok(ToolExecutionResult::new(json!({"ok": true})))',
        'json!({"result": {"ok": true}, "annotation": null})', 'typed("answer", reply)',
    ),
    "decode": Family(
        "&self, request: &LlmRequest", "AnnotatedLlmRequest", '{"request": request}',
        'typed("codec decode", decoded(&given["request"]))', 'decoded(&given["request"])',
        'typed("codec decode", reply)',
    ),
    "encode": Family(
        "&self, annotated: &AnnotatedLlmRequest, original: &LlmRequest", "LlmRequest",
        '{"annotated_request": annotated, "original": original}',
        'typed("codec encode", laid_over(&given["annotated_request"], &given["original"]))',
        'laid_over(&given["annotated_request"], &given["original"])', 'typed("codec encode", reply)',
    ),
}  # fmt: skip


def module_of(name: str) -> str | None:
    """Return the module that has a name, None where it is none of the crate's or of others."""
    if name in PATHS:
        return PATHS[name]
    if re.fullmatch(r"(scope_)?(de)?register_\w+", name) and name != "register_plugin":
        return "nemo_relay::api::registry"
    return None
