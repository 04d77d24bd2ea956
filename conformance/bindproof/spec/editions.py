"""Which edition a release belongs to, and which editions a range means.

Enters: an editions list in order, ranges as written, versions of targets. Leaves: names of editions. The order of
editions is the order of suite.toml: nothing here or elsewhere reads a number out of an edition's name. Must not know
files. `packaging` is imported on first use, to keep starting quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING

from bindproof.spec.models import ALL_DIALECTS, Divergence, Requirement, Spec

if TYPE_CHECKING:
    from packaging.version import Version

_LEADING_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)")


def editions_in(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The editions that a range means: `0.9–` from 0.9 on, `0.9–0.10` both ends included, `0.9` that one alone.

    The dash is an en dash; a hyphen is taken too. ValueError says what is wrong in words for the author.
    """
    first, dash, last = (part.strip() for part in text.replace("-", "–").partition("–"))
    ends = [end for end in (first, last) if end]
    if not first:
        raise ValueError(f"editions {text!r}: a range begins with an edition, as in '{names[0]}–'")
    for end in ends:
        if end not in names:
            raise ValueError(f"editions {text!r}: there is no edition {end!r}; suite.toml has {', '.join(names)}")
    start = names.index(first)
    stop = names.index(last) if last else (len(names) - 1 if dash else start)
    if stop < start:
        raise ValueError(f"editions {text!r}: {last} is older than {first}")
    return tuple(names[start : stop + 1])


def holds_in(requirement: Requirement, edition: str, dialect: str) -> bool:
    """True when the requirement is in force in this edition and for bindings of this dialect."""
    spoken = requirement.dialects == ALL_DIALECTS or dialect in requirement.dialects
    return spoken and edition in requirement.in_editions


def settings(spec: Spec) -> list[tuple[str, str]]:
    """Every edition with every dialect that is spoken in it, in their orders."""
    names = spec.edition_names
    spoken = {name: editions_in(d.editions, names) if d.editions else names for name, d in spec.dialects.items()}
    return [(edition, name) for edition in names for name in spec.dialects if edition in spoken[name]]


def edition_of(spec: Spec, target: str, version: str) -> tuple[str, str | None]:
    """The edition that judges a release of a target, and a warning when suite.toml does not list the release.

    A prerelease counts as the release it leads to. A release that no edition lists is judged under the newest edition
    below it, one older than all under the oldest, an unreadable version or unknown target under the newest that is no
    preview; the name of an edition as the version of a target that suite.toml does not know (a reference) means that
    edition.
    """
    listing = [edition for edition in spec.editions if target in edition.releases]
    newest = spec.newest.name
    if not listing:
        if version in spec.edition_names:
            return version, None
        return newest, f"suite {spec.name} lists no releases of {target}: judged under its newest edition, {newest}"
    read = _version(version)
    if read is None:
        newest = next((edition for edition in reversed(listing) if edition.state != "preview"), listing[-1]).name
        return newest, f"{target} {version!r} is no version that can be compared: judged under edition {newest}"
    for edition in listing:
        if _is_in(read, edition.releases[target]):
            return edition.name, _prerelease_warning(target, version, edition.name)
    below = [edition for edition in listing if _starts_before(read, edition.releases[target])]
    chosen = below[-1].name if below else listing[0].name
    place = "the newest edition below it" if below else "the oldest edition, which is newer than it"
    return chosen, f"no edition lists {target} {version}: judged under {chosen}, {place}"


def is_about(divergence: Divergence, target: str, version: str) -> bool:
    """True when an expectation speaks about this version of this target."""
    if divergence.target != target:
        return False
    read = _version(version)
    return not divergence.versions or (read is not None and _is_in(read, divergence.versions))


def names_vector(divergence: Divergence, vector: str) -> bool:
    """True when an expectation speaks about this vector, on whatever target."""
    named, left_out = _one_of(divergence.vectors), _one_of(divergence.vectors_without)
    return named.match(vector) is not None and left_out.match(vector) is None


@lru_cache(maxsize=1024)  # each is asked of every vector that runs
def _one_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches each text that one of the globs does; nothing where there is none."""
    return re.compile("|".join(map(translate, globs)) or r"(?!)")


def covers(divergence: Divergence, target: str, version: str, vector: str) -> bool:
    """True when an expectation speaks about this vector on this version of this target."""
    return names_vector(divergence, vector) and is_about(divergence, target, version)


def bad_specifiers(texts: Iterable[str]) -> list[str]:
    """Those of the version specifiers that cannot be read."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    bad = []
    for text in texts:
        try:
            SpecifierSet(text).contains("0")
        except (InvalidSpecifier, ValueError):  # a number of thousands of digits is none that Python reads
            bad.append(text)
    return bad


def _version(text: str) -> Version | None:
    """A version as packaging reads it; of one it cannot read, as npm allows, the leading numbers; else None.

    No number of thousands of digits is read, which is a plain ValueError.
    """
    from packaging.version import Version

    numbers = _LEADING_NUMBERS.match(text)
    for one in (text, numbers[1]) if numbers else (text,):
        with suppress(ValueError):
            return Version(one)
    return None


def _is_in(version: Version, specifiers: Iterable[str]) -> bool:
    from packaging.specifiers import SpecifierSet

    return any(SpecifierSet(text).contains(version.base_version) for text in specifiers)


def _starts_before(version: Version, specifiers: Iterable[str]) -> bool:
    """True when some lower bound of the specifiers is at or below the version."""
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    bounds = [s.version for text in specifiers for s in SpecifierSet(text) if s.operator in (">=", ">", "==", "~=")]
    return any(Version(bound) <= Version(version.base_version) for bound in bounds)


def _prerelease_warning(target: str, version: str, edition: str) -> str | None:
    read = _version(version)
    if read is None or not read.is_prerelease:
        return None
    return f"{target} {version} is a prerelease: judged under {edition}, as the release it leads to"
