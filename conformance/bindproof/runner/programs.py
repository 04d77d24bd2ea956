"""Scenarios as programs in a binding's own language, for people who have no bindproof.

Enters: a vector's id or a file, an adapter's name, or a verdict's plan. Leaves: programs. Starts nothing, builds
nothing: what a program is to drive is known from the adapter's manifest. Must not know any language.
"""

from __future__ import annotations

import re

from bindproof.core.errors import UsageError
from bindproof.core.model import Plan
from bindproof.core.request import RunRequest
from bindproof.runner.inputs import Inputs, means_file, read_inputs
from bindproof.runner.plans import plans_of
from bindproof.spec import Spec, edition_of
from bindproof.suites import NoProgramError, Program, Programmed, Subject
from bindproof.targets import manifest_of


def programs(subject: str, adapter: str, *, edition: str | None = None, suite: str | None = None) -> list[Program]:
    """Return the program of a vector or file; of a negative, that of its twin before it.

    adapter: `NAME` or `NAME@RELEASE`. Raises UsageError where there is no such vector, adapter or program.
    """
    one = _inputs(subject, suite)
    return [program_of(one, plan, adapter, edition) for plan in plans_of(one.suite, one.vectors[0])]


def program_of(one: Inputs, plan: Plan, adapter: str, edition: str | None = None) -> Program:
    """Return the program of a plan; raises UsageError where there is none."""
    suite, spec = one.suite, one.spec
    name, _, rest = adapter.partition("@")
    manifest = manifest_of(name)
    if not isinstance(suite, Programmed):
        raise UsageError(f"the suite {spec.name} writes no programs; `bindproof explain {plan.id}` shows the scenario")
    if spec.name not in manifest.suites:
        raise UsageError(f"--adapter {adapter}: it does not speak the suite {spec.name}")
    version = rest if rest[:1].isdigit() else str(manifest.get.release or "") if not rest else ""
    edition = edition or edition_of(spec, manifest.target, version or "latest")[0]
    about = Subject(
        title=plan.title or plan.id,
        lines=_lines(spec, plan, edition),
        file=_file_name(plan),
        edition=edition,
        dialect=manifest.dialect,
        target=manifest.target,
        version=version or None,
    )
    try:
        return suite.program(plan.scenario, about)
    except NoProgramError as error:
        raise UsageError(f"there is no program of {plan.id} for {adapter}: {error}") from None
    except ValueError as error:
        raise UsageError(f"{plan.id}: {error}") from None


def _file_name(plan: Plan) -> str:
    """Return a name that no module of a language's own library has, as its programs would then import that file."""
    words = plan.id.removesuffix(".json").split("/")[-2:]
    return re.sub(r"[^A-Za-z0-9]+", "_", "_".join(words if len(words) > 1 else ["program", *words])).strip("_")


def _inputs(subject: str, suite: str | None) -> Inputs:
    files, vectors = ((subject,), ()) if means_file(subject) else ((), (subject,))
    request = RunRequest(suite=suite, files=files, vectors=vectors)
    found = [one for one in read_inputs(request).values() if one.vectors]
    if len(found) != 1 or len(found[0].vectors) != 1:
        raise UsageError(f"{subject}: name one vector; `bindproof spec list --vectors` shows the ids")
    return found[0]


def _lines(spec: Spec, plan: Plan, edition: str) -> tuple[str, ...]:
    rules = [f"{name} ({spec.requirements[name].title})" for name in plan.exercises if name in spec.requirements]
    source = f"From the scenario {plan.id} of bindproof, by the contract's edition {edition}."
    return (source, *(f"It is about {rule}." for rule in rules))
