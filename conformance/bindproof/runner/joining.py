"""One log of the lines of several parts of a run: shards, or batches of a campaign.

Enters: the lines of each part, in any order of the parts. Leaves: lines of the whole. Must not know where parts ran.
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof.results import AdapterLine, ChoicesLine, Emit, FindingLine, Line, VerdictLine, joined_choices


class Joining:
    """Emits each verdict, each finding once, and at the end what no part's generator ever chose.

    verdict, finding: what becomes of a line before it is emitted.
    """

    def __init__(
        self,
        emit: Emit,
        *,
        verdict: Callable[[VerdictLine], VerdictLine] | None = None,
        finding: Callable[[FindingLine], FindingLine] | None = None,
    ) -> None:
        self._emit, self._verdict, self._finding = emit, verdict, finding
        self._found: set[tuple[str, str]] = set()
        self._choices: list[ChoicesLine] = []

    def take(self, line: Line) -> None:
        """Take the next line; those on the run and its adapters are not its business."""
        if isinstance(line, VerdictLine):
            self._emit(line if self._verdict is None else self._verdict(line))
        elif isinstance(line, FindingLine) and (line.adapter, line.id) not in self._found:
            self._found.add((line.adapter, line.id))
            self._emit(line if self._finding is None else self._finding(line))
        elif isinstance(line, ChoicesLine):
            self._choices = joined_choices([*self._choices, line])

    def close(self) -> None:
        """Emit what holds of the whole alone."""
        for whole in self._choices:
            self._emit(whole)


def what_it_is(line: AdapterLine) -> str:
    """Say what an adapter is, in so far as all parts have to have the same: release, own code, and how it is judged.

    What a wheel holds differs between platforms, so files may.
    """
    if line.state == "unavailable":
        return f"unavailable ({line.reason})"
    spoken = ", ".join(f"{one.suite} edition {one.edition} dialect {one.dialect}" for one in line.suites)
    return f"{line.target} {line.version}, {spoken}, its own code {line.program[:12] or 'not told'}"
