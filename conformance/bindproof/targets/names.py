"""What the user wrote after `@`: a release, a local build, the installed package, or nothing.

Enters: text. Leaves: what is meant. Must not know which adapters exist.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bindproof.core.paths import resolved
from bindproof.targets.unmet import Unmet

_PATH_STARTS = ("./", "../", "/", "~/")
_RELEASE = re.compile(r"v?\d[\w.+!-]*")


class Wanted(Struct, frozen=True):
    """Which build of the target is meant."""

    kind: Literal["default", "release", "path", "env"]
    text: str = ""
    """The release or path as written; empty for `default` and `env`."""


def split(spec: str) -> tuple[str, str | None]:
    """Split `python@0.9.4` into name and the rest; the rest is None without an `@`, and `reference:0.9` needs none.

    The name may be the path of an adapter's folder (see `is_folder`).
    """
    name, at, rest = spec.partition("@")
    if at:
        return name, rest
    if is_folder(name):
        return name, None
    name, colon, edition = spec.partition(":")
    return name, f":{edition}" if colon else None


def is_folder(name: str) -> bool:
    """Return whether an adapter is named by its folder: by a path that begins with ./, ../, / or ~/, or is . or .."""
    return name in (".", "..") or name.startswith(_PATH_STARTS)


def wanted(rest: str | None, name: str) -> Wanted:
    """Say what `rest` means; raises Unmet for a spelling that means nothing."""
    if rest is None:
        return Wanted("default")
    if rest == "env":
        return Wanted("env")
    if _is_path(rest):
        return Wanted("path", rest)
    if _RELEASE.fullmatch(rest):
        return Wanted("release", rest.removeprefix("v"))
    raise Unmet(
        f"{rest!r} is neither a release, nor a path (one begins with ./, ../, / or ~/), nor `env`",
        f"--adapter {name}, {name}@RELEASE or {name}@./PATH",
    )


def reference_choice(rest: str | None) -> tuple[str | None, str | None]:
    """Split `DIALECT:EDITION`, either of which may be absent."""
    dialect, _, edition = (rest or "").partition(":")
    return dialect or None, edition or None


def local_path(text: str) -> Path:
    """Return the absolute path that the user means. Raises UsageError as `resolved` does."""
    return resolved(text)


def _is_path(rest: str) -> bool:
    return rest.startswith((".", "/", "~/")) or "/" in rest or rest.endswith((".whl", ".tgz"))
