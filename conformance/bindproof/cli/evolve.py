"""`bindproof evolve diff|check|report|note|cases|migrate`: what a change breaks, and whether that is noted and noticed.

Enters: two words for what is compared. Leaves: a report on stdout, an exit code. Must not know how a change is graded.

Exit codes: 0 compatible · 1 breaking · 2 usage, or an invalid schema · 3 nothing compared · 4 unknown that blocks.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bindproof.cli import evolve_migrate
from bindproof.cli.evolve_patience import add_patience, patience_of
from bindproof.cli.evolve_policy import act_policy
from bindproof.cli.options import command, whole
from bindproof.cli.streams import say, tell
from bindproof.core.counting import plural
from bindproof.core.errors import UsageError
from bindproof.results.fold import EXIT_NOTHING_JUDGED, EXIT_OK
from bindproof.spec import Spec, load, root_of, suite_roots

if TYPE_CHECKING:
    from bindproof.cli.options import Subparsers
    from bindproof.evolve.findings import Findings
    from bindproof.evolve.gate import Step
    from bindproof.spec.changes import Change

EXAMPLES = """\
  bindproof evolve diff old.json new.json          two schemas
  bindproof evolve diff relay:0.9 relay:0.10       two editions: schemas and requirements
  bindproof evolve diff main:schemas ./schemas     a folder as git has it in a revision, and as it is
  bindproof evolve check relay:0.9 relay:0.10      whether what breaks has a note, and vectors notice it
  bindproof evolve migrate events.jsonl --from 0.7 --to 0.10 -o moved.jsonl
"""

DIFF_EXAMPLES = """\
  bindproof evolve diff old.json new.json
  bindproof evolve diff v1/ v2/ --direction old-to-new    only whether new readers read what old writers wrote
  bindproof evolve diff relay:0.9 relay:0.10 --report markdown
  bindproof evolve diff HEAD~1:spec/relay spec/relay --report sarif

grades:
  PROVED   a proof that nothing is refused, or that something is
  WITNESS  a value that one side takes and the other refuses; two validators agree on it
  RULE     a rule on what no validator sees, such as defaults and requirements
  UNKNOWN  neither; it blocks as a break does

exit codes:
  0 compatible · 1 breaking · 2 usage, or an invalid schema · 3 nothing compared · 4 unknown
"""

CHECK_EXAMPLES = """\
  bindproof evolve check relay:0.9 relay:0.10
  bindproof evolve check relay:0.5 relay:0.11     each step between the two
  bindproof evolve check main...:schemas schemas --policy policy.toml --release minor
      a folder of any project, as it was where the branch left main, and as it is

of two editions it is red where
  a difference that breaks, or of which nobody knows, is covered by no note (`differences` of a [[note]])
  a note covers nothing, or its example does not behave as it says
  no vector exercises a difference, or none notices that it alone is taken back: the old rule of the
  reference or, where the reference knows no difference, a planted fault; the old part of a schema in the judge
of any other two sides, where a difference breaks, or nobody knows, and no [[allow]] of the policy names it for the
release

exit codes:
  0 covered · 1 something is missing · 2 usage, or an invalid spec · 3 nothing compared · 4 unknown and not covered
"""

REPORT_EXAMPLES = """\
  bindproof evolve report relay:0.9 relay:0.10 > review.md
  bindproof evolve report relay:0.9 relay:0.10 --report html > review.html
  bindproof run --adapter python@0.9.4 --edition 0.9 --results before.jsonl
  bindproof run --adapter python@0.9.4 --edition 0.10 --results run.jsonl
  bindproof evolve report relay:0.9 relay:0.10 --results before.jsonl --results run.jsonl
      with who becomes non-conformant: who breaks in a run by 0.10 what is new, or what it kept in one by 0.9

exit codes: as of evolve check
"""

NOTE_EXAMPLES = """\
  bindproof evolve note relay:0.9 relay:0.10 >> spec/relay/changes/0.9--0.10.toml
"""

CASES_EXAMPLES = """\
  bindproof evolve cases relay:0.9 relay:0.10 fda9c7ab4748     a fingerprint, as `evolve diff` prints it
