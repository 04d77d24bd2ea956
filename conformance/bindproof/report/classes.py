"""The conformance classes that targets claim, and whether they keep them.

Enters: a digest of a log. Leaves: text on a console. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bindproof.core.counting import plural
from bindproof.report.digest import Digest, Status

if TYPE_CHECKING:
    from rich.console import Console

UNSHOWN: Final[tuple[Status, ...]] = ("unsupported", "inexpressible", "not exercised")
"""What leaves open whether a requirement is kept."""

KEPT: Final = "kept"

PARTIAL: Final = ("requirements", "vectors", "files", "campaign", "fault", "shard")
"""What in a request has a run show less of a target than whether it keeps a class."""


def standings(digest: Digest) -> Iterator[tuple[str, str, str]]:
    """Yield adapter, class and how it stands, of each class that an adapter claims; nothing of a part of a run."""
    if digest.run is None or any(getattr(digest.run.request, name) for name in PARTIAL):
        return
    for name, line in digest.adapters.items():
        for spoken in line.suites if digest.judged.get(name) else ():
            classes = {
                one.name: one for suite in digest.run.suites if suite.suite == spoken.suite for one in suite.classes
            }
            for claimed in spoken.claims:
                if (found := classes.get(claimed)) is not None:
                    yield name, claimed, _standing(digest, name, found.requirements)


def _standing(digest: Digest, adapter: str, requirements: tuple[str, ...]) -> str:
    counts = digest.counts(adapter, [digest.facts(one) for one in requirements])
    if counts["broken"]:
        return f"not kept: {plural(counts['broken'], 'requirement')} broken"
    parts = []
    if known := counts["known"] + counts["lost"]:
        parts.append(f"but for {plural(known, 'known divergence')}")
    if unshown := sum(counts[status] for status in UNSHOWN):
        parts.append(f"as far as was seen: {plural(unshown, 'requirement')} not shown")
    return " ".join([KEPT, ", ".join(parts)]).rstrip()


def print_classes(console: Console, digest: Digest) -> None:
    """Print the classes that each adapter claims, in one line those that are simply kept."""
    found = list(standings(digest))
    if not found:
        return
    console.print()
    console.print("conformance classes that are claimed", style="bold")
    for adapter in dict.fromkeys(name for name, _, _ in found):
        own = [(claimed, standing) for name, claimed, standing in found if name == adapter]
        if kept := [claimed for claimed, standing in own if standing == KEPT]:
            console.print(f"  {adapter}: {', '.join(kept)} {KEPT}", style="green")
        for claimed, standing in own:
            if standing != KEPT:
                console.print(
                    f"  {adapter}: {claimed} {standing}", style="red" if standing.startswith("not") else "yellow"
                )
