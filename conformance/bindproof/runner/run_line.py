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
from bindproof.results import FORMAT, RequirementFacts, RunLine, SuiteFacts
from bindproof.spec.models import ALL_DIALECTS
from bindproof.spec.models import Suite as Spec

SPEC_FILES = {".json", ".lock", ".md", ".toml"}
"""What a suite's folder consists of; an editor's copies and the like change no spec."""


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
        ),
    )


def digest_of(specs: Sequence[Spec]) -> str:
    """Return a hash over the suites' files: two runs with the same one had the same scenarios and rules."""
    seen = hashlib.sha256()
    for spec in specs:
        for path in sorted(spec.folder.rglob("*")):
            if path.suffix in SPEC_FILES and path.is_file():
                data = path.read_bytes()
                seen.update(f"{path.relative_to(spec.folder).as_posix()} {len(data)}\n".encode() + data)
    return seen.hexdigest()
