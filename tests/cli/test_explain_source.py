"""`bindproof explain 'observed G15'`: a place of a source leads to the rules that it became, and to programs."""

from __future__ import annotations

import pytest

from bindproof.cli import main
from bindproof.cli.explain import rules_at, showing
from bindproof.spec import load, vectors
from bindproof.spec.models import OBSERVED
from bindproof.spec.sources import read_sources
from tests.conftest import REPOSITORY


@pytest.mark.long
def test_a_probe_is_told_with_its_rules_and_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "observed G15"]) == 0
    told = capsys.readouterr().out
    assert "Lower priority first, equal ones by name.\n  stated by OUT-005, MID-002, MID-003\n" in told
    programs = told.partition("To see it in a release, with its package alone\n")[2]
    assert programs.startswith("  python docs/probes/G15.py\n  bindproof program relay/middleware/priorities")


@pytest.mark.long
def test_what_no_requirement_states_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", 'seed-000 "Breaking changes" ¶5']) == 0
    told = capsys.readouterr().out
    assert "  stated by no requirement\n  left open: the tables of the releases that are judged" in told
    assert "bindproof program" not in told


@pytest.mark.long
def test_a_place_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "observed Z99"]) == 2
    assert "there is no requirement or vector 'observed Z99'" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("suite", ["relay", "interceptors", "cells", "interaction"])
def test_every_probe_that_a_requirement_names_leads_back_to_it_and_to_a_vector(suite: str) -> None:
    spec = load(REPOSITORY, suite)
    rules, kept = read_sources(spec)[0], list(vectors(spec))
    lost = []
    for one in spec.requirements.values():
        for source in one.sources if one.in_editions else ():
            if source.document == OBSERVED:
                found = rules_at(rules, f"{OBSERVED} {source.place}")
                if one.id not in {name for rule in found for name in rule.requirements} or not showing(kept, found):
                    lost.append((one.id, source.place))
    assert lost == []


@pytest.mark.long
def test_what_no_vector_shows_leads_to_a_program_of_the_repository(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "observed G37"]) == 0
    assert "with its package alone\n  python docs/probes/G37.py\n" in capsys.readouterr().out


@pytest.mark.long
def test_every_probe_leads_to_a_vector_or_to_a_program_that_there_is() -> None:
    spec = load(REPOSITORY, "relay")
    rules, kept = read_sources(spec)[0], list(vectors(spec))
    own = [rule for rule in rules if rule.document == OBSERVED]
    programs = {rule.program for rule in own if rule.program}
    assert programs == {path.name for path in (REPOSITORY / "docs" / "probes").glob("*.py")}
    lost = [rule.place for rule in own if not rule.program and not showing(kept, [rule])]
    assert lost == []
