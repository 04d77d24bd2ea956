"""The suite `relay`: NeMo Relay's contract on managed LLM calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

import bindproof_reference.relay as reference
from bindproof.core.model import Evidence, Json
from bindproof.spec.editions import editions_in, holds_in
from bindproof.spec.forms import Form, forms
from bindproof.spec.models import Spec
from bindproof.suites import Choices, Fault, Program, Subject
from bindproof.suites.relay.checks import CHECKS
from bindproof.suites.relay.observation.drawn import drawn
from bindproof.suites.relay.observation.lanes import lane_of
from bindproof.suites.relay.observation.normalise import ErrorRules, Places, normalise
from bindproof.suites.relay.observation.reading import Reading
from bindproof.suites.relay.observation.recording import check_recording
from bindproof.suites.relay.observation.records import decode
from bindproof.suites.relay.observation.shape import Shapes, own_texts
from bindproof.suites.relay.observation.taking import taking
from bindproof.suites.relay.scenario.at_once import providers_apart
from bindproof.suites.relay.scenario.complete import all_steps, brief, complete, raised_texts, spell
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.overtaking import may_overtake
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof.suites.relay.smoke import STEPS

Patterns = list[tuple[str, str]]

BUILDING = ("build", "decode", "encode")
"""Kinds of step whose errors are about what the step itself hands over."""


class PreparedScenario(Struct, frozen=True):
    """A scenario made ready for one edition and dialect (see suites.Prepared)."""

    full: Json
    spelled: Json
    prediction: Json
    edition: str
    spelling: Spelling
    places: Places
    forms: Mapping[str, Form]
    rules: frozenset[str]
    dialect: Json

    def accepting(self, accepted: frozenset[str]) -> Json | None:
        """Return what is allowed where these outcomes are accepted; None where nobody can say as what."""
        try:
            return reference.predict(self.spelled, self.edition, self.dialect, accepted)
        except reference.UnpredictableError:
            return None

    def observe(self, log: list[Json]) -> tuple[list[Json], Reading]:
        """Return the normalised log and its reading; raises ObservationError for a log that no adapter records."""
        records = decode(log)
        check_recording(self.full, records)
        seen = normalise(records, log, self.places)
        return seen, Reading.of(self.edition, self.spelling, self.full, records, seen, log, self.forms, self.rules)

    def taking(self, taken: list[Json], refused: list[Json]) -> list[Json]:
        """Return the log of a binding that takes this negative's defect (see suites.Gullible)."""
        return taking(self.spelled, taken, refused)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply line into its shape (see `observation.shape`)."""
        return Shapes(own_texts(params))


class Relay:
    """The suite object (see suites.Suite)."""

    name = "relay"
    checks: Mapping[str, Callable[[Any], Sequence[Evidence] | None]] = CHECKS
    smoke = STEPS

    code = (Path(reference.__file__).parents[1],)
    """What of bindproof decides is its own code, which the engine knows of, and the reference."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._dialect = cache(self._read_dialect)
        self._forms = cache(self._read_forms)
        self._rules = cache(self._read_rules)

    @property
    def faults(self) -> Mapping[str, Fault]:
        """The planted faults, by name."""
        from bindproof.suites.relay.faults import FAULTS  # most runs plant none

        return FAULTS

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
        prediction = reference.predict(spelled, edition, plain)
        steps = all_steps(full)
        # What no requirement of a partial edition speaks of, nobody has looked at.
        unknown = self._spec.edition(edition).partial or (spelling.apart and may_overtake(steps))
        if unknown and "lanes" in prediction:
            prediction["open"] = True
        written = cache(lambda: json.dumps(full))  # asked for each header, and by few scenarios
        places = Places(
            ErrorRules(raised_texts(full), patterns),
            executions=frozenset(step["as"] for step in steps if _gives_on(step)),
            scoped=frozenset(step["as"] for step in steps if step["step"] in ("current", "handle")),
            captured=frozenset(step["as"] for step in steps if step["step"] == "capture"),
            built=frozenset(step["as"] for step in steps if step["step"] in BUILDING),
            stated=lambda text: text in written(),
        )
        rules = self._rules(edition, dialect)
        return PreparedScenario(
            full, spelled, prediction, edition, spelling, places, self._forms(edition), rules, plain
        )

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """Return what makes a reply line into its shape (see `observation.shape`)."""
        return Shapes(own_texts(params))

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """Return what tells the lane of a record in this scenario's logs (see `observation.lanes`)."""
        targets = {step["of"] for step in scenario["steps"] if step["step"] == "cancel"}
        cancelled = frozenset(step["name"] for step in scenario["steps"] if step.get("as") in targets)
        apart = providers_apart(all_steps(scenario))
        return lambda record: lane_of(record, cancelled, apart)

    def drawn(self, record: Json) -> tuple[str, str]:
        """Return who a record is of, and what it says in a few words (see `observation.drawn`)."""
        return drawn(record)

    def has_programs(self, dialect: str, edition: str) -> bool:
        """Tell whether programs are written in the language of a dialect, for releases of this edition."""
        from bindproof.suites.relay.programs import LANGUAGES, reaches

        return dialect in LANGUAGES and reaches(self._spec, edition, dialect)

    def program(self, full: Json, subject: Subject) -> Program:
        """Return a complete scenario as a program in a dialect's language; raises NoProgramError."""
        from bindproof.suites.relay.programs import program_of  # runs write none

        prepared = self.prepare(full, subject.edition, subject.dialect)
        return program_of(prepared.spelled, prepared.prediction, prepared.places.errors, subject, self._spec)

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a generated scenario, complete: the generators keep the language."""
        from bindproof.suites.relay.generators import scenario  # runs of vectors generate none

        return fill(scenario(choices, dialect))

    def _read_dialect(self, name: str, edition: str) -> tuple[Json, Spelling, Patterns]:
        plain = self._spec.dialects[name].as_json()
        return plain, Spelling.of(plain, edition), [(e["kind"], e["pattern"]) for e in self._errors(plain, edition)]

    def _errors(self, plain: Json, edition: str) -> list[Json]:
        names = self._spec.edition_names
        return [e for e in plain["error"] if e["editions"] is None or edition in editions_in(e["editions"], names)]

    def _read_forms(self, edition: str) -> Mapping[str, Form]:
        return forms(self._spec, edition)

    def _read_rules(self, edition: str, dialect: str) -> frozenset[str]:
        rules = self._spec.requirements.items()
        return frozenset([name for name, rule in rules if holds_in(rule, edition, dialect)])


def _gives_on(step: Json) -> bool:
    """Tell whether a step's callback, or its answer, has a request in which the runtime sets headers."""
    wraps = step["step"] == "register" and step["family"] in ("llm.execution", "llm.stream")
    return wraps or bool(step["step"] == "helper" and step["kind"] == "llm.request")


def suite(spec: Spec) -> Relay:
    """Return the suite for its spec: the entry point."""
    return Relay(spec)
