"""Reads sources.toml: which rule of which document became which requirement, or why it became none.

Enters: a Suite. Leaves: its Sources with the line of each rule, and Problems of the table itself. Must not know checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bindproof.spec.load import read_toml, relative, with_lines
from bindproof.spec.models import OBSERVED, SourceDocument, SourceRule, Sources, Suite
from bindproof.spec.problem import Problem


def read_sources(suite: Suite) -> tuple[list[tuple[int, SourceRule]], list[Problem]]:
    """Every rule with its line, and what is wrong: with the table, or between it and the requirements."""
    path = suite.folder / "sources.toml"
    problems: list[Problem] = []
    file = read_toml(suite.root, path, Sources, problems)
    if file is None:
        return [], problems
    name = relative(suite.root, path)
    text = path.read_text(encoding="utf-8")
    rules = with_lines(text, "rule", file.rule)
    documents = {document.id for document in file.document}
    for line, rule in rules:
        problems.extend(Problem(name, line, text) for text in _faults(suite, documents, rule))
    problems.extend(_untraced(suite, documents, rules, name))
    problems.extend(Problem(name, line, text) for line, text in _unplaced(text, file.document, rules))
    return rules, problems


def _faults(suite: Suite, documents: set[str], rule: SourceRule) -> Iterator[str]:
    if rule.document not in documents:
        yield f"document {rule.document!r} is none of this file's: {', '.join(sorted(documents))}"
    if not rule.requirements and not (rule.open or "").strip():
        yield "name the requirements that state this rule, or say in `open` why none does"
    for found in rule.requirements:
        if found not in suite.requirements:
            yield f"{found} is no requirement of suite {suite.name}"


def _unplaced(
    text: str, documents: Sequence[SourceDocument], rules: list[tuple[int, SourceRule]]
) -> Iterator[tuple[int, str]]:
    """Places of a document that no rule is about."""
    for line, document in with_lines(text, "document", documents):
        told = {word for _, rule in rules if rule.document == document.id for word in rule.place.split()}
        for place in document.places:
            if place not in told:
                yield line, f"no rule is about {document.id} {place}; name its requirements, or say in `open` why none"


def _untraced(suite: Suite, documents: set[str], rules: list[tuple[int, SourceRule]], name: str) -> Iterator[Problem]:
    """Requirements whose sources this table does not bear out."""
    traced = {(rule.document, found) for _, rule in rules for found in rule.requirements}
    for requirement in suite.requirements.values():
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
