"""Checks of the chapter *Wire* (FRM)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.suite_api import Evidence, Json
from bindproof.suites.cells.checks.common import Check, Found, differs, register, wrong
from bindproof.suites.cells.reading import Reading

CHECKS: dict[str, Check] = {}
CUT = ("short_head", "short_body")
UNREADABLE = ("empty", "not_json")
UNKNOWN = ("unknown_field", "unknown_member", "unknown_type", "unknown_method")


def _replies(reading: Reading) -> list[int]:
    return [index for index, record in enumerate(reading.log) if record["fact"] == "got"]


def _end(reading: Reading) -> int | None:
    return next((index for index, record in enumerate(reading.log) if record["fact"] == "ended"), None)


def _exits(reading: Reading, status: int, text: str) -> list[Evidence]:
    end = _end(reading)
    return [] if end is None else differs(reading, end, text, status, reading.log[end]["exit"])


def _contradicts(hello: Json) -> bool:
    lists = [hello["versions"], hello["required"], hello["optional"]]
    twice = any(len(set(one)) < len(one) for one in lists)
    return not hello["versions"] or twice or bool(set(hello["required"]) & set(hello["optional"]))


def _first(reading: Reading) -> Json:
    return reading.frames[0] if reading.frames else {"frame": None}


def _sound(reading: Reading) -> Json:
    """Return the hello that a connection begins with, None where it does not or where that contradicts itself."""
    first = _first(reading)
    return first if first["frame"] == "hello" and not _contradicts(first) else None


def _answered(reading: Reading, reply: Json, text: str) -> list[Evidence]:
    """Return evidence unless the first reply is this one."""
    replies = _replies(reading)
    if not replies:
        end = _end(reading)
        return [Evidence("program", text, end, reply, "(nothing)")]
    return differs(reading, replies[0], text, reply, reading.log[replies[0]]["reply"])


@register(CHECKS, "FRM-001")
def ready(reading: Reading) -> Found:
    """A hello that offers the version 1 and requires nothing is answered."""
    hello = _sound(reading)
    if hello is None or 1 not in hello["versions"] or hello["required"]:
        return None
    return _answered(reading, {"type": "ready", "version": 1}, "the host is ready, in version 1")


@register(CHECKS, "FRM-002")
def no_version(reading: Reading) -> Found:
    """A hello without a version that the host speaks is rejected."""
    hello = _sound(reading)
    if hello is None or 1 in hello["versions"]:
        return None
    return _rejected(reading, "noCompatibleVersion")


def _rejected(reading: Reading, reason: str) -> list[Evidence]:
    reply = {"type": "rejected", "reason": reason}
    return [*_answered(reading, reply, "the host says why"), *_exits(reading, 0, "and ends in good order")]


@register(CHECKS, "FRM-003")
def no_capability(reading: Reading) -> Found:
    """A hello that requires what the host has not is rejected."""
    hello = _sound(reading)
    if hello is None or 1 not in hello["versions"] or not hello["required"]:
        return None
    return _rejected(reading, "missingRequiredCapability")


@register(CHECKS, "FRM-004")
def no_hello(reading: Reading) -> Found:
    """What is no hello is rejected as a first message."""
    return _rejected(reading, "invalidHello") if _first(reading)["frame"] in ("request", "stray") else None


def _fatal(reading: Reading, applies: bool, text: str) -> Found:
    """Judge a connection whose last frame has to end the host without a word."""
    if not applies:
        return None
    due = sum(frame["frame"] in ("hello", "request") for frame in reading.frames[:-1])
    extra = [
        wrong(reading, index, "the host says nothing more", "(nothing)", reading.log[index]["reply"])
        for index in _replies(reading)[due:]
    ]
    return [*extra, *_exits(reading, 1, text)]


@register(CHECKS, "FRM-005")
def contradiction(reading: Reading) -> Found:
    """A hello that contradicts itself ends the host."""
    first = _first(reading)
    applies = first["frame"] == "hello" and _contradicts(first)
    return _fatal(reading, applies, "a hello that contradicts itself ends the host")


@register(CHECKS, "FRM-006")
def second_hello(reading: Reading) -> Found:
    """A second hello ends the host."""
    applies = sum(frame["frame"] == "hello" for frame in reading.frames) > 1
    return _fatal(reading, applies, "a second hello ends the host")


def _broken(*how: str) -> Callable[[Reading], bool]:
    return lambda reading: bool(reading.frames) and reading.frames[-1].get("how") in how


@register(CHECKS, "FRM-007")
def cut(reading: Reading) -> Found:
    """A frame that is cut short ends the host."""
    return _fatal(reading, _broken(*CUT)(reading), "a frame that is cut short ends the host")


@register(CHECKS, "FRM-008")
def oversized(reading: Reading) -> Found:
    """A frame that is too long ends the host."""
    return _fatal(reading, _broken("oversized")(reading), "a frame that is too long ends the host")


@register(CHECKS, "FRM-009")
def unreadable(reading: Reading) -> Found:
    """A frame that is no JSON ends the host."""
    return _fatal(reading, _broken(*UNREADABLE)(reading), "a frame that is no JSON ends the host")


@register(CHECKS, "FRM-010")
def unknown(reading: Reading) -> Found:
    """A message with what the host does not know ends it."""
    return _fatal(reading, _broken(*UNKNOWN)(reading), "a message with something unknown ends the host")


def _repeats(reading: Reading) -> bool:
    ids = [frame["id"] for frame in reading.frames if frame["frame"] == "request"]
    return len(set(ids)) < len(ids)


@register(CHECKS, "FRM-011")
def repeated(reading: Reading) -> Found:
    """A request with an id that was used ends the host."""
    return _fatal(reading, _repeats(reading), "an id that is used twice ends the host")


def _orderly(reading: Reading) -> bool:
    """Tell whether a connection has nothing that ends the host before the pipe is closed."""
    hello = _sound(reading)
    if hello is None or 1 not in hello["versions"] or hello["required"]:
        return False
    kinds = [frame["frame"] for frame in reading.frames[1:]]
    return "hello" not in kinds and "broken" not in kinds and not _repeats(reading)


@register(CHECKS, "FRM-012")
def closed(reading: Reading) -> Found:
    """A host whose pipe is closed ends in good order."""
    return _exits(reading, 0, "a host whose pipe is closed ends in good order") if _orderly(reading) else None


@register(CHECKS, "FRM-013")
def by_its_id(reading: Reading) -> Found:
    """Each request is answered by its id, whatever stray messages are about nothing."""
    due = [frame["id"] for frame in reading.frames if frame["frame"] == "request"]
    if not due or not _orderly(reading):
        return None
    replies = _replies(reading)[1:]
    found: list[Evidence] = []
    for number, index in enumerate(replies):
        expected = {"type": "opened", "id": due[number]} if number < len(due) else "(nothing)"
        found += differs(reading, index, "each request is answered by its id", expected, reading.log[index]["reply"])
    if len(replies) < len(due):
        found.append(Evidence("program", "each request is answered", _end(reading), len(due), len(replies)))
    return found
