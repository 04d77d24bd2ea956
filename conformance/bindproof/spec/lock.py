"""requirements.lock: for every requirement, the digest of the statement that its check was written for.

Enters: a Spec. Leaves: drift Problems, or the file rewritten after a review. Must not know what the checks are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bindproof.core.errors import UsageError
from bindproof.spec.files.folder import relative
from bindproof.spec.files.text import lines_of, read_text
from bindproof.spec.load import load
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem

_LINE = re.compile(r"([A-Z]{2,5}-\d{3}) ([0-9a-f]{12})")
_HEAD = """\
# Requirement and digest of the level, editions, dialects and statement that its check was written for.
# Written by `bindproof spec check --accept ID`, after the check has been reviewed; not by hand.
"""


def drifted(spec: Spec) -> list[Problem]:
    """Requirements that are new or changed since their checks were accepted, and ids that have disappeared."""
    accepted, problems = _read(spec)
    name = relative(spec.root, spec.folder / "requirements.lock")
    for requirement in spec.requirements.values():
        known = accepted.get(requirement.id)
        if known is None:
            text = f"new: {requirement.id} has not been accepted; write its check, then {_command(requirement.id)}"
            problems.append(Problem(requirement.file, requirement.line, text))
        elif known[1] != requirement.digest:
            text = (
                f"drifted: the check of {requirement.id} was written for another statement; review it, then "
                f"{_command(requirement.id)}"
            )
            problems.append(Problem(requirement.file, requirement.line, text))
    for id_, (line, _) in accepted.items():
        if id_ not in spec.requirements:
            text = (
                f"{id_} is in no chapter any more; an id is never given up: bring it back with `RETIRED in <edition>:`"
            )
            problems.append(Problem(name, line, text))
    return problems


def accept(root: Path, suite: str, ids: Iterable[str]) -> list[str]:
    """Write the present digests of these requirements into the lock; `all` stands for every one.

    Gives the ids whose line changed, in order. UsageError when an id is unknown; SpecError when the suite is unusable.
    """
    loaded = load(root, suite)
    wanted = list(loaded.requirements) if "all" in (ids := list(ids)) else ids
    if unknown := [id_ for id_ in wanted if id_ not in loaded.requirements]:
        raise UsageError(f"suite {suite} has no requirement {', '.join(unknown)}; `bindproof spec list` names them")
    digests = {id_: digest for id_, (_, digest) in _read(loaded)[0].items()}
    changed = [id_ for id_ in wanted if digests.get(id_) != loaded.requirements[id_].digest]
    digests |= {id_: loaded.requirements[id_].digest for id_ in wanted}
    order = [id_ for id_ in loaded.requirements if id_ in digests] + sorted(set(digests) - set(loaded.requirements))
    lines = "".join(f"{id_} {digests[id_]}\n" for id_ in order)
    (loaded.folder / "requirements.lock").write_text(_HEAD + lines, encoding="utf-8")
    return changed


def _read(spec: Spec) -> tuple[dict[str, tuple[int, str]], list[Problem]]:
    """Id → line and digest; a missing file is an empty lock."""
    path = spec.folder / "requirements.lock"
    accepted: dict[str, tuple[int, str]] = {}
    problems = []
    for line, text in _entries(path, relative(spec.root, path)):
        match = _LINE.fullmatch(text)
        if match is None or match[1] in accepted:
            why = "an entry is an id and 12 hex digits, each id once"
            problems.append(Problem(relative(spec.root, path), line, f"{text!r}: {why}"))
        else:
            accepted[match[1]] = (line, match[2])
    return accepted, problems


def _entries(path: Path, name: str) -> Iterator[tuple[int, str]]:
    text = read_text(path, name) if path.exists() else ""
    for number, line in enumerate(lines_of(text), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _command(requirement: str) -> str:
    return f"`bindproof spec check --accept {requirement}`"
