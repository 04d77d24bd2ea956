"""What a planted fault has to break in front of an adapter."""

from __future__ import annotations

from bindproof.runner.fault_trials import Planted, without_the_idle
from bindproof.suites import Fault


def planted(name: str, named: set[str], broken: set[str], count: int) -> Planted:
    fault = Fault(name, "a title", tuple(sorted(named)), lambda scenario, log, dialect, edition: None)
    return Planted(fault, frozenset(named), frozenset(broken), count)


def test_what_finds_nothing_to_spoil_has_to_break_what_nothing_else_broke() -> None:
    other = planted("other", {"STR-001"}, {"STR-001"}, 3)
    idle = planted("idle", {"STR-001", "STR-002"}, set(), 0)

    assert without_the_idle([other, idle]) == [other, planted_again(idle, {"STR-002"})]


def test_what_found_something_has_to_break_what_it_names() -> None:
    vain = [planted("vain", {"STR-001"}, set(), 3), planted("other", {"STR-001"}, {"STR-001"}, 3)]

    assert without_the_idle(vain) == vain


def planted_again(one: Planted, named: set[str]) -> Planted:
    return Planted(one.fault, frozenset(named), one.broken, one.planted)
