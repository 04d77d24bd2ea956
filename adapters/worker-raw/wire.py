"""Messages of protocol buffers, field by field: enough to say anything of `grpc-v1`, also wrongly.

Enters: numbers of fields with values, or bytes. Leaves: bytes, or the fields that are in them. Must not know messages.
The protocol is `plugin_worker.proto` in the crate nemo-relay-worker-proto.
"""

from __future__ import annotations

VARINT, BYTES = 0, 2
"""The wire types that the protocol has."""

Value = int | str | bytes


def message(*fields: tuple[int, Value]) -> bytes:
    """Return a message that has these fields, in this order; one may be there several times."""
    return b"".join(_field(number, value) for number, value in fields)


def field(data: bytes, *path: int) -> bytes:
    """Return what the last field of this number holds, inside the one before; empty where there is none."""
    for number in path:
        data = _fields(data).get(number, b"")
    return data


def _field(number: int, value: Value) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | VARINT) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | BYTES) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _fields(data: bytes) -> dict[int, bytes]:
    """Return the fields of a message that hold bytes; numbers are passed over. Raises ValueError for other types."""
    found: dict[int, bytes] = {}
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        size, at = _number(data, at)
        if key & 7 == BYTES:
            found[key >> 3], at = data[at : at + size], at + size
        elif key & 7 != VARINT:
            raise ValueError(f"field {key >> 3} has the wire type {key & 7}, which the protocol does not use")
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
