"""The conformance classes that targets claim, and whether they keep them.

Enters: a digest of a log. Leaves: values, and text on a console. Must not know how a verdict was reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from bindproof.core.counting import plural
from bindproof.report.digest import Digest, Status
from bindproof.results import ClassFacts, asked_of, claims

if TYPE_CHECKING:
    from rich.console import Console

UNSHOWN: Final[tuple[Status, ...]] = ("unsupported", "inexpressible", "not exercised")
"""What leaves open whether a requirement is kept."""

State = Literal["kept", "known", "open", "not kept", "not judged"]
"""kept, but for known divergences, as far as was seen, not kept, or that no run tells."""

STYLES: Final[dict[State, str]] = {
    "kept": "green",
    "known": "yellow",
    "open": "yellow",
    "not kept": "red",
    "not judged": "red",
}


class Standing(Struct, frozen=True):
    """A class that a target claims to keep, and how it stands after a run."""

    name: str
    title: str
    state: State
    words: str
    """How it stands, in words."""
    broken: tuple[str, ...]
    known: tuple[str, ...]
    open: tuple[str, ...]
    """`broken`, `known` and `open`: requirements; those that are open were not shown to be kept, nor to be broken."""


def standings(digest: Digest) -> dict[str, tuple[Standing, ...]]:
    """Return adapter → the classes that it claims, each with how it stands; adapters without claims are left out."""
    found = {name: tuple(_of(digest, name)) for name in digest.adapters}
    return {name: classes for name, classes in found.items() if classes}


def _of(digest: Digest, adapter: str) -> Iterator[Standing]:
    if digest.run is None:
        return
    for spoken in digest.adapters[adapter].suites:
        for facts in claims(digest.run, spoken):
            yield _standing(digest, adapter, facts, asked_of(digest.run, spoken, facts))


def _standing(digest: Digest, adapter: str, facts: ClassFacts, asked: list[str]) -> Standing:
    by = {name: digest.status(adapter, name) for name in asked}
    broken = tuple(name for name, status in by.items() if status == "broken")
    known = tuple(name for name, status in by.items() if status in ("known", "lost"))
    unseen = tuple(name for name, status in by.items() if status in UNSHOWN)
    state, words = _told(digest, len(asked), len(broken), len(known), len(unseen))
    return Standing(facts.name, facts.title, state, words, broken, known, unseen)


def _told(digest: Digest, asked: int, broken: int, known: int, unseen: int) -> tuple[State, str]:
    if digest.run is None or not digest.run.request.whole:
        return "not judged", "not judged: a part of a run does not show whether it is kept"
    if not asked:
        return "not judged", "not judged: it asks for nothing in this edition"
    if broken:
        return "not kept", f"not kept: {plural(broken, 'requirement')} broken"
    if unseen == asked:
        return "not judged", f"not judged: none of its {plural(asked, 'requirement')} was shown"
    parts = []
    if known:
        parts.append(f"but for {plural(known, 'known divergence')}")
    if unseen:
        parts.append(f"as far as was seen: {plural(unseen, 'requirement')} not shown")
    return "open" if unseen else "known" if known else "kept", " ".join(["kept", ", ".join(parts)]).rstrip()


def print_classes(console: Console, digest: Digest) -> None:
    """Print the classes that each adapter claims, in one line those that are simply kept; nothing of a part of a run.

    What was asked for by name, or in part, is answered without them.
    """
    found = standings(digest) if digest.run is not None and digest.run.request.whole else {}
    if not found:
        return
    console.print()
    console.print("conformance classes that are claimed", style="bold")
    for adapter, classes in found.items():
        if kept := [one.name for one in classes if one.state == "kept"]:
            console.print(f"  {adapter}: {', '.join(kept)} kept", style=STYLES["kept"])
        for one in classes:
            if one.state != "kept":
                console.print(f"  {adapter}: {one.name} {one.words}", style=STYLES[one.state])
