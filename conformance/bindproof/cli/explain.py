"""`bindproof explain`: what a requirement or a vector says, and what a place of a source became.

Enters: an id, or a source. Leaves: text on stdout. Must not know verdicts.
"""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.errors import UsageError
from bindproof.core.model import REFERENCE_REQUIREMENT, Defect, Expect
from bindproof.results.fold import EXIT_OK
from bindproof.spec import Spec, Vector, all_installed, vector_paths, vectors
from bindproof.spec.render import REFERENCE_TEXT, requirement_text
from bindproof.spec.sources import read_sources

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.spec.files.models import SourceRule

MOST_SHOWN = 5
"""So many vectors are named for a place of a source."""

EXAMPLES = """\
  bindproof explain MRK-002                     a requirement, with the vectors that exercise it
  bindproof explain relay/marks/two-in-order    a vector, with its scenario
  bindproof explain 'observed G15'              a place of a source: which rules it became, and programs that show it
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "explain", "say what a requirement or a vector means", EXAMPLES, act=act)
    parser.add_argument(
        "id", metavar="ID", help="a requirement's or a vector's id (`bindproof spec list` has them all), or a source"
    )


def act(args: argparse.Namespace) -> int:
    """Finds the id in every suite and prints what it names."""
    tell(explained(all_installed(), args.id))
    return EXIT_OK


def explained(suites: list[Spec], name: str) -> str:
    """The text for a requirement's or vector's id.

    Raises:
        UsageError: no suite has it; the message names the ids that look like it.
    """
    if name == REFERENCE_REQUIREMENT:
        return REFERENCE_TEXT
    for suite in suites:
        if name in suite.requirements:
            return _requirement(suite, name)
        if name in vector_paths(suite):
            return _vector(next(vectors(suite, name)))
    for suite in suites:
        if found := rules_at(read_sources(suite)[0], name):
            return _place(suite, name, found)
    known = [known for suite in suites for known in (*suite.requirements, *vector_paths(suite))]
    near = near_ids(name, known)
    if near:
        raise UsageError(f"there is no requirement or vector {name!r}; did you mean {', '.join(near)}?")
    prefixes = ", ".join(dict.fromkeys(f"{r.partition('-')[0]}-" for suite in suites for r in suite.requirements))
    raise UsageError(
        f"there is no requirement or vector {name!r}. Requirements begin with {prefixes}: `bindproof spec list` shows "
        "them, `bindproof spec list --vectors` the vectors"
    )


def rules_at(rules: Iterable[SourceRule], name: str) -> list[SourceRule]:
    """Return what `DOCUMENT PLACE` became: that place, those that begin so, or those that have its words between them.

    A place may be of several words, such as numbers of probes, and a rule may name several places.
    """
    document, _, place = name.replace('"', "").partition(" ")
    here = [rule for rule in rules if rule.document == document and place]
    for found in ([one for one in here if one.place == place], [one for one in here if one.place.startswith(place)]):
        if found:
            return found
    words = set(place.replace(",", " ").split())
    found = [one for one in here if words & set(one.place.split())]
    return found if words <= {word for one in found for word in one.place.split()} else []


def _place(suite: Spec, name: str, rules: Sequence[SourceRule]) -> str:
    """Return a place of a source in full: what it says, what states that, and how to see it without bindproof."""
    parts = [name]
    for rule in rules:
        stated = f"stated by {', '.join(rule.requirements)}" if rule.requirements else "stated by no requirement"
        parts.append("\n".join([rule.gist, f"  {stated}", *([f"  left open: {rule.open}"] if rule.open else [])]))
    programs = [f"  python docs/probes/{rule.program}" for rule in rules if rule.program]
    if shown := showing(vectors(suite), rules):
        parts.append("\n".join(["Vectors that show it", *(f"  {one.id}  {one.title}" for one in shown)]))
        programs.append(f"  bindproof program {shown[0].id} --adapter NAME@RELEASE > probe")
    if programs:
        parts.append("\n".join(["To see it in a release, with its package alone", *programs]))
    return "\n\n".join(parts)


def showing(kept: Iterable[Vector], rules: Iterable[SourceRule]) -> list[Vector]:
    """Return a few of the kept vectors: those that exercise most of what these rules became, then the shortest."""
    wanted = {name for rule in rules for name in rule.requirements}
    found = [one for one in kept if wanted & set(one.exercises)]
    return sorted(found, key=lambda one: (-len(wanted & set(one.exercises)), len(str(one.scenario))))[:MOST_SHOWN]


def near_ids(name: str, known: list[str]) -> list[str]:
    """Up to three ids that the user may have meant: in other case, by a part of it, or misspelt."""
    folded = name.casefold()
    by_fold = {one.casefold(): one for one in known}
    if folded in by_fold:
        return [by_fold[folded]]
    parts = [one for fold, one in by_fold.items() if fold.endswith(f"/{folded}")]
    parts += [one for fold, one in by_fold.items() if len(folded) > 2 and folded in fold and one not in parts]
    return parts[:3] or [by_fold[fold] for fold in difflib.get_close_matches(folded, by_fold, n=3)]


def _requirement(suite: Spec, name: str) -> str:
    exercising = [one for one in vectors(suite) if name in one.exercises]
    text = requirement_text(suite, name, [f"{one.id}  {one.title}" for one in exercising])
    if not exercising:
        return text
    return "\n\n".join([text, _example(exercising), f"To judge it\n  bindproof run --requirement {name}"])


def _example(kept: Iterable[Vector]) -> str:
    """Return the vector that says least, one step a line; one that is lawful before one that has to be refused."""
    one = smallest(kept)
    steps = one.scenario.get("steps") if isinstance(one.scenario, dict) else None
    lines = [json.dumps(step, ensure_ascii=False) for step in (steps if isinstance(steps, list) else [one.scenario])]
    if one.defect is not None:
        lines.append(f"where {_change(one.defect)}: that is refused, as {one.defect.kind}")
    return "\n".join([f"For example, {one.id}", *(f"  {line}" for line in lines)])


def smallest(kept: Iterable[Vector]) -> Vector:
    """Return the vector that says least: lawful ones come first."""
    return min(kept, key=lambda one: (one.defect is not None, len(str(one.scenario)), len(one.exercises), one.id))


def _change(defect: Defect) -> str:
    change = "is cut out" if defect.cut else f"becomes {json.dumps(defect.put, ensure_ascii=False)}"
    return f"{defect.at} {change}"


def _expected(expect: Expect, requirement: str) -> str:
    if expect.error is not None:
        return f"{requirement} has an error of kind {expect.error} come out."
    return f"{requirement} has this value come out:\n{json.dumps(expect.value, indent=2, ensure_ascii=False)}"


def _vector(vector: Vector) -> str:
    parts = [
        f"{vector.id}: {vector.title}",
        f"exercises {', '.join(vector.exercises)} · editions {', '.join(vector.in_editions)} · "
        f"dialects {', '.join(vector.dialects)}",
        json.dumps(vector.scenario, indent=2, ensure_ascii=False),
    ]
    if vector.defect is not None:
        parts.append(
            f"A negative: {_change(vector.defect)}.\n"
            f"{vector.defect.breaks} has that refused, with an error of kind {vector.defect.kind}.\n"
            "The scenario without that change runs too, and has to be accepted."
        )
    if vector.expect is not None:
        parts.append(_expected(vector.expect, vector.exercises[0]))
    parts += [f"Written in {vector.file}.", f"To act it out: bindproof replay {vector.id}"]
    return "\n\n".join(parts)
