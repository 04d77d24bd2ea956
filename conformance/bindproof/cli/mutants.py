"""`bindproof mutants`: puts single faults into a copy of a real package, and says which rule names each.

Enters: an adapter's name. Leaves: a line for each fault that no rule names, a table, an exit code. Must not know what
a fault is.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command, digits, shown, whole
from bindproof.cli.progress import Progress
from bindproof.cli.streams import tell
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_DIVERGENCE, EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.mutants import Bench, Fault, Trial

EXAMPLES = """\
  bindproof mutants --adapter python                      every fault of the package's own layer, one at a time
  bindproof mutants --adapter python --sample 40 --seed 7 forty of them, drawn by a seed
  bindproof mutants --adapter python --only 'scope_local.*priority*'
  bindproof mutants --adapter python --list               the faults, and what stands in the place of what
  bindproof mutants --adapter python@0.9.4 --json         a line of JSON for each fault as it is tried
  bindproof mutants --adapter node --only 'index.*'       what the Node package hands on to its native library

what a fault is: an argument that is not passed on, or another one, or exchanged with its neighbour; a priority that is
ignored or negated; a flag that is dropped or always set; a call that is left out or made twice; an answer that is
dropped or reversed. Each is put alone into a copy of the real package, and the vectors that enter its function are
acted out and judged, as in a run. What breaks without the fault counts for nothing.

outcomes:
  named      a rule by its name is broken; the first ones that were are shown
  reference  REF-000 alone: what is seen is not allowed, and no rule says why
  adapter    the adapter alone is blamed
  green      nothing is found
  unreached  nothing is found, because no vector enters the function

why one goes unnamed, as [[layer.unnamed]] of the adapter's manifest says:
  same       no program could tell it from the package as it is
  apart      the suite is not about what it is in
  unset      no scenario shows it yet

exit codes:
  0 each fault is named, or [[layer.unnamed]] in the adapter's manifest says why not · 1 one is not · 2 usage, or the
  adapter cannot be had · 70 bug in bindproof · 130 interrupted
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    summary = "put single faults into a copy of a package, and say which rule names each"
    parser = command(commands, "mutants", summary, EXAMPLES, act=act)
    parser.add_argument("--adapter", required=True, metavar="NAME[@VERSION]", help="whose package gets the faults")
    parser.add_argument("--only", metavar="GLOB", default="*", help="only faults whose name matches, see --list")
    parser.add_argument(
        "--sample", type=whole, metavar="N", help="so many of them, from all parts of the layer; without it, all"
    )
    parser.add_argument("--seed", type=_seed, default=0, metavar="S", help="which ones of a sample (default 0)")
    parser.add_argument("--list", action="store_true", help="print the faults, and try none")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each fault, and no table")
    parser.add_argument("--all", action="store_true", help="print the faults that a rule names too")


def act(args: argparse.Namespace) -> int:
    """Tries the faults one after the other and prints what came of them."""
    from bindproof.mutants import bench

    with tempfile.TemporaryDirectory(prefix="bindproof-") as folder, Progress(sys.stderr) as progress:
        ready = bench(args.adapter, Path(folder), progress.say)
        chosen = _chosen(ready, args)
        if args.list:
            progress.end()
            for fault in chosen:
                _list(fault)
            return EXIT_OK
        trials: list[Trial] = []
        for number, fault in enumerate(chosen, 1):
            progress.say(f"{number} of {len(chosen)}: {fault.name}")
            trial = ready.trial(fault)
            trials.append(trial)
            if args.json:
                tell(json.dumps(_as_json(trial), ensure_ascii=True))
    if not args.json:
        _show(trials, everything=args.all)
    return EXIT_OK if all(trial.good for trial in trials) else EXIT_DIVERGENCE


def _chosen(ready: Bench, args: argparse.Namespace) -> list[Fault]:
    from bindproof.mutants import sample

    found = [fault for fault in ready.faults if fnmatchcase(fault.name, args.only)]
    if not found:
        raise UsageError(f"--only {args.only!r} matches no fault; `bindproof mutants --list` shows them")
    return found if args.sample is None else sample(found, args.sample, args.seed)


def _list(fault: Fault) -> None:
    tell(fault.name)
    for sign, text in (("-", fault.of.before), ("+", fault.of.after)):
        for line in text.splitlines():
            tell(f"  {sign} {line.strip()}")


def _show(trials: Sequence[Trial], *, everything: bool) -> None:
    from bindproof.mutants import OUTCOMES

    for trial in trials:
        if everything or not trial.good:
            said = f"  {', '.join(trial.requirements)}" if trial.requirements else ""
            at = f"  {trial.scenario}" if trial.scenario else ""
            tell(f"{trial.outcome:9}  {trial.fault.name}{said}{at}")
    files = sorted({trial.fault.file for trial in trials})
    width = max(len(name) for name in (*files, "all"))
    tell(f"\n{'':{width}}" + "".join(f"  {name:>9}" for name in (*OUTCOMES, "all", "explained")))
    for name in (*files, "all"):
        own = [trial for trial in trials if name in ("all", trial.fault.file)]
        counts: Counter[str] = Counter(trial.outcome for trial in own)
        explained = sum(1 for trial in own if trial.excuse is not None)
        numbers = (*(counts[outcome] for outcome in OUTCOMES), len(own), explained)
        tell(f"{name:{width}}" + "".join(f"  {number:9}" for number in numbers))
    tell(f"\n{share(trials)}")


def share(trials: Sequence[Trial]) -> str:
    """Return in words how many faults are named of those that a rule could name, and why the others are not."""
    fates = Counter(trial.excuse.fate for trial in trials if trial.excuse is not None)
    named = sum(1 for trial in trials if trial.outcome == "named")
    judged = len(trials) - fates["same"] - fates["apart"]
    share = f" ({100 * named / judged:.0f} %)" if judged else ""
    told = [f"{named} of {judged} faults{share} are named by a rule"]
    told += [f"{fates['unset']} of the others no scenario shows yet"] if fates["unset"] else []
    told += [f"{fates['same']} besides no program could tell"] if fates["same"] else []
    told += [f"{fates['apart']} besides are in what the suite is not about"] if fates["apart"] else []
    return "; ".join(told)


def _as_json(trial: Trial) -> dict[str, object]:
    return {
        "fault": trial.fault.name,
        "file": trial.fault.file,
        "function": trial.fault.function,
        "line": trial.fault.of.line,
        "before": trial.fault.of.before,
        "after": trial.fault.of.after,
        "outcome": trial.outcome,
        "requirements": list(trial.requirements),
        "scenario": trial.scenario,
        "acted": trial.acted,
        "fate": trial.excuse.fate if trial.excuse is not None else "",
        "reason": trial.excuse.reason if trial.excuse is not None else "",
    }


def _seed(text: str) -> int:
    if digits(text) < 0:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number")
    return digits(text)
