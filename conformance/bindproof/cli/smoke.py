"""`bindproof smoke`: walks an adapter through the protocol and says what is missing next.

Enters: a command line, or the name of an adapter. Leaves: one line a step, an exit code. Must not know the scenarios.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli.options import add_dialects, command
from bindproof.cli.progress import Progress
from bindproof.cli.streams import say, tell
from bindproof.core.command_line import command as typed
from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand, Unavailable
from bindproof.results.fold import EXIT_ADAPTER_FAULT, EXIT_DIVERGENCE, EXIT_NOTHING_JUDGED, EXIT_OK

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.smoke import StepResult
    from bindproof.spec import Spec
    from bindproof.suites import Suite

EXAMPLES = """\
  bindproof smoke 'python3 my_adapter.py'   a program of your own, while you write it
  bindproof smoke node                      one that comes with bindproof
  bindproof smoke ./my-adapter              one in a folder, with a manifest
  bindproof smoke 'node mine.mjs' --suite meters --dialect mine.toml   one in a dialect of its own
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "smoke", "walk an adapter through the protocol, step by step", EXAMPLES, act=act)
    parser.add_argument("adapter", metavar="CMD|NAME", help="a command line, or the name or folder of an adapter")
    parser.add_argument(
        "--suite", help="only the first steps of this suite; without it, of all that the adapter speaks"
    )
    add_dialects(parser)


def act(args: argparse.Namespace) -> int:
    """Takes the steps and prints each as it comes."""
    from bindproof.smoke import smoke
    from bindproof.spec import all_installed, installed
    from bindproof.spec.own_dialects import with_dialects

    if args.dialect and args.suite is None:
        raise UsageError(f"--dialect {args.dialect[0]} is of one suite: say which by --suite")

    started = _command(args.adapter)
    if isinstance(started, Unavailable):
        tell(f"{started.name} is unavailable: {started.reason}\n  to have it: {started.remedy}")
        return EXIT_NOTHING_JUDGED
    specs = [with_dialects(installed(args.suite), args.dialect)] if args.suite else all_installed()
    findings = []
    for finding in smoke(started, _loaded(specs, asked=args.suite is not None)):
        _show(finding)
        findings.append(finding)
    code = _end(_options(args), findings)
    if shutil.which(started.argv[0]) is None:
        new = typed(["new-adapter", started.argv[0], "--language", "python"])
        tell(f"nothing of this name can be started; `bindproof adapters list` names adapters, `{new}` writes one")
    return code


def _loaded(specs: list[Spec], *, asked: bool) -> list[tuple[Spec, Suite]]:
    """Return the suites whose code can be loaded. asked: the user named the suite, so it has to be."""
    from bindproof.core.errors import SuiteError
    from bindproof.suites import load

    found = []
    for spec in specs:
        try:
            found.append((spec, load(spec)))
        except SuiteError as error:
            if asked:
                raise
            say(f"bindproof: {error}; it is left out")
    return found


def _options(args: argparse.Namespace) -> str:
    """Return what `run` is asked for the same."""
    from bindproof.targets import names_one

    known = names_one(args.adapter)
    adapter = f"--adapter {shlex.quote(args.adapter)}" if known else f"--adapter-command mine={args.adapter!r}"
    of_one_suite = [f"--suite {args.suite}", *(f"--dialect {file}" for file in args.dialect)] if args.dialect else []
    return " ".join([*of_one_suite, adapter])


def _command(text: str) -> AdapterCommand | Unavailable:
    from bindproof.targets import command_adapter, names_one, resolve

    if names_one(text):
        with Progress(sys.stderr) as progress:
            return resolve(text, required=True, progress=progress.say)
    started = command_adapter(f"adapter={text}")
    _hold_program(text, started.argv[0])
    return started


def _hold_program(text: str, program: str) -> None:
    """Raise UsageError where a command line begins with what is there and is no program."""
    if Path(program).is_dir():
        new = typed(["new-adapter", program, "--language", "python"])
        raise UsageError(f"{text} is a folder without adapter.toml, so it is no adapter: `{new}` writes one")
    if Path(program).is_file() and not os.access(program, os.X_OK):
        by = typed(["smoke", f"python3 {text}"])
        raise UsageError(f"{program} may not be executed: `chmod +x` it, or name what runs it, such as `{by}`")


def _show(finding: StepResult) -> None:
    tell(f"{'ok     ' if finding.ok else 'MISSING'}  {finding.title}")
    if not finding.ok:
        tell(f"         {finding.missing}")
        if finding.hint:
            tell(f"         {finding.hint}")


def _end(option: str, findings: list[StepResult]) -> int:
    missing = [finding for finding in findings if not finding.ok]
    if not missing:
        tell(f"all {len(findings)} steps are taken; next: bindproof run {option}")
        return EXIT_OK
    tell(f"{len(missing)} of {len(findings)} steps are missing something; begin with the first of them")
    return EXIT_ADAPTER_FAULT if any(finding.fault for finding in missing) else EXIT_DIVERGENCE
