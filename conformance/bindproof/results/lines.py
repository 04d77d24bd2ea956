"""The lines of a result log.

Enters: values of a run. Leaves: frozen structs, one type a line type, that encode to JSON. Must not know how a verdict
was reached, nor how it is shown.

A log has one `run` line first and one `summary` last; a run that was cut short has none. Between them come `adapter`
lines, each before all that is said of that adapter (one that fails later gets a second line, which replaces the state
of the first); `verdict` lines, one for each scenario that was selected for an adapter that was ready; in a campaign
`finding` lines, each before the verdict that shows it first, and `choices`; `stale` lines, one for each expectation
that did not occur though its vectors ran. A field that has its default is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

import msgspec

from bindproof.core.model import REFERENCE_REQUIREMENT, Defect, Evidence, Json, Judgement, Plan, Verdict, VerdictOutcome
from bindproof.core.origins import FromFile, FromVector, Generated, Origin, Planned, TwinOf
from bindproof.core.request import RunRequest

FORMAT = 2
"""The version of this format; a reader refuses one that it does not know."""

TIMES = 3
"""How often an unexpected failure is tried again; `reproduced` says how often it failed then."""

OUTCOMES: tuple[VerdictOutcome, ...] = get_args(VerdictOutcome)

AdapterState = Literal["ready", "unavailable", "failed"]


class RequirementFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a report needs to know of one requirement."""

    id: str
    level: str
    """MUST, SHOULD or MAY."""
    title: str
    statement: str
    chapter: str
    """The title of its chapter; chapters are shown in the order of this table."""
    editions: tuple[str, ...] = ()
    """Each edition in which it holds."""
    dialects: tuple[str, ...] = ()
    """Each dialect in which it holds, empty for all of them."""
    selected: bool = True
    """False when the user's choice (`--requirement`) leaves it out."""
    untestable: str | None = None
    """Why no check can exist."""

    def applies(self, edition: str, dialect: str) -> bool:
        """True when it holds in this edition and dialect."""
        return edition in self.editions and (not self.dialects or dialect in self.dialects)


class ClassFacts(msgspec.Struct, frozen=True):
    """A conformance class, with the ids of its requirements."""

    name: str
    title: str
    requirements: tuple[str, ...]


class SuiteFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """One suite of the run, with its requirements in the order of its chapters."""

    suite: str
    requirements: tuple[RequirementFacts, ...]
    classes: tuple[ClassFacts, ...] = ()
    partial: tuple[str, ...] = ()
    """The editions in which nothing is judged that no requirement speaks of, so that REF-000 does not apply."""


class RunLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="run"):
    """The first line: what was run, with what."""

    format: int
    """FORMAT, in every log."""
    bindproof: str
    python: str
    """`bindproof` and `python`: versions."""
    platform: str
    spec: str
    """Sha256 over the suites' folders in spec/."""
    started: str
    """The time in ISO 8601 with its offset."""
    suites: tuple[SuiteFacts, ...]
    request: RunRequest = RunRequest()
    """What the user chose."""
    adapters: tuple[str, ...] = ()
    """The names asked for, or of the default ones, in that order; reports keep it."""
    expectations: dict[str, str] = {}
    """Why each known divergence is known, by the id that `expected_by` gives."""


class Speaks(msgspec.Struct, frozen=True, omit_defaults=True):
    """One suite that an adapter is judged on."""

    suite: str
    edition: str
    dialect: str
    selected: int
    """How many scenarios were chosen for it, twins of negatives included; each must get exactly one verdict line."""
    claims: tuple[str, ...] = ()
    """The conformance classes that its manifest claims."""


class AdapterLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="adapter"):
    """One adapter: ready, unavailable (it cannot be had here) or failed (it is at fault, not a scenario)."""

    name: str
    """As the user wrote it."""
    state: AdapterState
    required: bool = False
    """Named on the command line."""
    target: str = ""
    version: str = ""
    language: str = ""
    runtime: str = ""
    """`target`, `version`, `language` and `runtime`: what it drives, from its `initialize` reply."""
    suites: tuple[Speaks, ...] = ()
    """What it is judged on."""
    files: dict[str, str] = {}
    """Sha256 by path of what it drives, taken by the harness."""
    program: str = ""
    """Sha256 over the adapter's own code: its folder and the SDKs that it uses, or the files that a command names."""
    reason: str = ""
    remedy: str = ""
    """`reason` and `remedy`: why it is not ready, and the command that would help."""
    evidence: str | None = None
    stderr: str = ""
    """`evidence` and `stderr`: the offending line and the tail of stderr of a failed one."""
    notes: tuple[str, ...] = ()
    """What the user should know, such as the edition chosen for a release that no edition lists."""


