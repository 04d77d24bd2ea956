"""Who is sent next and who is guilty, without any process."""

from __future__ import annotations

from collections import deque

from bindproof.drive.docket import Docket, Loss, Sent
from bindproof.drive.values import Job

LOSS = Loss("crash", "it died", None, "")


def docket(count: int, window: int = 4) -> Docket:
    return Docket((Job(str(n), "relay", b"{}") for n in range(count)), window)


def take(docket: Docket, in_flight: int = 0) -> list[Sent]:
    taken: list[Sent] = []
    while (sent := docket.take(in_flight + len(taken))) is not None:
        taken.append(sent)
    return taken


def names(taken: list[Sent]) -> list[tuple[str, str]]:
    return [(sent.job.id, sent.manner) for sent in taken]


def tried(docket: Docket, count: int) -> list[Sent]:
    """What goes out next, so many times, each answered before the next."""
    order = []
    for _ in range(count):
        (sent,) = take(docket)
        order.append(sent)
        assert docket.answered(sent) is None
    return order


def test_the_window_is_filled() -> None:
    jobs = docket(10)

    assert names(take(jobs)) == [("0", "pipelined"), ("1", "pipelined"), ("2", "pipelined"), ("3", "pipelined")]
    assert names(take(jobs, 3)) == [("4", "pipelined")]
    assert not jobs.exhausted()
    assert len(take(jobs, -10)) == 5
    assert jobs.exhausted()


def test_a_lone_suspect_is_guilty() -> None:
    jobs = docket(1)
    (sent,) = take(jobs)

    assert jobs.lost(LOSS, None, [sent]) == sent.job
    assert jobs.close_case() is None
    assert jobs.exhausted()


def test_who_is_alone_but_in_a_process_that_acted_out_others_goes_out_apart() -> None:
    jobs = docket(1)
    (sent,) = take(jobs)
    assert jobs.lost(LOSS, None, [sent], fresh=False) is None
    (again,) = take(jobs)

    assert names([again]) == [("0", "apart")]
    assert jobs.lost(LOSS, None, [again]) == again.job


def test_the_one_answered_last_may_be_the_lone_suspect() -> None:
    jobs = docket(1)
    (sent,) = take(jobs)
    jobs.answered(sent)

    assert jobs.lost(LOSS, sent.job, []) == sent.job


def test_the_first_without_an_answer_goes_out_apart_and_when_it_is_guilty_the_others_are_pipelined() -> None:
    jobs = docket(6)
    first, *others = take(jobs)
    jobs.answered(first)
    assert jobs.lost(LOSS, first.job, others) is None
    (sent,) = take(jobs)
    assert names([sent]) == [("1", "apart")]
    assert take(jobs, 1) == []
    assert jobs.lost(LOSS, None, [sent]) == sent.job

    assert names(take(jobs)) == [("0", "pipelined"), ("2", "pipelined"), ("3", "pipelined"), ("4", "pipelined")]
    assert names(take(jobs)) == [("5", "pipelined")]


def test_when_it_is_not_guilty_the_others_go_out_one_at_a_time() -> None:
    jobs = docket(5)
    assert jobs.lost(LOSS, None, take(jobs)) is None
    order = tried(jobs, 3)
    (last,) = take(jobs)
    assert take(jobs, 1) == []

    assert names([*order, last]) == [("0", "apart"), ("1", "single"), ("2", "single"), ("3", "single")]
    assert jobs.lost(LOSS, None, [last]) == last.job
    assert names(take(jobs)) == [("4", "pipelined")]


def test_two_suspects_go_out_apart_before_the_others() -> None:
    jobs = docket(6)
    jobs.lost(LOSS, None, take(jobs))
    jobs.answered(take(jobs)[0])
    (second,) = take(jobs)
    jobs.answered(second)
    (third,) = take(jobs)
    assert jobs.lost(LOSS, second.job, [third]) is None
    order = tried(jobs, 3)

    assert names(order) == [("2", "apart"), ("1", "apart"), ("3", "single")]


def test_a_twin_goes_out_before_its_negative() -> None:
    jobs = Docket((Job(str(n), "relay", b"{}", leads=n == 0) for n in range(4)), 4)
    twin, negative, *others = take(jobs)
    jobs.answered(twin)
    jobs.lost(LOSS, twin.job, [negative, *others])
    order = tried(jobs, 3)

    assert names(order) == [("0", "apart"), ("1", "apart"), ("2", "single")]


