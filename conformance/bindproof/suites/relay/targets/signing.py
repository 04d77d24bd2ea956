"""Signs a file with Ed25519, as RFC 8032 has it: hosts of native plugins ask for such signatures.

Enters: bytes. Leaves: their signature under a key that is nobody's secret. Must not know what is signed.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final, NamedTuple

KEY: Final = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
"""The private key of the first example of RFC 8032; what it signs proves nothing to anybody."""

_P: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, -1, _P) % _P


class _Point(NamedTuple):
    """A point of the curve, in extended coordinates."""

    x: int
    y: int
    z: int
    t: int


_Y: Final = 4 * pow(5, -1, _P) % _P
_X: Final = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE: Final = _Point(_X, _Y, 1, _X * _Y % _P)
_ZERO: Final = _Point(0, 1, 1, 0)


def signed(content: bytes) -> str:
    """Return the signature of a content, as a manifest's file of a signature has it."""
    return f"ed25519:{base64.b64encode(signature(KEY, content)).decode()}"


def signature(key: bytes, content: bytes) -> bytes:
    """Return the signature of a content under a private key."""
    digest = hashlib.sha512(key).digest()
    secret = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    public = _packed(_times(secret, _BASE))
    once = _number(digest[32:], content)
    point = _packed(_times(once, _BASE))
    total = (once + _number(point, public, content) * secret) % _ORDER
    return point + total.to_bytes(32, "little")


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER


def _times(number: int, point: _Point) -> _Point:
    total = _ZERO
    while number:
        if number & 1:
            total = _sum(total, point)
        point, number = _sum(point, point), number >> 1
    return total


def _sum(one: _Point, other: _Point) -> _Point:
    a, b = (one.y - one.x) * (other.y - other.x) % _P, (one.y + one.x) * (other.y + other.x) % _P
    c, d = 2 * one.t * other.t * _D % _P, 2 * one.z * other.z % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return _Point(e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _packed(point: _Point) -> bytes:
    back = pow(point.z, -1, _P)
    x, y = point.x * back % _P, point.y * back % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")
