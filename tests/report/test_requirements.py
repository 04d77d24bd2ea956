"""The report on requirements, with its text written out."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from bindproof.core.model import Evidence
from bindproof.core.origins import FromFile, FromVector, Generated, TwinOf
from bindproof.core.request import RunRequest
from bindproof.report.digest import Digest
from bindproof.report.frame import closing_line
from bindproof.report.printing import replay_command
from bindproof.report.requirements import show
from bindproof.results import (
    AdapterLine,
    Broken,
    Fold,
    Line,
    RequirementFacts,
    RunLine,
    Speaks,
    SuiteFacts,
    VerdictLine,
)


def shown(lines: Iterable[Line]) -> str:
    stream = io.StringIO()
    show(Digest.over(lines), stream)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


MIXED = """\
                node                    reference
                nemo-relay-node 0.9.2   bindproof_reference 0.1.0   python
chapter         edition 0.9             edition 0.10                unavailable
───────────────────────────────────────────────────────────────────────────────
Outcomes        1 held                  1 held                      –
Pending marks   1 broken                2 held                      –
Dialects        1 known                 does not apply              –
node: runs on a node 24 that was fetched

adapter python unavailable: it could not be fetched
  to have it: bindproof adapters build python

────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
MRK-001 Marks keep their order
MUST · broken on node
First in, first out.

lane s, record 3: the marks come in another order
expected                                                      observed
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
[                                                             [
  "m1",                                                         "m2",
  "m2"                                                          "m1"
]                                                             ]

scenario
  1

vector      relay/marks/two  two marks in order
reproduced  always
explain     bindproof explain MRK-001
replay      bindproof replay relay/marks/two --adapter node

known divergences (an expectation names each and says why)
  DLC-001 on node: Names are camelCase
    the package spells it so
    bindproof replay relay/dialects/one --adapter node
  crash on node: relay/codec/one, relay/codec/two
    it aborts
    bindproof replay relay/codec/one --adapter node

