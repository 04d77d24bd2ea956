"""How releases of older editions are driven in Python, and what they have no words for.

Enters: an outline, its steps. Leaves: the parts of its program; what cannot be said is refused. Must not know how a
program is put together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bindproof.core.model import Json
from bindproof.suites.relay.programs.outline import NoProgramError, Outline
from bindproof.suites.relay.programs.python_words import PARTS
from bindproof.suites.relay.programs.writing import Parts

OLDEST = "0.5"
"""The first edition for whose releases there are programs."""

_OLDER = (Path(__file__).parent / "python_older_parts.txt").read_text(encoding="utf-8")

# Edition → what is otherwise in releases before it, the latest first.
_BEFORE = dict(re.findall(r"^# == before (\S+)\n(.*?)(?=^# == |\Z)", _OLDER, re.M | re.S))

SANITIZERS = ("mark.sanitize", "start.sanitize", "end.sanitize")
"""Families that there are from 0.6 on."""


def parts_of(outline: Outline) -> Parts:
    """Return the parts that programs of an edition are made of."""
    parts = PARTS
    for edition, text in _BEFORE.items():
        if not outline.edition_at_least(edition):
            parts = parts.changed(text)
    return parts


def in_words_of(outline: Outline, source: str) -> str:
    """Return a program in which subscribers are waited for in the way that a release has."""
    if outline.edition_at_least("0.7"):
        return source
    return source.replace("await relay.subscribers.flush_async()", "await asyncio.to_thread(relay.subscribers.flush)")


def require_words(outline: Outline, steps: Sequence[Json]) -> None:
    """Raise NoProgramError for a step that releases of the edition have no words for."""
    for step in steps:
        for edition, refused in _REFUSED.items():
            why = None if outline.edition_at_least(edition) else refused(step)
            if why:
                raise NoProgramError(f"releases before {edition} have {why}")


def _before_0_8(step: Json) -> str | None:
    match step["step"]:
        case "list":
            return "no listing of what is registered"
        case "mark" if step["severity"] is not None or step["data_schema"] is not None:
            return "marks without severity and schema"
        case "build" if step["object"] == "tool_result":
            return "no object for a tool's result"
        case "build" if step["object"] == "measurement":
            return "no measurements"
        case "end" if step.get("annotation") is not None and "response_codec" not in step:
            return "results without annotation"
        case "call" if step["kind"] == "tool" and step["tool_call_id"] is not None:
            return "managed calls of tools without an id"
        case "call" if step["kind"] == "tool" and not all(map(_says_a_result, step["provider"])):
            return "results that are any value, without annotation"
        case "register" if step["family"] == "event.metadata":
            return "no injectors"
        case "register" if step["family"] == "tool.execution" and '"annotation' in str(step["do"]).replace("'", '"'):
            return "results without annotation"
    return None


def _before_0_7(step: Json) -> str | None:
    if step["step"] == "cancel" or step.get("async"):
        return "no asynchronous callbacks, and no calls that can be cancelled"
    return "nothing that is captured" if step.get("object") == "propagation_context" else None


def _before_0_6(step: Json) -> str | None:
    if step["step"] == "close" and step["how"] == "close":
        return "no way to close a stream"
    if step.get("object") == "annotated_request" and step["value"].keys() & {"instructions", "api_specific"}:
        return "annotations without instructions and api_specific"
    return "no such guardrails" if step.get("family") in SANITIZERS else None


_REFUSED = {"0.8": _before_0_8, "0.7": _before_0_7, "0.6": _before_0_6}


def _says_a_result(op: Json) -> bool:
    """Tell whether an op of a tool's provider leaves a result without annotation."""
    if op["op"] == "each":
        return all(_says_a_result(inner) for ops in op["ops"] for inner in ops)
    if op["op"] != "edit":
        return True
    whole = [value for pointer, value in op.get("set", {}).items() if pointer == ""]
    if any(not isinstance(value, dict) or value.keys() - {"annotation"} != {"result"} for value in whole):
        return False
    if any(value.get("annotation") is not None for value in whole):
        return False
    touched = [pointer for name in ("set", "append", "remove") for pointer in op.get(name, [])]
    return all(pointer == "" or re.match(r"/result(/|$)", pointer) for pointer in touched) and "/result" not in op.get(
        "remove", []
    )
