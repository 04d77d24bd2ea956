"""Any JSON is compared, or refused with its line: never a traceback, whatever it looks like.

A sample of the drawn values is compared; all of them are by
`BINDPROOF_VALUES=100000 pytest -m long tests/evolve/test_any_json.py`.
"""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from bindproof.core.model import copied
from bindproof.evolve.bounded import Patience, decisions
from bindproof.evolve.compare import Comparison
from bindproof.evolve.keywords import ASSERTING, OPEN, WORDS
from bindproof.spec.problem import SpecError
from tests.evolve.schemas_of import Json, each, side

KEYS = (*sorted(ASSERTING | OPEN | WORDS), "$defs", "definitions", "$anchor", "$dynamicAnchor", "a")
ATOMS: tuple[Json, ...] = (None, True, False, 0, -1, 1.5, 2**30, 1e300, "", "#", "#/", "a", "string", "object", "é")
ODD: tuple[Json, ...] = ("^(a+)+$", "(", "[", "http://[", "#/$defs/a", "#a", "null", "\0", "#/~2", "%zz", "#/%zz", {})
DRAFTS: tuple[Json, ...] = (
    "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-04/schema#",
)

SHARE = 10_000
VALUES = int(os.environ.get("BINDPROOF_VALUES") or 3 * SHARE)


def value(random: Random, depth: int) -> Json:
    chance = random.random()
    if depth == 0 or chance < 0.35:
        return copied(random.choice((*ATOMS, *ODD, *DRAFTS)))  # the empty object may be filled
    if chance < 0.5:
        return [value(random, depth - 1) for _ in range(random.randint(0, 3))]
    return {random.choice(KEYS): value(random, depth - 1) for _ in range(random.randint(0, 4))}


def is_compared(random: Random) -> bool:
    """Compare two drawn values, mostly alike; False where one was refused."""
    old = value(random, 4)
    new = value(random, 4) if random.random() < 0.3 else copied(old)
    if isinstance(new, dict) and random.random() < 0.8:
        new[random.choice(KEYS)] = value(random, 2)
    try:
        asked = Comparison(side(s=old), side(s=new), tries=3)
    except SpecError:
        return False
    for number in range(len(asked)):
        decision = asked.decision(number)
        assert json.dumps(decision.old_to_new.why)
    return True


@pytest.mark.long
def test_some_drawn_values() -> None:
    random = Random(1)
    assert 20 < sum(is_compared(random) for _ in range(1000)) < 500


@pytest.mark.long
@pytest.mark.parametrize("share", range(VALUES // SHARE))
def test_many_drawn_values_are_compared_or_refused(share: int) -> None:
    random = Random(100 + share)
    for _ in range(SHARE):
        is_compared(random)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"properties":' * 10_000 + "{}" + "}" * 10_000, "nested deeper than 200"),
        ("[" * 10_000, "nested deeper than 200|no JSON"),
        ('{"maximum": ' + "9" * 5000 + "}", "nothing that can be read"),
        ('{"type": "string", "type": "null"}', "stands twice"),
        ("", "no JSON"),
    ],
)
def test_a_hostile_text_is_refused_with_its_line(text: str, said: str) -> None:
    from bindproof.spec.files.document import parse

    with pytest.raises(SpecError, match=said):
        parse(text.encode(), "s.json")


@pytest.mark.long
def test_a_schema_of_five_megabytes_has_an_answer() -> None:
    wide = {
        "type": "object",
        "properties": {
            f"p{number}": {"type": "string", "maxLength": 9, "description": "d" * 10_000} for number in range(500)
        },
    }
    assert len(json.dumps(wide)) > 5_000_000
    narrow = copied(wide)
    narrow["properties"]["p7"]["maxLength"] = 8
    (found, together) = decisions(side(s=wide), side(s=narrow), dict, Patience(120.0))
    assert found.difference is not None
    assert found.difference.pointer == "/properties/p7/maxLength"
    assert not found.old_to_new.is_safe
    assert not together.old_to_new.is_safe


def test_references_that_double_at_each_step_are_answered() -> None:
    """Written out, it would have 2^30 parts."""
    bomb = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)}
    old, new = ({"$ref": "#/$defs/d0", "$defs": {**bomb, "d30": {"type": kind}}} for kind in ("number", "integer"))
    (found,) = each(old, new)
    assert found.old_to_new.grade == found.new_to_old.grade == "UNKNOWN"
    assert found.old_to_new.why == "s.json asks itself, or too many schemas, of one value."
