"""The first line of a log: what is run, with what, and the requirements that a report needs to name.

Enters: the request, the specs, the names of the adapters, the expectations. Leaves: the run line. Must not know how an
adapter is found.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from bindproof import __version__
from bindproof.core.request import RunRequest
from bindproof.results import FORMAT, ClassFacts, RequirementFacts, RunLine, SuiteFacts
from bindproof.spec.content import digest_of_suite
from bindproof.spec.models import ALL_DIALECTS, Spec


def run_line(
    request: RunRequest,
    specs: Sequence[Spec],
    adapters: tuple[str, ...] = (),
    expectations: Mapping[str, str] | None = None,
) -> RunLine:
    """Return the run line. adapters: the names asked for. expectations: the reason of each by its id."""
    return RunLine(
        format=FORMAT,
        bindproof=__version__,
        python=platform.python_version(),
        platform=f"{sys.platform} {platform.machine()}",
        spec=digest_of(specs),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        suites=tuple(_facts(spec, request.requirements) for spec in specs),
        request=request,
        adapters=adapters,
        expectations=dict(expectations or {}),
    )


def _facts(spec: Spec, globs: Sequence[str]) -> SuiteFacts:
    return SuiteFacts(
        spec.name,
        tuple(
            RequirementFacts(
                id=rule.id,
                level=rule.level,
                title=rule.title,
                statement=rule.statement,
                chapter=chapter.title,
                editions=rule.in_editions,
                dialects=() if rule.dialects == ALL_DIALECTS else rule.dialects,
                selected=not globs or any(fnmatchcase(rule.id, glob) for glob in globs),
                untestable=rule.untestable,
            )
            for chapter in spec.chapters
            for rule in chapter.requirements
            if rule.in_editions
        ),
        tuple(ClassFacts(one.name, one.title, tuple(filter(one.has, spec.requirements))) for one in spec.classes),
        tuple(edition.name for edition in spec.editions if edition.partial),
    )


def digest_of(specs: Sequence[Spec]) -> str:
    """Return a hash over the suites' files: two runs with the same one had the same scenarios and rules."""
    return hashlib.sha256("".join(digest_of_suite(spec) for spec in specs).encode()).hexdigest()