"""

REPORTS = ("text", "json", "markdown", "sarif")


def add(commands: Subparsers) -> None:
    """Adds the command and its parts."""
    parser = command(commands, "evolve", "say what a change of a spec or of schemas breaks", EXAMPLES)
    parts = parser.add_subparsers(title="parts", metavar="PART", required=True)
    diff = command(
        parts, "diff", "compare two versions, with evidence for each difference", DIFF_EXAMPLES, act=act_diff
    )
    _add_sides(diff)
    chosen = diff.add_mutually_exclusive_group()
    chosen.add_argument("--report", choices=REPORTS, default="text", help="how to tell it (default text)")
    chosen.add_argument("--json", action="store_const", dest="report", const="json", help="as --report json")
    check = command(
        parts, "check", "hold a change to its notes and vectors, or to a policy", CHECK_EXAMPLES, act=act_check
    )
    what = "an edition, SUITE:NAME; or schemas without a suite, as `evolve diff` takes them"
    check.add_argument("old", metavar="OLD", help=what)
    check.add_argument("new", metavar="NEW", help="the same, later")
    add_patience(check)
    check.add_argument("--policy", type=Path, metavar="FILE", help="which breaks a release may have (TOML)")
    check.add_argument(
        "--release", choices=("patch", "minor", "major"), help="what the change is released as (default patch)"
    )
    check.add_argument("--json", action="store_true", help="what is missing, as one JSON object")
    report = command(parts, "report", "the page for who reviews a change", REPORT_EXAMPLES, act=act_report)
    _add_editions(report)
    report.add_argument("--report", choices=("markdown", "html"), default="markdown", help="how (default markdown)")
    report.add_argument(
        "--results",
        type=Path,
        action="append",
        metavar="FILE",
        help="the log of a run, to say which packages become non-conformant; may be given again",
    )
    note = command(parts, "note", "write the skeleton of the notes that are missing", NOTE_EXAMPLES, act=act_note)
    _add_editions(note)
    cases = command(parts, "cases", "propose vectors that notice a difference", CASES_EXAMPLES, act=act_cases)
    _add_editions(cases)
    cases.add_argument("fingerprint", metavar="FINGERPRINT", help="the difference, as `evolve diff` prints it")
    cases.add_argument(
        "--scenarios", type=whole, default=400, metavar="N", help="generate so many, where no kept vector notices"
    )
    evolve_migrate.add(parts)


def _add_editions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="SUITE:OLD", help="an edition of a suite")
    parser.add_argument("new", metavar="SUITE:NEW", help="a later one")
    add_patience(parser)


def _add_sides(parser: argparse.ArgumentParser) -> None:
    what = (
        "a JSON Schema, an OpenAPI 3.1 document, a folder of them (JSON or YAML), SUITE:EDITION, REVISION:PATH as git "
    )
    what += "has it, or REVISION...:PATH as it was "
    what += "where the branch left it"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same, later")
    parser.add_argument(
        "--direction",
        choices=("both", "old-to-new", "new-to-old"),
        default="both",
        help="old-to-new: what old writers wrote, for new readers; new-to-old: what new writers write, for old readers",
    )
    add_patience(parser)


def act_diff(args: argparse.Namespace) -> int:
    """Compares and prints."""
    from bindproof.evolve import machines, words
    from bindproof.evolve.findings import EXIT_CODES, compared
    from bindproof.evolve.limits import TimeUpError, within
    from bindproof.evolve.sides import two_sides

    with tempfile.TemporaryDirectory() as folder, patience_of(args) as patience:
        try:
            with within(args.seconds, "to read both sides"):
                sides = two_sides(args.old, args.new, Path(folder))
            found = compared(*sides, directions=words.direction_of(args.direction), patience=patience)
        except TimeUpError as error:
            say(f"bindproof: {error}")
            return EXIT_CODES["unknown"]
    shown = {"text": words.text, "json": machines.as_json, "markdown": words.markdown, "sarif": machines.sarif}
    tell(shown[args.report](found))
    return EXIT_CODES[found.outcome()]


def act_check(args: argparse.Namespace) -> int:
    """Checks each step between two editions and prints what is missing, with what to do next."""
    from bindproof.evolve.gate import checked, exit_code

    if args.policy or args.release or not _names_editions(args):
        args.release = args.release or "patch"
        return act_policy(args)
    with patience_of(args) as patience:
        steps = checked(*_editions(args), patience)
    if args.json:
        tell(json.dumps({"steps": [_step(step) for step in steps]}, ensure_ascii=False, indent=2))
        return exit_code(steps)
    for step in steps:
        for fault in step.faults:
            tell(f"{fault.problem}\n  next: {fault.next}")
        blocking = sum(step.findings.blocks(decision) for decision in step.findings.each)
        notes = plural(len(step.change.notes), "note")
        said = f"{plural(len(step.findings.each), 'difference')}, {blocking} that block, {notes}"
        noticed = sum(bool(how) for how in step.noticed.values())
        tell(f"{step.findings.old} → {step.findings.new}: {said}, {noticed} noticed; {len(step.faults)} missing")
    return exit_code(steps)


def _names_editions(args: argparse.Namespace) -> bool:
    """Tell whether a word has the form SUITE:EDITION, of a suite that is there, and is no path."""
    words = [word for word in (args.old, args.new) if not Path(word).exists()]
    return any(":" not in word or word.partition(":")[0] in suite_roots() for word in words)


def _step(step: Step) -> dict[str, object]:
    return {
        "old": step.findings.old,
        "new": step.findings.new,
        "missing": [
            {"file": one.problem.file, "line": one.problem.line, "text": one.problem.text, "next": one.next}
            for one in step.faults
        ],
        "noticed": {
            name: [{"vector": vector, "how": how} for vector, how in found] for name, found in step.noticed.items()
        },
    }


def act_report(args: argparse.Namespace) -> int:
    """Prints the reviewer's page."""
    from bindproof.evolve.gate import checked, exit_code
    from bindproof.evolve.packages import runs_of
    from bindproof.evolve.review import markdown, reviewed

    spec, old, new = _editions(args)
    runs = runs_of(args.results or (), spec.name)
    with patience_of(args) as patience:
        steps = checked(spec, old, new, patience)
    reviews, with_runs = reviewed(spec, steps, runs), bool(args.results)
    if args.report == "html":
        from bindproof.report.review import write_page

        write_page(reviews, sys.stdout, with_runs=with_runs)
    else:
        tell(markdown(reviews, with_runs=with_runs))
    return exit_code(steps)


