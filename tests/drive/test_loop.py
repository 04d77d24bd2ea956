"""How long the loop lets answers gather."""

from __future__ import annotations

from bindproof.drive.loop import FEW, LONGEST, MANY, SHORTEST, Rest


def test_few_answers_make_the_rest_longer_up_to_a_limit() -> None:
    rest = Rest()
    found = [rest.after(FEW - 1) for _ in range(12)]
    assert found == sorted(found)
    assert found[0] > SHORTEST
    assert found[-1] == LONGEST


def test_many_answers_make_it_shorter_down_to_a_limit() -> None:
    rest = Rest()
    longest = [rest.after(0) for _ in range(12)][-1]
    found = [rest.after(MANY + 1) for _ in range(12)]
    assert found[0] == longest / 2
    assert found[-1] == SHORTEST


def test_between_few_and_many_it_stays() -> None:
    rest = Rest()
    assert rest.after(FEW) == rest.after(MANY) == SHORTEST
