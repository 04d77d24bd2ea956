"""`bindproof adapters list|build|check`: what can be judged here, and proof that it is the real thing.

Enters: adapter names. Leaves: text on stdout, an exit code. Must not know scenarios.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING

from bindproof.cli.options import command
from bindproof.cli.progress import Progress
from bindproof.cli.streams import tell
from bindproof.core.model import AdapterCommand, TargetInfo, Unavailable
from bindproof.results.fold import EXIT_ADAPTER_FAULT, EXIT_DIVERGENCE, EXIT_NOTHING_JUDGED, EXIT_OK, first_of

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.runner.fault_trials import Planted

COMPILED = (".so", ".pyd", ".dylib", ".dll", ".node", ".wasm")
"""Endings of the files that hold a binding's native code; their hashes are always shown."""

EXAMPLES = """\
  bindproof adapters list                       the adapters there are and what they drive
  bindproof adapters build python@0.9.4         get a package and keep it in the cache
  bindproof adapters check                      which package really answers, by version and file hashes
  bindproof adapters check node --files         with every file hashed anew, and shown
  bindproof adapters check node --faults        every planted fault is found in front of this adapter
"""


CHECKS = """\
  bindproof adapters check                  version and file hashes of each default adapter
  bindproof adapters check node --files     with every file hashed anew, and shown
  bindproof adapters check node --faults    every planted fault breaks what it names and nothing else
"""


