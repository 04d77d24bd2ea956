"""Logs made by hand, ordered into calls."""

from __future__ import annotations

from typing import Any

from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.records import decode
from bindproof.suites.relay.scenario.spelling import Spelling
from tests.relay import NEWEST, SUB, SUITE, call, intercept, plain

Json = Any

LATE: Json = {"op": "step", "step": {**SUB, "as": "late", "name": "late"}}


ERROR: Json = {"kind": "unknown", "type": "E", "message": "m", "code": None, "same_as": None}


def done(step: str, **more: Json) -> Json:
    return {"fact": "done", "step": step, **(more or {"value": None})}


def enter(callback: str, k: int = 0, **given: Json) -> Json:
    return {"fact": "enter", "callback": callback, "k": k, "given": given}


def leave(callback: str, k: int = 0, **more: Json) -> Json:
    return {"fact": "leave", "callback": callback, "k": k, **(more or {"reply": {"ok": True}})}


def provided(name: str) -> list[Json]:
    return [enter(f"{name}.provider"), leave(f"{name}.provider")]


def scope(category: str, uuid: str = "llm:gpt", subscriber: str = "s", name: str = "gpt") -> Json:
    event = {"kind": "scope", "category": "llm", "name": name, "uuid": uuid, "scope_category": category}
    return {"fact": "event", "subscriber": subscriber, "event": event}


def mark(parent: Json, name: str = "m", subscriber: str = "s") -> Json:
    event = {"kind": "mark", "name": name, "uuid": f"mark:{name}", "parent_uuid": parent}
    return {"fact": "event", "subscriber": subscriber, "event": event}


def life(subscriber: str = "s", uuid: str = "llm:gpt") -> list[Json]:
    return [scope("start", uuid, subscriber), scope("end", uuid, subscriber)]


def seen(steps: list[Json], *log: Json, dialect: str = "wire") -> Reading:
    full = SUITE.complete({"steps": steps})
    rows = [*log, {"fact": "settled"}]
    return Reading(NEWEST, Spelling.of(plain(dialect)), full, decode(rows), rows, rows, {})


def places(found: Reading, number: int, subscriber: str = "s") -> tuple[list[int], list[int], list[int]]:
    """Where starts, marks and ends of a call stand in the log."""
    told = found.calls[number].lives[subscriber]
    starts, marks, ends = ([index for index, _ in events] for events in (told.starts, told.marks, told.ends))
    return starts, marks, ends


def test_a_call_has_its_callbacks_and_events_in_order() -> None:
    log = [
        done("s"),
        done("i"),
        enter("c.decode", request=1),
        leave("c.decode", reply={"messages": []}),
        enter("i", name="gpt"),
        leave("i", reply={"pending_marks": [{"name": "m"}]}),
        enter("c.encode", original=1),
        leave("c.encode", reply=2),
        scope("start"),
        mark("llm:gpt"),
        *provided("c"),
        done("c", value={"ok": True}),
        scope("end"),
    ]
    found = seen([SUB, intercept(), call(codec={})], *log)
    (one,) = found.calls
    assert [(i.callback, i.entered, i.left) for i in one.decodes + one.intercepts + one.encodes + one.providers] == [
        ("c.decode", 2, 3),
        ("i", 4, 5),
        ("c.encode", 6, 7),
        ("c.provider", 10, 11),
    ]
    assert places(found, 0) == ([8], [9], [13])
    assert [index for index, _ in one.lives["s"].events()] == [8, 9, 13]
    assert (one.done, one.value, one.error, one.codec, one.helper, one.intercepted) == (
        12,
        {"ok": True},
        None,
        True,
        False,
        True,
    )
    assert one.pending_marks == [{"name": "m"}]
    assert one.audience == ["s"]
    assert found.unowned == []


def test_calls_of_one_name_get_their_scopes_first_come_first_served() -> None:
    log = [done("s"), *provided("c"), done("c"), *provided("d"), done("d"), *life(uuid="one"), *life(uuid="two")]
    found = seen([SUB, call(), call("d")], *log)
    assert places(found, 0) == ([7], [], [8])
    assert places(found, 1) == ([9], [], [10])


def test_a_surplus_scope_is_of_the_call_that_should_have_none() -> None:
    failed = {"error": ERROR}
    log = [done("s"), done("c", **failed), *provided("d"), done("d"), *life(uuid="one"), *life(uuid="two")]
    found = seen([SUB, call(), call("d")], *log)
    assert not found.calls[0].intercepted
    assert places(found, 1) == ([5], [], [6])
    assert places(found, 0) == ([7], [], [8])
    assert found.unowned == []


def test_a_scope_that_no_call_can_have_is_nobodys() -> None:
    found = seen(
        [SUB, call()], done("s"), *provided("c"), done("c"), *life(), *life(uuid="more"), scope("start", "x", name="y")
    )
    assert [index for _, (index, _) in found.unowned] == [6, 7, 8]
    assert places(found, 0) == ([4], [], [5])


