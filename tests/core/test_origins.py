"""What people call a scenario, and that nothing is read out of it."""

from __future__ import annotations

import msgspec
import pytest

from bindproof.core.origins import (
    FromFile,
    FromSmoke,
    FromVector,
    Generated,
    Origin,
    SmallerOf,
    TwinOf,
    name_of,
)

NAMES = [
    (FromVector("relay/marks/two"), "relay/marks/two"),
    (TwinOf(FromVector("relay/marks/two")), "relay/marks/two+twin"),
    (FromFile("./my/own.json"), "file/own.json"),
    (TwinOf(FromFile("./my/own.json")), "file/own.json+twin"),
    (Generated(7, 12), "generated/7/12"),
    (Generated(7, 12, guided=True), "generated/guided-7/12"),
    (Generated(7, 12, draw_for="native"), "generated/native-7/12"),
    (Generated(7, 12, guided=True, draw_for="native"), "generated/native-guided-7/12"),
    (SmallerOf(Generated(7, 12), 3), "generated/7/12/3"),
    (FromSmoke(2), "smoke/02"),
]


@pytest.mark.parametrize(("origin", "name"), NAMES)
def test_an_origin_has_the_name_that_people_know_and_comes_back_from_json(origin: Origin, name: str) -> None:
    assert name_of(origin) == name
    assert msgspec.json.decode(msgspec.json.encode(origin), type=Origin) == origin


def test_equal_names_of_different_origins_stay_apart() -> None:
    alike: list[tuple[Origin, Origin]] = [
        (FromVector("relay/a+twin"), TwinOf(FromVector("relay/a"))),
        (FromVector("generated/7/12"), Generated(7, 12)),
        (FromVector("file/own.json"), FromFile("own.json")),
        (FromFile("a/own.json"), FromFile("b/own.json")),
    ]
    for one, other in alike:
        assert name_of(one) == name_of(other)
        assert len({one, other}) == 2
