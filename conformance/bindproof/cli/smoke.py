"""`bindproof smoke`: walks an adapter through the protocol and says what is missing next.

Enters: a command line, or the name of an adapter. Leaves: one line a step, an exit code. Must not know the scenarios.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.progress import Progress
from bindproof.cli.streams import say, tell
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
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "smoke", "walk an adapter through the protocol, step by step", EXAMPLES, act=act)
    parser.add_argument("adapter", metavar="CMD|NAME", help="a command line, or the name or folder of an adapter")
    parser.add_argument(
        "--suite", help="only the first steps of this suite; without it, of all that the adapter speaks"
    )


def act(args: argparse.Namespace) -> int:
    """Takes the steps and prints each as it comes."""
    from bindproof.smoke import smoke
    from bindproof.spec import all_installed, installed

    started = _command(args.adapter)
    if isinstance(started, Unavailable):
        tell(f"{started.name} is unavailable: {started.reason}\n  to have it: {started.remedy}")
        return EXIT_NOTHING_JUDGED
    specs = [installed(args.suite)] if args.suite else all_installed()
    findings = []
    for finding in smoke(started, _loaded(specs, asked=args.suite is not None)):
        _show(finding)
        findings.append(finding)
    return _end(_option(args.adapter), findings)


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


def _option(text: str) -> str:
    from bindproof.targets import names_one

    return f"--adapter {shlex.quote(text)}" if names_one(text) else f"--adapter-command mine={text!r}"


def _command(text: str) -> AdapterCommand | Unavailable:
    from bindproof.targets import command_adapter, names_one, resolve

    if names_one(text):
        with Progress(sys.stderr) as progress:
            return resolve(text, required=True, progress=progress.say)
    return command_adapter(f"adapter={text}")


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
