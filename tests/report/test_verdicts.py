"""The report on verdicts, with its text written out."""

from __future__ import annotations

import io
import json

import msgspec
import pytest

from bindproof import suites
from bindproof.core.model import Evidence, Json
from bindproof.core.paths import data_root
from bindproof.report.digest import Digest
from bindproof.report.verdicts import show
from bindproof.results import AdapterLine, Broken, Fold, Line, RunLine, Speaks, VerdictLine
from bindproof.spec import load

SCENARIO = {"steps": [{"step": "register", "family": "subscriber", "name": "s", "as": "s"}]}
RECORDS: list[Json] = [
    {"fact": "done", "step": "s", "value": None},
    {"fact": "event", "subscriber": "s", "event": {}},
    {"fact": "settled"},
]
VERDICT = VerdictLine(
    "relay/marks/two",
    "relay",
    "node",
    "conforms",
    title="two marks in order",
    held=("MRK-001",),
    observation=RECORDS,
    prediction={"lanes": {"program": [{"fact": "settled"}], "s": []}, "after": []},
)
NODE = AdapterLine(
    "node", "ready", target="nemo-relay-node", version="0.9.2", suites=(Speaks("relay", "0.9", "node", 1),)
)


def told(run_line: RunLine, verdict: VerdictLine, scenario: Json = None) -> str:
    """The account of a verdict on SCENARIO, or on another one as the log has it."""
    suite = suites.load(load(data_root(), "relay"))
    verdict = msgspec.structs.replace(verdict, scenario=suite.complete(SCENARIO) if scenario is None else scenario)
    lines: list[Line] = [run_line, NODE, verdict]
    stream = io.StringIO()
    digest = Digest.over([*lines, Fold.over(lines).summary()], keeps_verdicts=True)
    show(digest, stream, suites={"relay": suite})
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_what_conforms_is_told_with_all_that_was_seen(run_line: RunLine) -> None:
    account = told(run_line, VERDICT)
    assert account.partition("─\n")[2] == (
        "relay/marks/two on node (nemo-relay-node 0.9.2, edition 0.9): conforms\n"
        "two marks in order\n"
        "\n"
        "scenario\n"
        '  {"step": "register", "as": "s", "family": "subscriber", "name": "s"}\n'
        "\n"
        "held\n"
        "  MRK-001  Marks keep their order\n"
        "\n"
        "what was seen, as the adapter recorded it\n"
        "  lane program\n"
        '    0  {"fact": "done", "step": "s", "value": null}\n'
        '    2  {"fact": "settled"}\n'
        "  lane s\n"
        '    1  {"fact": "event", "subscriber": "s", "event": {}}\n'
        "\n"
        "what the reference allows ($… stands for what may vary: see the suite's scenarios.md)\n"
        "  lane program\n"
        '    0  {"fact": "settled"}\n'
        "  lane s\n"
        "       nothing\n"
        "\n"
        "replay      bindproof replay relay/marks/two --adapter node\n"
        "\n"
        "1 of 1 adapter judged: 1 scenario, 0 unexpected divergences, 0 known"
    )


def test_what_diverges_is_told_with_its_evidence(run_line: RunLine) -> None:
    broken = Broken("MRK-001", (Evidence("s", "no mark", None, "m1"),), "shipped#1")
    account = told(run_line, msgspec.structs.replace(VERDICT, outcome="diverges", broken=(broken,)))
    assert (
        "broken, as is known  MRK-001  Marks keep their order\n"
        "First in, first out.\n"
        "known because: the package spells it so\n"
        "\n"
        "lane s: no mark\n"
    ) in account


def test_what_could_not_be_judged_is_told_with_the_end_of_stderr(run_line: RunLine) -> None:
    crash = VerdictLine("relay/a", "relay", "node", "crash", reason="signal 6", expected_by="shipped#2", stderr="stack")
    account = told(run_line, crash)
    assert "\nsignal 6\n  its stderr ends with\n    stack\n" in account
    assert "\nexpected by shipped#2\nbecause     it aborts\n" in account


@pytest.mark.long
@pytest.mark.parametrize("scenario", [{"do": 1}, {"steps": 1}, [], "s"])
def test_a_scenario_that_this_version_cannot_read_is_shown_as_it_is(run_line: RunLine, scenario: Json) -> None:
    account = told(run_line, VERDICT, scenario)
    assert f"\nscenario\n  {json.dumps(scenario)}\n" in account
    assert "\n  lane log\n" in account
