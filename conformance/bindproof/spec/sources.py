"""Reads sources.toml: which rule of which document became which requirement, or why it became none.

Enters: a Spec. Leaves: its rules, and Problems of the table itself. Must not know checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bindproof.spec.files.folder import relative
from bindproof.spec.files.reader import Written, read
from bindproof.spec.models import OBSERVED, Spec
from bindproof.spec.problem import Problem

if TYPE_CHECKING:
    from bindproof.spec.files.models import SourceRule, SourcesFile


def read_sources(spec: Spec) -> tuple[tuple[SourceRule, ...], list[Problem]]:
    """Every rule, and what is wrong: with the table, or between it and the requirements."""
    from bindproof.spec.files.models import SourcesFile

    path = spec.folder / "sources.toml"
    problems: list[Problem] = []
    file = read(path, relative(spec.root, path), SourcesFile, problems)
    if file is None:
        return (), problems
    problems.extend(_faults(spec, file))
    problems.extend(_untraced(spec, file))
    problems.extend(_unplaced(file))
    problems.extend(_repeated(file))
    return file.value.rule, problems


def _faults(spec: Spec, file: Written[SourcesFile]) -> Iterator[Problem]:
    documents = {document.id for document in file.value.document}
    for number, rule in enumerate(file.value.rule):
        if rule.document not in documents:
            text = f"document {rule.document!r} is none of this file's: {', '.join(sorted(documents))}"
            yield file.problem(text, "rule", number, "document")
        if not rule.requirements and not (rule.open or "").strip():
            text = "name the requirements that state this rule, or say in `open` why none does"
            yield file.problem(text, "rule", number)
        for at, found in enumerate(rule.requirements):
            if found not in spec.requirements:
                text = f"{found} is no requirement of suite {spec.name}"
                yield file.problem(text, "rule", number, "requirements", at)


def _unplaced(file: Written[SourcesFile]) -> Iterator[Problem]:
    """Documents, and places of a document, that no rule is about."""
    for number, document in enumerate(file.value.document):
        told = [rule.place for rule in file.value.rule if rule.document == document.id]
        if not told:
            text = f"no rule is about {document.id}; say what its sentences became, or leave it out"
            yield file.problem(text, "document", number, "id")
            continue
        for at, place in enumerate(document.places):
            if not any(_is_about(one, place) for one in told):
                text = f"no rule is about {document.id} {place}; name its requirements, or say in `open` why none"
                yield file.problem(text, "document", number, "places", at)


def _is_about(told: str, place: str) -> bool:
    """Tell whether what a rule names as its place is that place, begins with it, or has it as a word of its own."""
    return f"{told} ".startswith((f"{place} ", f"{place},")) or place in told.split()


def _repeated(file: Written[SourcesFile]) -> Iterator[Problem]:
    """Sentences that have two entries: what one says of them the other may not."""
    known = set()
    for number, rule in enumerate(file.value.rule):
        sentence = (rule.document, rule.place, rule.gist)
        if sentence in known:
            yield file.problem("this sentence has an entry already; make them one", "rule", number, "gist")
        known.add(sentence)


def _untraced(spec: Spec, file: Written[SourcesFile]) -> Iterator[Problem]:
    """Requirements whose sources this table does not bear out."""
    name, documents = file.name, {document.id for document in file.value.document}
    traced = {(rule.document, found) for rule in file.value.rule for found in rule.requirements}
    for requirement in spec.requirements.values():
        for document in dict.fromkeys(source.document for source in requirement.sources):
            if document not in documents:
                text = f"{requirement.id}: source {document!r} is no document of {name}"
            elif (document, requirement.id) not in traced:
                text = f"{requirement.id}: no rule of {document!r} in {name} names it; add the rule that it states"
            else:
                continue
            yield Problem(requirement.file, requirement.line + 1, text)
        if requirement.level == "MUST" and {source.document for source in requirement.sources} == {OBSERVED}:
            text = f"{requirement.id} is a MUST that was only observed; what is in no document is SHOULD at most"
            yield Problem(requirement.file, requirement.line + 1, text)