def add(commands: Subparsers) -> None:
    """Adds the command and its three parts."""
    parser = command(commands, "adapters", "list, build or check adapters", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    command(parts, "list", "list the adapters", "  bindproof adapters list", act=act_list)
    build = command(parts, "build", "get what an adapter drives", "  bindproof adapters build node", act=act_build)
    check = command(
        parts, "check", "show which package really answers, and that none does without it", CHECKS, act=act_check
    )
    build.add_argument(
        "--allow-source-builds",
        action="store_true",
        help="build a Python package that has no wheel for this machine from its sources, which runs programs of it; "
        "what was built so stays in the cache, where other commands find it",
    )
    for part in (build, check):
        part.add_argument("spec", nargs="*", metavar="NAME[@VERSION]", help="adapters; without one, the default ones")
    check.add_argument("--files", action="store_true", help="hash every file anew, and show each of the target's")
    check.add_argument("--faults", action="store_true", help="plant every fault in front of each adapter")


def act_list(args: argparse.Namespace) -> int:
    """Prints one line for each adapter."""
    from bindproof.targets import known

    manifests = known()
    for manifest in manifests:
        default = f" ({manifest.when_judged})" if manifest.when_judged else ""
        tell(f"{manifest.name}{default}: {manifest.title}\n  {manifest.how_to_get}")
    return EXIT_OK


def act_build(args: argparse.Namespace) -> int:
    """Gets each adapter ready and prints where it is."""
    code = EXIT_OK
    for name in _names(args):
        found = _resolved(name, sources=args.allow_source_builds)
        if isinstance(found, Unavailable):
            code = EXIT_NOTHING_JUDGED
            _print_unavailable(found)
        else:
            tell(f"{found.name}: ready{f', version {found.version}' if found.version else ''}, in {found.cwd}")
            for note in found.notes:
                _print_fact("note", note)
    return code


def act_check(args: argparse.Namespace) -> int:
    """Starts each adapter with and without its target, or plants every fault in front of it."""
    if args.faults:
        return first_of([_check_faults(name) for name in _names(args)])
    return first_of([_check(name, all_files=args.files) for name in _names(args)])


def _check_faults(name: str) -> int:
    """Plants every fault in front of one adapter; each has to break what it names and nothing else."""
    from bindproof.runner import check_faults

    found = _resolved(name)
    if isinstance(found, Unavailable):
        _print_unavailable(found)
        return EXIT_NOTHING_JUDGED
    with Progress(sys.stderr) as progress:
        results = check_faults(name, progress.say)
    if not results:
        tell(f"{name}: no suite that it speaks has planted faults; nothing was tried")
        return EXIT_NOTHING_JUDGED
    tell(f"{name}: faults, the scenarios that each spoils between adapter and judge, and what it breaks there")
    for result in results:
        tell(f"  {result.fault.name:<22}{result.planted:>4}  {_effect(result)}")
    inexact = [result.fault.name for result in results if not result.exact]
    if inexact:
        tell(f"{len(inexact)} of {len(results)} faults break something else than they name: {', '.join(inexact)}")
        return EXIT_DIVERGENCE
    tell(f"each of the {len(results)} faults breaks what it names and nothing else")
    return EXIT_OK


def _effect(result: Planted) -> str:
    broken = ", ".join(sorted(result.broken)) or ("nothing" if result.planted else "nothing here to spoil")
    return broken if result.exact else f"{broken}  WRONG: it names {', '.join(sorted(result.named)) or 'nothing here'}"


def _check(name: str, *, all_files: bool) -> int:
    found = _resolved(name, anew=all_files)
    if isinstance(found, Unavailable):
        _print_unavailable(found)
        return EXIT_NOTHING_JUDGED
    answer = _initialized(found)
    if isinstance(answer, str):
        tell(f"{name}: it does not initialize: {answer}")
        return EXIT_ADAPTER_FAULT
    _print_target(found, answer)
    code = _check_refusal(found)
    _print_files(found, all_files=all_files)
    return code


def _print_files(found: AdapterCommand, *, all_files: bool) -> None:
    """The hashes that the harness took: one over all files, and those of the compiled ones, or of each."""
    listed = sorted(found.files.items())
    whole = hashlib.sha256("".join(f"{digest}  {file}\n" for file, digest in listed).encode()).hexdigest()
    count = "1 file" if len(listed) == 1 else f"{len(listed)} files"
    _print_fact("files", f"{count}, sha256 over their hashes and names {whole}")
    program = PurePath(found.argv[0]).name
    compiled = [(file, digest) for file, digest in listed if file.endswith(COMPILED) or file == program]
    for file, digest in listed if all_files else compiled:
        tell(f"    {digest}  {file}")
    if not all_files:
        tell(f"    each of them: bindproof adapters check {found.name} --files")


def _check_refusal(found: AdapterCommand) -> int:
    from bindproof.targets import without_target

    bare = without_target(found)
    if bare is None:
        _print_fact("without it", "nothing to take away: it is linked with what it drives, or needs no package")
        return EXIT_OK
    answer = _initialized(bare)
    if isinstance(answer, TargetInfo):
        wrong = f"WRONG: without its package it still initializes, as {answer.target} {answer.version}"
        _print_fact("without it", wrong)
        return EXIT_ADAPTER_FAULT
    reason = answer.removeprefix("the adapter refused to initialize: ")
    _print_fact("without it", f"refuses to initialize, as it must: {reason}")
    return EXIT_OK


def _print_target(found: AdapterCommand, info: TargetInfo) -> None:
    tell(f"{found.name}: {info.target} {info.version}")
    _print_fact("language", f"{info.language}, {info.runtime}")
    for note in found.notes:
        _print_fact("note", note)
    for suite, spoken in info.suites.items():
        _print_fact("suite", f"{suite}, dialect {spoken.get('dialect')}")


def _initialized(command: AdapterCommand) -> TargetInfo | str:
    """What the adapter says of itself, or why it does not."""
    from bindproof.drive import Failed, Ready, drive

    for event in drive([(command, lambda _: ())]):
        if isinstance(event, Ready):
            return event.info
        if isinstance(event, Failed):
            return event.reason
    return "it ended without an answer"


def _resolved(name: str, *, sources: bool = False, anew: bool = False) -> AdapterCommand | Unavailable:
    from bindproof.targets import resolve

    with Progress(sys.stderr) as progress:
        return resolve(name, required=True, progress=progress.say, sources=sources, anew=anew)


def _names(args: argparse.Namespace) -> list[str]:
    from bindproof.targets import default_names

    return list(args.spec) or list(default_names())


def _print_unavailable(found: Unavailable) -> None:
    tell(f"{found.name}: unavailable: {found.reason}")
    if found.remedy:
        tell(f"  to have it: {found.remedy}")


def _print_fact(name: str, value: str) -> None:
    tell(f"  {name:<12}{value}")
