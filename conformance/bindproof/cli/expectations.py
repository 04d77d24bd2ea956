"""`bindproof expectations update|check|prune`: a file of known divergences, kept by command.

Enters: a log, a file. Leaves: the changed file, text on stdout, an exit code. Must not know how verdicts come about.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.streams import say, tell
from bindproof.core.command_line import command as typed
from bindproof.core.counting import plural
from bindproof.core.errors import FileError
from bindproof.core.paths import resolved
from bindproof.results import Log, StaleLine, read
from bindproof.results.fold import EXIT_OK, EXIT_USAGE
from bindproof.spec import Spec, all_installed, read_expectations, vector_paths

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.runner.expectation_files.written import Changed

EXAMPLES = """\
  bindproof expectations update run.jsonl mine.toml    add what a run found, each with the reason TODO
  bindproof expectations check mine.toml               has each a reason, and vectors that there are?
  bindproof expectations check known/*.toml            all that is wrong in several files
  bindproof expectations prune run.jsonl mine.toml     take out what did not occur

the log is of a whole run: bindproof run --expectations mine.toml --results run.jsonl
"""


def add(commands: Subparsers) -> None:
    """Adds the command and its parts."""
    parser = command(commands, "expectations", "write, check or prune a file of known divergences", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    update = command(
        parts,
        "update",
        "add what a run found and nothing expected",
        "  bindproof expectations update run.jsonl mine.toml\n\n"
        "a new entry has the reason TODO, which `bindproof run` refuses: say why it is so. Comments and order stay.",
        act=act_update,
    )
    check = command(
        parts,
        "check",
        "tell whether files are such as `--expectations` takes, and name vectors that there are",
        "  bindproof expectations check mine.toml\n  bindproof expectations check known/*.toml\n\n"
        "what is wrong is told of all files at once, each with its line; exit code 2 then",
        act=act_check,
    )
    prune = command(
        parts,
        "prune",
        "take out what did not occur in a run",
        "  bindproof expectations prune run.jsonl mine.toml\n\n"
        "the run has to have been given that file, as it is now: --expectations mine.toml",
        act=act_prune,
    )
    for part in (update, prune):
        part.add_argument("log", type=Path, metavar="LOG", help="of a whole run: --results of `bindproof run`")
        part.add_argument("file", type=Path, metavar="FILE", help="of your own known divergences")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="of your own known divergences")


def act_update(args: argparse.Namespace) -> int:
    """Adds to the file what the log shows and nothing expects."""
    from bindproof.runner.expectation_files.found import findings, whole_run
    from bindproof.runner.expectation_files.written import updated

    log = read(args.log, cut_short=True)
    whole_run(log)
    found = findings(log)
    text = _text(args.file) if args.file.exists() else ""
    source = f"found by bindproof {log.run.bindproof}, {log.run.started[:10]}"
    changed = updated(text, found.entries, source, str(args.file))
    _replace(args.file, changed)
    for left in found.left:
        say(f"bindproof: left out: {left}")
    if any(done.startswith("added ") for done in changed.done):
        tell(f"say why in each `reason`, then: bindproof expectations check {args.file}")
    return EXIT_OK


def act_check(args: argparse.Namespace) -> int:
    """Tells what is wrong with the files; exit code 2 where something is."""
    specs = all_installed()
    vectors = [vector for spec in specs for vector in vector_paths(spec)]
    code = EXIT_OK
    for file in dict.fromkeys(args.files):
        count, wrong = _checked(file, specs, vectors)
        for line in wrong:
            say(f"bindproof: {line}")
        if wrong:
            code = EXIT_USAGE
        else:
            tell(f"{file}: {plural(count, 'known divergence')}, each with its reason and its vectors")
    if code:
        say(f"mend what is named, then: {typed(['expectations', 'check', *map(str, args.files)])}")
    return code


def _checked(file: Path, specs: Sequence[Spec], vectors: Sequence[str]) -> tuple[int, list[str]]:
    """Return how many divergences a file has, and what is wrong with it, each with its place."""
    from bindproof.runner.expectation_files.written import named_vectors

    try:
        entries = named_vectors(_text(file), str(file))
    except FileError as error:
        return 0, [str(error)]
    known = frozenset(name for spec in specs for name in spec.requirements)
    _, problems = read_expectations(specs[0], [file.absolute()], known)
    unknown = [
        (line, f"no vector is called {glob!r}; `bindproof spec list --vectors` shows them")
        for line, globs in entries
        for glob in globs
        if not any(fnmatchcase(vector, glob) for vector in vectors)
    ]
    told = sorted([*((one.line, one.text) for one in problems), *unknown])
    return len(entries), [f"{file}:{line}: {text}" for line, text in told]


def act_prune(args: argparse.Namespace) -> int:
    """Takes out of the file what did not occur."""
    from bindproof.runner.expectation_files.found import whole_run
    from bindproof.runner.expectation_files.written import pruned

    log = read(args.log, cut_short=True)
    whole_run(log)
    _hold_given(log, args.file)
    stale = [line for line in log if isinstance(line, StaleLine) and _is_in(line, args.file)]
    changed = pruned(_text(args.file), stale, str(args.file))
    _replace(args.file, changed)
    return EXIT_OK


def _hold_given(log: Log, file: Path) -> None:
    given = log.run.request.expectations
    if given is None or Path(given).name != file.name:
        what = f"that run was not given {file}: run it with --expectations {file} --results {log.path}"
        raise FileError(log.path, 1, what)


def _is_in(line: StaleLine, file: Path) -> bool:
    return line.source.rpartition(":")[0] == file.name


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(file, None, f"it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise FileError(file, None, "it is not UTF-8") from None


def _replace(file: Path, changed: Changed) -> None:
    """Write the file anew, as a whole, where something was done to it; say what."""
    if not changed.done:
        tell(f"{file}: nothing to do")
        return
    place = resolved(file)
    part = place.with_name(f"{place.name}.part")
    try:
        part.write_text(changed.text, encoding="utf-8")
        if place.exists():
            os.chmod(part, place.stat().st_mode & 0o7777)  # noqa: PTH101
        part.replace(place)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise FileError(file, None, f"it cannot be written: {error.strerror}") from error
    for done in changed.done:
        tell(f"{file}: {done}")
