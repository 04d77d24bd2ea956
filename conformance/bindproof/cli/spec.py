"""`bindproof spec check|list|show|changes|lock|new-edition`: is it whole, what is in it, what breaks, what comes next.

Enters: a suite's name, or none for all. Leaves: text on stdout, an exit code. Must not know verdicts.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bindproof.cli.explain import explained
from bindproof.cli.options import command
from bindproof.cli.streams import tell
from bindproof.core.errors import SuiteError, UsageError
from bindproof.results.fold import EXIT_OK, EXIT_USAGE
from bindproof.spec import (
    Problem,
    Spec,
    all_installed,
    installed,
    load,
    root_of,
    suite_roots,
    vector_paths,
    vectors,
)
from bindproof.spec.changes import changes_between
from bindproof.spec.edition_lock import lock, locked_with
from bindproof.spec.problem import placed, summary
from bindproof.spec.render import left_open, requirement_list
from bindproof.spec.render_changes import changes_text

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers

EXAMPLES = """\
  bindproof spec check            chapters, checks, schemas, dialects and vectors agree
  bindproof spec list             suites, editions, requirements
  bindproof spec list --vectors   the scenarios that are kept, with what each exercises
  bindproof spec show MRK-002     as `bindproof explain MRK-002`
  bindproof spec show marks       a whole chapter
  bindproof spec changes 0.7 0.9  what breaks between two editions, for whom, and what to do
"""

LIST_EXAMPLES = """\
  bindproof spec list relay       the requirements of one suite, by chapter
  bindproof spec list --vectors   ids that `bindproof replay` and `bindproof run --vector` take
  bindproof spec list --faults    names that `bindproof run --fault` takes, and the requirements that each breaks
  bindproof spec list --open      what the sources say and no requirement does, and why
