"""`bindproof evolve migrate`: makes stored objects of one edition into objects of a later one.

Enters: a file of objects. Leaves: a file in which every object is one of the later edition, an exit code. What could
not be decided is told, and is not in it.

Exit codes: 0 all decided · 2 usage, or a file that cannot be read · 3 no object in it · 4 some could not be decided.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from bindproof.cli.options import command
from bindproof.cli.streams import say, tell
from bindproof.core.counting import plural
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK
from bindproof.spec import Spec, load, root_of, suite_roots

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.evolve.migrate import Migration, Moved

EXAMPLES = """\
  bindproof evolve migrate events.jsonl --from 0.7 --to 0.10 -o moved.jsonl
  bindproof evolve migrate outcome.json --from 0.5 --to 0.6 --schema outcome
  bindproof evolve migrate events.jsonl --from 0.7 --to 0.10 -o events.jsonl --rest left.jsonl    in place

A file that ends in .jsonl or .ndjson has an object on each line, and so has stdin (-); these are read and written a
line at a time. Any other is one JSON value: an object, or a list of them. What the notes between two editions say
under `migrate` is done, edition by edition, and each edition has to take what comes out. A line that stays as it is
is written as it was. Objects of which nobody knows what becomes of them are told, and are not written; --rest keeps
them. A file is replaced by itself only where nothing is left out, or is kept by --rest.

exit codes:
  0 all decided · 2 usage, or a file that cannot be read · 3 no object in it · 4 some could not be decided
"""

EXIT_UNDECIDED: Final = 4
LINES: Final = frozenset({".jsonl", ".ndjson"})
MOST_SHOWN: Final = 20
"""Objects that could not be decided and are told one by one."""


def add(parts: Subparsers) -> None:
    """Adds the part to `bindproof evolve`."""
    parser = command(parts, "migrate", "make stored objects of an edition into those of a later one", EXAMPLES, act=act)
    parser.add_argument("file", metavar="FILE", help="objects as JSON or JSON lines; - for JSON lines from stdin")
    parser.add_argument("--from", required=True, dest="old", metavar="OLD", help="the edition that the objects are of")
    parser.add_argument("--to", required=True, dest="new", metavar="NEW", help="the later edition")
    parser.add_argument("--suite", metavar="SUITE", help="whose editions; needed where several suites have them")
    parser.add_argument("--schema", metavar="NAME", help="what the objects are, such as outcome; else it is found out")
    parser.add_argument("--lines", action="store_true", help="FILE has an object on each line, whatever its name")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there and not on stdout")
    parser.add_argument("--rest", type=Path, metavar="FILE", help="write what could not be decided there, as it was")


def act(args: argparse.Namespace) -> int:
    """Migrates a file and says what could not be decided."""
    from bindproof.evolve.migrate import Migration

    spec = _suite(args.suite, args.old, args.new)
    kind = args.schema.removesuffix(".json") if args.schema else None
    try:
        way = Migration(spec, args.old, args.new, kind)
    except KeyError:
        raise UsageError(f"edition {args.old} of {spec.name} has no schema {args.schema!r}") from None
    tally = _Tally(args.file)
    with ExitStack() as files:
        output = files.enter_context(_Output(args.output))
        rest = files.enter_context(_Output(args.rest)) if args.rest else None
        by_line = args.lines or args.file == "-" or Path(args.file).suffix in LINES
        (_lines if by_line else _value)(args.file, way, tally, output, rest)
        if tally.undecided and rest is None and _is_same(args.file, args.output):
            output.keep = False
            say(f"{args.file} stays as it was: what was left out would be lost; --rest FILE keeps it")
    return tally.told(way, args.new)


def _suite(name: str | None, old: str, new: str) -> Spec:
    """Return the suite that has both editions. Raises UsageError where none or several have."""
    if name is not None:
        return load(root_of(name), name)
    having = [
        spec for spec in (load(root_of(one), one) for one in suite_roots()) if {old, new} <= {*spec.edition_names}
    ]
    if not having:
        raise UsageError(f"no suite has the editions {old} and {new}; `bindproof spec list` shows them")
    if len(having) > 1:
        raise UsageError(f"{', '.join(spec.name for spec in having)} have these editions; --suite says which")
    return having[0]


class _Tally:
    """What became of the objects, told as they come."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.moved = self.same = self.undecided = 0
        self._kinds: set[str] = set()

    def take(self, moved: Moved, line: int) -> None:
        """Count one object."""
        if moved.kind:
            self._kinds.add(moved.kind)
        if moved.undecided:
            self.undecided += 1
            if self.undecided <= MOST_SHOWN:
                say(f"{self._file}:{line}: undecided: {moved.undecided}")
        else:
            self.moved += moved.changed
            self.same += not moved.changed

    def told(self, way: Migration, new: str) -> int:
        """Say what it all came to; returns the exit code."""
        if self.undecided > MOST_SHOWN:
            say(f"{self.undecided - MOST_SHOWN} more could not be decided")
        for change, note in way.to_read(self._kinds):
            say(f"read: {change.old} → {change.new}: {note.title} ({change.file})")
        every = self.moved + self.same + self.undecided
        counts = f"{self.moved} changed, {self.same} as they were, {self.undecided} undecided"
        say(f"{plural(every, 'object')} to edition {new}: {counts}")
        return EXIT_UNDECIDED if self.undecided else EXIT_OK if every else EXIT_NOTHING_JUDGED


