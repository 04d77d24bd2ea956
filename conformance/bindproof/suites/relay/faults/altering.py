"""What planted faults need that spoil a story: an observation to alter, seen as steps with what ran in them.

Enters: a complete scenario, a raw log, the dialect. Leaves: an altered copy of the log. Must not know the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bindproof.core.model import Json, copied
from bindproof.suites import Fault
from bindproof.suites.relay.observation.spans import families
from bindproof.suites.relay.observation.story import Act, Asked, Story, story
from bindproof.suites.relay.observation.view import is_plain
from bindproof.suites.relay.scenario.spelling import Spelling


@dataclass(slots=True)
class Altered:
    """A copy of an observation that a fault edits in place. The story's events are the copy's own objects."""

    full: Json
    log: list[Json]
    dialect: Json
    story: Story

    def succeed(self, act: Act, value: Json) -> None:
        """Let a step that failed come back with a value."""
        self.log[act.done or 0] = {"fact": "done", "step": act.step["as"], "value": value}

    def fail(self, act: Act, error: Json) -> None:
        """Let a step that came back fail."""
        self.log[act.done or 0] = {"fact": "done", "step": act.step["as"], "error": error}

    def drop(self, events: Sequence[Json]) -> None:
        """Take the records of events out of the log."""
        gone = {id(event) for event in events}
        self.log[:] = [record for record in self.log if id(record.get("event")) not in gone]

    def insert(self, after: int, *records: Json) -> None:
        """Put records behind the one at this index."""
        self.log[after + 1 : after + 1] = records

    def run_again(self, asked: Iterable[Asked]) -> bool:
        """Repeat the records of the first provider that an intercept went on to; tell whether there is one."""
        for run in (one.inside[0] for one in asked):
            if run.part == "provider" and run.left == run.entered + 1:
                self.insert(run.entered + 1, *({**self.log[at], "k": 99} for at in (run.entered, run.entered + 1)))
                return True
        return False

    def rewrites(self, *named: str) -> bool:
        """Tell whether something of these families was registered."""
        return bool(families(self.story) & set(named))


def alter(table: dict[str, Fault], name: str, title: str, *breaks: str) -> Callable[[Callable[[Altered], bool]], None]:
    """Return a decorator that puts a fault into a chapter's table; the function says whether it spoiled anything."""

    def put(spoil: Callable[[Altered], bool]) -> None:
        def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
            if is_plain(full):
                return None
            copy = copied(log)
            seen = story(full, copy, Spelling.of(dialect))
            return copy if spoil(Altered(full, copy, dialect, seen)) else None

        table[name] = Fault(name, title, breaks, planted)

    return put
