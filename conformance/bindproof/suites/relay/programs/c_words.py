"""The words of programs in C: the functions of each family, and how values are written.

Enters: nothing. Leaves: tables. Must not know scenarios.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from bindproof.suites.relay.programs.outline import NoProgramError
from bindproof.suites.relay.programs.writer import WIDEST
from bindproof.suites.relay.programs.writing import Parts, Syntax


class Shape(Struct, frozen=True):
    """The function of a family: how it is declared, and how it answers."""

    returns: str
    parameters: str
    given: str
    natural: str
    replies: str
    """What ends it, with the reply in braces."""
    fails: str = "return NULL;"
    """What ends it behind an error."""


_TOOL = ("char *", "void *data, const char *name, const char *args")
_REQUEST = ("char *", "void *data, const struct FfiLLMRequest *request")
_EVENT = Shape(
    "char *", "void *data, const struct FfiEvent *event, const char *fields",
    'object("event", event_json(event), "fields", parsed(fields), NULL)', 'at(given, "/fields")', "return text_of({});",
)  # fmt: skip

# Family → its function.
SHAPES = {
    "llm.request": Shape(
        "NemoRelayStatus ",
        "void *data, const char *name, const struct FfiLLMRequest *request, const char *annotated, char **outcome",
        'object("name", string(name), "request", request_json(request), "annotated_request", parsed(annotated), NULL)',
        'object("request", at(given, "/request"), "annotated_request", at(given, "/annotated_request"),'
        ' "pending_marks", of_kind(\'[\'), NULL)',
        "*outcome = text_of({});\nreturn NEMO_RELAY_STATUS_OK;",
        "return NEMO_RELAY_STATUS_INTERNAL;",
    ),
    "llm.conditional": Shape(
        *_REQUEST, 'object("request", request_json(request), NULL)', "of_kind('n')", "return verdict({});"
    ),
    "llm.sanitize_request": Shape(
        "struct FfiLLMRequest *",
        "void *data, const struct FfiLLMRequest *request, struct NemoRelayLlmSanitizeRequestContext context",
        'object("request", request_json(request), "codec",'
        " codec_json(context.codec_kind, context.codec_id, context.codec), NULL)",
        'at(given, "/request")',
        "return request_of({});",
    ),
    "llm.sanitize_response": Shape(
        "char *",
        "void *data, const char *response, struct NemoRelayLlmSanitizeResponseContext context",
        'object("response", parsed(response), "codec",'
        " codec_json(context.codec_kind, context.codec_id, context.codec), NULL)",
        'at(given, "/response")',
        "return optional_text({});",
    ),
    "tool.conditional": Shape(
        *_TOOL, 'object("name", string(name), "args", parsed(args), NULL)', "of_kind('n')", "return verdict({});"
    ),
    **{
        family: Shape(
            *_TOOL, 'object("name", string(name), "args", parsed(args), NULL)', 'at(given, "/args")',
            "return text_of({});",
        )
        for family in ("tool.request", "tool.sanitize_request")
    },
    "tool.sanitize_response": Shape(
        "char *", "void *data, const char *name, const char *result",
        'object("name", string(name), "result", parsed(result), NULL)', 'at(given, "/result")', "return text_of({});",
    ),
    **dict.fromkeys(("mark.sanitize", "start.sanitize", "end.sanitize"), _EVENT),
    "event.metadata": Shape(
        "char *", "void *data, const struct FfiEvent *event", 'object("event", event_json(event), NULL)',
        "of_kind('{')", "return text_of({});",
    ),
    "llm.provider": Shape(
        "char *", "void *data, const char *request", 'object("request", parsed(request), NULL)',
        'parsed(JSON({"ok": true}))', "return text_of({});",
    ),
    "tool.provider": Shape(
        "char *", "void *data, const char *args", 'object("args", parsed(args), NULL)',
        'parsed(JSON({"result": {"ok": true}, "annotation": null}))', "return text_of({});",
    ),
    "decode": Shape(
        *_REQUEST, 'object("request", request_json(request), NULL)', 'decoded(at(given, "/request"))',
        "return text_of({});",
    ),
    "encode": Shape(
        "char *", "void *data, const char *annotated, const struct FfiLLMRequest *original",
        'object("annotated_request", parsed(annotated), "original", request_json(original), NULL)',
        'with(at(given, "/original"), "/content",'
        ' laid_over(at(given, "/original/content"), at(given, "/annotated_request")))',
        'return text_of(at({}, "/content"));',
    ),
}  # fmt: skip

_TAKEN = (
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int "
    "long NULL register restrict return short signed sizeof static struct switch true typedef union unsigned void "
    "volatile while main program JSON answer answers args argument annotated chunk context data entry error event "
    "expected fields given history index list matchers name next original outcome passed reply request response "
    "result abort abs accept atof atoi bind calloc close connect div dup exit exp free getenv index link listen log "
    "malloc open pause pipe printf putc puts qsort raise rand read realloc remove rename rindex send signal sin "
    "sleep stderr stdin stdout step stpcpy strdup sync system time timezone truncate unlink usleep wait write y0 y1 "
    "j0 j1 gamma"
)

RESERVED = frozenset(_TAKEN.split())
"""Names that a program has, or C and its library."""

_DEFINES = re.compile(
    r"^(?:typedef [^(;]*\(\*(?=\w)|typedef [^(;]*[ *](?=\w+;)|struct |static [\w ]*?[ *]+)(\w+)\s*(?=[(;=\[{)])"
)
_FOLDER, _SEEN = Path(__file__).parent, "// -- what may be seen"
_COMMON = (_FOLDER / "c_parts.txt").read_text(encoding="utf-8")
_BOUNDARY = (_FOLDER / "c_boundary_parts.txt").read_text(encoding="utf-8")
PARTS = Parts(_COMMON.replace(_SEEN, f"{_BOUNDARY}{_SEEN}", 1), _DEFINES)
"""What a program may need besides, which is the same in each."""


def text_of(text: str) -> str:
    """Return a text as C writes it; raises NoProgramError for one that has no bytes in UTF-8."""
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise NoProgramError("half of a surrogate pair has no bytes in UTF-8")
    return '"' + "".join(_char(char) for char in text) + '"'


def _char(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else "".join(f"\\{byte:03o}" for byte in char.encode())


def pattern_of(pattern: str) -> str:
    """Return an expression of RE2 in the words of POSIX, where a dot is any character at all."""
    return pattern.replace("(?s:.*)", ".*").replace("(?:", "(").replace(r"\d", "[0-9]")


def broken(line: str) -> list[str]:
    """Return a line as several, none wider than people write them, broken behind commas that stand in no text."""
    lines, margin = [], " " * (len(line) - len(line.lstrip()) + 8)
    while len(line) > WIDEST and "//" not in line:
        quoted = [at for text in re.finditer(r'"(?:[^"\\]|\\.)*"', line) for at in range(*text.span())]
        ends = [one.end() for one in re.finditer(", ", line[:WIDEST]) if one.start() not in set(quoted)]
        if not ends or ends[-1] <= len(margin):
            break
        lines.append(line[: ends[-1]].rstrip())
        line = margin + line[ends[-1] :]
    return [*lines, line]


def deeper(lines: list[str]) -> list[str]:
    """Return lines one level further in."""
    return [f"    {line}" if line else "" for one in lines for line in one.split("\n")]


C = Syntax(null="NULL", true="true", false="false", spread="", text=text_of, key=text_of, pattern=text_of, step=4)
