"""What a seed does: which scenarios are run how, what one adapter does to them, and what happens to the harness.

The clock that jumps is the time of day, as `time.time` gives it: of it a log has when it began, and nothing else. The
steady clock cannot be set by anybody; it can only go on while nothing runs, so a harness is stopped, alone or with all
of its adapters, for longer than a scenario may take.

Enters: a seed, the ids of all vectors. Leaves: a `Story`. Must not know how it is performed or judged.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from tests.chaos.deeds import DEEDS

Script: TypeAlias = dict[str, Any]
"""What the proxy does: `manner` of all it says, and `deeds`, each with `deed`, `method` (`run` unless it is said) and
one of `scenario` (residues of a checksum: the same scenarios each time), `nth` (of each process) and `always`.
"""

Command: TypeAlias = Literal["run", "fuzz", "seconds", "smoke"]
Happening: TypeAlias = Literal[
    "nothing",
    "interrupted",
    "killed",
    "file-limit",
    "memory-limit",
    "full-log",
    "full-stdout",
    "full-stderr",
    "closed-stdout",
    "closed-stderr",
    "closed-all",
    "reader-leaves",
    "two-on-one-log",
    "two-on-one-cold-cache",
    "killed-with-a-cold-cache",
    "wall-clock-jumps",
    "stopped",
    "all-stopped",
]

HAPPENINGS: dict[Happening, int] = {
    "nothing": 110,
    "interrupted": 18,
    "killed": 24,
    "file-limit": 8,
    "memory-limit": 3,
    "full-log": 2,
    "full-stdout": 2,
    "full-stderr": 2,
    "closed-stdout": 2,
    "closed-stderr": 2,
    "closed-all": 2,
    "reader-leaves": 3,
    "two-on-one-log": 5,
    "two-on-one-cold-cache": 4,
    "killed-with-a-cold-cache": 3,
    "wall-clock-jumps": 3,
    "stopped": 3,
    "all-stopped": 3,
}
"""How often each happens, of all together."""

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Story(msgspec.Struct, frozen=True):
    """What one seed does.

    vectors: the scenarios of a `run`. timeout: seconds that a scenario may take. at: shares of the log after whose
    writing something happens to the harness, each to one harness. signal: for `interrupted`. limit: share of a log of
    this kind that fits, for `file-limit`. afresh: it is started as users do, and not forked from a warm one.
    """

    seed: int
    command: Command
    script: Script
    happening: Happening
    vectors: tuple[str, ...]
    timeout: float = 4.0
    jobs: int = 1
    report: str = "requirements"
    at: tuple[int, ...] = ()
    signal: int = 0
    limit: int = 0
    afresh: bool = False
    healthy: bool = True

    @property
    def deeds(self) -> list[dict[str, Any]]:
        """What the wild adapter does, and when."""
        found: list[dict[str, Any]] = self.script.get("deeds", [])
        return found

    @property
    def settled(self) -> bool:
        """True where each scenario has one outcome, however often and in which company it is sent."""
        return all("scenario" in one and not DEEDS[one["deed"]].adapter for one in self.deeds)

    @property
    def may_be(self) -> frozenset[str]:
        """The outcomes that a scenario may have for what the wild adapter does at it."""
        done = [DEEDS[one["deed"]] for one in self.deeds]
        unheard = "holders" in self.script.get("manner", {}) and any(deed.lives_on for deed in done)
        return frozenset({"timeout"} if unheard else ()).union(*(deed.may_be for deed in done))

    def words(self) -> str:
        """The story in a few lines."""
        about = f"{len(self.vectors)} vectors" if self.command == "run" else "generated scenarios"
        lines = [f"seed {self.seed}: {self.command} of {about}, timeout {self.timeout:g} s, {self.jobs} process(es)"]
        if self.afresh:
            lines.append("  started afresh")
        lines += [f"  the adapter, always: {name} {value}" for name, value in self.script.get("manner", {}).items()]
        lines += [f"  the adapter {_when(one)} {DEEDS[one['deed']].does} ({one['deed']})" for one in self.deeds]
        if self.happening != "nothing":
            more = {"interrupted": f" by {signal.Signals(self.signal or 2).name}"}.get(self.happening, "")
            where = f" after {', '.join(map(str, self.at))} lines" if self.at else ""
            lines.append(f"  the harness: {self.happening}{more}{where}")
        return "\n".join(lines)


def _when(one: dict[str, Any]) -> str:
    method = {"run": "", "initialize": "at its start ", "shutdown": "at its end "}[one.get("method", "run")]
    if "scenario" in one:
        return f"at {len(one['scenario'])} of 1000 scenarios"
    return f"at the {one['nth']}. scenario of each process" if "nth" in one else f"{method}always"


def story(seed: int, vectors: Sequence[str]) -> Story:
    """Return what a seed does; the same on every machine, for the same vectors."""
    chance = random.Random(seed)
    happening = chance.choices(list(HAPPENINGS), list(HAPPENINGS.values()))[0]
    command: Command = chance.choices(("run", "fuzz", "seconds", "smoke"), (84, 2, 8, 6))[0]
    if happening != "nothing":
        command = "run"
    script: Script = {"seed": seed, "manner": _manner(chance), "deeds": _deeds(chance, command, happening)}
    kills = chance.choice((1, 1, 2, 3)) if happening == "killed" else 1
    return Story(
        seed,
        command,
        script,
        happening,
        timeout=chance.choice((0.6, 0.8, 1.5)) if happening in ("stopped", "all-stopped") else 4.0,
        jobs=chance.choice((1, 1, 1, 2)),
        report=chance.choice(("requirements", "requirements", "json", "verdicts")),
        at=tuple(chance.randint(1, 22) for _ in range(kills)),
        signal=chance.choice(SIGNALS),
        limit=chance.randint(0, 60_000),
        afresh=chance.random() < 0.04,
        healthy=chance.random() < 0.8,
        vectors=tuple(sorted(chance.sample(list(vectors), chance.randint(3, 10)))),
    )


def _manner(chance: random.Random) -> dict[str, Any]:
    every = {
        "delay": chance.choice((0.001, 0.02)),
        "split": chance.choice((1, 7, 500)),
        "merge": chance.choice((2, 3, 50)),
        "reads": chance.choice((1, 100, 5000)),
        "respell": True,
        "stderr": chance.choice((1, 1000, 100_000)),
        "deaf_to_signals": True,
        "outlives_its_input": True,
        "closes_stderr": True,
        "holders": chance.choice((1, 3)),
    }
    return {name: value for name, value in every.items() if chance.random() < 0.12}


QUICK = [name for name, deed in DEEDS.items() if not deed.cost]
SLOW = [name for name, deed in DEEDS.items() if deed.cost]
ANY_METHOD = ("garbage-before", "garbage-behind", "error", "another-result", "ends", "half", "two-ids", "to-nobody")


def _deeds(chance: random.Random, command: str, happening: Happening) -> list[dict[str, Any]]:
    if happening in ("stopped", "all-stopped", "memory-limit") or chance.random() < 0.15:
        return []
    if chance.random() < 0.08:
        method = chance.choice(("initialize", "shutdown"))
        return [{"deed": chance.choice(ANY_METHOD), "method": method, "always": True}]
    names = [chance.choice(SLOW if chance.random() < 0.15 and command in ("run", "seconds") else QUICK)]
    while command == "run" and chance.random() < 0.2:
        names.append(chance.choice(QUICK))
    if chance.random() < 0.2:
        return [{"deed": name, "nth": chance.randint(0, 9)} for name in names]
    share = 90 if command == "run" else 40
    return [{"deed": name, "scenario": sorted(chance.sample(range(1000), share))} for name in names]
