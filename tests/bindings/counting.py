"""What the adapter of the C library holds for the library, and facts of a log by their members."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bindproof.core.model import AdapterCommand

Json = Any

COUNTED = """
import sys
from pathlib import Path
sys.path.insert(0, {adapter!r})
import adapter
from bindproof_c import Library
from bindproof_c.relay.loading import CONVENTIONS
from nemo_relay_abi import ffi
from bindproof_adapter.relay import Actor
import json

library = Library(ffi, next(Path({library!r}).glob("libnemo_relay_c.*")), CONVENTIONS)
counts = dict(held=0, freed=0, twice=0)
class Held(dict):
    def __setitem__(self, key, value):
        counts["held"] += 1
        super().__setitem__(key, value)
    def pop(self, key, default=None):
        counts["freed" if key in self else "twice"] += 1
        return super().pop(key, default)
library._held = Held()
actor = Actor(adapter.Relay(library, "0.10.4"))
for scenario in json.load(sys.stdin):
    actor.run("relay", scenario)
print(json.dumps({{**counts, "left": len(library._held)}}))
"""


def one(log: list[Json], fact: str, **members: Json) -> Json:
    """The one fact of this kind with these members."""
    (found,) = [seen for seen in log if seen["fact"] == fact and members.items() <= seen.items()]
    return found


def counted(command: AdapterCommand, *scenarios: Json) -> Json:
    """How many Python objects the library was given, has freed, freed twice and still holds after these scenarios."""
    program = COUNTED.format(adapter=str(Path(command.argv[2]).parent), library=command.argv[3])
    ended = subprocess.run(
        [sys.executable, "-S", "-c", program],
        input=json.dumps([{"steps": steps} for steps in scenarios]),
        env=dict(command.env),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(ended.stdout)
