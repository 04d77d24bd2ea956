"""What an adapter is judged by in one suite: edition, dialect, requirements.

Enters: the request, what is read of the suites, what an adapter said of itself. Leaves: settings, and what a user
should know of them. Must not know scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from bindproof.core.errors import SuiteError
from bindproof.core.model import REFERENCE_REQUIREMENT, Evidence, Judgement, Plan, TargetInfo
from bindproof.core.request import RunRequest
from bindproof.judge import Expected
from bindproof.runner.inputs import Inputs
from bindproof.spec import edition_of, holds_in
from bindproof.spec.models import Spec
from bindproof.suites import Fault, Suite
from bindproof.suites.mistakes import telling_mistakes

Checks = dict[str, Callable[[Any], Sequence[Evidence] | None]]


class Setting(Struct, frozen=True):
    """What an adapter is judged by in one suite."""

    spec: Spec
    suite: Suite
    edition: str
    dialect: str
    requirements: tuple[str, ...]
    """Globs of those that the user chose, none: all."""
    fault: Fault | None

    @classmethod
    def of_target(cls, spec: Spec, suite: Suite, info: TargetInfo) -> Setting:
        """Return the setting of an adapter that says this of itself: edition of its release, all of it, no fault."""
        edition, _ = edition_of_target(spec, info)
        return cls(spec, suite, edition, str(info.suites[spec.name]["dialect"]), (), None)

    def checks(self) -> Checks:
        """Return the checks of the requirements that hold in this edition and dialect."""
        rules = self.spec.requirements
        return {
            name: check
            for name, check in self.suite.checks.items()
            if name in rules and holds_in(rules[name], self.edition, self.dialect)
        }

    def expected(self, plan: Plan) -> Expected | None:
        """Return what a plan's vector says of its outcome, with the requirement, where that holds here."""
        if plan.expect is None:
            return None
        (name,) = plan.exercises
        rule = self.spec.requirements.get(name)
        holds = rule is None or holds_in(rule, self.edition, self.dialect)
        return (name, plan.expect) if holds else None

    def of_those_chosen(self, judgements: tuple[Judgement, ...]) -> tuple[Judgement, ...]:
        """Return the judgements that the user wants to hear of; that of the reference is always among them."""
        if not self.requirements:
            return judgements
        return tuple([one for one in judgements if self._chosen(one.requirement)])

    def _chosen(self, requirement: str) -> bool:
        return requirement == REFERENCE_REQUIREMENT or any(fnmatchcase(requirement, glob) for glob in self.requirements)


def edition_of_target(spec: Spec, info: TargetInfo) -> tuple[str, str | None]:
    """Return the edition that judges a target, and a warning where that was guessed.

    It is the one that the adapter names for the suite, as a reference does, else the one of the target's release.
    """
    named = info.suites[spec.name].get("edition")
    if named is None:
        return edition_of(spec, info.target, info.version)
    if named in spec.edition_names:
        return str(named), None
    newest = spec.newest.name
    return newest, f"it names the edition {named!r}, which suite {spec.name} lacks: judged under the newest, {newest}"


def settings(
    request: RunRequest, known: Iterable[Inputs], info: TargetInfo
) -> tuple[list[Setting], list[str], list[SuiteError]]:
    """Return a setting for each known suite that the adapter speaks, what a user should know of them, and why the code
    of others cannot be loaded.
    """
    found: list[Setting] = []
    notes: list[str] = []
    mistakes: list[SuiteError] = []
    for one in known:
        spec = one.spec
        spoken = info.suites.get(spec.name)
        if spoken is None:
            continue
        dialect = str(spoken.get("dialect"))
        if dialect not in spec.dialects:
            names = ", ".join(spec.dialects)
            notes.append(f"it speaks {spec.name} in a dialect {dialect!r} that the spec does not have; known: {names}")
            continue
        edition, warning = _edition(request, spec, info)
        notes += [warning] if warning else []
        try:
            with telling_mistakes():
                setting = Setting(spec, one.suite, edition, dialect, request.requirements, one.fault)
                setting.checks()
            found.append(setting)
        except SuiteError as error:
            mistakes.append(error)
            notes.append(str(error))
    return found, notes, mistakes


def _edition(request: RunRequest, spec: Spec, info: TargetInfo) -> tuple[str, str | None]:
    if request.edition is not None:
        return request.edition, None
    return edition_of_target(spec, info)
