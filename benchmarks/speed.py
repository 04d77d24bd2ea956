"""Measures speed: `python -m benchmarks.speed`, from the repository's root. Prints tables, or JSON; judges nothing.

Enters: its arguments. Leaves: medians and ratios on stdout. Rates move by a third on a shared machine, so what is
compared is measured in pairs, one after the other, over several rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict

from benchmarks import campaigns, ceiling, direct, second, startup
from benchmarks.path import BenchmarkError
from bindproof.core.model import Json

RATIO_TARGET = 1.2
"""Seconds with the harness ÷ seconds of the direct loop should stay below this."""

PARTS = ("direct", "second", "ceiling", "startup", "generated", "campaign")
LONG_PARTS = ("growth",)
"""Parts that are measured only where they are named."""


def main() -> int:
    """Measure what was asked for; 1 when something that was to be measured did not work."""
    args = _arguments()
    parts: dict[str, Callable[[], list[Json]]] = {
        "direct": lambda: _direct(args.adapter, args.scenarios, args.rounds),
        "second": lambda: _second(args.adapter, args.scenarios, args.rounds),
        "ceiling": lambda: _ceiling(args.record_from, args.replayed, args.rounds),
        "startup": lambda: _startup(args.adapter, args.rounds),
        "generated": lambda: [asdict(row) for row in campaigns.generated(args.scenarios, args.rounds)],
        "campaign": lambda: [asdict(campaigns.judged(one, args.scenarios, args.rounds)) for one in args.adapter],
        "growth": lambda: [asdict(row) for one in args.adapter for row in campaigns.grown(one, args.examples)],
    }
    found = {}
    try:
        for name in args.part or PARTS:
            found[name] = parts[name]()
            if not args.json:
                _SHOW[name](found[name])
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(found, indent=2))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument(
        "--part", action="append", choices=(*PARTS, *LONG_PARTS), help="only this part; may be given again"
    )
    parser.add_argument("--adapter", action="append", default=[], help="only this adapter; may be given again")
    parser.add_argument("--scenarios", type=int, default=2000, help="scenarios a round beside the direct loop")
    parser.add_argument("--replayed", type=int, default=10_000, help="scenarios a round from the replaying adapter")
    parser.add_argument("--examples", type=int, default=100_000, help="scenarios of the part `growth`")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each measurement, an odd number")
    parser.add_argument("--record-from", default="reference", help="the adapter whose observations are replayed")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    args = parser.parse_args()
    args.adapter = args.adapter or ["reference", "python", "node"]
    return args


def _direct(adapters: list[str], count: int, rounds: int) -> list[Json]:
    return [asdict(row) for adapter in adapters for row in direct.measure(adapter, count, rounds)]


def _second(adapters: list[str], count: int, rounds: int) -> list[Json]:
    return [asdict(second.measure(adapter, count, rounds)) for adapter in adapters]


def _ceiling(adapter: str, count: int, rounds: int) -> list[Json]:
    return [asdict(row) for row in ceiling.measure(adapter, count, rounds)]


def _startup(adapters: list[str], rounds: int) -> list[Json]:
    return [asdict(startup.measure(adapter, rounds)) for adapter in adapters]


def _show_direct(rows: list[Json]) -> None:
    print(f"\nThe harness beside a direct loop (seconds with ÷ seconds without; target: at most {RATIO_TARGET})")
    print(f"{'adapter':12}{'workload':12}{'harness/s':>11}{'direct/s':>11}{'ratio':>8}{'of pairs':>14}{'of best':>9}")
    for row in rows:
        spread = f"{row['lowest']:.2f}–{row['highest']:.2f}"
        print(
            f"{row['adapter']:12}{row['workload']:12}{row['harness']:11.0f}{row['direct']:11.0f}"
            f"{row['ratio']:8.2f}{spread:>14}{row['of_best']:9.2f}"
        )


def _show_second(rows: list[Json]) -> None:
    print("\nTwo processes of one adapter share the scenarios (scenarios/s; gain: rate with two ÷ rate with one)")
    print(f"{'adapter':12}{'one/s':>11}{'two/s':>11}{'gain':>8}{'of pairs':>14}")
    for row in rows:
        spread = f"{row['lowest']:.2f}–{row['highest']:.2f}"
        print(f"{row['adapter']:12}{row['one']:11.0f}{row['two']:11.0f}{row['gain']:8.2f}{spread:>14}")


def _show_ceiling(rows: list[Json]) -> None:
    reach = f"floor {ceiling.FLOOR:,}, within reach {ceiling.WITHIN_REACH:,}"
    print(f"\nThe harness alone, an adapter replaying from memory: plan to verdict in the log ({reach})")
    print(f"{'workload':12}{'scenarios':>10}{'median/s':>10}{'best/s':>10}   µs of the harness's own work")
    for row in rows:
        parts = " · ".join(f"{name} {value:.0f}" for name, value in row["parts"].items())
        print(f"{row['workload']:12}{row['scenarios']:>10}{row['rate']:10.0f}{row['best']:10.0f}   {parts}")


def _show_startup(rows: list[Json]) -> None:
    print(f"\nFrom the command to the first verdict, warm cache (target: {startup.TARGET} s)")
    for row in rows:
        print(f"{row['adapter']:12}{row['median']:8.2f} s   best {row['best']:.2f} s")


def _show_generated(rows: list[Json]) -> None:
    print(f"\nComplete scenarios of the generator (scenarios/s; target of the seed: {campaigns.TARGET:,})")
    for row in rows:
        print(f"{row['driver']:12}{row['rate']:11.0f}   best {row['best']:.0f}")


def _show_campaign(rows: list[Json]) -> None:
    print(f"\nCampaigns beside a direct loop over the same scenarios (scenarios/s; ratio: aim {RATIO_TARGET})")
    print(f"{'adapter':12}{'campaign/s':>11}{'direct/s':>11}{'ratio':>8}")
    for row in rows:
        print(f"{row['adapter']:12}{row['campaign']:11.0f}{row['direct']:11.0f}{row['ratio']:8.2f}")


def _show_growth(rows: list[Json]) -> None:
    print("\nA long campaign in parts (seconds of each part, of them the harness at work; the most memory so far)")
    for row in rows:
        print(f"{row['verdicts']:>10} verdicts{row['seconds']:9.1f} s{row['work']:9.1f} s{row['memory']:9.0f} MiB")


_SHOW: dict[str, Callable[[list[Json]], None]] = {
    "direct": _show_direct,
    "second": _show_second,
    "ceiling": _show_ceiling,
    "startup": _show_startup,
    "generated": _show_generated,
    "campaign": _show_campaign,
    "growth": _show_growth,
}

if __name__ == "__main__":
    sys.exit(main())
