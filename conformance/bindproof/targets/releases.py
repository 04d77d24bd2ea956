"""Which releases of a target were published, and which of them a user means.

Enters: an adapter's name, a specifier such as `>=0.5`. Leaves: releases, the oldest first. Must not know how each kind
of target is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bindproof.core.errors import UsageError
from bindproof.targets.manifest import manifest_of
from bindproof.targets.resolving import target_of
from bindproof.targets.terms import Progress, Terms
from bindproof.targets.unmet import Unmet

if TYPE_CHECKING:
    from packaging.version import Version


def published(adapter: str, progress: Progress) -> list[str]:
    """Return the releases of an adapter's target that whoever publishes it lists, in no order.

    Raises AdapterNotKnown; UsageError where they cannot be listed, with what to type instead.
    """
    manifest = manifest_of(adapter)
    instead = f"name each release: --adapter {adapter}@RELEASE --adapter {adapter}@RELEASE"
    try:
        target = target_of(manifest)
        if hasattr(target, "releases"):
            progress(f"{adapter}: asking for the releases of {manifest.target}")
            found: list[str] = target.releases(manifest, Terms(progress))
            return found
    except Unmet as unmet:
        why = f"the releases of {manifest.target} cannot be listed: {unmet.reason}"
        raise UsageError(f"{why}\n{instead}; or {unmet.remedy}") from None
    raise UsageError(f"nothing lists the releases of {manifest.target}; {instead}")


def chosen(releases: Iterable[str], specifier: str, *, previews: bool) -> list[str]:
    """Return the releases that a specifier takes, the oldest first, each as it is published.

    specifier: as in PEP 440, such as `>=0.5,!=0.6.0`; all where it is empty. previews: pre-releases too; they are taken
    besides where the specifier names one, or nothing else is there. What is no version of that form is left out. Raises
    UsageError for what is no specifier.
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        wanted = SpecifierSet(specifier)
    except InvalidSpecifier:
        raise UsageError(f"{specifier!r} says no versions; write it such as '>=0.5' or '>=0.9,<0.11'") from None
    versions = dict(_versions(releases))
    return [versions[one] for one in sorted(wanted.filter(versions, prereleases=True if previews else None))]


def _versions(releases: Iterable[str]) -> Iterator[tuple[Version, str]]:
    from packaging.version import InvalidVersion, Version

    for release in releases:
        try:
            yield Version(release), release
        except InvalidVersion:
            continue
