"""Requests out and replies in: what is accepted, and who is blamed for what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bindproof.protocol import messages
from bindproof.protocol.messages import LocalError, RemoteError


def reply(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, **members}).encode()


LEFT = {"family": "subscriber", "name": "s"}

GOOD_INFO = {
    "protocol_version": 1,
    "adapter": {"name": "a", "version": "1"},
    "target": {"name": "t", "version": "2", "language": "c", "runtime": "r"},
    "suites": {"relay": {"dialect": "node", "capabilities": ["x"]}, "cells": {"dialect": "own", "extra": 1}},
}


@pytest.mark.parametrize(
    ("line", "kind", "payload"),
    [
        (reply(result={"observation": {"log": []}}), "observation", {"log": [], "left": [], "stray": []}),
        (
            reply(result={"observation": {"log": [{"fact": "settled"}], "left": [LEFT], "stray": [{"fact": "x"}]}}),
            "observation",
            {"log": [{"fact": "settled"}], "left": [LEFT], "stray": [{"fact": "x"}]},
        ),
        (reply(result={"observation": {"log": [], "left": [1]}}), "protocol_error", None),
        (reply(result={"observation": {"log": [], "stray": [2]}}), "protocol_error", None),
        (
            reply(result={"unsupported": {"capability": "c", "reason": "r"}}),
            "unsupported",
            {"capability": "c", "reason": "r"},
        ),
        (
            reply(result={"inexpressible": {"path": "/p", "reason": "r"}}),
            "inexpressible",
            {"path": "/p", "reason": "r"},
        ),
        (reply(error={"code": -32000, "message": "mine"}), "adapter_error", None),
        (reply(error={"code": -32602, "message": "yours"}), "protocol_error", None),
        (reply(result={}), "protocol_error", None),
        (reply(), "protocol_error", None),
        (reply(result={"observation": {"log": []}}, error={"code": -32000, "message": ""}), "protocol_error", None),
        (
            reply(result={"observation": {"log": []}, "inexpressible": {"path": "", "reason": ""}}),
            "protocol_error",
            None,
        ),
        (reply(result={"observation": []}), "protocol_error", None),
        (reply(result={"observation": {"left": []}}), "protocol_error", None),
        (reply(result={"observation": {"log": {}}}), "protocol_error", None),
        (reply(result={"observation": {"log": ["settled"]}}), "protocol_error", None),
        (reply(result={"observation": {"log": [], "strays": []}}), "protocol_error", None),
        (reply(result={"observation": {"log": [], "left": None}}), "protocol_error", None),
        (b'{"jsonrpc":"1.0","id":7,"result":{"observation":{"log":[]}}}', "protocol_error", None),
        (b'{"jsonrpc":"2.0","id":7,"result":{"observation":{"log":[{"x":NaN}]}}}', "protocol_error", None),
        (b'{"jsonrpc":"2.0","id":7,"result":{"observation":{"log":[{"x":"\\ud800"}]}}}', "protocol_error", None),
        (b'{"jsonrpc":"2.0","id":7,"method":"tell"}', "protocol_error", None),
    ],
)
def test_a_reply_that_names_its_request(line: bytes, kind: str, payload: Any) -> None:
    read = messages.read_run_reply(line)

    assert (read.id, read.kind, read.payload) == (7, kind, payload)
    assert (read.reason == "") == (kind == "observation")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"\xff\xfe",
        b"[1]",
        b"null",
        b"7",
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
        b'{"jsonrpc":"2.0","id":true,"result":{}}',
        b'{"jsonrpc":"2.0","id":"7","result":{}}',
        b'{"jsonrpc":"2.0","result":{}}',
        b"[" * 100_000,
    ],
)
def test_a_line_that_answers_nothing_is_their_fault(line: bytes) -> None:
    with pytest.raises(RemoteError) as caught:
        messages.read_run_reply(line)

    assert caught.value.evidence.startswith(messages.shown(line)[:100])


def test_an_error_without_id_tells_what_it_says() -> None:
    with pytest.raises(RemoteError, match="Parse error"):
        messages.read_run_reply(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')


def test_evidence_is_cut_and_tells_the_length() -> None:
    error = RemoteError("too much", b"\xff" + b"x" * 5000)

    assert error.evidence.startswith("\\xffxxx")
    assert error.evidence.endswith("(5001 bytes)")
    assert len(error.evidence) < messages.EVIDENCE_BYTES + 50


def test_initialize_tells_who_the_adapter_is() -> None:
    info = messages.read_initialize_reply(reply(result=GOOD_INFO), 7)

    assert (info.adapter, info.adapter_version, info.target, info.version) == ("a", "1", "t", "2")
    assert (info.language, info.runtime) == ("c", "r")
    assert info.suites == {
        "relay": {"dialect": "node", "capabilities": ["x"]},
        "cells": {"dialect": "own", "capabilities": [], "extra": 1},
    }


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (reply(result={**GOOD_INFO, "protocol_version": 2}), "speaks protocol version 2"),
        (reply(result={**GOOD_INFO, "suites": {"relay": {}}}), "wrong about suite relay"),
        (reply(result={**GOOD_INFO, "suites": {"relay": {"dialect": "d", "capabilities": "all"}}}), "suite relay"),
        (reply(result={}), "not a reply to initialize"),
        (reply(), "no result"),
        (reply(error={"code": -32000, "message": "the package is missing"}), "the package is missing"),
        (reply(result=GOOD_INFO).replace(b'"id": 7', b'"id": 8'), "has id 8"),
        (b"Welcome!", "not a reply to initialize"),
    ],
)
def test_a_wrong_reply_to_initialize(line: bytes, says: str) -> None:
    with pytest.raises(RemoteError, match=says):
        messages.read_initialize_reply(line, 7)


@pytest.mark.parametrize("line", [reply(), reply(result=[]), reply(error={"code": 1, "message": "no"})])
def test_a_wrong_reply_to_shutdown(line: bytes) -> None:
    with pytest.raises(RemoteError):
        messages.read_shutdown_reply(line, 7)


@pytest.mark.parametrize("params", [b'{"a":\n1}', '{"a":"\u2028"}'.encode()])
def test_params_that_could_break_the_framing_are_our_fault(params: bytes) -> None:
    with pytest.raises(LocalError):
        messages.run_request(1, params)


def test_a_request_is_longer_than_its_params_by_less_than_the_envelope() -> None:
    assert len(messages.run_request(1 << 62, b"")) < messages.ENVELOPE_BYTES


def test_an_error_that_says_nothing_has_a_reason_all_the_same() -> None:
    line = reply(error={"code": -32000, "message": ""})
    assert messages.read_run_reply(line).reason == "an error without a word on it"


@pytest.mark.parametrize("head", [b'{"jsonrpc":"2.0","id":7,', b'{"id":7,"jsonrpc":"2.0",'])
def test_a_reply_that_is_too_long_is_known_by_its_head(head: bytes) -> None:
    found = messages.unread_run_reply(head + b'"result":' + b"x" * 500, 400)
    assert (found.id, found.kind) == (7, "protocol_error")
    assert found.reason == f"the reply has {len(head) + 509} bytes, and none of more than 400 is read"


def test_a_long_line_that_does_not_begin_as_a_reply_answers_nothing() -> None:
    with pytest.raises(RemoteError, match="the reply has 500 bytes, and none of more than 400 is read"):
        messages.unread_run_reply(b"x" * 500, 400)
