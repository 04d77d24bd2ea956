"""By which expressions a dialect tells the kinds of errors in one edition.

Enters: a spec, names of a dialect and an edition. Leaves: kinds with expressions, in the order in which they are tried.
Must not know suites.
"""

from __future__ import annotations

from bindproof.core.patterns import Pattern, compile_pattern
from bindproof.spec.editions import editions_in
from bindproof.spec.models import Spec


def error_patterns(spec: Spec, dialect: str, edition: str) -> list[tuple[str, Pattern]]:
    """Return each kind of error of an edition with what searches a message for it; the first that finds it counts."""
    names = spec.edition_names
    return [
        (one.kind, compile_pattern(one.pattern))
        for one in spec.dialects[dialect].error
        if one.editions is None or edition in editions_in(one.editions, names)
    ]
