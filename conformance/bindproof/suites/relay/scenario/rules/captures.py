"""What a scenario has to keep that takes down what another process is told of where its program stands.

What a callback is told is open, as is what is told in a context that is itself made of what was taken down: which
process such a chain belongs to no document says.

Enters: the steps of a complete scenario, those of the program first, and what is in them. Leaves: the rules that they
break, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps
from bindproof.suites.relay.scenario.rules.contexts import ALONE

MAKING = ("usual", "rooted")
"""What a context is made of. Events in one that is made of what has no root name none, of which no edition speaks.
"""


def capture_misfits(steps: list[Json], said: frozenset[str]) -> Iterator[str]:
    """Say in words which rules the steps break, those inside callbacks too. said: see `program.words`."""
    inside = {inner["as"] for step in steps for inner in inner_steps(step)}
    by_id = {step["as"]: step for step in steps}
    yield from (f"where a program takes down where it stands {words}" for word, words in ALONE.items() if word in said)
    received: list[bool] = []
    for step in steps:
        if step["step"] == "capture":
            yield from (f"step {step['as']!r}: {words}" for words in _misfits(step, step["as"] in inside, received))
        elif step["step"] == "context" and step["as"] not in inside:
            received.append(step["from"] is not None)
            if step["from"] is not None and by_id.get(step["from"], {}).get("what") not in MAKING:
                yield f"step {step['as']!r}: a context is made of what has a root"
        elif step["step"] == "back" and received:
            received.pop()


def _misfits(step: Json, is_inside: bool, received: list[bool]) -> Iterator[str]:
    """Say what is wrong with a step that captures. received: of the contexts around it, which are made of another."""
    if is_inside:
        yield "a callback takes down nothing: what it would be told is open"
    if any(received):
        yield "in a context that is made of what was taken down, nothing is: what it would be told is open"
    if (step["what"] == "rooted") is (step["root"] is None):
        yield "`root` goes with `rooted`, and with nothing else"
