"""A step `storm`: programs that run at once, each as it would alone.

Which of them is first in what nobody can say, so there is no prediction of the whole: it is open. Each program has one
of its own, made as if nothing else ran, and one lawful run of the whole is a lawful run of each, interleaved at random.

Enters: a scenario whose last step is a storm. Leaves: its prediction; of that a raw log. The rules are those of all
other chapters: this knows none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from bindproof_reference.relay.run import PROGRAM
from bindproof_reference.relay.values import Json

Predict = Callable[[Json], Json]
Resolve = Callable[[Json, int], list[Json]]


def is_storm(scenario: Json) -> bool:
    """Tell whether a scenario ends with a storm."""
    return bool(scenario["steps"][-1]["step"] == "storm")


def predict_storm(scenario: Json, predict: Predict) -> Json:
    """Return the prediction of such a scenario. predict: makes that of what has no storm."""
    *before, storm = scenario["steps"]
    alone = [predict({"steps": [*before, *program]}) for program in storm["programs"]]
    said = {"before": [step["as"] for step in before], "as": storm["as"], "alone": alone}
    return {"lanes": {PROGRAM: [{"$any": True}]}, "after": [], "open": True, "storm": said}


def interleaved(storm: Json, seed: int, resolve: Resolve) -> list[Json]:
    """Return one lawful run of what is predicted of a storm. resolve: makes one of a prediction of what has none."""
    random = Random(seed)  # noqa: S311 - a run, no secret
    registered = [{"fact": "done", "step": step, "value": None} for step in storm["before"]]
    runs = [resolve(one, random.getrandbits(32)) for one in storm["alone"]]
    own = [_own(run, registered, number) for number, run in enumerate(runs)]
    over = [{"fact": "done", "step": storm["as"], "value": None}, {"fact": "settled"}]
    return list(_counted([*registered, *_merged(own, random), *over]))


def _own(run: list[Json], registered: list[Json], number: int) -> list[Json]:
    """Return what a program's run has of its own; what callbacks did is numbered, so that it is counted anew."""
    own = [record for record in run if record not in registered and record["fact"] != "settled"]
    return [{**record, "run": number} if "callback" in record else record for record in own]


def _merged(runs: list[list[Json]], random: Random) -> Iterator[Json]:
    left = [list(reversed(run)) for run in runs]
    while ready := [run for run in left if run]:
        yield random.choice(ready).pop()


def _counted(log: list[Json]) -> Iterator[Json]:
    """Yield the records with the entries of each callback counted anew, as all programs enter it."""
    counts: Counter[str] = Counter()
    became: dict[tuple[int, str, int], int] = {}
    for record in log:
        if "callback" not in record:
            yield record
            continue
        key = record["run"], record["callback"], record["k"]
        if record["fact"] == "enter":
            became[key] = counts[record["callback"]]
            counts[record["callback"]] += 1
        yield {**{name: value for name, value in record.items() if name != "run"}, "k": became[key]}