def joined(earlier: AdapterLine | None, line: AdapterLine) -> AdapterLine:
    """An adapter that failed later has two lines; what the second leaves out stands in the first."""
    if earlier is None:
        return line
    kept = {name: getattr(earlier, name) for name in line.__struct_fields__ if not getattr(line, name)}
    return msgspec.structs.replace(line, **kept)


class Broken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requirement that one verdict shows broken, why, and the expectation that names it, if one does."""

    requirement: str
    failures: tuple[Evidence, ...] = ()
    expected_by: str | None = None


class VerdictLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="verdict"):
    """One scenario on one adapter. Make it with `verdict_line`."""

    plan: str
    """What people call the scenario."""
    suite: str
    adapter: str
    outcome: VerdictOutcome
    title: str = ""
    exercises: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    """`held` and `broken`: the requirements judged."""
    reason: str = ""
    reproduced: str | None = None
    expected_by: str | None = None
    """The expectation that names an outcome which is no judgement (a crash, a negative left unjudged because its twin
    diverges as expected)."""
    demanded: bool = False
    """An `unsupported` that the edition demands, or an `inexpressible` that the dialect does not list: red."""
    evidence: str | None = None
    stderr: str = ""
    scenario: Json = None
    defect: Defect | None = None
    """`scenario` and `defect`: kept unless it conforms."""
    observation: list[dict[str, Json]] | None = None
    """The records as the adapter sent them, kept when it diverges."""
    prediction: dict[str, Json] | None = None
    """What the reference allows (see `allowed`), kept when it diverges."""
    found: tuple[str, ...] = ()
    """The ids of the campaign's findings that it shows."""
    origin: FromFile | TwinOf | Generated | None = None
    """Where it comes from, None: it is the vector that `plan` names."""
    cut: str = ""
    """What of it is not kept because it is too much, in plain words."""

    @property
    def came_from(self) -> Planned:
        """Where the scenario comes from."""
        return self.origin or FromVector(self.plan)

    @property
    def allowed(self) -> dict[str, list[Json]]:
        """The records that the reference allows, by lane; empty where they are not kept."""
        lanes = (self.prediction or {}).get("lanes")
        if not isinstance(lanes, dict) or not all(isinstance(records, list) for records in lanes.values()):
            return {}
        return lanes

    @property
    def unexpected(self) -> bool:
        """True when it diverges in a way that no expectation names."""
        if self.outcome != "diverges":
            return False
        return self.expected_by is None and (not self.broken or any(b.expected_by is None for b in self.broken))


class FindingLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="finding"):
    """A distinct divergence or fault that a campaign found; it comes before the verdict that shows it first."""

    id: str
    """Of the scenario, by its content."""
    suite: str
    adapter: str
    outcome: VerdictOutcome
    plan: str
    scenario: Json
    """The smallest one that does."""
    breaks: str = ""
    """The requirement that it shows broken, empty for a fault of the adapter, which `outcome` names."""
    failures: tuple[Evidence, ...] = ()
    also: tuple[str, ...] = ()
    """Other requirements that it breaks."""
    reason: str = ""
    evidence: str | None = None
    stderr: str = ""
    reproduced: str | None = None
    """Of the scenario that showed it first, tried alone."""
    acted: int = 0
    """How many smaller scenarios were tried."""
    file: str | None = None
    """The vector's file, where it was saved."""
    observation: list[Json] | None = None
    prediction: dict[str, Json] | None = None
    """`failures`, `reason`, `evidence`, `stderr`, `observation` and `prediction`: as of a verdict on it."""
    origin: FromFile | TwinOf | Generated | None = None
    """`plan` and `origin`: the scenario that showed it first, as of a verdict."""
    cut: str = ""
    """As of a verdict."""
    cause: str = ""
    """The shape of what the smallest part of the scenario shows that breaks the requirement, where that is another one:
    findings of one shape there have one cause, as far as can be told from outside."""


class ChoicesLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="choices"):
    """What the generator of a suite never chose, though it could have."""

    suite: str
    never: dict[str, tuple[str, ...]] = {}
    """Place in the generator that offers a choice → what was never taken there; of a place that was reached and left
    out nothing, too."""
    scenarios: int = 0
    """So many were counted: of long campaigns it is a part (`runner.campaign.stream`)."""


class StaleLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="stale"):
    """An expectation that did not occur on an adapter though its vectors ran."""

    expectation: str
    """Its id, as in `expected_by`."""
    adapter: str
    requirement: str
    """The requirement or outcome that it names."""
    vectors: tuple[str, ...] = ()
    reason: str = ""
    source: str = ""
    """The file and line that holds it."""


class SummaryLine(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="summary"):
    """The last line: `bindproof.results.Fold` makes it."""

    exit: int
    """The exit code, and why: the reason in words."""
    why: str
    selected: int
    outcomes: dict[str, dict[str, int]]
    """For each adapter, how many verdicts of each outcome."""
    interrupted: bool = False
    bug: str | None = None


def noted(origin: Origin) -> FromFile | TwinOf | Generated | None:
    """Return an origin as lines have it: a vector's stands in `plan`."""
    return origin if isinstance(origin, FromFile | TwinOf | Generated) else None


Line = RunLine | AdapterLine | VerdictLine | FindingLine | ChoicesLine | StaleLine | SummaryLine

Emit = Callable[[Line], None]
"""Takes the lines of a log, in order."""


def verdict_line(
    verdict: Verdict,
    *,
    expected: Mapping[str, str] | None = None,
    demanded: bool = False,
    stderr: str = "",
    details: bool = False,
) -> VerdictLine:
    """The line of a verdict.

    Args:
        verdict: what the judge found.
        expected: requirement id → the expectation that names its failure; one that is missing takes the verdict's own
            `expected_by`.
        demanded: see VerdictLine.
        stderr: the tail of the adapter's stderr; kept unless the scenario was judged.
        details: keep what was seen and allowed also when it conforms.
    """
    expected = expected or {}
    diverges = verdict.outcome == "diverges"
    conforms = verdict.outcome == "conforms" and not details
    judged = verdict.outcome in {"conforms", "diverges"}
    return VerdictLine(
        plan=verdict.plan.id,
        suite=verdict.plan.suite,
        adapter=verdict.adapter,
        outcome=verdict.outcome,
        title="" if conforms else verdict.plan.title,
        exercises=() if conforms else verdict.plan.exercises,
        held=_held(verdict.judgements),
        broken=()
        if verdict.outcome == "conforms"
        else tuple(
            [
                Broken(j.requirement, j.failures, expected.get(j.requirement, verdict.expected_by))
                for j in verdict.judgements
                if j.failures
            ]
        ),
        reason=verdict.reason,
        reproduced=verdict.reproduced,
        expected_by=verdict.expected_by,
        demanded=demanded,
        evidence=verdict.evidence,
        stderr="" if judged else stderr,
        scenario=None if conforms else verdict.plan.scenario,
        defect=None if conforms else verdict.plan.defect,
        observation=verdict.observation if diverges or details else None,
        prediction=verdict.prediction if diverges or details else None,
        origin=noted(verdict.plan.origin),
        cut=verdict.cut,
    )


_HELD: dict[int, tuple[tuple[Judgement, ...], tuple[str, ...]]] = {}
_MOST_HELD = 1024


def _held(judgements: tuple[Judgement, ...]) -> tuple[str, ...]:
    """Return the requirements that hold; judgements that come again, as of a repeated scenario, are known."""
    known = _HELD.get(id(judgements))
    if known is not None and known[0] is judgements:
        return known[1]
    held = tuple([one.requirement for one in judgements if not one.failures])
    if len(_HELD) >= _MOST_HELD:
        _HELD.clear()
    _HELD[id(judgements)] = judgements, held
    return held


def verdict_of(line: VerdictLine) -> Verdict:
    """The verdict that a line tells of, as far as it is kept there."""
    plan = Plan(line.came_from, line.suite, line.scenario, line.title, line.exercises, line.defect)
    held = [Judgement(name) for name in line.held]
    broken = [Judgement(broken.requirement, broken.failures) for broken in line.broken]
    return Verdict(
        plan,
        line.adapter,
        line.outcome,
        (*held, *broken),
        line.reason,
        line.reproduced,
        line.expected_by,
        line.observation,
        line.prediction,
        line.evidence,
    )


REFERENCE_FACTS = RequirementFacts(
    id=REFERENCE_REQUIREMENT,
    level="MUST",
    title="Nothing differs from the reference",
    statement="What is observed is one of the runs that the reference allows, also where no requirement speaks of it.",
    chapter="Agreement with the reference",
)
"""The built-in requirement, for a run line that does not list it."""
