"""Prints what is said of changes of lawful logs, and the classes of those that no rule names."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter

from benchmarks.attribution.changes import GIVEN, KINDS
from benchmarks.attribution.classes import LAWFUL, UNSPOKEN, reason
from benchmarks.attribution.measuring import NAMED, PASSED, REFERENCE, REFUSED, SAID, SPEC, Asked, Found, measure


def main() -> int:
    """Print the tables; 1 where a change that a statement speaks of is named in less than 98 of 100, or one passes."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--edition", default=SPEC.newest.name)
    words.add_argument("--dialect", default="python", help="one of spec/relay/dialects, or `all`")
    words.add_argument("--generated", type=int, default=300, metavar="N", help="generated scenarios beside the vectors")
    words.add_argument("--each", type=int, default=10, metavar="N", help="changes of each log, drawn by the seed")
    words.add_argument("--all", action="store_true", help="every change of each log instead")
    words.add_argument("--given", action="store_true", help="changes of what callbacks are given alone")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    words.add_argument("--show", metavar="WORDS", help="print examples of the classes that have these words")
    words.add_argument("--classes", type=int, default=30, metavar="N", help="how many of the other classes to print")
    chosen = words.parse_args()
    names = sorted(SPEC.dialects) if chosen.dialect == "all" else [chosen.dialect]
    good = True
    for name in names:
        each = 0 if chosen.all else chosen.each
        kinds = GIVEN if chosen.given else tuple(KINDS)
        found = measure(Asked(chosen.edition, name, chosen.generated, each, chosen.seed, kinds), chosen.processes)
        good &= tell(name, found, chosen.classes)
        if chosen.show is not None:
            show(found, chosen.show)
        sys.stdout.flush()
    return 0 if good else 1


def tell(dialect: str, found: Found, most: int) -> bool:
    """Print one dialect's tables; tell whether at least 98 of 100 are named."""
    total: Counter[str] = sum(found.counts.values(), Counter())
    print(f"\n{dialect}: {found.logs} logs, {total.total()} changes")
    print(f"{'change':12} {'all':>7}" + "".join(f" {said:>10}" for said in SAID))
    for kind, count in [*found.counts.items(), ("all", total)]:
        whole = count.total() or 1
        print(f"{kind:12} {count.total():7}" + "".join(f" {count[said] / whole:>10.1%}" for said in SAID))
    open_, missed = _sorted_out(found.classes[REFERENCE], UNSPOKEN)
    lawful, passed = _sorted_out(found.classes[PASSED], LAWFUL)
    named = total[NAMED] + total[REFUSED]
    share = named / (named + missed.total() + passed.total() or 1)
    print(f"of what a statement speaks of, {share:.2%} break a rule by name or are refused as no observation")
    for title, counts, shown in (
        ("only the reference sees, for no statement speaks of it", open_, len(open_)),
        ("passes, because it is lawful", lawful, len(lawful)),
        ("only the reference sees, though a statement speaks of it", missed, most),
        ("passes, and nobody knows why", passed, most),
    ):
        if counts:
            print(f"{title}: {counts.total()}")
            for name, often in counts.most_common(shown):
                print(f"{often:7} {name}")
    return share >= 0.98 and not passed


def _sorted_out(classes: Counter[str], table: dict[str, str]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each reason of a table holds, and the classes for which it has none."""
    known: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for name, count in classes.items():
        why = reason(name, table)
        if why is None:
            others[name] += count
        else:
            known[why] += count
    return known, others


def show(found: Found, words: str) -> None:
    """Print examples of classes."""
    for (said, name), examples in sorted(found.examples.items()):
        if words in f"{said} {name}":
            for one in examples:
                print(f"\n{said} {name}\n   {json.dumps(one.scenario)}")
                for mark, rows in (("-", one.gone), ("+", one.come)):
                    for row in rows:
                        print(f"   {mark} {json.dumps(row)}")


if __name__ == "__main__":
    sys.exit(main())
