"""The suite `openfeature` as bindproof asks for it: one evaluation of a flag, with a hook at some levels."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from bindproof.suite_api import Choices, Json, Prepared, SmokeStep, Spec, Suite
from bindproof_openfeature import reference
from bindproof_openfeature.checks import CHECKS
from bindproof_openfeature.faults import FAULTS
from bindproof_openfeature.observation import STAGES, Reading, read

PROVIDERS = ("gives", "raises", "another type")
FLAGS = ("boolean", "integer")


@dataclass(frozen=True, slots=True)
class PreparedScenario:
    """A scenario that is ready: what is sent, and what the reference allows to be seen."""

    spelled: Json
    prediction: Json

    def observe(self, log: list[Json]) -> tuple[list[Json], Reading]:
        """Return the log, and what the checks are given; raises ObservationError for a log of another form."""
        return log, read(self.spelled, log)

    def shapes(self, params: bytes) -> Callable[[bytes], Hashable | None]:
        """A reply is its own key."""
        return lambda result: result


class OpenFeature:
    """The suite (bindproof.suite_api.Suite says what each member is for)."""

    name = "openfeature"
    checks = CHECKS
    faults = FAULTS
    smoke = (
        SmokeStep(
            "a hook of the API", {"hooks": {"api": []}, "provider": "gives"}, "one record a hook, then the result"
        ),
    )

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def complete(self, scenario: Json) -> Json:
        """Return the scenario, whose flag is boolean where it says nothing else; raises ValueError."""
        try:
            hooks, scenario = scenario["hooks"], {"flag": FLAGS[0], **scenario}
            good = scenario.keys() == {"flag", "hooks", "provider"} and scenario["provider"] in PROVIDERS
            good = good and scenario["flag"] in FLAGS
            good = good and hooks.keys() <= set(reference.LEVELS)
            good = good and all(isinstance(one, list) and set(one) <= set(STAGES) for one in hooks.values())
        except (TypeError, KeyError, AttributeError):
            good = False
        if not good:
            raise ValueError(
                'a scenario is {"hooks": {level: [stages in which it raises]}, "provider": gives or raises}'
            )
        return scenario

    def brief(self, full: Json) -> Json:
        """Return the scenario without a flag that is boolean."""
        return {name: value for name, value in full.items() if (name, value) != ("flag", FLAGS[0])}

    def prepare(self, full: Json, edition: str, dialect: str) -> Prepared:
        """Make a scenario ready."""
        return PreparedScenario(full, reference.predict(full, edition, self._spec.dialects[dialect].as_json()))

    def lanes(self, scenario: Json) -> Callable[[Json], str]:
        """All records are in one order."""
        return lambda record: "program"

    def generate(self, choices: Choices, dialect: str | None) -> Json:
        """Return a scenario that the choices decide."""
        levels = [level for level in reference.LEVELS if choices.chance(60)]
        hooks = {level: [stage for stage in STAGES if choices.chance(20)] for level in levels}
        provider = choices.pick((PROVIDERS[0], *PROVIDERS))
        return {"flag": choices.pick(FLAGS), "hooks": hooks, "provider": provider}


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point."""
    return OpenFeature(spec)