"""


def add(commands: Subparsers) -> None:
    """Adds the command and its parts."""
    parser = command(commands, "spec", "check, list or show what targets are judged by", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    check = command(parts, "check", "prove that the files of the spec agree", "  bindproof spec check", act=act_check)
    check.add_argument("suite", nargs="?", metavar="SUITE", help="only this suite")
    check.add_argument(
        "--accept",
        action="append",
        metavar="ID",
        help="first note in requirements.lock that this requirement's check fits its statement; `all` for every one",
    )
    check.add_argument(
        "--every-setting",
        action="store_true",
        help="act each vector out in every edition and dialect, also of a suite in which that takes minutes",
    )
    check.add_argument("--all", action="store_true", help="tell each problem, where else those alike are counted")
    listing = command(parts, "list", "list requirements or vectors", LIST_EXAMPLES, act=act_list)
    listing.add_argument("suite", nargs="?", metavar="SUITE", help="only this suite")
    listing.add_argument("--vectors", action="store_true", help="the vectors: id, title, what each exercises")
    listing.add_argument("--faults", action="store_true", help="the planted faults: name, what each breaks")
    listing.add_argument("--open", action="store_true", help="what the sources say and no requirement does, and why")
    show = command(parts, "show", "show a requirement, vector or chapter", "  bindproof spec show marks", act=act_show)
    show.add_argument("subject", metavar="ID|CHAPTER", help="an id, or a word of a chapter's file name or title")
    locking = command(parts, "lock", "note what editions say, to lock them", "  bindproof spec lock 0.9", act=act_lock)
    locking.add_argument("edition", nargs="+", metavar="EDITION", help="an edition that is complete")
    locking.add_argument("--suite", metavar="SUITE", help="of this suite")
    bundling = command(
        parts,
        "bundle",
        "write the schemas of each edition as one file that others can use",
        "  bindproof spec bundle relay",
        act=act_bundle,
    )
    bundling.add_argument("suite", metavar="SUITE", help="of this suite, into the folder bundles/ of its spec")
    exporting = command(
        parts,
        "export",
        "write requirements, schemas, vectors and predictions as JSON, for runners without Python",
        "  bindproof spec export relay FOLDER --edition 0.9 --dialect node",
        act=act_export,
    )
    exporting.add_argument("suite", metavar="SUITE", help="this suite")
    exporting.add_argument("folder", metavar="FOLDER", help="where to write; made where it is missing")
    exporting.add_argument("--edition", action="append", default=[], metavar="EDITION", help="this one; none: all")
    exporting.add_argument("--dialect", action="append", default=[], metavar="DIALECT", help="this one; none: all")
    exporting.add_argument("--vector", action="append", metavar="GLOB", help="these vectors; none: all")
    new = command(
        parts,
        "new-edition",
        "lay out an edition after the last one",
        "  bindproof spec new-edition relay 0.12 --from 0.11",
        act=act_new_edition,
    )
    new.add_argument("suite", metavar="SUITE", help="whose edition")
    new.add_argument("edition", metavar="NEW", help="its name")
    new.add_argument("--from", required=True, dest="after", metavar="OLD", help="the last edition, as which it begins")
    changes = command(
        parts, "changes", "what breaks between two editions", "  bindproof spec changes 0.7 0.9", act=act_changes
    )
    changes.add_argument("old", metavar="OLD", help="the edition that programs were written for")
    changes.add_argument("new", metavar="NEW", help="the edition that they move to")
    changes.add_argument("--suite", metavar="SUITE", help="only this suite")


def act_check(args: argparse.Namespace) -> int:
    """Checks each suite and prints every problem with its file and line; one whose code is broken stops no other."""
    from bindproof.suites.mistakes import mistake_in

    if args.accept:
        _accept(args)
    found = 0
    for name in _names(args.suite):
        try:
            problems = checked(name, everywhere=args.every_setting)
        except Exception as error:
            mistake = mistake_in(error)
            if mistake is None:
                raise
            tell(str(mistake))
            found += 1
            continue
        found += len(problems)
        _tell_problems(name, problems, every=args.all)
        tell(f"{name}: {_found(name, len(problems))}")
    return EXIT_USAGE if found else EXIT_OK


def _tell_problems(name: str, problems: list[Problem], *, every: bool) -> None:
    roots = [root_of(name)]
    some = summary(problems, roots, f"bindproof spec check {name} --all")
    for line in [placed(problem, roots) for problem in problems] if every else some:
        tell(line)


def _found(name: str, problems: int) -> str:
    if problems:
        return f"{problems} {'problem' if problems == 1 else 'problems'}; mend the first, the others may follow from it"
    suite = installed(name)
    counts = (
        f"{len(suite.chapters)} chapters",
        f"{len(suite.requirements)} requirements",
        f"{len(suite.editions)} editions",
        f"{len(suite.dialects)} dialects",
        f"{len(vector_paths(suite))} vectors",
    )
    return f"{', '.join(counts)} agree with each other and with the checks"


def checked(name: str, *, everywhere: bool = False) -> list[Problem]:
    """Every problem of a suite: of its files among each other, with its checks, and of what its vectors claim.

    everywhere: try each vector in every setting. Without an installed package that provides the suite, only its files
    are checked.
    """
    from bindproof import suites
    from bindproof.runner.claims import Claims, provided_problems
    from bindproof.spec.check import check
    from bindproof.targets.manifest_check import manifest_problems

    try:
        spec = installed(name)
        suite = suites.load(spec)
    except SuiteError:
        raise
    except UsageError:
        return check(root_of(name), name)
    problems = [*check(spec.root, name, suite.checks), *manifest_problems(spec), *provided_problems(spec, suite)]
    return problems or list(Claims(spec, suite, everywhere=everywhere).problems())


def _accept(args: argparse.Namespace) -> None:
    from bindproof.spec.check import accept

    names = _names(args.suite)
    if len(names) > 1:
        names = [name for name in names if set(args.accept) <= set(installed(name).requirements)] or names
    if len(names) > 1:
        raise UsageError(f"--accept writes one suite's lock: name the suite, one of {', '.join(names)}")
    for changed in accept(root_of(names[0]), names[0], args.accept):
        tell(f"accepted {changed}")


def act_list(args: argparse.Namespace) -> int:
    """Prints suites, their editions, requirements and vectors; or planted faults; or what the chapters leave open."""
    for suite in (installed(name) for name in _names(args.suite)):
        if args.open:
            tell(left_open(suite))
            continue
        if args.faults:
            tell(_fault_list(suite))
            continue
        if args.vectors:
            tell(_vector_list(suite))
            continue
        editions = ", ".join(f"{edition.name} ({edition.state})" for edition in suite.editions)
        tell(f"suite {suite.name}: {suite.title}\neditions {editions}\ndialects {', '.join(suite.dialects)}\n")
        tell(requirement_list(suite))
        tell(f"\n{len(vector_paths(suite))} vectors: bindproof spec list {suite.name} --vectors")
    return EXIT_OK


def _vector_list(suite: Spec) -> str:
    found = [(v.id, v.title, ", ".join(v.exercises), v.defect is not None) for v in vectors(suite)]
    width = max((len(name) for name, *_ in found), default=0)
    lines = (f"{name:<{width}}  {'- ' if negative else '  '}{title} ({ids})" for name, title, ids, negative in found)
    return "\n".join([*lines, "", "- is a negative: something in it has to be refused"])


def _fault_list(suite: Spec) -> str:
    from bindproof.suites import provider

    found = sorted(provider(suite)().faults.items())
    width = max((len(name) for name, _ in found), default=0)
    lines = (f"{name:<{width}}  {fault.title} ({', '.join(fault.breaks)})" for name, fault in found)
    return "\n".join(lines) or f"suite {suite.name} plants no faults"


def act_show(args: argparse.Namespace) -> int:
    """Prints one chapter as it is written, or explains an id."""
    suites = all_installed()
    word = args.subject.lower()
    for suite in suites:
        for chapter in suite.chapters:
            if word in chapter.title.lower() or word in chapter.file.rpartition("/")[2]:
                tell((suite.root / chapter.file).read_text(encoding="utf-8").rstrip())
                return EXIT_OK
    tell(explained(suites, args.subject))
    return EXIT_OK


def act_changes(args: argparse.Namespace) -> int:
    """Prints the migration notes from one edition to another, oldest first."""
    suites = [installed(name) for name in _names(args.suite)]
    having = [suite for suite in suites if {args.old, args.new} <= set(suite.edition_names)] or suites[:1]
    for suite in having:
        tell(changes_text(suite.name, changes_between(suite, args.old, args.new)))
    return EXIT_OK


def act_new_edition(args: argparse.Namespace) -> int:
    """Writes the files of a new edition, and says what comes next."""
    from bindproof.spec.new_edition import lay_out

    laid = lay_out(load(root_of(args.suite), args.suite), args.edition, args.after)
    for file in laid.files:
        tell(f"written: {file}")
    tell("next:")
    for number, step in enumerate(laid.next, 1):
        tell(f"  {number}. {step}")
    return EXIT_OK


def act_lock(args: argparse.Namespace) -> int:
    """Writes what editions say today into the suite's editions.lock, unless its files disagree with each other."""
    names = _names(args.suite)
    if len(names) > 1:
        raise UsageError(f"lock writes one suite's editions.lock: --suite names it, one of {', '.join(names)}")
    spec = installed(names[0])
    locked_with(spec, args.edition)  # what cannot be locked is told before all vectors are acted out
    if problems := checked(spec.name):
        _tell_problems(spec.name, problems, every=False)
        tell(f"nothing is locked: `bindproof spec check {spec.name}` has to be green before")
        return EXIT_USAGE
    lock(spec, args.edition)
    tell(f'now say state = "locked" of {", ".join(args.edition)} in suite.toml')
    for name in args.edition:
        at = spec.edition_names.index(name)
        if at:
            words = f"{spec.name}:{spec.edition_names[at - 1]} {spec.name}:{name}"
            tell(f"`bindproof evolve check {words}` says whether all that it changed is noted and noticed")
    return EXIT_OK


def act_bundle(args: argparse.Namespace) -> int:
    """Writes the bundle of each edition into the suite's folder."""
    from bindproof.spec.bundle import write_bundles

    for path in write_bundles(installed(args.suite)):
        tell(str(path))
    return EXIT_OK


def act_export(args: argparse.Namespace) -> int:
    """Writes a suite as JSON into a folder."""
    from bindproof import suites
    from bindproof.core.paths import resolved
    from bindproof.runner.exporting import export

    spec = installed(args.suite)
    folder = resolved(args.folder)
    paths = export(
        spec,
        suites.load(spec),
        folder,
        editions=args.edition,
        dialects=args.dialect,
        wanted=args.vector or ("*",),
    )
    tell(f"{len(paths)} files, {sum(path.stat().st_size for path in paths) // 1024} KiB, in {folder}")
    return EXIT_OK


def _names(name: str | None) -> list[str]:
    if name is None:
        return list(suite_roots())
    root_of(name)
    return [name]
