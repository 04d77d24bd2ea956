from __future__ import annotations

import pytest

from bindproof_reference.relay.editions import EDITIONS, Rules, UnknownEditionError, rules
from tests.relay import SPEC


def test_the_reference_knows_the_editions_of_the_spec_in_their_order() -> None:
    assert list(EDITIONS) == list(SPEC.edition_names)


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("0.9", Rules(original_exception=False, tracestate_removed=False)),
        ("0.10", Rules(original_exception=True, tracestate_removed=True)),
    ],
)
def test_what_each_edition_switches(edition: str, expected: Rules) -> None:
    assert rules(edition) == expected


def test_an_unknown_edition_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownEditionError, match=r"'0\.8' is not known to the reference; known: 0\.9, 0\.10"):
        rules("0.8")