def _lines(file: str, way: Migration, tally: _Tally, output: _Output, rest: _Output | None) -> None:
    """Migrate an object on each line, holding one of them at a time."""
    for number, line in enumerate(_read_lines(file), 1):
        text = line.rstrip(b"\r\n")
        if not text.strip():
            continue
        moved = way.text(text)
        tally.take(moved, number)
        if not moved.undecided:
            output.write((_written(moved.value) if moved.changed else text) + b"\n")
        elif rest is not None:
            rest.write(text + b"\n")


def _read_lines(file: str) -> Iterator[bytes]:
    if file == "-":
        yield from sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as lines:
            yield from lines
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None


def _value(file: str, way: Migration, tally: _Tally, output: _Output, rest: _Output | None) -> None:
    """Migrate a file that is one object, or a list of them."""
    from bindproof.evolve.migrate import is_exact
    from bindproof.spec.files.document import parse
    from bindproof.spec.files.text import read_bytes

    document = parse(read_bytes(Path(file), file), file)
    is_list = isinstance(document.value, list)
    every = document.value if is_list else [document.value]
    if not is_exact(document.text):
        raise UsageError(f"{file} has a number of more digits than would be written again; use JSON lines (--lines)")
    done: list[object] = []
    left: list[object] = []
    for index, value in enumerate(every):
        moved = way.value(value)
        tally.take(moved, document.line(index) if is_list else 1)
        (left if moved.undecided else done).append(moved.value)
    if done or (is_list and not every):
        output.write(_written(done if is_list else done[0], indent=2) + b"\n")
    if left and rest is not None:
        rest.write(_written(left if is_list else left[0], indent=2) + b"\n")


def _written(value: object, indent: int | None = None) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=indent).encode()


def _is_same(file: str, output: Path | None) -> bool:
    with suppress(OSError):
        return output is not None and file != "-" and output.samefile(file)
    return False


class _Output:
    """A file that is there whole or not at all; without a path, stdout."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self.keep = True

    def __enter__(self) -> _Output:
        if self._path is not None:
            try:
                number, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
            except OSError as error:
                raise UsageError(f"{self._path} cannot be written: {error.strerror}") from None
            self._file = open(number, "wb")  # noqa: PTH123 - it is closed when this is left
            self._name = name
        return self

    def write(self, data: bytes) -> None:
        """Add a line. What is piped is given it byte for byte; a terminal, what can be shown of it."""
        if self._file is not None:
            self._file.write(data)
        elif sys.stdout.isatty():
            tell(data.decode().removesuffix("\n"))
        else:
            sys.stdout.buffer.write(data)

    def __exit__(self, kind: object, *_: object) -> None:
        if self._file is None or self._path is None:
            sys.stdout.flush()
            return
        self._file.close()
        if kind is None and self.keep:
            with suppress(OSError):
                Path(self._name).chmod(self._path.stat().st_mode & 0o777 if self._path.exists() else _usual_mode())
            Path(self._name).replace(self._path)
        else:
            Path(self._name).unlink(missing_ok=True)


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
