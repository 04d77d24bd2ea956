"""`bindproof evolve check` of schemas without a suite: what a release breaks, held to what a project allows.

Enters: two sides, a policy, a release. Leaves: what the release may not have on stdout, an exit code.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.evolve_patience import patience_of
from bindproof.cli.streams import say, tell
from bindproof.core.counting import plural

if TYPE_CHECKING:
    from bindproof.evolve.answers import Decision, Direction
    from bindproof.evolve.findings import Findings


def act_policy(args: argparse.Namespace) -> int:
    """Compares two sides and prints what the release may not have."""
    from bindproof.evolve.findings import EXIT_CODES, compared
    from bindproof.evolve.limits import TimeUpError, within
    from bindproof.evolve.policy import Policy, forbidden, read_policy
    from bindproof.evolve.sides import two_sides
    from bindproof.evolve.words import place_of

    policy = read_policy(args.policy) if args.policy else Policy()
    with tempfile.TemporaryDirectory() as folder, patience_of(args) as patience:
        try:
            with within(args.seconds, "to read both sides"):
                sides = two_sides(args.old, args.new, Path(folder))
            found = compared(*sides, patience=patience)
        except TimeUpError as error:
            say(f"bindproof: {error}")
            return EXIT_CODES["unknown"]
    wrong = list(forbidden(found, policy, args.release))
    if args.json:
        missing = [_told(found, *one) for one in wrong]
        tell(json.dumps({"old": found.old, "new": found.new, "release": args.release, "missing": missing}, indent=2))
    else:
        for one in wrong:
            told = _told(found, *one)
            where = place_of(found, one[0].difference) if one[0].difference else found.new
            tell(f"{where}: {told['text']}\n  next: {told['next']}")
        counts = f"{plural(len(found.each), 'difference')}; {len(wrong)} not allowed in a {args.release} release"
        tell(f"{found.old} → {found.new}: {counts}")
    if found.outcome() == "nothing":
        return EXIT_CODES["nothing"]
    if not wrong:
        return EXIT_CODES["compatible"]
    breaks = any(decision.answer(direction).breaks for decision, direction in wrong)
    return EXIT_CODES["breaking" if breaks else "unknown"]


def _told(found: Findings, decision: Decision, direction: Direction) -> dict[str, object]:
    import msgspec

    from bindproof.evolve.words import name_of, path_of, shown, verdict

    one, answer = decision.difference, decision.answer(direction)
    what = f"{one.kind} at {name_of(one)} [{one.fingerprint}] is" if one else "all differences together are"
    witness = "" if answer.witness is msgspec.UNSET else f" {shown(answer.witness)}"
    kind = one.kind if one else "*"
    return {
        "file": path_of(found, one) if one else found.new,
        "line": one.line if one else 1,
        "text": f"{what} {verdict(answer)} ({answer.grade}) for {decision.meaning(direction)}: {answer.why}{witness}",
        "next": f"take it back, make a greater release, or allow {kind!r} ({direction}) in the policy",
    }
