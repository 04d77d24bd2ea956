"""The session: legal moves, framing, ids, and what garbage does to it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bindproof.protocol.messages import LocalError, RemoteError
from bindproof.protocol.session import MOVES, Initialized, Replied, Session, ShutdownAcknowledged

INFO = {
    "protocol_version": 1,
    "adapter": {"name": "a", "version": "1"},
    "target": {"name": "t", "version": "2", "language": "c", "runtime": "r"},
    "suites": {},
}
PARAMS = b'{"suite":"relay","scenario":{"steps":[]}}'


def reply(request: int, result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request, "result": result}, ensure_ascii=False).encode() + b"\n"


def observed(request: int, value: Any = None) -> bytes:
    return reply(request, {"observation": {"log": [{"fact": "done", "step": "a", "value": value}]}})


def ready_session(*tokens: str, limit: int = 4096) -> Session[str]:
    session: Session[str] = Session(limit)
    session.initialize("0")
    assert [type(event) for event in session.receive(reply(1, INFO))] == [Initialized]
    for token in tokens:
        session.run(PARAMS, token)
    return session


def session_in(state: str) -> Session[str]:
    if state == "new":
        return Session(4096)
    if state == "initializing":
        session: Session[str] = Session(4096)
        session.initialize("0")
        return session
    session = ready_session("one")
    if state in {"draining", "closed"}:
        list(session.receive(observed(2)))
        session.shutdown()
    if state == "closed":
        list(session.receive(reply(3, {})))
    assert session.state == state
    return session


def test_a_whole_session() -> None:
    session = ready_session("one", "two")
    events = list(session.receive(observed(2) + observed(3)))

    assert [event.token for event in events if isinstance(event, Replied)] == ["one", "two"]
    assert [event.line + b"\n" for event in events if isinstance(event, Replied)] == [observed(2), observed(3)]
    assert json.loads(session.shutdown()) == {"jsonrpc": "2.0", "id": 4, "method": "shutdown", "params": {}}
    assert [type(event) for event in session.receive(reply(4, {}))] == [ShutdownAcknowledged]
    assert session.state == "closed"
    assert session.end() == b""


@pytest.mark.parametrize("state", ["new", "initializing", "ready", "draining", "closed"])
def test_our_moves_are_those_of_the_table(state: Any) -> None:
    sends: list[tuple[Any, Any]] = [
        ("send initialize", lambda session: session.initialize("0")),
        ("send run", lambda session: session.run(PARAMS, "x")),
        ("send shutdown", lambda session: session.shutdown()),
    ]
    for move, act in sends:
        session = session_in(state)
        if (state, move) in MOVES:
            act(session)
            assert session.state == MOVES[state, move]
        else:
            with pytest.raises(LocalError, match=f"cannot {move} in state {state}"):
                act(session)


@pytest.mark.parametrize("state", ["new", "initializing", "ready", "draining", "closed"])
def test_their_moves_are_those_of_the_table(state: Any) -> None:
    receives: list[tuple[Any, bytes]] = [
        ("receive initialize reply", reply(1, INFO)),
        ("receive run reply", observed(2)),
        ("receive shutdown reply", reply(4, {})),
    ]
    for move, line in receives:
        session = session_in(state)
        if state == "draining":  # with one run unanswered, and shutdown as request 4
            session = ready_session("one", "two")
            list(session.receive(observed(2)))
            session.shutdown()
            if move == "receive run reply":
                line = observed(3)
            if move == "receive shutdown reply":
                list(session.receive(observed(3)))
        if (state, move) in MOVES:
            assert len(list(session.receive(line))) == 1
            assert session.state == MOVES[state, move]
        else:
            with pytest.raises(RemoteError):
                list(session.receive(line))
            assert session.state == "closed"


def test_events_before_a_fault_are_given() -> None:
    session = ready_session("one", "two")
    seen: list[Any] = []
    with pytest.raises(RemoteError, match="not a JSON message") as caught:
        seen.extend(session.receive(observed(2) + b"garbage\n" + observed(3)))

    assert len(seen) == 1
    assert caught.value.evidence == "garbage"


@pytest.mark.parametrize(
    ("data", "says", "request_id"),
    [
        (observed(2) + observed(2), "a second reply to request 2", 2),
        (observed(3), "a reply to request 3 before that to request 2", None),
        (observed(99), "unknown id 99", None),
        (observed(1), "unknown id 1", None),
        (observed(-1), "unknown id -1", None),
        (b"\n", "not a JSON message", None),
    ],
)
def test_faulty_replies(data: bytes, says: str, request_id: int | None) -> None:
    session = ready_session("one", "two")
    with pytest.raises(RemoteError, match=says) as caught:
        list(session.receive(data))

    assert caught.value.request == request_id


def test_a_second_reply_is_seen_while_draining() -> None:
    session = session_in("draining")
    with pytest.raises(RemoteError, match="a second reply to request 2") as caught:
        list(session.receive(observed(2)))

    assert caught.value.request == 2


def test_shutdown_cannot_be_answered_before_the_runs() -> None:
    session = ready_session("one")
    session.shutdown()
    with pytest.raises(RemoteError, match="before 1 runs"):
        list(session.receive(reply(3, {})))


@pytest.mark.parametrize("text", ["\u2028", "\u2029", "\u0085", "\0", "\r", "\v", "\f", "\x1c", "é", "😀"])
def test_only_a_newline_ends_a_line(text: str) -> None:
    session = ready_session("one")
    (event,) = session.receive(observed(2, text))

    assert isinstance(event, Replied)
    assert event.reply.payload["log"][0]["value"] == text


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_bytes_may_come_in_any_portions(size: int) -> None:
    session = ready_session("one", "two")
    data = observed(2, "x" * 300) + observed(3, "é" * 300)
    events = [event for at in range(0, len(data), size) for event in session.receive(data[at : at + size])]

    assert [event.token for event in events if isinstance(event, Replied)] == ["one", "two"]


@pytest.mark.parametrize("ended", [b"", b"\n"])
def test_a_line_beyond_the_limit(ended: bytes) -> None:
    session = ready_session("one", limit=300)
    for _ in range(3):
        assert list(session.receive(b"x" * 100)) == []
    with pytest.raises(RemoteError, match="longer than 300 bytes"):
        list(session.receive(b"x" * 100 + ended))


def test_a_line_at_the_limit_passes() -> None:
    line = observed(2, "x" * 400)
    session = ready_session("one", limit=len(line) - 1)

    assert len(list(session.receive(line))) == 1


def test_a_request_beyond_the_limit_is_our_fault() -> None:
    with pytest.raises(LocalError, match="the line limit is 300"):
        ready_session(limit=300).run(b'"' + b"x" * 300 + b'"', "big")


def test_the_unfinished_line_is_kept_for_evidence() -> None:
    session = ready_session("one")
    assert list(session.receive(b'{"jsonrpc":"2.0","i')) == []

    assert session.end() == b'{"jsonrpc":"2.0","i'


NEARLY = st.sampled_from(
    [
        b"\n",
        b"{",
        b"}",
        b'"',
        b'{"jsonrpc":"2.0","id":',
        b"2",
        b',"result":',
        b"null",
        b'{"observation":{"log":[]}}',
        b',"error":{"code":-32000,"message":"m"}',
        b"NaN",
        b"\xff",
        b"\\ud800",
        b"9" * 5000,
        b"[" * 3000,
        observed(2),
        observed(3),
        reply(1, INFO),
        reply(4, {}),
    ]
)


@pytest.mark.long
@given(
    state=st.sampled_from(["new", "initializing", "ready", "draining", "closed"]),
    chunks=st.lists(st.one_of(st.binary(max_size=40), NEARLY), max_size=12),
)
def test_any_bytes_give_events_or_a_remote_error(state: str, chunks: list[bytes]) -> None:
    session = session_in(state)
    try:
        for chunk in chunks:
            for event in session.receive(chunk):
                assert isinstance(event, Initialized | Replied | ShutdownAcknowledged)
    except RemoteError:
        assert session.state == "closed"
    session.end()


def recalling(known: dict[bytes, str]) -> Session[str]:
    """A session that is ready, knows these results, and has sent two runs."""
    session: Session[str] = Session(4096, lambda token, result: known.get(result))
    session.initialize("0")
    list(session.receive(reply(1, INFO)))
    for token in ("one", "two"):
        session.run(PARAMS, token)
    return session


RESULT = b'"result":{"observation":{"log":[]}}}'


@pytest.mark.parametrize("head", [b'{"jsonrpc":"2.0","id":2,', b'{"id":2,"jsonrpc":"2.0",'])
def test_a_result_that_is_known_is_not_read(head: bytes) -> None:
    session = recalling({RESULT: "known"})
    (event,) = session.receive(head + RESULT + b"\n")

    assert isinstance(event, Replied)
    assert (event.token, event.reply.id, event.reply.recalled, event.reply.payload) == ("one", 2, "known", None)
    assert list(session.pending.values()) == ["two"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":3,' + RESULT,
        b'{"jsonrpc":"2.0","id":9,' + RESULT,
        b'{"jsonrpc":"2.0","id":22,' + RESULT,
    ],
)
def test_a_known_result_for_another_request_is_a_fault(line: bytes) -> None:
    with pytest.raises(RemoteError, match=r"id|before that to"):
        list(recalling({RESULT: "known"}).receive(line + b"\n"))


@pytest.mark.parametrize(
    "result",
    [
        b'"result":{"observation":{"log":[]}},"id":3}',
        b'"result":{"observation":{"log":[]}},"error":{}}',
        b'"error":{"code":1,"message":"x","data":{}}}',
    ],
)
def test_what_has_more_than_a_result_is_read_each_time(result: bytes) -> None:
    asked: list[bytes] = []
    session: Session[str] = Session(4096, lambda token, result: asked.append(result))
    session.initialize("0")
    list(session.receive(reply(1, INFO)))
    session.run(PARAMS, "one")
    with suppress(RemoteError):
        list(session.receive(b'{"jsonrpc":"2.0","id":2,' + result + b"\n"))

    assert asked == []


def test_a_reply_that_is_longer_than_is_read_is_its_runs_fault_and_the_session_goes_on() -> None:
    session: Session[str] = Session(4096, reply_limit=200)
    session.initialize("0")
    list(session.receive(reply(1, INFO)))
    for token in ("a", "b"):
        session.run(b"{}", token)
    first, second = session.receive(observed(2, "x" * 300) + observed(3))
    assert isinstance(first, Replied)
    assert isinstance(second, Replied)
    assert [(one.token, one.reply.kind) for one in (first, second)] == [("a", "protocol_error"), ("b", "observation")]
