"""Scenarios as programs of their own, in the language of a binding.

Enters: a prepared scenario and what it is about. Leaves: source text that needs the binding's package alone. Must not
know adapters or verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from bindproof.core.model import Json
from bindproof.spec.models import Spec
from bindproof.suites import NoProgramError, Program, Subject
from bindproof.suites.relay.observation.normalise import ErrorRules
from bindproof.suites.relay.programs import python_editions
from bindproof.suites.relay.programs.c import C
from bindproof.suites.relay.programs.expected import Errors
from bindproof.suites.relay.programs.go import Go
from bindproof.suites.relay.programs.node import Node
from bindproof.suites.relay.programs.outline import Outline
from bindproof.suites.relay.programs.python import Python
from bindproof.suites.relay.programs.rust import Rust

LANGUAGES: Mapping[str, tuple[str, Callable[[Outline], str]]] = {
    "c": (".c", lambda outline: C(outline).text()),
    "go": (".go", lambda outline: Go(outline).text()),
    "node": (".cjs", lambda outline: Node(outline).text()),
    "python": (".py", lambda outline: Python(outline).text()),
    "rust": (".rs", lambda outline: Rust(outline).text()),
}
"""Dialect → what its files end in, what writes a program of an outline."""

OLDEST: Mapping[str, str] = {**dict.fromkeys(LANGUAGES, "0.8"), "python": python_editions.OLDEST}
"""Dialect → the first edition for whose releases programs are written."""


def reaches(spec: Spec, edition: str, dialect: str) -> bool:
    """Tell whether programs in a dialect's language are written for releases of an edition."""
    return spec.edition_names.index(edition) >= spec.edition_names.index(OLDEST[dialect])


def program_of(spelled: Json, prediction: Json, rules: ErrorRules, subject: Subject, spec: Spec) -> Program:
    """Return the program of a scenario; raises NoProgramError where the language, or we, have no words for it."""
    if subject.dialect not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise NoProgramError(f"programs are written in {known}, and not in {subject.dialect} yet")
    if not reaches(spec, subject.edition, subject.dialect):
        oldest = OLDEST[subject.dialect]
        raise NoProgramError(f"programs in this language are written for releases of edition {oldest} and later")
    if "inexpressible" in prediction:
        raise NoProgramError(f"the language has no words for {prediction['inexpressible']['path']!r}")
    if "storm" in prediction:
        raise NoProgramError("a 'storm' comes to no one order, and a program expects one")
    if "in_some_order" in prediction:
        raise NoProgramError("what goes on several times at once comes to no one order, and a program expects one")
    ending, write = LANGUAGES[subject.dialect]
    errors = Errors(rules.patterns, rules.raised)
    file = f"{subject.file}_" if ending == ".go" and subject.file.endswith("_test") else subject.file
    subject = replace(subject, file=file + ending)
    return Program(subject.file, write(Outline(spelled, prediction, errors, subject, spec.edition_names)))
