"""The words of programs in Python: what the package calls what scenarios name, and how values are written.

Enters: nothing. Leaves: tables. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bindproof.suites.relay.programs.writing import Parts, Syntax, unseen

KINDS = {
    "subscriber": "subscriber",
    "llm.request": "llm_request_intercept",
    "llm.execution": "llm_execution_intercept",
    "llm.stream": "llm_stream_execution_intercept",
    "llm.conditional": "llm_conditional_execution_guardrail",
    "llm.sanitize_request": "llm_sanitize_request_guardrail",
    "llm.sanitize_response": "llm_sanitize_response_guardrail",
    "tool.request": "tool_request_intercept",
    "tool.execution": "tool_execution_intercept",
    "tool.conditional": "tool_conditional_execution_guardrail",
    "tool.sanitize_request": "tool_sanitize_request_guardrail",
    "tool.sanitize_response": "tool_sanitize_response_guardrail",
    "mark.sanitize": "mark_sanitize_guardrail",
    "start.sanitize": "scope_sanitize_start_guardrail",
    "end.sanitize": "scope_sanitize_end_guardrail",
    "event.metadata": "event_metadata_injector",
}
"""Family → what the package calls it."""

# Family → parameters, what of them is told by which name, the natural reply, what makes the package's object of it.
CALLBACKS: Mapping[str, tuple[str, Mapping[str, str], str, str]] = {
    "llm.request": (
        "name, request, annotated_request",
        {"name": "name", "request": "request_json(request)", "annotated_request": "annotation_json(annotated_request)"},
        '{"request": given["request"], "annotated_request": given["annotated_request"], "pending_marks": []}',
        "outcome_of",
    ),
    "llm.conditional": ("request", {"request": "request_json(request)"}, "None", ""),
    "llm.sanitize_request": (
        "request, context",
        {"request": "request_json(request)", "codec": "codec_json(context)"},
        'given["request"]',
        "request_of",
    ),
    "llm.sanitize_response": (
        "response, context",
        {"response": "response", "codec": "codec_json(context)"},
        'given["response"]',
        "",
    ),
    "tool.request": ("name, args", {"name": "name", "args": "args"}, 'given["args"]', ""),
    "tool.conditional": ("name, args", {"name": "name", "args": "args"}, "None", ""),
    "tool.sanitize_request": ("name, args", {"name": "name", "args": "args"}, 'given["args"]', ""),
    "tool.sanitize_response": ("name, result", {"name": "name", "result": "result"}, 'given["result"]', ""),
    "mark.sanitize": ("event, fields", {"event": "event_json(event)", "fields": "dict(fields)"}, 'given["fields"]', ""),
    "start.sanitize": (
        "event, fields",
        {"event": "event_json(event)", "fields": "dict(fields)"},
        'given["fields"]',
        "",
    ),
    "end.sanitize": ("event, fields", {"event": "event_json(event)", "fields": "dict(fields)"}, 'given["fields"]', ""),
    "event.metadata": ("event", {"event": "event_json(event)"}, "{}", ""),
    "llm.provider": ("request", {"request": "request_json(request)"}, '{"ok": True}', ""),
    "tool.provider": ("args", {"args": "args"}, '{"result": {"ok": True}, "annotation": None}', "result_of"),
    "decode": ("request", {"request": "request_json(request)"}, 'decoded(given["request"])', "annotation_of"),
    "encode": (
        "annotated_request, original",
        {"annotated_request": "annotation_json(annotated_request)", "original": "request_json(original)"},
        'encoded(given["annotated_request"], given["original"])',
        "request_of",
    ),
    "collector": ("chunk", {"chunk": "chunk"}, "None", ""),
    "finalizer": ("", {}, '{"done": True}', ""),
}

BUILT = {
    "request": ("request_of", "request_json"),
    "mark": ("mark_of", "mark_json"),
    "outcome": ("outcome_of", "outcome_json"),
    "tool_result": ("result_of", "result_json"),
    "tool_outcome": ("tool_outcome_of", "tool_outcome_json"),
    "annotated_request": ("annotation_of", "annotated_request_json"),
    "annotated_response": ("annotated_response_of", "annotated_response_json"),
    "measurement": ("measurement_of", "measurement_json"),
    "propagation_context": ("propagation_context_of", "propagation_context_json"),
}

CAPTURING = {
    "usual": "capture_propagation_context",
    "rootless": "capture_rootless_propagation_context",
    "rooted": "capture_propagation_context_with_root",
    "traceparent": "capture_traceparent",
}

CODECS = {
    "openai_chat": "OpenAIChatCodec",
    "openai_responses": "OpenAIResponsesCodec",
    "anthropic_messages": "AnthropicMessagesCodec",
    "gemini_generate_content": "GeminiGenerateContentCodec",
    "oci_genai": "OCIGenAIChatCodec",
}

RESERVED = frozenset(
    [
        "EXPECTED",
        "SAME",
        "all",
        "answers",
        "any",
        "args",
        "argument",
        "asyncio",
        "call",
        "chunk",
        "chunks",
        "code",
        "codecs",
        "collections",
        "context",
        "contextlib",
        "copy",
        "datetime",
        "dict",
        "error",
        "event",
        "float",
        "gc",
        "given",
        "inner",
        "int",
        "json",
        "len",
        "list",
        "main",
        "map",
        "name",
        "os",
        "plugin",
        "print",
        "proceed",
        "program",
        "range",
        "re",
        "relay",
        "reply",
        "request",
        "runtime_registrations",
        "str",
        "sys",
        "type",
    ]
)
"""Names that a program has, or Python itself."""

IMPORTS = {
    "asyncio": "import asyncio", "collections": "import collections", "contextlib": "import contextlib",
    "contextvars": "import contextvars",
    "copy": "import copy", "gc": "import gc", "json": "import json", "os": "import os", "re": "import re",
    "sys": "import sys", "threading": "import threading",
    "datetime": "from datetime import datetime",
    "relay": "import nemo_relay as relay", "codecs": "from nemo_relay import codecs",
    "plugin": "from nemo_relay import plugin", "runtime_registrations": "from nemo_relay import runtime_registrations",
}  # fmt: skip


def text_of(text: str) -> str:
    """Return a text as Python writes it."""
    return unseen(text, lambda char: f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}")


def _pattern(pattern: str) -> str:
    return f'r"{pattern}"' if '"' not in pattern and not pattern.endswith("\\") else text_of(pattern)


SYNTAX = Syntax(
    null="None", true="True", false="False", spread="**", text=text_of, key=text_of, pattern=_pattern, step=4
)  # fmt: skip

PARTS = Parts((Path(__file__).parent / "python_parts.txt").read_text(encoding="utf-8"))
"""What a program may need besides, which is the same in each."""


def deeper(lines: list[str], levels: int = 1) -> list[str]:
    """Return lines so many levels further in."""
    margin = "    " * levels
    return [f"{margin}{line}" if line else "" for line in lines]
