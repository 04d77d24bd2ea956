"""The suite `cells` as the tests ask it."""

from __future__ import annotations

from typing import Any

from bindproof_reference.cells import resolve
from tests.one_setting import OneSetting, broken, through_json

__all__ = ["CELLS", "EDITION", "SPEC", "SUITE", "VECTORS", "broken", "judged", "lawful", "prepare", "through_json"]

Json = Any

CELLS = OneSetting("cells", resolve)
SPEC, SUITE, EDITION, VECTORS = CELLS.spec, CELLS.suite, CELLS.edition, CELLS.vectors
prepare, lawful, judged = CELLS.prepare, CELLS.lawful, CELLS.judged
