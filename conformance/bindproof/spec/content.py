"""All that a suite's folder holds, byte for byte.

Enters: a data root and a suite's name. Leaves: bytes by name, and their digest. Must not know what any file means.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bindproof.spec.files.folder import paths_in
from bindproof.spec.files.text import read_bytes
from bindproof.spec.models import Spec
from bindproof.spec.problem import Problem, read_all

SUFFIXES: Final = (".json", ".lock", ".md", ".toml")
"""What a suite's folder consists of; an editor's copies and the like change no spec."""


def content_of(root: Path, suite: str) -> dict[str, bytes]:
    """Return the bytes of every file of a suite's folder, by name. Raises SpecError for what cannot be read."""
    problems: list[Problem] = []
    start = len(str(root)) + 1
    paths = (path for path in paths_in(root, root / "spec" / suite, problems, deep=True) if path.endswith(SUFFIXES))
    return read_all(((path[start:], path) for path in paths), read_bytes, problems)


def digest_of(content: Mapping[str, bytes]) -> str:
    """Return a digest of the content: what has the same one has the same scenarios and rules."""
    seen = hashlib.sha256()
    for name, data in content.items():
        seen.update(f"{name}\0{len(data)}\0".encode() + data)
    return seen.hexdigest()


def digest_of_suite(spec: Spec) -> str:
    """Return the digest of a suite's folder, as it was read. Raises as `content_of` does."""
    return spec.kept.digest if spec.kept else digest_of(content_of(spec.root, spec.name))
