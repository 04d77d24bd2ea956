"""Planted faults of the chapter *C boundary* (CFF)."""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.spoiled_log import PLANTED, Spoiled, plant
from bindproof.suites.relay.observation.transcript import Act
from bindproof.suites.relay.scenario.raw import octets

FAULTS: dict[str, Fault] = {}


def _each(spoiled: Spoiled, spoil: Callable[[Act], bool]) -> bool:
    """Spoil every raw step that can be; say whether there was one."""
    done = [spoil(raw) for raw in spoiled.reading.raw_steps if raw.facts is not None]
    return any(done)


def _keep(spoiled: Spoiled, kind: str, *functions: str) -> bool:
    """Count one thing of a kind less as freed, of steps that call one of these functions."""

    def spoil(raw: Act) -> bool:
        counted = raw.facts[kind]
        crossed = bool(counted["given"]) and raw.step["function"] in functions
        counted["freed"] -= crossed
        return crossed

    return _each(spoiled, spoil)


@plant(FAULTS, "keep_outcome_text", "an outcome's text is never freed", "CFF-001")
def keep_outcome_text(spoiled: Spoiled) -> bool:
    """Count one outcome's text less as freed."""
    return _keep(spoiled, "texts", "register_intercept")


@plant(FAULTS, "keep_reply_text", "the text of a provider's or codec's reply is never freed", "CFF-012")
def keep_reply_text(spoiled: Spoiled) -> bool:
    """Count one reply's text less as freed."""
    return _keep(spoiled, "texts", "call")


@plant(FAULTS, "keep_event", "an event is never freed", "CFF-013")
def keep_event(spoiled: Spoiled) -> bool:
    """Count one event less as freed."""
    return _keep(spoiled, "events", "register_subscriber")


@plant(FAULTS, "keep_request_handle", "the handle of a request is never freed", "CFF-014")
def keep_request_handle(spoiled: Spoiled) -> bool:
    """Count one handle less as freed."""
    return _keep(spoiled, "handles", "register_intercept", "call")


def _other_status(spoiled: Spoiled, flawed: Callable[[Json], bool], *statuses: str) -> bool:
    """Give steps with such an argument that were refused with one of these statuses another one."""

    def spoil(raw: Act) -> bool:
        wrong = raw.code in statuses and any(map(flawed, raw.step["with"].values()))
        if wrong:
            raw.error["code"] = "INVALID_ARG"
        return wrong

    return _each(spoiled, spoil)


def _is_utf8(cell: Json) -> bool:
    try:
        (octets(cell) or b"").decode()
    except UnicodeDecodeError:
        return False
    return True


@plant(FAULTS, "misname_malformed_json", "malformed JSON has another status", "CFF-002")
def misname_malformed_json(spoiled: Spoiled) -> bool:
    """Give malformed JSON the status INVALID_ARG."""
    return _other_status(spoiled, lambda cell: cell is not None and _is_utf8(cell), "INVALID_JSON")


@plant(FAULTS, "misname_bytes", "text that is not UTF-8 has another status", "CFF-006")
def misname_bytes(spoiled: Spoiled) -> bool:
    """Give text that is not UTF-8 the status INVALID_ARG."""
    return _other_status(spoiled, lambda cell: not _is_utf8(cell), "INVALID_UTF8", "INVALID_JSON")


@plant(FAULTS, "misname_null", "a null argument has another status", "CFF-008")
def misname_null(spoiled: Spoiled) -> bool:
    """Give a null argument the status INVALID_ARG."""
    return _other_status(spoiled, lambda cell: cell is None, "NULL_POINTER", "INVALID_JSON")


@plant(FAULTS, "leave_output", "a failed function leaves its output as it was", "CFF-003")
def leave_output(spoiled: Spoiled) -> bool:
    """Leave every null output untouched."""

    def spoil(raw: Act) -> bool:
        null = raw.error is not None and raw.facts["output"] == "null"
        if null:
            raw.facts["output"] = "untouched"
        return bool(null)

    return _each(spoiled, spoil)


def _free(spoiled: Spoiled, count: int, *, refused: bool) -> bool:
    """Change how often the user data of steps is freed that were refused, or that came to their end."""

    def spoil(raw: Act) -> bool:
        freed = raw.facts["freed"]
        if (raw.code not in (None, "INTERNAL")) is not refused or not freed:
            return False
        freed.update(dict.fromkeys(freed, count))
        return True

    return _each(spoiled, spoil)


@plant(FAULTS, "forget_user_data", "user data is never freed", "CFF-004")
def forget_user_data(spoiled: Spoiled) -> bool:
    """Free no user data that was taken over."""
    return _free(spoiled, 0, refused=False)


@plant(FAULTS, "free_user_data_twice", "user data is freed twice", "CFF-004")
def free_user_data_twice(spoiled: Spoiled) -> bool:
    """Free user data that was taken over twice."""
    return _free(spoiled, 2, refused=False)


@plant(FAULTS, "forget_refused_user_data", "user data is not freed where a function refuses", "CFF-005")
def forget_refused_user_data(spoiled: Spoiled) -> bool:
    """Free no user data of a function that refuses."""
    return _free(spoiled, 0, refused=True)


def _succeed(spoiled: Spoiled, flawed: Callable[[Json], bool]) -> bool:
    """Let calls succeed whose callbacks reply so."""
    replies = [cell for raw in spoiled.reading.raw_steps for cell in raw.step["replies"].values()]
    if not any(map(flawed, replies)):
        return False

    def spoil(raw: Act) -> bool:
        failed = raw.step["function"] in ("call", "helper") and raw.error is not None
        if failed:
            spoiled.log[raw.done or 0] = {"fact": "done", "step": raw.step["as"], "value": PLANTED}
        return failed

    return _each(spoiled, spoil)


@plant(FAULTS, "take_bytes", "a reply that is not UTF-8 is taken", "CFF-007", also=("REF-000",))
def take_bytes(spoiled: Spoiled) -> bool:
    """Let calls succeed whose callback replied with bytes: what follows only the reference tells."""
    return _succeed(spoiled, lambda cell: not _is_utf8(cell))


@plant(FAULTS, "take_null", "a null reply is taken", "CFF-009")
def take_null(spoiled: Spoiled) -> bool:
    """Let calls succeed whose callback replied with null."""
    return _succeed(spoiled, lambda cell: cell is None)


@plant(FAULTS, "share_last_error", "another thread sees the last error", "CFF-010")
def share_last_error(spoiled: Spoiled) -> bool:
    """Show every other thread an error."""
    others = [raw for raw in spoiled.reading.raw_steps if raw.step["with"].get("thread") == "other"]
    for raw in others:
        spoiled.log[raw.done or 0]["value"] = "planted"
    return bool(others)


@plant(FAULTS, "fail_inside", "a function fails inside a callback", "CFF-011")
def fail_inside(spoiled: Spoiled) -> bool:
    """Let what was called inside a callback fail."""

    def spoil(raw: Act) -> bool:
        inside = raw.facts["inside"] is not None
        if inside:
            raw.facts["inside"] = "INTERNAL"
        return inside

    return _each(spoiled, spoil)
