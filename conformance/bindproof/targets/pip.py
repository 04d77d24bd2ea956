"""Installs Python packages into a folder with pip: by pinned hashes, else wheels alone, and says what came; lists
releases.

Enters: a requirement, and a file that may pin it. Leaves: the packages below the folder, and notes on those that are
pinned by nothing. Must not know adapters.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from bindproof.targets import building
from bindproof.targets.hashes import content_hash
from bindproof.targets.terms import Terms
from bindproof.targets.unmet import Unmet

_PIP: Final = (sys.executable, "-m", "pip")
_UNASKED: Final = ("--no-input", "--disable-pip-version-check")
PIP: Final = (*_PIP, "install", "--quiet", *_UNASKED)

WHEELS: Final = ("--only-binary", ":all:")
"""To install a wheel runs nothing of it. pip takes the command line's word over that of its settings."""

PINS: Final = "requirements.txt"
"""What a file of pins is called: beside an adapter's manifest, or in the SDK that needs a package."""

INSTALLED: Final = "installed.json"
"""Where pip says what it installed and from which files, beside the folder `target`."""


class _Archive(msgspec.Struct):
    hashes: dict[str, str] = {}


class _Download(msgspec.Struct):
    url: str
    archive_info: _Archive = msgspec.field(default_factory=_Archive)


class _Metadata(msgspec.Struct):
    name: str
    version: str


class _Item(msgspec.Struct):
    metadata: _Metadata
    download_info: _Download


class _Report(msgspec.Struct):
    install: list[_Item] = []


def pinning(requirement: str, file: Path) -> Path | None:
    """Return `file` where it pins `requirement`, such as `cffi==2.1.1`, by hashes; else None."""
    if not file.is_file():
        return None
    pinned = re.compile(rf"^{re.escape(requirement)}(?=[\s;\\])", re.MULTILINE)
    return file if pinned.search(file.read_text("utf-8")) else None


def digest_of(pins: Path | None) -> str:
    """Return what stands for these pins in the key of a cache entry."""
    return content_hash(pins) if pins else "pinned by nothing"


def install(entry: Path, requirement: str, pins: Path | None, remedy: str, terms: Terms) -> None:
    """Install one requirement, and what it needs, into the folder `target` of a cache entry.

    pins: a requirements file with the hashes of all of it; without one any files will do. They are wheels, except where
    the terms allow sources. Raises Unmet with `remedy` where it cannot be had.
    """
    _hold_pip()
    wheels = () if terms.sources else WHEELS
    wanted = ("--require-hashes", "-r", str(pins)) if pins else (requirement,)
    told = ("--report", str(entry / INSTALLED), "--compile", "--target", str(entry / "target"))
    building.run([*PIP, *wheels, *told, *wanted], entry, _pinned(requirement, pins, remedy) if pins else remedy)


def releases(package: str) -> list[str]:
    """Return the releases of a package that the index has for this Python; raises Unmet where pip finds none."""
    _hold_pip()
    remedy = f"`pip download --no-deps {package}` says more of the index that pip asks"
    said = building.run([*_PIP, "index", "versions", "--pre", *_UNASKED, package], Path.cwd(), remedy)
    listed = re.search(r"^Available versions: (.+)$", said, re.MULTILINE)
    if listed is None:
        raise Unmet(f"pip lists no releases of {package}", remedy)
    return [release.strip() for release in listed[1].split(",")]


def _hold_pip() -> None:
    if importlib.util.find_spec("pip") is None:
        raise Unmet(f"{sys.executable} has no pip", f"{sys.executable} -m ensurepip")


def notes(entry: Path, pins: Path | None) -> tuple[str, ...]:
    """Return a note on each package of an entry that nothing pins or that was built: from which file, and its hash."""
    items = msgspec.json.decode((entry / INSTALLED).read_bytes(), type=_Report).install
    return tuple(_note(item) for item in items if pins is None or not _file(item).endswith(".whl"))


def _file(item: _Item) -> str:
    return PurePosixPath(unquote(urlsplit(item.download_info.url).path)).name


def _note(item: _Item) -> str:
    file = _file(item)
    how = "is pinned by nothing" if file.endswith(".whl") else "is built from its sources"
    digest = item.download_info.archive_info.hashes.get("sha256", "not told by pip")
    return f"{item.metadata.name} {item.metadata.version} {how}: {file}, sha256 {digest}"


def _pinned(requirement: str, pins: Path, remedy: str) -> str:
    return f"{remedy}; if the index has other files than those that are pinned for {requirement} in {pins}, ask why"
