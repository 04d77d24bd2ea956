"""What is done in this process ends in time too, and leaves the timers of others as they were."""

from __future__ import annotations

import itertools
import signal
import threading

import pytest

from bindproof.evolve.bounded import Patience, decisions
from bindproof.evolve.limits import TimeUpError, within
from tests.evolve.schemas_of import side


def for_ever() -> None:
    for _ in itertools.count():
        pass


def test_what_never_ends_is_stopped_and_says_how_to_give_it_more() -> None:
    with pytest.raises(TimeUpError, match=r"to count took more than 0.01 seconds.*--seconds"), within(0.01, "to count"):
        for_ever()


def test_what_ends_in_time_leaves_no_timer_and_the_handler_that_was_there() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with within(1000.0, "nothing"):
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_outside_of_the_main_thread_there_is_no_limit_and_no_error() -> None:
    done: list[bool] = []

    def act() -> None:
        with within(1000.0, "nothing"):
            done.append(signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0))

    thread = threading.Thread(target=act)
    thread.start()
    thread.join()
    assert done == [True]


def test_to_tell_what_differs_has_the_same_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bindproof.evolve.bounded.differences", lambda old, new: for_ever())
    with pytest.raises(TimeUpError, match="to tell what differs"):
        list(decisions(side(s={}), side(s={}), dict, Patience(0.01)))