def test_a_helpers_events_are_nobodys() -> None:
    steps = [SUB, {"step": "helper", "as": "h", "name": "gpt"}]
    found = seen(steps, done("s"), done("h", value={"request": 1}), *life(), mark("llm:gpt"))
    assert found.calls[0].helper
    assert [index for _, (index, _) in found.unowned] == [2, 3, 4]


def test_a_mark_of_a_foreign_parent_is_of_the_call_that_stated_it() -> None:
    reply = {"pending_marks": [{"name": "m"}]}
    log = [done("s"), done("i"), enter("i"), leave("i", reply=reply), *provided("c"), done("c")]
    found = seen([SUB, intercept(), call()], *log, *life(), mark(None, "other"), mark("outside#1"))
    assert places(found, 0) == ([7], [10], [8])
    assert [index for _, (index, _) in found.unowned] == [9]


def test_each_subscriber_has_a_life_of_its_own() -> None:
    other = {**SUB, "as": "t", "name": "t"}
    log = [done("s"), done("t"), *provided("c"), done("c"), scope("start"), *life("t"), scope("end")]
    found = seen([SUB, other, call()], *log)
    assert places(found, 0) == ([5], [], [8])
    assert places(found, 0, "t") == ([6], [], [7])


def test_who_subscribes_in_the_provider_is_late() -> None:
    log = [
        done("s"),
        enter("c.provider"),
        done("late"),
        leave("c.provider"),
        done("c"),
        *life(),
        scope("end", "llm:gpt", "late"),
    ]
    found = seen([SUB, call(provider=[LATE])], *log)
    assert (found.calls[0].audience, found.calls[0].latecomers) == (["s"], ["late"])
    assert places(found, 0, "late") == ([], [], [7])


def test_an_end_that_a_latecomer_is_told_is_not_that_of_a_call_that_was_over() -> None:
    log = [*provided("c"), done("c"), enter("d.provider"), done("late"), leave("d.provider"), done("d")]
    found = seen([call(), call("d", provider=[LATE])], *log, scope("end", "two", "late"))
    assert places(found, 1, "late") == ([], [], [7])
    assert found.calls[0].lives == {}


def test_who_subscribes_in_an_intercept_is_in_time() -> None:
    log = [done("i"), enter("i"), done("late"), leave("i", reply={}), *provided("c"), done("c")]
    found = seen([intercept(LATE), call()], *log)
    assert (found.calls[0].audience, found.calls[0].latecomers) == (["late"], [])


def test_who_could_not_be_registered_is_in_no_audience() -> None:
    found = seen([SUB, call()], done("s", error=ERROR), *provided("c"), done("c"))
    assert found.calls[0].audience == []


def test_a_reply_that_was_raised_or_refused() -> None:
    log = [
        done("i"),
        enter("i"),
        leave("i", raised="boom-1!"),
        done("c", error=ERROR),
        enter("i", 1),
        {"fact": "refused", "callback": "i", "k": 1, "reply": {"request": 1}, "error": {}},
        done("d", error=ERROR),
    ]
    first, second = seen([intercept(), call(), call("d")], *log).calls
    assert (first.intercepts[0].raised, first.intercepts[0].replied) == ("boom-1!", False)
    assert (second.intercepts[0].refused, second.intercepts[0].reply) == (True, {"request": 1})


def test_without_intercepts_the_calls_own_request_is_final() -> None:
    request = {"headers": {"h": 1}, "content": 2}
    (one,) = seen([call(request=request)], *provided("c"), done("c")).calls
    assert one.final == {"request": request, "annotated_request": None, "pending_marks": []}


def test_canonical_names_are_read_from_the_bindings_own() -> None:
    log = [done("i"), enter("i", annotated=1), leave("i", reply={"pendingMarks": [{"categoryProfile": 1}]})]
    (one,) = seen([intercept(), call()], *log, dialect="node").calls
    assert one.intercepts[0].given == {"annotated_request": 1}
    assert one.intercepts[0].raw_given == {"annotated": 1}
    assert one.intercepts[0].reply == {"pending_marks": [{"category_profile": 1}]}


def test_a_log_that_makes_no_sense_is_ordered_all_the_same() -> None:
    log = [leave("i"), enter("nobody"), leave("nobody"), done("nothing"), enter("c.provider", 7), mark("x")]
    found = seen([SUB, call()], *log)
    assert found.calls[0].done is None
    assert not found.calls[0].intercepts


def test_a_sanitizer_that_is_over_before_another_one_has_its_own_reply() -> None:
    """One is awaited, and another one runs and is over in the meantime, and then the first."""
    names = ("r.sanitize", "t.sanitize")
    steps = [SUB, *({"step": "register", "as": name[0], "family": "tool.sanitize_request"} for name in names), call()]
    found = seen(
        [{"name": step["as"], **step} if step["step"] == "register" else step for step in steps],
        *(done(name) for name in ("s", "r", "t")),
        *(enter(name, name="t", args={}) for name in names),
        *(leave(name, reply=name) for name in names),
        done("c"),
    )
    assert [(run.callback, run.reply) for run in found.transcript.published] == [(name, name) for name in names]
