"""Which vectors claim what is so, kept from one start to the next: by the content of each, of its suite and of code.

Enters: a spec, its suite. Leaves: whether a vector's claims were found to be so in an earlier start, to which this one
adds. Must not know what a vector claims.

What a chapter says in words decides nothing here, only where its rules hold; nor does any other vector.
"""

from __future__ import annotations

import hashlib
import sys

import msgspec
from msgspec.structs import replace

from bindproof.core import memory
from bindproof.core.paths import PACKAGE
from bindproof.spec import Requirement, Spec, Vector
from bindproof.spec.content import content_of
from bindproof.suites import Recognising, Suite

_WHAT = "claims"
_APART = ("vectors/", "expectations/", "changes/", "bundles/", "sources.toml", "requirements.lock", "editions.lock")
"""Files of a suite's folder that say nothing of what a scenario comes to; nor does what is written for people."""


class KeptClaims:
    """What is known of a suite's vectors. few: each is tried in few settings only (see `Claims`)."""

    def __init__(self, spec: Spec, suite: Suite, *, few: bool) -> None:
        self._of = f"{spec.root} {spec.name} {'few' if few else 'every'}"
        self._content: dict[str, bytes] = {}
        self._key: bytes | None = None
        self._so: set[bytes] = set()
        if memory.is_used() and isinstance(suite, Recognising):
            self._content = content_of(spec.root, spec.name)
            self._key = _key(spec, suite, self._content)
        found = self._key and memory.recalled(_WHAT, self._of, self._key, frozenset[bytes])
        self._known: frozenset[bytes] = found or frozenset()

    def are_so(self, vector: Vector) -> bool:
        """Tell whether a vector's claims are known to be so."""
        known = self._digest(vector) in self._known
        if known:
            self.add(vector)
        return known

    def add(self, vector: Vector) -> None:
        """Take note that a vector's claims are so."""
        self._so.add(self._digest(vector))

    def keep(self) -> None:
        """Keep what is known now of the vectors that there are."""
        if self._key is not None and self._so != self._known:
            memory.keep(_WHAT, self._of, self._key, frozenset(self._so))

    def _digest(self, vector: Vector) -> bytes:
        return hashlib.sha256(f"{vector.id}\0".encode() + self._content.get(vector.file, b"")).digest()


def _key(spec: Spec, suite: Recognising, content: dict[str, bytes]) -> bytes:
    folder = f"spec/{spec.name}/"
    said = [
        (name, data)
        for name, data in content.items()
        if not name.endswith(".md") and not name.removeprefix(folder).startswith(_APART)
    ]
    rules = [_in_force(rule) for rule in spec.requirements.values()]
    files = [*said, ("rules", msgspec.json.encode(rules)), ("python", sys.version.encode())]
    return memory.key_of(files, (PACKAGE, *suite.code))


def _in_force(rule: Requirement) -> Requirement:
    """Return a requirement without what is written for people, and where."""
    return replace(rule, title="", sources=(), statement="", explanation="", file="", line=0, digest="")
