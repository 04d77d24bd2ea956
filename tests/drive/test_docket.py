"""Who is sent next and who is guilty, without any process."""

from __future__ import annotations

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

    assert jobs.lost(LOSS, [sent]) == sent.job
    assert jobs.close_case() is None
    assert jobs.exhausted()


def test_several_suspects_go_out_one_at_a_time_and_then_pipelining_resumes() -> None:
    jobs = docket(6)
    assert jobs.lost(LOSS, take(jobs)) is None
    for number in range(4):
        (sent,) = take(jobs)
        assert (sent.job.id, sent.manner) == (str(number), "single")
        assert take(jobs, 1) == []
        if number == 2:
            assert jobs.lost(LOSS, [sent]) == sent.job
        else:
            assert jobs.answered(sent) is None

    assert names(take(jobs)) == [("4", "pipelined"), ("5", "pipelined")]


def test_two_suspects_go_out_apart_before_the_others() -> None:
    jobs = docket(5)
    jobs.lost(LOSS, take(jobs))
    (first,) = take(jobs)
    jobs.answered(first)
    (second,) = take(jobs)
    assert jobs.lost(LOSS, [first, second]) is None
    order = []
    for _ in range(4):
        (sent,) = take(jobs)
        order.append(sent)
        jobs.answered(sent)

    assert names(order) == [("0", "apart"), ("1", "apart"), ("2", "single"), ("3", "single")]


def test_a_case_that_nobody_explains_ends_with_the_next_pipelined_answer() -> None:
    jobs = docket(6, window=3)
    jobs.lost(LOSS, take(jobs))
    for _ in range(3):
        (sent,) = take(jobs)
        assert jobs.answered(sent) is None
    pipelined = take(jobs)
    unexplained = jobs.answered(pipelined[0])

    assert unexplained is not None
    assert unexplained.reason.startswith("it died, with several scenarios in flight")
    assert jobs.answered(pipelined[1]) is None


def test_after_an_unexplained_loss_jobs_go_one_at_a_time() -> None:
    jobs = docket(9, window=3)
    jobs.lost(LOSS, take(jobs))
    for _ in range(3):
        jobs.answered(take(jobs)[0])
    assert jobs.close_case() is not None

    assert len(take(jobs)) == 1


def test_the_rest_is_everything_that_was_not_answered() -> None:
    jobs = docket(6)
    jobs.lost(LOSS, take(jobs))
    take(jobs)
    jobs.exhausted()

    assert [job.id for job in jobs.rest()] == ["1", "2", "3", "4", "5"]
