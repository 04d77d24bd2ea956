"""Writes a new suite or adapter that runs, from one in `templates/`, which runs too.

Enters: a folder and a name. Leaves: the files below that folder. Must not know what is in them, but for the words that
stand for the name: of a suite `tally`, `Tally`, `TAL`, of an adapter `starling`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.paths import resolved, templates_root
from bindproof.spec import all_installed
from bindproof.spec.check import accept
from bindproof.targets import known

Kind = Literal["function", "callbacks"]
"""What a suite is about: a pure function, judged by a table of cases; or an object with steps, state and callbacks."""

Language = Literal["python", "node", "go", "rust", "c", "other"]
"""What a new adapter is written in; `other` is one without an SDK."""

_TEMPLATES: Final[dict[Kind, str]] = {"function": "function", "callbacks": "suite"}
_NAME: Final = re.compile(r"[a-z][a-z0-9]+(_[a-z0-9]+)*")
_ADAPTER_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MADE: Final = frozenset({"__pycache__", ".pytest_cache"})
_PREFIX_LENGTHS: Final = (3, 4, 5, 2)


class Words(Struct, frozen=True):
    """What stands for the suite in its files."""

    name: str
    prefix: str
    """The letters of its requirements."""

    def put_into(self, text: str) -> str:
        """Return a text of the template for this suite."""
        titled = "".join(part.capitalize() for part in self.name.split("_"))
        return text.replace("TAL-", f"{self.prefix}-").replace("Tally", titled).replace("tally", self.name)


def name_for(folder: Path) -> str:
    """Return the name that a suite in this folder would have: the folder's, less `bindproof-`."""
    return resolved(folder).name.lower().removeprefix("bindproof-").replace("-", "_")


def write_suite(folder: Path, name: str, kind: Kind = "callbacks") -> list[Path]:
    """Write the package of a suite of this kind and return its files.

    Raises UsageError for a folder that holds something or leads nowhere, or a name that will not do.
    """
    folder = _free(folder)
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a suite: small letters, digits and _, a letter first; give --name")
    specs = all_installed()
    if name in {spec.name for spec in specs}:
        raise UsageError(f"there is a suite {name!r} already; give another --name")
    words = Words(name, _prefix(name, {rule.prefix for spec in specs for rule in spec.requirements.values()}))
    template = templates_root() / _TEMPLATES[kind]
    written = _write(template, folder, words.put_into)
    package = folder / f"bindproof_{name}"
    accept(package, name, ["all"])
    return sorted([*written, package / "spec" / name / "requirements.lock"])


def write_adapter(folder: Path, language: Language) -> list[Path]:
    """Write an adapter in this language, named as its folder, and return its files.

    Raises UsageError for a folder that holds something or leads nowhere, or whose name will not do.
    """
    folder = _free(folder)
    name, templates = folder.name, templates_root() / "adapter"
    if not _ADAPTER_NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for an adapter: small letters, digits and -, a letter first; rename DIR")
    if other := next((one for one in known() if one.name == name), None):
        raise UsageError(f"there is an adapter {name!r} already, in {other.folder}; give DIR another name")
    parts = (templates / "common", templates / language)
    return sorted(path for part in parts for path in _write(part, folder, partial(_named, name)))


def _named(name: str, text: str) -> str:
    return text.replace("starling", name)


def _free(folder: Path) -> Path:
    folder = resolved(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already and not empty; name a folder that is not")
    return folder


def _prefix(name: str, taken: Collection[str]) -> str:
    """Return letters that no other requirement begins with."""
    letters = re.sub(r"[^A-Z]", "", name.upper())
    for length in _PREFIX_LENGTHS:
        if len(letters) >= length and letters[:length] not in taken:
            return letters[:length]
    raise UsageError(f"no beginning of {name!r} is free as the letters of its requirements; give another --name")


def _files(template: Path) -> list[Path]:
    return [path for path in sorted(template.rglob("*")) if path.is_file() and not _MADE & set(path.parts)]


def _write(template: Path, folder: Path, worded: Callable[[str], str]) -> list[Path]:
    """Write the files of a template, their paths and texts worded for what is new; a program stays one.

    Raises UsageError where they cannot be written there.
    """
    written = []
    for source in _files(template):
        path = folder / worded(source.relative_to(template).as_posix())
        text = worded(source.read_text(encoding="utf-8"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(path.stat().st_mode | source.stat().st_mode & 0o111)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}; name another folder") from None
        written.append(path)
    return written