def act_note(args: argparse.Namespace) -> int:
    """Prints notes to complete, for what no note covers."""
    from bindproof.evolve.skeleton import skeleton

    spec, old, new = _editions(args)
    written = skeleton(spec, *_one_step(spec, old, new, args))
    if written:
        tell(written)
    else:
        say(f"every difference between {old} and {new} that blocks has a note")
    return EXIT_OK


def act_cases(args: argparse.Namespace) -> int:
    """Prints vectors that notice a difference: kept ones to name, or new ones to keep."""
    from bindproof.evolve.cases import difference_of, proposals, text

    spec, old, new = _editions(args)
    change, findings = _one_step(spec, old, new, args)
    found = proposals(spec, change, difference_of(findings, args.fingerprint), args.scenarios)
    for one in found:
        said = f"{one.id} notices it" if one.id else f"a new vector notices it; keep it in {spec.name}/vectors/"
        tell(f"{said}, {one.how}" + ("" if one.id else f":\n{text(one)}"))
    if not found:
        say(f"no vector and none of {args.scenarios} generated scenarios notices it; --scenarios tries more")
    return EXIT_OK if found else EXIT_NOTHING_JUDGED


def _editions(args: argparse.Namespace) -> tuple[Spec, str, str]:
    """Return the suite that both words name, and its editions. Raises UsageError where they do not name one."""
    (suite, _, old), (other, _, new) = args.old.partition(":"), args.new.partition(":")
    if suite != other or not old or not new:
        raise UsageError(
            f"{args.old} and {args.new} are not two editions of one suite, nor schemas; write SUITE:OLD SUITE:NEW"
        )
    return load(root_of(suite), suite), old, new


def _one_step(spec: Spec, old: str, new: str, args: argparse.Namespace) -> tuple[Change, Findings]:
    from bindproof.evolve.findings import compared
    from bindproof.evolve.sides import edition_side
    from bindproof.spec.changes import changes_between

    changes = changes_between(spec, old, new)
    if len(changes) > 1:
        raise UsageError(f"there are editions between {old} and {new}; take one step at a time")
    sides = edition_side(spec, old), edition_side(spec, new)
    with patience_of(args) as patience:
        return changes[0], compared(*sides, patience=patience)
