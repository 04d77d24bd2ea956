"""Which verdicts change with another release, and what explains them."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from bindproof.core.visible import visible
from bindproof.report.preview import Preview, Verdicts, preview
from bindproof.report.previewed import show
from bindproof.results import AdapterLine, Broken, Line, RequirementFacts, RunLine, Speaks, SuiteFacts, VerdictLine


def broken(plan: str, *names: str) -> VerdictLine:
    return VerdictLine(plan, "relay", "a", "diverges", broken=tuple(Broken(name) for name in names), scenario={})


def held(plan: str, *names: str) -> VerdictLine:
    return VerdictLine(plan, "relay", "a", "conforms", held=names)


def side(run_line: RunLine, *verdicts: VerdictLine) -> Verdicts:
    found = Verdicts("a")
    lines: list[Line] = [run_line, AdapterLine("a", "ready", suites=(Speaks("relay", "0.10", "python", 1),)), *verdicts]
    for line in lines:
        found.add(line)
    return found


def kinds(found: Preview) -> list[tuple[str, int, bool]]:
    return [(one.requirement, one.count, one.worse) for one in found.explained]


def test_verdicts_are_grouped_by_the_requirement_that_is_judged_otherwise(run_line: RunLine) -> None:
    old = side(run_line, broken("v", "OUT-001", "REF-000"), held("w", "MRK-001"), held("x", "MRK-001"), held("gone"))
    new = side(run_line, held("v", "OUT-001"), broken("w", "MRK-001"), held("x", "MRK-001"), held("came"))
    found = preview(old, new)
    assert kinds(found) == [("MRK-001", 1, True), ("OUT-001", 1, False)]
    assert (found.changed, found.stay, found.first, found.gone) == (2, 1, 1, 1)
    assert found.is_worse
    assert found.explained[0].why == ("it holds in 0.9, 0.10",)
    assert [(one.before, one.after) for one in found.explained[1].verdicts] == [
        ("diverges (OUT-001, REF-000)", "conforms")
    ]


def test_an_outcome_that_is_no_judgement_has_no_requirement(run_line: RunLine) -> None:
    crashed = VerdictLine("v", "relay", "a", "crash", exercises=("OUT-001",))
    assert kinds(preview(side(run_line, held("v"), held("w")), side(run_line, crashed, held("w")))) == [("", 1, True)]
    assert kinds(preview(side(run_line, crashed, held("w")), side(run_line, held("v"), held("w")))) == [("", 1, False)]


def test_a_note_is_named_by_its_requirement_and_by_its_vectors(run_line: RunLine) -> None:
    facts = RequirementFacts("OUT-012", "MUST", "t", "s", "Outcomes", ("0.10",))
    run = replace(run_line, suites=(SuiteFacts("relay", (facts,)),))
    old = side(run, broken("v", "OUT-012"), broken("relay/outcomes/first-fails", "REF-000"), broken("z", "REF-000"))
    new = side(run, held("v", "OUT-012"), held("relay/outcomes/first-fails"), held("z"))
    found = preview(old, new, {"relay": ("0.9", "0.10")})
    by = {one.requirement: one for one in found.explained}
    (note,) = by["OUT-012"].notes
    assert (note.step, note.title) == ("0.9 → 0.10", "The caller gets the callback's own exception")
    assert note.must == (
        "Callers that catch RuntimeError around a managed call or a helper: Catch the classes that their own callbacks "
        "raise; the text has no prefix any more.",
    )
    assert by["REF-000"].notes == (note,)
    assert preview(old, new, {"relay": ("0.10", "0.10")}).explained[0].notes == ()


def test_what_the_spec_changed_is_told(run_line: RunLine) -> None:
    def of(statement: str, *editions: str) -> RunLine:
        facts = RequirementFacts("OUT-001", "MUST", "t", statement, "Outcomes", editions)
        return replace(run_line, suites=(SuiteFacts("relay", (facts,)),))

    found = preview(side(of("one", "0.9"), broken("v", "OUT-001")), side(of("two", "0.9", "0.10"), held("v")))
    assert found.explained[0].why == (
        "its statement is another one than before",
        "it holds in 0.9, 0.10",
        "before it held in 0.9",
    )
    none = replace(run_line, suites=())
    found = preview(side(none, held("v")), side(of("one"), broken("v", "OUT-001")))
    assert found.explained[0].why == ("the spec has it now, and did not before",)


@pytest.mark.parametrize("text", ["<script>", "]]>", "\x1b[31mred", "\u202elive", "\x00"])
def test_words_of_strangers_are_text(text: str, run_line: RunLine) -> None:
    facts = RequirementFacts("OUT-001", "MUST", text, text, text, ("0.10",))
    run = replace(run_line, suites=(SuiteFacts("relay", (facts,)),), bindproof=text)
    stream = io.StringIO()
    show(preview(side(run, held(text)), side(run, broken(text, "OUT-001"))), stream)
    printed = stream.getvalue()
    assert visible(printed) == printed
    assert visible(text) in printed
