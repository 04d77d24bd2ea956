"""The suite `relay`: NeMo Relay's contract on managed LLM calls."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import bindproof_reference.relay as reference
from bindproof.core.model import Evidence, Json
from bindproof.spec.editions import editions_in
from bindproof.spec.forms import Form, forms
from bindproof.spec.models import Suite as Spec
from bindproof.suites import Choices, Fault, ObservationError
from bindproof.suites.relay.checks import CHECKS
from bindproof.suites.relay.faults import FAULTS
from bindproof.suites.relay.generators import scenario as generate_scenario
from bindproof.suites.relay.observation.cancelling import lane_of_event
from bindproof.suites.relay.observation.normalise import ErrorRules, normalise, runs_at_publication
from bindproof.suites.relay.observation.records import invalid_record
from bindproof.suites.relay.observation.shape import Shapes, own_texts
from bindproof.suites.relay.observation.streams import lane_beside
from bindproof.suites.relay.observation.view import View, view
from bindproof.suites.relay.scenario.complete import all_steps, brief, complete, raised_texts, spell
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof.suites.relay.smoke import STEPS

Patterns = list[tuple[str, re.Pattern[str]]]


@dataclass(frozen=True, slots=True)
class PreparedScenario:
    """A scenario made ready for one edition and dialect (see suites.Prepared)."""

    full: Json
    spelled: Json
    prediction: Json
    edition: str
    spelling: Spelling
    errors: ErrorRules
    executions: frozenset[str]
    scoped: frozenset[str]
    forms: Mapping[str, Form]

    def observe(self, log: list[Json]) -> tuple[list[Json], View]:
        """Return the normalised log and its view; raises ObservationError for a record of the wrong form."""
        problem = invalid_record(log)
        if problem is not None:
            raise ObservationError(problem)
        seen = normalise(log, self.errors, self.executions, self._states, self.scoped).log
        return seen, view(self.full, seen, log, self.edition, self.spelling, self.forms)

    def _states(self, text: str) -> bool:
        """Tell whether the scenario has a text anywhere."""
        return text in json.dumps(self.full)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply line into its shape (see `shape`)."""
        return Shapes(own_texts(params))


class Relay:
    """The suite object (see suites.Suite)."""

    name = "relay"
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]] = CHECKS
    faults: Mapping[str, Fault] = FAULTS
    smoke = STEPS

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._dialect = cache(self._read_dialect)
        self._forms = cache(self._read_forms)

    def complete(self, scenario: Json) -> Json:
        """Return the scenario in full form; raises ScenarioError."""
        return complete(scenario)

    def brief(self, full: Json) -> Json:
        """Return a complete scenario as one would write it."""
        return brief(full)

    def prepare(self, full: Json, edition: str, dialect: str) -> PreparedScenario:
        """Make a complete scenario ready; raises ScenarioError when the reference cannot act it out."""
        plain, spelling, patterns = self._dialect(dialect, edition)
        spelled = spell(full, spelling)
        errors = ErrorRules(raised_texts(full), patterns)
        prediction = reference.predict(spelled, edition, plain)
        steps, forms = all_steps(full), self._forms(edition)
        given_on = frozenset(step["as"] for step in steps if _gives_on(step))
        scoped = frozenset(step["as"] for step in steps if step["step"] == "current")
        return PreparedScenario(full, spelled, prediction, edition, spelling, errors, given_on, scoped, forms)

    def lane(self, record: Json) -> str:
        """Return `program`, `publication` for a callback that runs then, or the subscriber's id for an event.

        What runs beside the program because of a stream, or because a call is cancelled, has lanes of its own (see
        `streams.lane_beside`, `cancelling`).
        """
        fact = record["fact"]
        if fact == "event":
            return lane_of_event(record)
        return _lane_of_callback(fact, str(record.get("callback", "")), bool(record.get("k")))

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a generated scenario, complete: the generators keep the language."""
        return fill(generate_scenario(choices, dialect))

    def _read_dialect(self, name: str, edition: str) -> tuple[Json, Spelling, Patterns]:
        plain = self._spec.dialects[name].as_json()
        return plain, Spelling.of(plain), [(e["kind"], re.compile(e["pattern"])) for e in self._errors(plain, edition)]

    def _errors(self, plain: Json, edition: str) -> list[Json]:
        names = self._spec.edition_names
        return [e for e in plain["error"] if e["editions"] is None or edition in editions_in(e["editions"], names)]

    def _read_forms(self, edition: str) -> Mapping[str, Form]:
        return forms(self._spec, edition)


@lru_cache(maxsize=4096)
def _lane_of_callback(fact: str, callback: str, again: bool) -> str:
    """Return the lane of what is no event; the same few are asked for again and again."""
    if runs_at_publication(callback, again=again):
        return "publication"
    if fact == "cancelled":
        return f"{callback}.cancelled"
    return lane_beside(fact, callback) or "program"


def _gives_on(step: Json) -> bool:
    """Tell whether a step's callback, or its answer, has a request in which the runtime sets headers."""
    wraps = step["step"] == "register" and step["family"] in ("llm.execution", "llm.stream")
    return wraps or bool(step["step"] == "helper" and step["kind"] == "llm.request")


def suite(spec: Spec) -> Relay:
    """Return the suite for its spec: the entry point."""
    return Relay(spec)
