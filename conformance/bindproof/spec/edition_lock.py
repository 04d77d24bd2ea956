"""editions.lock: what each locked edition said when it was locked, and what has changed in it since.

Enters: a Spec. Leaves: Problems, or the lines of an edition written. A locked edition changes by an erratum of
suite.toml that names what it touches, and by chapters about subjects that it had none of. Must not know checks.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping

from bindproof.core.errors import UsageError
from bindproof.spec.files.folder import relative
from bindproof.spec.files.text import lines_of, read_text
from bindproof.spec.forms import read_schemas
from bindproof.spec.models import Requirement, Spec
from bindproof.spec.problem import Problem
from bindproof.spec.schema_diff import meaning

GONE = "gone"
"""The digest of what is not there any more."""

_LINE = re.compile(r"([\w.]+) ([\w.-]+) ([0-9a-f]{12})")
_HEAD = """\
# Of each locked edition, the digest of every requirement (its level, dialects and statement) and of every schema (less
# its words) when it was locked. Written by `bindproof spec lock EDITION`, not by hand.
"""

Locked = dict[tuple[str, str], str]
"""Edition and requirement or schema → digest."""


def lock_problems(spec: Spec, names: Iterable[str] | None = None) -> list[Problem]:
    """What has changed in editions that are locked, no erratum saying so. names: of these editions, None for all."""
    locked, problems = _read(spec)
    for edition in spec.editions:
        if edition.state == "locked" and (names is None or edition.name in names):
            lines = {what: digest for (name, what), digest in locked.items() if name == edition.name}
            problems.extend(_edition(spec, edition.name, lines))
    return problems


def lock(spec: Spec, editions: Iterable[str]) -> None:
    """Write what these editions say today into editions.lock; UsageError as `locked_with` raises it."""
    (spec.folder / "editions.lock").write_text(locked_with(spec, editions), encoding="utf-8")


def locked_with(spec: Spec, editions: Iterable[str]) -> str:
    """Return the text of editions.lock once these editions are locked as they are today.

    What an edition said when it was locked before stays as it was noted then: only subjects that are new to it join.
    UsageError for one that is unknown or locked already, and for one that has changed since, no erratum saying so.
    """
    locked, _ = _read(spec)
    for name in editions:
        try:
            state = spec.edition(name).state
        except KeyError as error:
            raise UsageError(str(error.args[0])) from None
        if state == "locked":
            raise UsageError(f"edition {name} is locked already; what has to change in it needs an [[erratum]]")
        before = {what: digest for (edition, what), digest in locked.items() if edition == name}
        changed = list(_edition(spec, name, before)) if before else []
        if changed:
            where = f"{changed[0].file}:{changed[0].line}: {changed[0].text}"
            raise UsageError(f"edition {name} was locked before, and what was locked may not be written over: {where}")
        told = {erratum.touches for erratum in spec.errata if before and name in erratum.editions}
        new = {what: digest for what, digest in _digests(spec, name).items() if what not in before.keys() | told}
        locked |= {(name, what): digest for what, digest in new.items()}
    order = {name: index for index, name in enumerate(spec.edition_names)}
    lines = [
        f"{name} {what} {digest}\n" for (name, what), digest in sorted(locked.items(), key=lambda i: order[i[0][0]])
    ]
    return _HEAD + "".join(lines)


def _edition(spec: Spec, name: str, locked: Mapping[str, str]) -> Iterator[Problem]:
    file = relative(spec.root, spec.folder / "suite.toml")
    if not locked:
        text = f"edition {name} is locked, and editions.lock has nothing of it: say `open`, then"
        yield Problem(file, 1, f"{text} `bindproof spec lock {name}`")
        return
    expected = _expected(spec, name, locked)
    digests = _digests(spec, name)
    chapters = {what.partition("-")[0] for what in locked if not what.endswith(".json")}
    for what in sorted(expected.keys() | digests.keys()):
        new = what not in expected
        if new and (what.endswith(".json") or what.partition("-")[0] not in chapters):
            continue
        found = digests.get(what, GONE)
        if found != expected.get(what):
            change = "is new" if new else "is not in it any more" if found == GONE else "has changed"
            text = f"edition {name} is locked, and {what} {change}: bring it back, or add to suite.toml"
            yield _place(spec, name, what, f"{text} {_erratum(name, what, found)}")


def _expected(spec: Spec, edition: str, locked: Mapping[str, str]) -> dict[str, str]:
    """What an edition has to say: what it said when it was locked, and each erratum since, the oldest first."""
    expected = dict(locked)
    for erratum in spec.errata:
        if edition in erratum.editions:
            has = {what for what, digest in expected.items() if digest != GONE}
            expected |= {what: digest for what, digest in erratum.restated.items() if what in has}
            if erratum.touches is not None and erratum.digest is not None:
                expected[erratum.touches] = erratum.digest
    return expected


def _place(spec: Spec, edition: str, what: str, text: str) -> Problem:
    requirement = spec.requirements.get(what)
    if requirement is not None:
        return Problem(requirement.file, requirement.line, text)
    schema = spec.folder / "schemas" / edition / what
    path = schema if schema.exists() else spec.folder / "suite.toml"
    return Problem(relative(spec.root, path), 1, text)


def _erratum(edition: str, what: str, digest: str) -> str:
    words = f'editions = ["{edition}"], touches = "{what}", digest = "{digest}", `date` and `reason`'
    return f"an [[erratum]] with {words}"


def _digests(spec: Spec, edition: str) -> dict[str, str]:
    """What an edition says today."""
    rules = {rule.id: _requirement(rule) for rule in spec.requirements.values() if edition in rule.in_editions}
    texts = {
        f"{name}.json": json.dumps(meaning(schema), sort_keys=True)
        for name, schema in read_schemas(spec, edition).items()
    }
    return {what: hashlib.sha256(text.encode()).hexdigest()[:12] for what, text in (rules | texts).items()}


def _requirement(rule: Requirement) -> str:
    return "\n".join((rule.level, ",".join(rule.dialects), rule.statement))


def _read(spec: Spec) -> tuple[Locked, list[Problem]]:
    path = spec.folder / "editions.lock"
    text = read_text(path, relative(spec.root, path)) if path.exists() else ""
    locked: Locked = {}
    problems = []
    for number, line in enumerate(lines_of(text), 1):
        match = _LINE.fullmatch(line)
        if match is not None:
            locked[match[1], match[2]] = match[3]
        elif line.strip() and not line.startswith("#"):
            why = "a line is an edition, a requirement or schema, and 12 hex digits"
            problems.append(Problem(relative(spec.root, path), number, f"{line!r}: {why}"))
    return locked, problems
