"""Asks jsonsubschema and jsoncompat about pairs of schemas, one pair a line on stdin; answers and seconds on stdout.

Runs in an environment of its own, which `benchmarks.evolution` makes.
"""

import contextlib
import json
import sys
import time
from typing import Any

import jsoncompat
from jsonsubschema import isSubschema


def by_jsonsubschema(old: Any, new: Any) -> bool:
    """Tell whether the new side takes all that the old one takes."""
    with contextlib.redirect_stdout(None):
        return bool(isSubschema(old, new))


def by_jsoncompat(old: Any, new: Any) -> bool:
    """Tell the same; it has no third answer."""
    return bool(jsoncompat.check_compat(json.dumps(old), json.dumps(new), "deserializer"))


TOOLS = {"jsonsubschema": by_jsonsubschema, "jsoncompat": by_jsoncompat}


def main() -> None:
    """Answer each line."""
    stdout = sys.stdout
    told: dict[str, list[Any]]
    for line in sys.stdin:
        old, new = json.loads(line)
        told = {}
        for name, tool in TOOLS.items():
            started = time.perf_counter()
            try:
                answer = "safe" if tool(old, new) else "breaking"
            except BaseException:
                answer = "undecided"
            told[name] = [answer, time.perf_counter() - started]
        print(json.dumps(told), file=stdout, flush=True)


main()
