"""What a log claims of each scenario beside what is seen of it, on disk: a log may have any number of verdicts.

Enters: claims, and what is seen. Leaves: those that differ, one at a time. Must not know logs, nor how anything is
tried. The file has no name, lies in the folder for temporary files (`TMPDIR`), and is gone when its process is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec.msgpack
from msgspec import Struct

from bindproof.core.errors import UsageError
from bindproof.core.origins import Planned
from bindproof.results import VerdictLine

Key = tuple[str, str, Planned]
"""What a verdict is on: an adapter, a suite, and where the scenario comes from."""


class Says(Struct, frozen=True):
    """What a verdict says, but for its evidence, which may differ from run to run."""

    outcome: str
    known: bool
    """An expectation names the outcome."""
    broken: tuple[str, ...]
    """Each requirement, and whether an expectation names it."""
    held: tuple[str, ...]

    @classmethod
    def of(cls, line: VerdictLine) -> Says:
        """Return what a line says."""
        broken = sorted(f"{one.requirement}{' (known)' if one.expected_by else ''}" for one in line.broken)
        return cls(line.outcome, line.expected_by is not None, tuple(broken), tuple(sorted(line.held)))

    def beside(self, other: Says) -> str:
        """Return it in words, with what another one does not say."""
        parts = [self.outcome.replace("_", " ") + (" (known)" if self.known else ""), *self.broken]
        alone = [name for name in self.held if name not in other.held]
        return ", ".join([*parts, *(f"{name} holds" for name in alone)])


def key_of(line: VerdictLine) -> Key:
    """Return what a verdict is on."""
    return line.adapter, line.suite, line.came_from


_encode: Callable[[object], bytes] = msgspec.msgpack.Encoder().encode
_key = msgspec.msgpack.Decoder(Key).decode
_says = msgspec.msgpack.Decoder(Says).decode

_SCHEMA = """
    PRAGMA journal_mode = OFF;
    CREATE TABLE verdict (place INTEGER PRIMARY KEY, key BLOB UNIQUE, adapter TEXT, claimed BLOB, seen BLOB);
    BEGIN;
"""

_SEEN = """
    INSERT INTO verdict (key, adapter, seen) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET seen = excluded.seen
"""


class ClaimTable:
    """Claims in the order of the log, each with what is seen of its scenario.

    Its methods raise UsageError where the folder for temporary files takes no more.
    """

    def __init__(self) -> None:
        self._rows = _opened()
        with _with_room():
            self._rows.executescript(_SCHEMA)

    def close(self) -> None:
        """Let the file go."""
        self._rows.close()

    def claim(self, place: int, line: VerdictLine) -> None:
        """Take a claim, in the place of the one that has this number."""
        row = place, _encode(key_of(line)), line.adapter, _encode(Says.of(line))
        self._do("INSERT OR REPLACE INTO verdict (place, key, adapter, claimed) VALUES (?, ?, ?, ?)", *row)

    def see(self, line: VerdictLine, *, unclaimed: bool) -> None:
        """Take what is seen of a scenario. unclaimed: also of one that no claim is about."""
        key, says = _encode(key_of(line)), _encode(Says.of(line))
        if unclaimed:
            self._do(_SEEN, key, line.adapter, says)
        else:
            self._do("UPDATE verdict SET seen = ? WHERE key = ?", says, key)

    def adapters(self) -> dict[str, int]:
        """Return how many scenarios of each adapter are claimed, in the order of the log."""
        return dict(
            self._do("SELECT adapter, COUNT(claimed) FROM verdict GROUP BY adapter ORDER BY MIN(place)").fetchall()
        )

    def keys(self) -> Iterator[Key]:
        """Yield what each claim is on."""
        yield from (_key(key) for (key,) in self._do("SELECT key FROM verdict WHERE claimed IS NOT NULL"))

    def differing(self) -> Iterator[tuple[Key, Says | None, Says | None]]:
        """Yield each scenario of which the claim is not what is seen, with both; None: there is none."""
        rows = self._do("SELECT key, claimed, seen FROM verdict WHERE claimed IS NOT seen ORDER BY place")
        for key, claimed, seen in rows:
            yield _key(key), claimed and _says(claimed), seen and _says(seen)

    def _do(self, statement: str, *values: object) -> sqlite3.Cursor:
        with _with_room():
            return self._rows.execute(statement, values)


def _opened() -> sqlite3.Connection:
    """Return a database that goes to disk where it is too large for some pages of memory."""
    return sqlite3.connect("", isolation_level=None)


@contextmanager
def _with_room() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        what = f"what the log claims cannot be kept in the folder for temporary files: {error}"
        raise UsageError(f"{what}; make room there, name another folder with TMPDIR, or verify a --sample") from error
