"""Signatures are those of RFC 8032, as its examples have them, and of the words that adapters fill in."""

from __future__ import annotations

import json

import pytest

from bindproof.core.paths import adapters_root
from bindproof.suites.relay.targets import signing

EXAMPLES = [
    (
        signing.KEY.hex(),
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
]
"""A private key, a text and its signature: the first two examples of section 7.1."""


@pytest.mark.parametrize(("key", "text", "signature"), EXAMPLES)
def test_an_example_is_signed_as_the_rfc_has_it(key: str, text: str, signature: str) -> None:
    assert signing.signature(bytes.fromhex(key), bytes.fromhex(text)).hex() == signature


def test_another_signature_is_by_the_same_key_and_of_no_library() -> None:
    words = json.loads((adapters_root() / "sdk" / "plugin" / "native.json").read_text("utf-8"))
    assert words["another_signature"] == signing.signed(b"")
