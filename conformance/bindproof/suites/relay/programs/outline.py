"""A scenario as it is told to somebody who writes a program of it.

Enters: a prepared scenario, what is to be said of it. Leaves: what a program of any language asks: its steps, what is
expected, which steps fail. Must not know any language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bindproof.core.model import Json, same
from bindproof.suites import NoProgramError, Subject
from bindproof.suites.relay.programs.expected import Errors, FunctionCall, expected, gives
from bindproof.suites.relay.programs.writing import Spread
from bindproof.suites.relay.scenario.callbacks import latches
from bindproof.suites.relay.scenario.complete import all_steps
from bindproof.suites.relay.scenario.families import AROUND
from bindproof.suites.relay.scenario.rules.held import is_held

__all__ = ["NoProgramError", "Outline"]


class Outline:
    """What a program tells."""

    def __init__(
        self, spelled: Json, prediction: Json, errors: Errors, subject: Subject, editions: Sequence[str]
    ) -> None:
        self.steps: list[Json] = spelled["steps"]
        self.all_steps: Sequence[Json] = all_steps(spelled)
        self._subject, self._editions = subject, list(editions)
        self._text = str(spelled)
        self._by_id = {step["as"]: step for step in self.all_steps}
        self.expected = expected(prediction, frozenset(step["as"] for step in self.all_steps if gives(step)), errors)
        records = [record for lane in prediction["lanes"].values() for record in lane]
        self.failing = {record["step"] for record in records if record.get("fact") == "done" and "error" in record}
        self._refused = {
            one["callback"]
            for record in records
            for one in record.get("$one_of", [record])
            if one.get("fact") == "refused"
        }
        self._expected_text = str(records)
        self.names_raiser = "'same_as': '" in self._expected_text
        of = {step["of"] for step in self.steps if step["step"] == "cancel"}
        self.cancels = bool(of)
        self.plugins = {name for step in self.steps if step["step"] == "install" for name in step["plugins"]}
        self.cancelled = {step["name"] for step in self.steps if step["as"] in of}
        self.registered: dict[str, str] = {}
        self.held = {latch for step in self.steps if is_held(step) for latch in latches(step["do"])}
        """The latch at which something stands when an event is published, if there is one."""

    def edition_at_least(self, name: str) -> bool:
        """Tell whether the program is for this edition or a later one."""
        return self._editions.index(self._subject.edition) >= self._editions.index(name)

    def is_used(self, step: str) -> bool:
        """Tell whether something names the value of a step."""
        return f"'$get': '{step}/" in self._text or f"'$get': '{step}'" in self._text

    def may_fail(self, step: str) -> bool:
        """Tell whether a step has to fail."""
        return step in self.failing

    def is_refused(self, callback: str) -> bool:
        """Tell whether the reply of a callback may be refused by a constructor."""
        return callback in self._refused

    def is_entered(self, callback: str) -> bool:
        """Tell whether a callback has to be called, or may be."""
        return f"'callback': '{callback}'" in self._expected_text

    def is_around(self, name: str) -> bool:
        """Tell whether a callback wraps an execution."""
        return name in self._by_id and self._by_id[name].get("family") in AROUND

    def names_answers(self, callback: str) -> bool:
        """Tell whether a callback names an answer of what it wraps."""
        return "'$get': 'next/" in str(self._by_id.get(callback, {}).get("do"))

    def step(self, name: str) -> Json:
        """Return the step of this id."""
        return self._by_id[name]

    def kind_of(self, step: str) -> str:
        """Return the kind of what a step has started."""
        return str(self._by_id[step]["kind"])

    def name_families(self, kinds: Mapping[str, str]) -> None:
        """Have expected listings name families as the package's own does."""
        listing = {step["as"] for step in self.all_steps if step["step"] == "list"}
        for entries in self.expected.values():
            for entry in entries:
                if isinstance(entry, list) and entry[0] in listing:
                    entry[2] = _named(entry[2], kinds)

    def common(self) -> tuple[Json, Json]:
        """Return what all expected events have in common, and the lanes, whose events have that by the name SAME."""
        events = [entry[2] for lane in self.expected.values() for entry in lane if _is_event(entry)]
        if len(events) < 2:
            return {}, self.expected
        common = {key: value for key, value in events[0].items() if _is_in_all(key, value, events)}
        if not common:
            return {}, self.expected
        return common, {lane: [_spread(entry, common) for entry in entries] for lane, entries in self.expected.items()}

    @property
    def file(self) -> str:
        """The name of the program's file."""
        return self._subject.file

    @property
    def version(self) -> str | None:
        """The release that is meant, where one is."""
        return self._subject.version

    def target(self, pinned: str) -> str:
        """Return the package, and its release where one is meant. pinned: what stands between the two."""
        version = self._subject.version
        return f"{self._subject.target}{f'{pinned}{version}' if version else ''}"

    def heading(self, *commands: str, needs: str = "It needs nothing but the package:") -> str:
        """Return what stands at the head of the program. commands: how it is run, behind what it needs."""
        subject = self._subject
        return "\n".join(
            [
                f"{subject.title.rstrip('.')}.",
                "",
                *subject.lines,
                "",
                needs,
                "",
                *(f"    {command}" for command in commands),
                "",
                "Prints what is expected beside what is observed, and exits with 1 where they differ.",
            ]
        )


def _named(value: Json, kinds: Mapping[str, str]) -> Json:
    if isinstance(value, list):
        return [_named(item, kinds) for item in value]
    if isinstance(value, FunctionCall):
        return FunctionCall(value.function, tuple(_named(item, kinds) for item in value.arguments))
    if not isinstance(value, dict):
        return value
    return {key: kinds.get(item, item) if key == "family" else _named(item, kinds) for key, item in value.items()}


def _is_in_all(key: str, value: Json, events: Sequence[Json]) -> bool:
    """Tell whether all events have this plain value."""
    return not isinstance(value, FunctionCall | dict) and all(key in one and same(one[key], value) for one in events)


def _is_event(entry: Json) -> bool:
    return isinstance(entry, list) and entry[1] == "is told" and isinstance(entry[2], dict)


def _spread(entry: Json, same: Json) -> Json:
    if not _is_event(entry):
        return entry
    who, what, event = entry
    return [who, what, Spread("SAME", {key: value for key, value in event.items() if key not in same})]
