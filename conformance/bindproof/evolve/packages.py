"""What runs of real packages showed of the requirements that change: who becomes non-conformant.

Enters: result logs. Leaves: of each package, whether it kept a requirement in an edition. Nothing is said of a
requirement that no run judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Literal

from bindproof.results import AdapterLine, VerdictLine, read
from bindproof.spec.changes import Change

State = Literal["becomes non-conformant", "breaks it, as before", "breaks it now; before is not known", "keeps it"]

Runs = Mapping[str, Mapping[tuple[str, str], bool]]
"""By package, such as `nemo-relay 0.9.4`: whether it kept a requirement in an edition, both by name."""


def runs_of(paths: Iterable[Path], suite: str) -> dict[str, dict[tuple[str, str], bool]]:
    """Return what all these logs show for a suite; known divergences count as any other. Raises LogError."""
    found: dict[str, dict[tuple[str, str], bool]] = {}
    for path in paths:
        of: dict[str, tuple[str, str]] = {}
        for line in read(path):
            if isinstance(line, AdapterLine):
                for one in (one for one in line.suites if one.suite == suite):
                    package = f"{line.target} {line.version}".strip() or line.name
                    of[line.name] = (package, one.edition)
                    found.setdefault(package, {})
            elif isinstance(line, VerdictLine) and line.suite == suite:
                package, edition = of[line.adapter]
                for name in line.held:
                    found[package].setdefault((edition, name), True)
                for broken in line.broken:
                    found[package][edition, broken.requirement] = False
    return found


def states(runs: Runs, change: Change, requirements: Collection[str], before: Collection[str]) -> dict[str, State]:
    """Return what becomes of each package whose runs judged some of these requirements by the new edition.

    before: the requirements of the old edition; of another one nobody could break anything then.
    """
    found = {package: _state(seen, change, requirements, before) for package, seen in runs.items()}
    return {package: state for package, state in found.items() if state is not None}


def _state(
    seen: Mapping[tuple[str, str], bool], change: Change, requirements: Collection[str], before: Collection[str]
) -> State | None:
    judged = [name for name in requirements if (change.new, name) in seen]
    broken = [name for name in judged if not seen[change.new, name]]
    if not judged:
        return None
    if not broken:
        return "keeps it"
    earlier = [seen.get((change.old, name)) if name in before else True for name in broken]
    if any(kept is True for kept in earlier):
        return "becomes non-conformant"
    return "breaks it now; before is not known" if None in earlier else "breaks it, as before"
