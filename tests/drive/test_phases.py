"""The table of phases: whole, without dead ends, and shown in the protocol's page as it is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from bindproof.drive.adapter_run import ACTIONS
from bindproof.drive.phases import PHASES, Action, Event, Phase

CHAPTER = (Path(__file__).parents[2] / "spec/protocol/README.md").read_text(encoding="utf-8")
STANDING = [phase for phase in get_args(Phase) if phase not in {"finished", "over", "introduced", "unclean", "waiting"}]
"""The phases in which an adapter has to do something next."""
UNREAD = ("over", "finished", "waiting")
"""The phases in which nothing is read of an adapter."""


def test_every_phase_event_and_action_occurs() -> None:
    assert {phase for phase, _ in PHASES} | {phase for phase, _ in PHASES.values()} == set(get_args(Phase))
    assert {event for _, event in PHASES} == set(get_args(Event))
    assert {action for _, actions in PHASES.values() for action in actions} == set(get_args(Action)) == set(ACTIONS)


def test_from_every_phase_the_end_is_reached() -> None:
    reached = {"finished"}
    while more := {phase for (phase, _), (after, _) in PHASES.items() if after in reached} - reached:
        reached |= more

    assert reached == set(get_args(Phase))


@pytest.mark.parametrize("phase", STANDING)
def test_silence_ends_every_phase_in_which_an_adapter_is_waited_for(phase: Phase) -> None:
    after, _ = PHASES[phase, "expired"]
    assert after in {"over", "finished"}


@pytest.mark.parametrize("phase", [phase for phase in get_args(Phase) if phase not in UNREAD])
def test_a_broken_protocol_ends_every_process(phase: Phase) -> None:
    after, actions = PHASES[phase, "broke the protocol"]
    assert after in {"over", "finished"}
    assert {"fail", "blame adapter", "lose", "stop"} & set(actions)


def test_a_process_that_is_over_is_stopped_and_followed_by_a_decision() -> None:
    for (_, event), (after, actions) in PHASES.items():
        if after == "over":
            assert actions[-1] == "go on", event
            assert {"blame adapter", "lose", "stop", "start afresh"} & set(actions), event


def test_a_loss_without_a_suspect_costs_a_restart() -> None:
    """Before anything is sent no scenario can have done it."""
    assert PHASES["introduced", "broke the protocol"] == ("over", ("count start", "blame adapter", "go on"))


def test_the_chapter_has_the_table_of_phases() -> None:
    rows = [
        f"| {phase} | {event} | {', '.join(actions)} | {after} |" for (phase, event), (after, actions) in PHASES.items()
    ]

    assert "\n".join(["| phase | event | what is done | next phase |", "|-|-|-|-|", *rows, ""]) in CHAPTER
