"""`bindproof fuzz`: judges adapters by generated scenarios.

Enters: its arguments. Leaves: a report, a log, an exit code. Must not know how a scenario is made or judged.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bindproof.cli.options import (
    add_adapters,
    add_jobs,
    add_judging,
    add_report,
    add_shard,
    asked,
    command,
    digits,
    seconds,
    shown,
    whole,
)
from bindproof.cli.outputs import files_of
from bindproof.cli.perform import perform
from bindproof.cli.resume import add_continue, resume
from bindproof.core.errors import FileError, UsageError
from bindproof.core.request import Campaign, RunRequest

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof fuzz                                          1000 scenarios through reference, Python and Node
  bindproof fuzz --adapter node --seconds 60 --seed 7     as many as fit, the same ones each time
  bindproof fuzz --seed 7 --first 1000 --examples 1000    the thousand after them
  bindproof fuzz --guided --minimum-exercised 20          more of what is rare; red where a requirement had fewer
  bindproof fuzz --adapter worker --draw-for worker-raw   answers of workers alone
  bindproof fuzz --examples 100000 --jobs 4               four processes of each adapter at the same time
  bindproof fuzz --continue fuzz.jsonl                    go on where Ctrl-C cut --results fuzz.jsonl short
  bindproof fuzz --examples 100000 --shard 2/8 --results 2.jsonl    a share; `bindproof merge` joins them
  bindproof fuzz --examples 100000 --cluster tcp://10.0.0.7:8786    on a Dask cluster
  bindproof fuzz --adapter reference --fault swap_marks+drop_end   see both found
"""


def add(commands: Subparsers) -> None:
    """Adds the command."""
    parser = command(commands, "fuzz", "judge adapters by generated scenarios", EXAMPLES, act=act)
    parser.add_argument("--suite", help="only this suite; without it, all that the adapters speak")
    add_adapters(parser)
    parser.add_argument("--examples", type=whole, metavar="N", help="so many scenarios for each adapter (default 1000)")
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="S",
        help="as many scenarios as are sent in that time; with --examples, at most; what has no answer two seconds "
        "later is not counted",
    )
    parser.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="decides every scenario, with its number (default 0)"
    )
    parser.add_argument(
        "--first",
        type=_number,
        default=0,
        metavar="N",
        help="the number of the first scenario (default 0): go on there",
    )
    parser.add_argument(
        "--save", type=Path, metavar="FOLDER", help="keep the smallest scenario of each finding there, as a vector"
    )
    parser.add_argument(
        "--minimum-exercised",
        type=whole,
        default=0,
        metavar="N",
        help="exit 1 where fewer scenarios exercised a requirement that applies",
    )
    parser.add_argument(
        "--guided",
        action="store_true",
        help="make every second scenario like one that exercises a requirement which few of the seed's scenarios do",
    )
    parser.add_argument(
        "--draw-for",
        metavar="DIALECT",
        help="draw scenarios for those that speak this dialect, such as worker-raw or native: they can say few of "
        "those that are drawn for all; one that no suite has is refused with those that there are",
    )
    add_jobs(parser)
    add_judging(parser)
    add_report(parser)
    add_shard(parser)
    add_continue(parser)
    parser.add_argument(
        "--cluster",
        metavar="local|ADDRESS",
        help="share batches of scenarios out to the workers of a Dask cluster: --jobs of this machine, or those of the "
        "scheduler at an address such as tls://10.0.0.7:8786; what a worker that dies was at is done again elsewhere",
    )


def act(args: argparse.Namespace) -> int:
    """Asks for the campaign, performs it, gives the exit code."""
    from bindproof.runner import execute

    request = request_of(args)
    if args.continue_ is not None:
        if args.cluster is not None:
            raise UsageError("a campaign on a cluster is not continued; send it what it lacks: --first N")
        return resume(request, args)
    if args.save is not None:
        _make(args.save)
    if args.cluster is not None:
        return _on_cluster(args, request)
    return perform(
        lambda emit, progress: execute(request, emit, progress),
        results=args.results,
        report=args.report,
        files=files_of(args),
    )


def _on_cluster(args: argparse.Namespace, request: RunRequest) -> int:
    from bindproof.runner.cluster import campaign_on, client_of

    if args.shard is not None:
        raise UsageError("--cluster shares the scenarios out itself; leave out --shard")
    if args.cluster == "local":
        request = msgspec.structs.replace(request, processes=1)
    with client_of(args.cluster, args.jobs) as client:
        return perform(
            lambda emit, progress: campaign_on(client, request, emit, progress),
            results=args.results,
            report=args.report,
            files=files_of(args),
        )


def request_of(args: argparse.Namespace) -> RunRequest:
    """The request that the arguments make."""
    campaign = Campaign(
        seed=args.seed,
        first=args.first,
        examples=args.examples,
        seconds=args.seconds,
        guided=args.guided,
        draw_for=args.draw_for,
        minimum=args.minimum_exercised,
        save=None if args.save is None else str(args.save),
    )
    return asked(args, campaign=campaign, processes=args.jobs, shard=args.shard)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, None, f"what is found cannot be saved there: {error.strerror}") from error


def _number(text: str) -> int:
    if digits(text) < 0:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number from 0 up")
    return digits(text)


def _seed(text: str) -> int:
    number = digits(text.removeprefix("-"))
    if number < 0:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number between -2^63 and 2^63")
    return -number if text.startswith("-") else number
