"""What is nested in a value."""

from __future__ import annotations

from bindproof.core.nesting import objects_in


def test_every_object_in_a_value_is_found_itself_included() -> None:
    inner = {"b": 1}
    value = {"a": [inner, [{"c": {}}]]}
    found = list(objects_in(value))
    assert found[0] is value
    assert sorted(map(str, found[1:])) == sorted(map(str, [inner, {"c": {}}, {}]))
