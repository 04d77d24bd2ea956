"""What suite.toml alone says of a suite, for who needs no more of it.

Enters: a data root and a suite's name. Leaves: a Head, or a SpecError. Must not know dialects, chapters or vectors.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from bindproof.core import memory
from bindproof.core.paths import PACKAGE
from bindproof.spec.files.document import parse
from bindproof.spec.files.folder import relative
from bindproof.spec.files.reader import of_form
from bindproof.spec.files.text import read_bytes
from bindproof.spec.models import Edition, newest_of


class Head(msgspec.Struct, frozen=True):
    """The editions of a suite, oldest first, and the module of its reference, or None."""

    editions: tuple[Edition, ...]
    reference: str | None

    @property
    def newest(self) -> Edition:
        """The newest edition that is no preview, or the newest of all where all are."""
        return newest_of(self.editions)


def head_of(root: Path, suite: str) -> Head:
    """The head of the suite below `<root>/spec/<suite>`. SpecError when suite.toml does not follow its format."""
    path = root / "spec" / suite / "suite.toml"
    name = relative(root, path)
    data = read_bytes(path, name)
    key = memory.key_of([(name, data)], [PACKAGE / "spec", PACKAGE / "core"])
    return memory.kept("suite", f"{root} {suite}", key, Head, lambda: _read(data, name))


def _read(data: bytes, name: str) -> Head:
    from bindproof.spec.files.models import SuiteFile

    file = of_form(SuiteFile, parse(data, name)).value
    return Head(tuple(edition.into(Edition) for edition in file.edition), file.reference)