def test_a_case_that_nobody_explains_ends_with_the_next_pipelined_answer() -> None:
    jobs = docket(6, window=3)
    jobs.lost(LOSS, None, take(jobs))
    tried(jobs, 3)
    pipelined = take(jobs)
    unexplained = jobs.answered(pipelined[0])

    assert unexplained is not None
    assert unexplained.reason.startswith("it died, with several scenarios in one process")
    assert jobs.answered(pipelined[1]) is None


def test_after_an_unexplained_loss_jobs_go_one_at_a_time() -> None:
    jobs = docket(9, window=3)
    jobs.lost(LOSS, None, take(jobs))
    tried(jobs, 3)
    assert jobs.close_case() is not None

    assert len(take(jobs)) == 1


def test_the_rest_is_everything_that_was_not_answered() -> None:
    jobs = docket(6)
    jobs.lost(LOSS, None, take(jobs))
    take(jobs)
    jobs.exhausted()

    assert [job.id for job in jobs.rest()] == ["1", "2", "3", "4", "5"]


def killing(count: int, *kills: int) -> Docket:
    return Docket((Job(str(n), "relay", b"{}", kills=n in kills) for n in range(count)), 4)


def test_what_is_known_to_kill_goes_last_apart_in_a_fresh_process() -> None:
    jobs = killing(4, 1, 2)
    first = take(jobs)
    assert names(first) == [("0", "pipelined"), ("3", "pipelined")]
    for sent in first:
        assert jobs.answered(sent) is None
    assert jobs.take(0, fresh=False) is None
    assert not jobs.exhausted()

    (sent,) = take(jobs)
    assert names([sent]) == [("1", "apart")]
    assert jobs.lost(LOSS, None, [sent]) == sent.job
    (sent,) = take(jobs)
    assert names([sent]) == [("2", "apart")]
    assert jobs.answered(sent) is None
    assert jobs.exhausted()


def test_a_new_process_begins_with_what_is_known_to_kill_while_another_acts_out_the_rest() -> None:
    last: deque[Job] = deque()
    jobs = (Job(str(n), "relay", b"{}", kills=n < 2) for n in range(5))
    one, other = Docket(jobs, 4, last), Docket(jobs, 4, last)
    assert names(take(one)[:1]) == [("2", "pipelined")]

    for killing in ("0", "1"):
        (sent,) = take(other)
        assert names([sent]) == [(killing, "apart")]
        assert other.lost(LOSS, None, [sent]) == sent.job
    assert one.exhausted()


def test_suspects_are_tried_before_what_is_known_to_kill() -> None:
    jobs = killing(3, 0)
    assert jobs.lost(LOSS, None, take(jobs)) is None

    assert names(tried(jobs, 2)) == [("1", "apart"), ("2", "apart")]
    assert names(take(jobs)) == [("0", "apart")]


def test_what_is_known_to_kill_explains_no_other_loss() -> None:
    jobs = killing(3, 2)
    assert jobs.lost(LOSS, None, take(jobs)) is None
    tried(jobs, 2)
    (sent,) = take(jobs)
    assert jobs.lost(LOSS, None, [sent]) == sent.job

    unexplained = jobs.close_case()
    assert unexplained is not None
    assert "sent alone, none of them does it" in unexplained.reason


def test_what_is_known_to_kill_is_among_the_rest() -> None:
    jobs = killing(3, 0)
    assert [job.id for job in jobs.rest()] == ["1", "2", "0"]


def test_what_is_known_to_kill_is_shared_out_among_the_processes_of_an_adapter() -> None:
    last: deque[Job] = deque()
    jobs = (Job(str(n), "relay", b"{}", kills=n > 0) for n in range(4))
    one, other = Docket(jobs, 4, last), Docket(jobs, 4, last)
    (sent,) = take(one)
    assert one.answered(sent) is None

    assert [names(take(jobs)) for jobs in (one, other)] == [[("1", "apart")], [("2", "apart")]]
    assert not one.exhausted()
    assert [job.id for job in other.rest()] == ["3"]
    assert one.exhausted()
