"""Signs a file with Ed25519, as RFC 8032 has it: hosts of native plugins ask for such signatures.

Enters: bytes. Leaves: their signature under a key that is nobody's secret. Must not know what is signed.
"""

from __future__ import annotations

import base64
from typing import Final

KEY: Final = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
"""The private key of the first example of RFC 8032; what it signs proves nothing to anybody."""


def signed(content: bytes) -> str:
    """Return the signature of a content, as a manifest's file of a signature has it."""
    return f"ed25519:{base64.b64encode(signature(KEY, content)).decode()}"


def signature(key: bytes, content: bytes) -> bytes:
    """Return the signature of a content under a private key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # for builds alone

    return Ed25519PrivateKey.from_private_bytes(key).sign(content)
