"""Arguments that more than one command has.

Enters: argparse parsers. Leaves: the same, with arguments added. Must not know what a command does with them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bindproof.cli.outputs import add_files
from bindproof.cli.telling import add_telling
from bindproof.core.request import GREATEST, LONGEST, MOST_PROCESSES, RunRequest, Shard
from bindproof.core.visible import visible
from bindproof.report import REPORTS

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


LONGEST_NUMBER = 20
"""Digits of a number; Python itself refuses to read one of thousands."""

LONGEST_SHOWN = 80
"""Characters of an argument that are shown where it is refused."""


class Parser(argparse.ArgumentParser):
    """A parser that says which words it does not take, and spells out what a terminal would not show of them."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is not known, and the one value that argparse loses."""
        words = sys.argv[1:] if args is None else list(args)
        for option, _, value in (word.partition("=") for word in words):
            if option.startswith("--") and value == "--":
                self.error(f"{option} is given `--`, which is no value")
        parsed, unknown = super().parse_known_args(words, namespace)
        if unknown:  # said here by the command that lacks them; argparse would show the usage of all commands
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """End with the usage, what is wrong, and where the words are explained."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {visible(message)}\n{used(self.prog)}\n")


def used(called: str) -> str:
    """Say where the words of a command are explained."""
    return f"`{called} --help` shows how it is used"


class Help(argparse.RawDescriptionHelpFormatter):
    """Keeps examples as they were written."""


def command(commands: Subparsers, name: str, summary: str, examples: str, **defaults: Any) -> argparse.ArgumentParser:
    """Adds a command whose help ends with examples; `defaults` are set on the parsed arguments, `act` among them."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{examples}",
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.set_defaults(called=parser.prog, **defaults)
    if "act" in defaults:
        add_telling(parser)
    return parser


def add_adapters(parser: argparse.ArgumentParser) -> None:
    """`--adapter` and `--adapter-command`."""
    parser.add_argument(
        "--adapter",
        action="append",
        default=[],
        metavar="NAME[@VERSION]",
        help="judge this one, and require it: python, python@0.9.4 (a release), python@./dist/x.whl (a build), "
        "python@env (the installed one), ./my-adapter (one in a folder of yours); may be given again. Without it: the "
        "default ones of each suite, as far as they can be had; `bindproof adapters list` shows them",
    )
    parser.add_argument(
        "--adapter-command",
        action="append",
        default=[],
        type=_name_and_command,
        metavar="NAME=CMD",
        help="judge your own adapter program, called NAME in the report; may be given again",
    )
    add_dialects(parser)


def add_dialects(parser: argparse.ArgumentParser) -> None:
    """The argument that adds dialects to those of a suite."""
    parser.add_argument(
        "--dialect",
        action="append",
        default=[],
        metavar="FILE",
        help="a dialect that such a program speaks and --suite does not have; may be given again",
    )


def add_judging(parser: argparse.ArgumentParser) -> None:
    """The arguments that say how a scenario is judged and where the log goes."""
    parser.add_argument("--edition", help="judge every target under this edition instead of its own")
    parser.add_argument(
        "--fault",
        metavar="NAME",
        help="put a planted fault between adapter and judge, such as swap_marks, to see the judge fail; "
        "`bindproof spec list --faults` shows all; several with + between them",
    )
    parser.add_argument(
        "--timeout",
        type=seconds,
        metavar="S",
        help="seconds that one scenario may take (default 10); over 30 a start too",
    )
    add_expectations(parser)
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the result log (JSON lines) there as well")


def add_report(parser: argparse.ArgumentParser, usual: str = "requirements") -> None:
    """`--report`, `--json` for one of its names, and the reports in files. usual: the report that is given unasked."""
    each = "; ".join(f"{name}: {entry.shows}" for name, entry in REPORTS.items())
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--report",
        choices=REPORTS,
        default=usual,
        metavar="NAME",
        help=f"print this one on stdout (default {usual}). {each}",
    )
    chosen.add_argument(
        "--json",
        action="store_const",
        dest="report",
        const="json",
        help="print the result log on stdout and no other report, as --report json does",
    )
    add_files(parser)


def add_expectations(parser: argparse.ArgumentParser) -> None:
    """`--expectations`."""
    parser.add_argument(
        "--expectations",
        metavar="FILE|none",
        help="known divergences to add to the shipped ones; none: expect nothing, not even the shipped ones",
    )


def add_jobs(parser: argparse.ArgumentParser, default: int | None = 1) -> None:
    """`--jobs`. default: the number without it; None: each adapter's own."""
    without = "as many as its adapter.toml says, mostly 1" if default is None else str(default)
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=default,
        metavar="N",
        help=f"so many processes of each adapter work at the same time, each on one scenario (default {without}); what "
        "is found does not depend on it",
    )


def add_shard(parser: argparse.ArgumentParser) -> None:
    """`--shard`."""
    parser.add_argument(
        "--shard",
        type=_shard,
        metavar="I/N",
        help="run only the I-th of N equal parts, such as 2/8 on the second of eight machines; `bindproof merge` makes "
        "one log of their --results, and holds it against the expectations",
    )


def asked(args: argparse.Namespace, **more: Any) -> RunRequest:
    """Return the request that the arguments of `add_adapters` and `add_judging` make. more: its other fields."""
    return RunRequest(
        suite=args.suite,
        adapters=tuple(args.adapter),
        adapter_commands=tuple(args.adapter_command),
        dialects=tuple(args.dialect),
        edition=args.edition,
        fault=args.fault,
        timeout=args.timeout,
        expectations=args.expectations,
        **more,
    )


def _shard(text: str) -> Shard:
    number, slash, of = text.partition("/")
    if not slash or not 1 <= digits(number) <= digits(of):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not I/N with I from 1 to N, such as 2/8")
    return Shard(digits(number), digits(of))


def digits(text: str) -> int:
    """The number that decimal digits make, -1 for other texts and for what no log can hold."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else -1
    return number if number <= GREATEST else -1


def shown(text: str) -> str:
    """An argument as a message shows it: quoted, and no longer than a line."""
    return repr(text) if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]!r}…"


def whole(text: str) -> int:
    """A whole number above 0, as an argument."""
    if digits(text) < 1:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number above 0, up to {GREATEST}")
    return digits(text)


def _jobs(text: str) -> int:
    if not 1 <= digits(text) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number above 0, up to {MOST_PROCESSES}")
    return digits(text)


def _name_and_command(text: str) -> tuple[str, str]:
    name, separator, words = text.partition("=")
    if not separator or not name.strip() or not words.strip():
        raise argparse.ArgumentTypeError(f"{shown(text)} is not NAME=CMD, such as mine='python my_adapter.py'")
    return name.strip(), words.strip()


def seconds(text: str) -> float:
    """A number of seconds above 0, as an argument."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= LONGEST:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a number of seconds above 0, up to {LONGEST}")
    return number
