"""Generated scenarios of `relay`: which kinds of program there are, and how often each is drawn.

Enters: a source of choices, a dialect. Leaves: a scenario in canonical spelling. Every choice is drawn through
`Choices`, so that a property test and a seeded campaign generate the same programs.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof.core.model import Json
from bindproof.suites import Choices
from bindproof.suites.relay.generators.asking import with_questions
from bindproof.suites.relay.generators.at_once import with_going_on_at_once
from bindproof.suites.relay.generators.awaiting import with_odd, with_promises
from bindproof.suites.relay.generators.building import with_objects
from bindproof.suites.relay.generators.calls import call_scenario
from bindproof.suites.relay.generators.coding import coding_scenario
from bindproof.suites.relay.generators.contexts import with_contexts
from bindproof.suites.relay.generators.contributing import with_contributions
from bindproof.suites.relay.generators.deciding import with_listeners
from bindproof.suites.relay.generators.entries import with_entries
from bindproof.suites.relay.generators.failing_subscribers import with_failing_subscribers
from bindproof.suites.relay.generators.flying import flying_scenario
from bindproof.suites.relay.generators.gating import with_gates
from bindproof.suites.relay.generators.going_on import with_going_on
from bindproof.suites.relay.generators.holding import with_holding
from bindproof.suites.relay.generators.installing import with_plugins
from bindproof.suites.relay.generators.measuring import with_metrics
from bindproof.suites.relay.generators.mixed import mixed_scenario
from bindproof.suites.relay.generators.mutating import with_mutations
from bindproof.suites.relay.generators.natives import native_scenario
from bindproof.suites.relay.generators.no_json import with_no_json
from bindproof.suites.relay.generators.raw import raw_scenario
from bindproof.suites.relay.generators.storms import storm_scenario
from bindproof.suites.relay.generators.streams import stream_scenario
from bindproof.suites.relay.generators.workers import worker_scenario

KINDS: dict[str, Callable[[Choices, str | None], Json]] = {
    "calls": call_scenario,
    "mixed": mixed_scenario,
    "streams": stream_scenario,
}
"""Kind of program → its generator. A new chapter's programs are one more."""

FLYING_PERCENT = 40
"""Of a hundred mixed programs so many have calls in flight."""

RAW_PERCENT = {"c": 25, None: 2}
"""Dialect → how many of a hundred scenarios are raw steps; where it is not named, none: only a C library takes them."""

WORKER_PERCENT = {"worker-raw": 100, None: 2}
"""Dialect → how many of a hundred scenarios are a worker's answers; where it is not named, none."""

NATIVE_PERCENT = {"native": 100, None: 2}
"""Dialect → how many of a hundred scenarios are a native plugin's answers; where it is not named, none."""

STORM_PERCENT = 3
"""Of a hundred mixed programs so many become storms: one of all, as it has up to 64 programs and takes as long."""

CODING_PERCENT = 5
"""Of a hundred mixed programs so many are about built-in codecs."""


def scenario(choices: Choices, dialect: str | None) -> Json:
    """Return one scenario. dialect: what the binding can say, None: anything."""
    if choices.chance(RAW_PERCENT.get(dialect, 0)):
        return raw_scenario(choices)
    if dialect in WORKER_PERCENT and choices.chance(WORKER_PERCENT[dialect]):
        return worker_scenario(choices)
    if dialect in NATIVE_PERCENT and choices.chance(NATIVE_PERCENT[dialect]):
        return native_scenario(choices)
    kind = choices.pick(tuple(KINDS))
    if kind == "streams":
        streams = with_contributions(choices, KINDS[kind](choices, dialect)["steps"])
        return {"steps": with_no_json(choices, dialect, with_failing_subscribers(choices, dialect, streams))}
    if kind == "calls":
        calls = with_entries(choices, with_contributions(choices, KINDS[kind](choices, dialect)["steps"]))
        return {"steps": with_no_json(choices, dialect, calls)}
    draw = flying_scenario if choices.chance(FLYING_PERCENT) else mixed_scenario
    asking = with_questions(choices, with_contributions(choices, draw(choices, dialect)["steps"]))
    promising = with_promises(choices, dialect, with_mutations(choices, dialect, asking))
    entries = with_entries(choices, with_objects(choices, dialect, promising))
    plugins = with_plugins(choices, with_odd(choices, dialect, entries))
    gated = with_gates(choices, dialect, with_listeners(choices, dialect, plugins))
    measured = with_contexts(choices, with_metrics(choices, dialect, gated))
    going_on = with_failing_subscribers(choices, dialect, with_going_on(choices, dialect, measured))
    at_once = with_going_on_at_once(choices, dialect, going_on)
    mixed = {"steps": with_no_json(choices, dialect, with_holding(choices, dialect, at_once))}
    if choices.chance(CODING_PERCENT):
        return coding_scenario(choices, dialect)
    return storm_scenario(choices, dialect) if choices.chance(STORM_PERCENT) else mixed
