"""What a reference acts out: one run that its own prediction allows, held to what a run has to be.

Enters: the `resolve` of a suite's reference, a scenario made ready. Leaves: a log. Must not know who asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bindproof.core.model import Json, copied
from bindproof.suite_api import Prepared
from bindproof.suites.mistakes import UnfitError

Resolve = Callable[[Json, int, Json, Json], list[Json]]
"""Of a reference: gives one run that a prediction allows; a seed chooses which, and it is told dialect and scenario."""


def acted_out(resolve: Resolve, prepared: Prepared, seed: int, dialect: Json) -> list[Json]:
    """Return a run of a scenario that its prediction allows; raises UnfitError for what is no list of records."""
    log: Any = copied(resolve(copied(prepared.prediction), seed, dialect, prepared.spelled))
    if not isinstance(log, list) or not all(isinstance(record, dict) for record in log):
        raise UnfitError(f"`resolve` gives no list of records: {log!r:.100}", resolve)
    return log
