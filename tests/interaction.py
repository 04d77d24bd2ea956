"""The suite `interaction` as the tests ask it."""

from __future__ import annotations

from typing import Any

from bindproof_reference.interaction import resolve
from tests.one_setting import OneSetting, broken, through_json

__all__ = ["EDITION", "INTERACTION", "SPEC", "SUITE", "VECTORS", "broken", "judged", "lawful", "through_json"]

Json = Any

INTERACTION = OneSetting("interaction", resolve)
SPEC, SUITE, EDITION, VECTORS = INTERACTION.spec, INTERACTION.suite, INTERACTION.edition, INTERACTION.vectors
lawful, judged = INTERACTION.lawful, INTERACTION.judged
