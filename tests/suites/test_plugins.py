"""Plugins of scenarios: what the language refuses, what the transcript tells of them, and which names are taken."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.suites.choices import SeededChoices
from bindproof.suites.relay.generators.installing import with_plugins
from bindproof.suites.relay.observation.names_taken import name_uses
from bindproof.suites.relay.observation.transcript import Transcript
from bindproof.suites.relay.scenario.complete import ScenarioError, complete, registrations, spell
from bindproof.suites.relay.scenario.spelling import Spelling
from tests.relay import NEWEST, SUB, broken, call, judged, lawful, plain, prepare

Json = Any

UNINSTALL: Json = {"step": "uninstall", "as": "u", "of": "p"}
BOOM: Json = {"op": "raise", "text": "boom-1!"}


def on(name: str, family: str = "tool.request", **more: Json) -> Json:
    return {"step": "register", "as": name, "family": family, "name": name, **more}


def install(*ops: Json, name: str = "p") -> Json:
    return {"step": "install", "as": name, "do": [op if "op" in op else {"op": "step", "step": op} for op in ops]}


def several(names: str, *lists: list[Json], name: str = "p") -> Json:
    """Install plugins that are called by these letters, each of which does what its list says."""
    ops = [install(*own)["do"] for own in lists]
    return {"step": "install", "as": name, "plugins": list(names), "do": [{"op": "each", "ops": ops}]}


def tool(name: str = "c") -> Json:
    return {"step": "call", "as": name, "kind": "tool", "name": "t"}


def flying(name: str) -> Json:
    return call(background=True, provider=[{"op": "wait", "latch": "x"}]) | {"as": name}


def cancel(name: str) -> Json:
    return {"step": "cancel", "of": name}


def told(*steps: Json) -> Transcript:
    prepared = prepare(*steps)
    _, reading = prepared.observe(lawful(prepared, 0, "wire"))
    found: Transcript = reading.transcript
    return found


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([install({"step": "mark", "name": "m"})], ["step 'p/#0'", "a plugin registers, and does no other step"]),
        ([install({"op": "edit"})], ["'edit'", "$.steps[0].do[0]"]),
        ([install(on("i", odd="no_function"))], ["step 'i'", "can be called"]),
        ([{"step": "start", "as": "S", "name": "S"}, install(on("i", scope="S"))], ["step 'i'", "is global"]),
        ([on("g"), install(on("i"))], ["step 'i'", "another tool.request has this priority"]),
        ([flying("a"), cancel("a"), install(on("i"))], ["step 'p'", "flush first"]),
        ([install(), flying("a"), cancel("a"), UNINSTALL], ["step 'u'", "flush first"]),
        ([install(on("z", "end.sanitize")), flying("a"), cancel("a")], ["step 'z'", "end of a cancelled call"]),
        ([install(), install(name="q")], ["step 'q'", "first `uninstall` 'p'"]),
        ([install(), UNINSTALL, {**UNINSTALL, "as": "v"}], ["step 'v'", "'p' is not installed"]),
        ([UNINSTALL, install()], ["step 'u'", "'p' is not installed"]),
        ([install(BOOM), UNINSTALL], ["step 'u'", "'p' is not installed"]),
        ([on("g"), {**UNINSTALL, "of": "g"}], ["step 'u'", "no install step is called so"]),
        ([install(on("i")), {"step": "deregister", "as": "d", "of": "i"}], ["step 'd'", "`uninstall` that"]),
        ([install(on("q", "tool.conditional")), on("z", "end.sanitize")], ["step 'q'", "guardrail's name"]),
        ([several("ab", [on("i")])], ["step 'p'", "a list for each plugin, so 2"]),
        ([{**install(on("i")), "plugins": ["a", "b"]}], ["step 'p'", "stands in an `each`"]),
        ([{**several("ab", [], []), "do": [*several("ab", [], [])["do"], *install(on("i"))["do"]]}], ["its list of"]),
        ([several("abcd", [], [], [], [])], ["$.steps[0].plugins"]),
        ([{**install(), "plugins": ["Ab"]}], ["$.steps[0].plugins[0]"]),
        ([several("ab", [], [BOOM]), UNINSTALL], ["step 'u'", "'p' is not installed"]),
        ([on("g", do=[{"op": "step", "step": install()}])], ["'install'", "$.steps[0].do[0].step"]),
    ],
)
def test_what_no_plugin_can_do_is_refused(steps: list[Json], parts: list[str]) -> None:
    with pytest.raises(ScenarioError) as refused:
        complete({"steps": steps})
    assert all(part in str(refused.value) for part in parts), refused.value


@pytest.mark.parametrize(
    "steps",
    [
        [on("g"), install(on("i", priority=1))],
        [{"step": "start", "as": "S", "name": "S"}, on("l", scope="S"), install(on("i"))],
        [SUB, install(on("s2", "subscriber"))],
        [install(on("i"), on("j"))],
        [install(BOOM), install(name="q")],
        [several("zaz", [on("i")], [{**on("j"), "name": "i"}], [on("k", "subscriber")]), UNINSTALL],
        [{**install(), "plugins": ["b", "a"]}, UNINSTALL],
        [install(), UNINSTALL, install(name="q")],
        [flying("a"), install(on("i")), UNINSTALL, {"step": "open", "latch": "x"}],
        [install(on("i")), flying("a"), cancel("a"), {"step": "flush"}, UNINSTALL],
    ],
)
def test_what_a_plugin_can_do_is_taken(steps: list[Json]) -> None:
    complete({"steps": steps})


def test_its_registrations_are_named_and_spelled_as_others() -> None:
    marks: Json = {"op": "edit", "append": {"/pending_marks": [{"name": "m", "category_profile": None}]}}
    full = complete({"steps": [install({**on("i", "llm.request", do=[marks]), "as": None}, on("j"))]})
    assert [step["as"] for step in registrations(full)] == ["p/#0", "j"]
    sent = spell(full, Spelling.of(plain("node")))["steps"][0]["do"][0]["step"]["do"][0]
    assert sent == {"op": "edit", "append": {"/pendingMarks": [{"name": "m", "categoryProfile": None}]}}


def test_its_end_takes_back_each_of_its_registrations() -> None:
    acts = told(install(on("i"), {**on("j"), "name": "i"}, on("k")), tool(), UNINSTALL, tool("d")).acts
    kinds = [(act.step["step"], act.step.get("of", act.step["as"]), act.plugin) for act in acts]
    inside = [("register", name, "p") for name in "ijk"]
    gone = [("deregister", name, "p") for name in "ik"]
    assert kinds == [*inside, ("install", "p", ""), ("call", "c", ""), *gone, ("uninstall", "p", ""), ("call", "d", "")]


def test_one_that_raises_has_nothing_left() -> None:
    acts = told(install(on("i"), BOOM), tool()).acts
    assert [act.step["step"] for act in acts] == ["register", "deregister", "install", "call"]


def test_its_names_are_of_its_own() -> None:
    same = {**on("j", priority=1), "name": "g"}
    found = name_uses(told(on("g"), install(same, {**same, "as": "k"}), {**on("h"), "name": "g"}, UNINSTALL))
    registered = [(one.act.step["as"], one.taken, one.of_plugin) for one in found if one.act.step["step"] == "register"]
    assert registered == [("g", False, False), ("j", False, True), ("k", True, True), ("h", True, False)]


def test_a_name_that_only_a_plugin_has_is_judged_as_the_plugins() -> None:
    found = name_uses(told(install(on("n", priority=1)), {**on("m"), "name": "n"}))
    assert [(one.taken, one.of_plugin) for one in found] == [(False, True), (False, True)]


@pytest.mark.parametrize(("name", "holds"), [("a.p:q", True), ("q", True), ("planted", False), ("q:p", False)])
def test_the_name_of_its_guardrail_ends_with_its_own(name: str, *, holds: bool) -> None:
    prepared = prepare(SUB, install(on("q", "tool.conditional")), tool())
    log = lawful(prepared, 0, "wire")
    for event in (record["event"] for record in log if record["fact"] == "event"):
        if event.get("category") == "guardrail":
            event["name"] = name
    assert ("MID-009" not in broken(judged(prepared, log, NEWEST, "wire"))) is holds


def test_generated_programs_install_plugins_and_keep_the_language() -> None:
    program = [SUB, on("a"), on("b", "tool.execution", priority=1), tool("k"), on("c", "subscriber"), tool("d")]
    found = [with_plugins(SeededChoices(seed), program) for seed in range(200)]
    installing = [steps for steps in found if any(step["step"] == "install" for step in steps)]
    for steps in installing:
        complete({"steps": steps})
    plugins = [step for steps in installing for step in steps if step["step"] == "install"]
    assert {op["op"] for step in plugins for op in step["do"]} == {"step", "raise", "each"}
    assert {op["step"]["as"] for step in plugins for op in step["do"] if op["op"] == "step"} == {"a", "b", "c"}
    assert any(step["step"] == "uninstall" for steps in installing for step in steps)
    assert 20 < len(installing) < 120


def test_each_of_several_has_names_of_its_own() -> None:
    found = name_uses(told(several("ba", [on("i")], [{**on("j"), "name": "i"}, {**on("k"), "name": "i"}])))
    assert [(one.act.step["as"], one.taken) for one in found] == [("i", False), ("j", False), ("k", True)]


def test_all_that_are_installed_with_one_that_raises_are_taken_back() -> None:
    acts = told(several("abc", [on("i")], [on("j"), BOOM], [on("k")]), tool()).acts
    assert [act.step.get("of") for act in acts if act.step["step"] == "deregister"] == ["i", "j"]


SEVERAL: Json = several("zaz", [on("i")], [on("j")], [on("k")])


def swapped(log: list[Json], one: str, other: str) -> list[Json]:
    names = {one: other, other: one}
    return [
        record | {"callback": names.get(record["callback"], record["callback"])} if "callback" in record else record
        for record in log
    ]


def test_several_come_by_their_names_and_then_as_they_are_configured() -> None:
    prepared = prepare(SUB, SEVERAL, tool())
    log = lawful(prepared, 0, "python")
    entered = [record["callback"] for record in log if record["fact"] == "enter"]
    assert entered == ["p", "p", "p", "j", "i", "k", "c.provider"]
    assert set(broken(judged(prepared, swapped(log, "i", "j"), NEWEST, "python"))) == {"MID-032"}
    assert set(broken(judged(prepared, swapped(log, "i", "k"), NEWEST, "python"))) == {"MID-032"}


def test_several_are_asked_in_their_order() -> None:
    prepared = prepare(SUB, SEVERAL, tool())
    log = [dict(record) for record in lawful(prepared, 0, "python")]
    first, second = [record for record in log if record["fact"] == "enter"][:2]
    first["given"], second["given"] = second["given"], first["given"]
    assert set(broken(judged(prepared, log, NEWEST, "python"))) == {"MID-031"}


def broken_by(listing: Json) -> set[str]:
    """Return the rules that are broken where plugins are installed and a listing has these entries."""
    prepared = prepare(
        on("j", "subscriber"), several("bab", [on("i")], [], [{**on("k"), "name": "i"}]), {"step": "list"}
    )
    log = [dict(record) for record in lawful(prepared, 0, "python")]
    (record,) = [record for record in log if record["fact"] == "done" and record.get("value")]
    record["value"] = listing
    return set(broken(judged(prepared, log, NEWEST, "python")))


OWN: Json = {"family": "subscriber", "name": "j"}
FIRST: Json = {"family": "tool.request", "name": "i", "plugin": "b", "number": 1}
SECOND: Json = {**FIRST, "number": 2}


@pytest.mark.parametrize(
    ("listing", "rules"),
    [
        ([OWN, FIRST, SECOND], set()),
        ([OWN, SECOND, FIRST], set()),
        ([OWN, FIRST], {"MID-014", "MID-033"}),
        ([FIRST, SECOND], {"MID-014"}),
        ([FIRST, SECOND, OWN], {"MID-015"}),
        ([OWN, {**FIRST, "plugin": "a"}, SECOND], {"MID-033"}),
        ([OWN, {"family": "tool.request", "name": "runtime:b:1:i"}, SECOND], {"MID-033"}),
        ([OWN, {**FIRST, "name": "runtime:b:1:i"}, SECOND], {"MID-033"}),
        ([{**OWN, "plugin": "b", "number": 1}, FIRST, SECOND], {"MID-014", "MID-033"}),
        ([OWN, FIRST, FIRST], {"MID-034"}),
        ([OWN, {**FIRST, "number": 0}, FIRST], {"MID-034"}),
        ([OWN, {**FIRST, "plugin": ["b"]}, SECOND], {"MID-033"}),
    ],
)
def test_a_listing_says_whose_it_is(listing: Json, rules: set[str]) -> None:
    assert broken_by(listing) == rules
