"""What only the C boundary can show of plugins: who frees what they register, and what is said where they fail."""

from __future__ import annotations

from typing import Any

import pytest

from bindproof.core.model import AdapterCommand
from tests.bindings.counting import counted, one
from tests.bindings.toolchains import toolchain

pytestmark = [pytest.mark.binding, toolchain("c"), pytest.mark.parametrize("command", ["c"], indirect=True)]

Json = Any

UNINSTALL: Json = {"step": "uninstall", "as": "u", "of": "p"}


def install(*steps: Json, text: str | None = None) -> Json:
    """A plugin that registers what the steps say, and then raises where there is a text."""
    raising: list[Json] = [] if text is None else [{"op": "raise", "text": text}]
    return {
        "step": "install",
        "as": "p",
        "plugins": ["p"],
        "do": [*({"op": "step", "step": step} for step in steps), *raising],
    }


def test_what_plugins_register_is_freed_once(talk: Any, command: AdapterCommand) -> None:
    inside = [talk.subscriber(), talk.intercept(talk.mark(name="m"))]
    taken = {**talk.intercept(), "as": "again"}
    counts = counted(
        command,
        [install(*inside), talk.call(), UNINSTALL, talk.call(**{"as": "c2"})],
        [install(*inside), talk.call()],
        [install(*inside, text="boom-1!"), talk.call()],
        [install(*inside, taken), talk.call(), UNINSTALL],
    )
    plugins, registered, providers = 4, 9, 5
    held = plugins + registered + providers
    assert counts == {"held": held, "freed": held, "twice": 0, "left": 0}


def test_the_error_of_a_plugin_is_the_programs(talk: Any) -> None:
    taken = {**talk.intercept(), "as": "again"}
    log = talk.observe(install(talk.intercept(), taken, text="boom-1! \u00e9\u2028"), talk.call())
    assert one(log, "done", step="i")["value"] is None
    inner, outer = (one(log, "done", step=step)["error"] for step in ("again", "p"))
    assert (inner["code"], outer["code"]) == ("INTERNAL", "INTERNAL")
    assert inner["message"].startswith("registration failed: llm request intercept: already exists: ")
    assert outer["message"] == "registration failed: boom-1! \u00e9\u2028"
    assert [fact["callback"] for fact in log if fact["fact"] == "enter"] == ["p", "c.provider"]


def test_what_no_c_string_holds_stops_a_plugin(talk: Any) -> None:
    odd = {**talk.intercept(), "name": "a\0b"}
    assert talk.run(install(talk.subscriber(), odd), talk.call())["result"]["inexpressible"]["path"] == "name"
    talk.observe(install(talk.subscriber()), UNINSTALL)