crash of node on relay/outcomes/one
  the process ended with signal 11 while this scenario was alone in flight
  its line  {"id":
  its stderr ends with
    oh
    no
  replay   bindproof replay relay/outcomes/one --adapter node

not judged, though they should have been
  relay/outcomes/two on node: not run, the restarts are used up

stale expectations (they did not occur though their vectors ran: remove them)
  OUT-001 on node in spec/relay/expectations/node.toml:12
    not seen in relay/outcomes/seven

1 scenario ended in a fault of the adapter
2 of 3 adapters judged: 4 scenarios, 1 unexpected divergence, 1 known, 1 stale expectation, 1 crash, 1 not run, \
2 known crashes"""


def test_a_log_in_which_everything_occurs(mixed_log: list[Line]) -> None:
    assert shown(mixed_log) == MIXED


def test_piped_output_has_no_colours(mixed_log: list[Line]) -> None:
    assert "\x1b" not in shown(mixed_log)


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_has_colours_unless_no_color(
    mixed_log: list[Line], monkeypatch: pytest.MonkeyPatch, no_color: str, coloured: bool
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = Terminal()
    show(Digest.over(mixed_log), stream)
    assert ("\x1b[1;31m" in stream.getvalue()) is coloured


def test_a_log_that_is_as_expected_is_just_the_table_and_one_line(run_line: RunLine) -> None:
    """A chapter that applies to nobody has no row; it is counted."""
    lines: list[Line] = [
        run_line,
        AdapterLine("reference", "ready", suites=(Speaks("relay", "0.9", "wire", 1),)),
        VerdictLine("relay/a", "relay", "reference", "conforms", held=("OUT-001", "MRK-001", "REF-000")),
    ]
    assert shown([*lines, Fold.over(lines).summary()]) == (
        "                               reference\n"
        "chapter                        edition 0.9\n"
        "──────────────────────────────────────────\n"
        "Outcomes                       1 held\n"
        "Pending marks                  1 held\n"
        "Agreement with the reference   1 held\n"
        "1 chapter applies to none of these: bindproof spec list\n"
        "\n"
        "1 of 1 adapter judged: 1 scenario, 0 unexpected divergences, 0 known"
    )


def test_an_edition_is_of_its_suite_alone(run_line: RunLine) -> None:
    """Two suites may have editions of one name; what holds in the one's says nothing of the other's."""
    other = SuiteFacts("other", (RequirementFacts("OTH-001", "MUST", "It is", "It is.", "Others", ("0.9",)),))
    run = msgspec.structs.replace(run_line, suites=(*run_line.suites, other))
    speaks = (Speaks("relay", "0.10", "wire", 1), Speaks("other", "0.9", "wire", 1))
    late = RequirementFacts("OUT-002", "MUST", "It was", "It was.", "Outcomes", ("0.9",))
    relay = msgspec.structs.replace(run.suites[0], requirements=(*run.suites[0].requirements, late))
    lines: list[Line] = [
        msgspec.structs.replace(run, suites=(relay, other)),
        AdapterLine("reference", "ready", suites=speaks),
        VerdictLine("relay/a", "relay", "reference", "conforms", held=("OUT-001", "REF-000")),
        VerdictLine("other/a", "other", "reference", "conforms", held=("OTH-001", "REF-000")),
    ]
    table = shown([*lines, Fold.over(lines).summary()])
    assert re.search(r"^Outcomes +1 held$", table, re.MULTILINE)
    assert re.search(r"^Others +1 held$", table, re.MULTILINE)


def test_agreement_with_the_reference_is_not_asked_in_a_partial_edition(run_line: RunLine) -> None:
    """Beside a target of a whole edition, of which it is."""
    relay = msgspec.structs.replace(run_line.suites[0], partial=("0.9",))
    lines: list[Line] = [
        msgspec.structs.replace(run_line, suites=(relay,)),
        AdapterLine("old", "ready", suites=(Speaks("relay", "0.9", "wire", 1),)),
        AdapterLine("new", "ready", suites=(Speaks("relay", "0.10", "wire", 1),)),
        VerdictLine("relay/a", "relay", "old", "conforms", held=("OUT-001",)),
        VerdictLine("relay/a", "relay", "new", "conforms", held=("OUT-001", "REF-000")),
    ]
    table = shown([*lines, Fold.over(lines).summary()])
    assert re.search(r"^Agreement with the reference +does not apply +1 held$", table, re.MULTILINE)


def test_text_that_looks_like_markup_or_emoji_is_printed_as_it_is(run_line: RunLine) -> None:
    evidence = Evidence("s", "[bold]:smile:[/bold]", None, "[red]", None)
    lines: list[Line] = [
        run_line,
        AdapterLine("a", "ready", suites=(Speaks("relay", "0.9", "wire", 1),)),
        VerdictLine("relay/a", "relay", "a", "diverges", broken=(Broken("REF-000", (evidence,)),), scenario={}),
    ]
    text = shown([*lines, Fold.over(lines).summary()])
    assert "lane s: [bold]:smile:[/bold]" in text
    assert "[red]" in text
    assert "REF-000 Nothing differs from the reference" in text


def test_what_is_about_no_single_lane_is_about_the_whole_call(run_line: RunLine) -> None:
    broken = Broken("OUT-001", (Evidence("*", "it succeeded", 4, "refused", "done"),))
    verdict = VerdictLine("relay/a", "relay", "a", "diverges", broken=(broken,), scenario={})
    assert "\nthe whole call, record 4: it succeeded\n" in shown([run_line, verdict])


def test_of_two_scenarios_the_one_with_less_to_read_is_shown_whatever_its_bytes(mixed_log: list[Line]) -> None:
    verdict = next(v for v in mixed_log if isinstance(v, VerdictLine) and v.plan == "relay/marks/two" and v.broken)
    less = msgspec.structs.replace(verdict, plan="relay/marks/less", scenario={"steps": ["é" * 12]})
    more = msgspec.structs.replace(verdict, plan="relay/marks/more", scenario={"steps": ["a" * 16]})
    for lines in ([less, more], [more, less]):
        (found,) = Digest.over([mixed_log[0], *lines]).divergences
        assert (found.verdict.plan, found.count) == ("relay/marks/less", 2)


def test_a_divergence_in_several_scenarios_shows_the_smallest(mixed_log: list[Line]) -> None:
    verdict = next(v for v in mixed_log if isinstance(v, VerdictLine) and v.plan == "relay/marks/two" and v.broken)
    large = msgspec.structs.replace(verdict, plan="relay/marks/large", scenario={"steps": [1, 2, 3]})
    text = shown([*mixed_log[:-1], large, large, mixed_log[-1]])
    assert "MUST · broken on node in 3 scenarios, of which this is the smallest" in text
    assert "vector      relay/marks/two  two marks" in text


def test_the_replay_command_repeats_what_the_run_was_told(mixed_log: list[Line], run_line: RunLine) -> None:
    request = RunRequest(
        adapter_commands=(("mine", "python my adapter.py"),),
        edition="0.9",
        fault="swap_marks",
        timeout=3.0,
        expectations="my own.toml",
    )
    digest = Digest.over([msgspec.structs.replace(run_line, request=request)])
    verdict = VerdictLine(
        "relay/marks/no+twin", "relay", "mine", "diverges", origin=TwinOf(FromVector("relay/marks/no"))
    )
    assert replay_command(digest, verdict) == (
        "bindproof replay relay/marks/no --adapter-command 'mine=python my adapter.py' --edition 0.9 "
        "--fault swap_marks --timeout 3 --expectations 'my own.toml'"
    )


def test_an_unexpected_occurrence_outweighs_expected_ones(mixed_log: list[Line]) -> None:
    verdict = next(v for v in mixed_log if isinstance(v, VerdictLine) and v.plan == "relay/dialects/one")
    elsewhere = msgspec.structs.replace(
        verdict, plan="relay/dialects/two", broken=(msgspec.structs.replace(verdict.broken[0], expected_by=None),)
    )
    digest = Digest.over([*mixed_log[:-1], elsewhere])
    assert [(d.requirement.id, d.expected_by, d.verdict.plan) for d in digest.divergences] == [
        ("MRK-001", None, "relay/marks/two"),
        ("DLC-001", None, "relay/dialects/two"),
    ]
    assert digest.status("node", "DLC-001") == "broken"
    assert "2 unexpected divergences, 0 known" in closing_line(digest)


def test_an_adapter_that_fails_later_keeps_what_is_known_of_it(mixed_log: list[Line]) -> None:
    late = AdapterLine("node", "failed", reason="it answered id 99, which nobody asked", evidence='{"id":99}')
    text = shown([*mixed_log[:-1], late])
    assert "nemo-relay-node 0.9.2" in text
    assert "adapter node failed: it answered id 99, which nobody asked\n  its line  {" in text


def test_long_lists_of_faults_are_cut_and_say_so(mixed_log: list[Line]) -> None:
    crash = next(v for v in mixed_log if isinstance(v, VerdictLine) and v.outcome == "crash")
    many = [msgspec.structs.replace(crash, plan=f"relay/x/{n}") for n in range(25)]
    assert "and 6 more, all in the log" in shown([*mixed_log[:-1], *many])


def test_our_own_failures_are_told_once_in_full(run_line: RunLine) -> None:
    lines: list[Line] = [run_line, AdapterLine("a", "ready", suites=(Speaks("relay", "0.9", "wire", 2),))]
    lines += [VerdictLine(f"relay/{n}", "relay", "a", "harness_error", reason="Traceback\n  boom-17!") for n in "xy"]
    text = shown([*lines, Fold.over(lines).summary()])
    assert text.count("boom-17!") == 1
    assert "bindproof itself failed on relay/x on a: please report this\n  Traceback\n    boom-17!\n" in text
    assert "  and on 1 more scenario: relay/y on a\n" in text


def test_without_a_judgement_there_is_no_table(run_line: RunLine) -> None:
    line = AdapterLine("python", "unavailable", True, reason="it could not be fetched")
    text = shown([run_line, line, Fold.over([line]).summary()])
    assert "chapter" not in text
    assert text.startswith("\nadapter python unavailable: it could not be fetched\n")


OWN = FromFile("./my own/generated/1.json")


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Generated(7, 12), "fuzz --suite relay --seed 7 --first 12 --examples 1"),
        (Generated(7, 12, guided=True), "fuzz --suite relay --guided --seed 7 --first 12 --examples 1"),
        (
            Generated(7, 12, draw_for="native"),
            "fuzz --suite relay --draw-for native --seed 7 --first 12 --examples 1",
        ),
        (OWN, "replay './my own/generated/1.json' --suite relay"),
        (TwinOf(OWN), "replay './my own/generated/1.json' --suite relay"),
        (TwinOf(FromVector("relay/a")), "replay relay/a"),
        (None, "replay generated/7/12+twin"),
    ],
)
def test_a_scenario_is_acted_out_again_by_where_it_comes_from(run_line: RunLine, origin: Any, words: str) -> None:
    verdict = VerdictLine("generated/7/12+twin", "relay", "node", "diverges", origin=origin)
    assert replay_command(Digest.over([run_line]), verdict) == f"bindproof {words} --adapter node"


def test_each_expectation_that_names_a_broken_requirement_is_shown(run_line: RunLine) -> None:
    lines: list[Line] = [
        msgspec.structs.replace(run_line, expectations={"first": "why one", "second": "why two"}),
        AdapterLine("node", "ready", suites=(Speaks("relay", "0.9", "node", 2),)),
        *(
            VerdictLine(f"relay/{name}", "relay", "node", "diverges", broken=(Broken("OUT-001", (), name),))
            for name in ("first", "second")
        ),
    ]
    text = shown(lines)
    assert ("why one" in text, "why two" in text) == (True, True), text
