"""Messages of the raw worker are those of protocol buffers, byte by byte."""

from __future__ import annotations

from types import ModuleType

import pytest

from bindproof.core.paths import adapters_root
from tests.loose import module_at


@pytest.fixture(scope="module")
def wire() -> ModuleType:
    """The module, which is no part of a package."""
    return module_at(adapters_root() / "worker-raw" / "wire.py")


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        (((1, 150),), "089601"),  # the encoding's own first example
        (((2, "testing"),), "120774657374696e67"),
        (((11, b"\xff"),), "5a01ff"),
        (((1, 0), (1, 1)), "08000801"),
        (((4, "x" * 200),), "22c801" + "78" * 200),
    ],
)
def test_a_message_is_its_fields_in_their_order(wire: ModuleType, fields: tuple[object, ...], data: str) -> None:
    assert wire.message(*fields).hex() == data


def test_a_field_is_found_inside_others(wire: ModuleType) -> None:
    inner = wire.message((3, 7), (1, "first"), (1, "last"))
    outer = wire.message((1, "id"), (12, inner), (6, 300))
    assert wire.field(outer, 12, 1) == b"last"
    assert wire.field(outer, 12, 2) == b""
    assert wire.field(outer, 9, 1) == b""


def test_a_type_that_the_protocol_has_not_is_refused(wire: ModuleType) -> None:
    with pytest.raises(ValueError, match="field 1 has the wire type 1"):
        wire.field(bytes([0x09, 0]), 1)
