"""The messages of the adapter protocol: requests out, replies in, each checked against its form.

Enters: values to send, one line to read. Leaves: request lines, `TargetInfo`, `RunReply`. Must not know in which order
messages are legal (`session`), nor where bytes come from (`process`). `forms` has the types.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from bindproof.core.model import Json, TargetInfo
from bindproof.protocol.forms import (
    ADAPTER_FAULT,
    PROTOCOL_VERSION,
    Inexpressible,
    InitializeReplyMessage,
    ReplyError,
    RunReplyMessage,
    RunResult,
    ShutdownReplyMessage,
    SuiteEntry,
    Unsupported,
)

EVIDENCE_BYTES = 2048
"""An offending line is kept up to this many bytes."""

ENVELOPE_BYTES = 100
"""A `run` line is longer than its params by less than this."""

ReplyKind: TypeAlias = Literal["observation", "unsupported", "inexpressible", "adapter_error", "protocol_error"]


class LocalError(Exception):
    """We broke the protocol: a bug of the harness, never a verdict on an adapter."""


class RemoteError(Exception):
    """They broke the protocol.

    reason: plain words. evidence: the offending line, cut at `EVIDENCE_BYTES`. request: the id of the run that the
    line repeats the answer of, if it does.
    """

    def __init__(self, reason: str, line: bytes, request: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.evidence = shown(line)
        self.request = request


class RunReply(Struct, gc=False, frozen=True):
    """What an adapter answered to one `run`."""

    id: int
    """Of the request."""
    kind: ReplyKind
    """What it is; `protocol_error` when the reply names its request but is not a legal one."""
    payload: Json
    """The observation (always with `log`, `left` and `stray`), or the unsupported or inexpressible object."""
    reason: str
    """Plain words for all but an observation."""
    recalled: Any = None
    """What the caller knew of a result just like it; then it was not read, and there is no payload."""


_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_RUN = msgspec.json.Decoder(RunReplyMessage)
_INITIALIZE = msgspec.json.Decoder(InitializeReplyMessage)
_SHUTDOWN = msgspec.json.Decoder(ShutdownReplyMessage)
_Message = TypeVar("_Message", InitializeReplyMessage, ShutdownReplyMessage)


def shown(line: bytes) -> str:
    """A line as evidence: text, cut at `EVIDENCE_BYTES`, with what is not UTF-8 escaped."""
    text = line[:EVIDENCE_BYTES].decode("utf-8", "backslashreplace")
    return text if len(line) <= EVIDENCE_BYTES else f"{text}… ({len(line)} bytes)"


def initialize_request(request_id: int, harness_version: str) -> bytes:
    """The line that opens a session."""
    params = {
        "protocol_versions": [PROTOCOL_VERSION],
        "harness": {"name": "bindproof", "version": harness_version},
    }
    encoded = json.dumps(params, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return _request(request_id, b"initialize", encoded)


def run_request(request_id: int, params: bytes) -> bytes:
    """The line that asks for one scenario.

    params: ASCII JSON of the `params` member, encoded once by the caller.
    Raises LocalError when it is not ASCII or holds a newline: either could break the framing on the other side.
    """
    if not params.isascii() or b"\n" in params:
        raise LocalError("the params of a run must be ASCII JSON on one line")
    return _request(request_id, b"run", params)


def shutdown_request(request_id: int) -> bytes:
    """The line that asks the adapter to end."""
    return _request(request_id, b"shutdown", b"{}")


def _request(request_id: int, method: bytes, params: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"%b","params":%b}\n' % (request_id, method, params)


def result_of(line: bytes, request_id: int) -> bytes | None:
    """Return what follows the id in the reply to a run, where it is all but certainly a result and nothing else.

    Then it has no other member behind it, so that two replies with equal results differ in their ids alone. None for a
    reply to another request, and for one whose head is spelled in another way than SDKs do.
    """
    for head in (b'{"jsonrpc":"2.0","id":%d,' % request_id, b'{"id":%d,"jsonrpc":"2.0",' % request_id):
        if line.startswith(head):
            result = line[len(head) :]
            return result if result.startswith(b'"result":') and result.endswith(b"}}}") else None
    return None


def read_run_reply(line: bytes) -> RunReply:
    """Read the reply to a `run`.

    A reply that names its request by id but is otherwise wrong is a RunReply of kind `protocol_error`: the framing is
    intact and only that scenario suffers. Raises RemoteError for a line that answers nothing.
    """
    try:
        message = _RUN.decode(line)
    except _UNREADABLE as problem:
        return _misshapen(line, str(problem))
    result = message.result
    if result is UNSET or message.error is not UNSET:
        return _error_reply(message)
    observation = result.observation
    if observation is not UNSET and result.unsupported is UNSET and result.inexpressible is UNSET:
        payload = {
            "log": observation.log,
            "left": []
            if observation.left is UNSET
            else [{"family": a.family, "name": a.name} for a in observation.left],
            "stray": [] if observation.stray is UNSET else observation.stray,
        }
        return RunReply(message.id, "observation", payload, "")
    return _declined(message.id, result)


_NAMED = re.compile(rb'\{ ?"(?:jsonrpc": ?"2\.0", ?"id": ?(\d{1,18}),|id": ?(\d{1,18}), ?"jsonrpc": ?"2\.0",)')


def unread_run_reply(line: bytes, limit: int) -> RunReply:
    """Return what comes of a reply that has more bytes than are read of any: its scenario's fault.

    Raises RemoteError where it does not say at its very beginning, as SDKs spell it, what it answers.
    """
    reason = f"the reply has {len(line)} bytes, and none of more than {limit} is read"
    named = _NAMED.match(line)
    if named is None:
        raise RemoteError(reason, line)
    return RunReply(int(named[1] or named[2]), "protocol_error", None, reason)


def _declined(request_id: int, result: RunResult) -> RunReply:
    given = [part for part in (result.observation, result.unsupported, result.inexpressible) if part is not UNSET]
    if len(given) == 1 and isinstance(given[0], Unsupported):
        unsupported = {"capability": given[0].capability, "reason": given[0].reason}
        return RunReply(request_id, "unsupported", unsupported, given[0].reason)
    if len(given) == 1 and isinstance(given[0], Inexpressible):
        inexpressible = {"path": given[0].path, "reason": given[0].reason}
        return RunReply(request_id, "inexpressible", inexpressible, given[0].reason)
    reason = "a result has exactly one of observation, unsupported, inexpressible"
    return RunReply(request_id, "protocol_error", None, f"{reason}; this one has {len(given)}")


def _error_reply(message: RunReplyMessage) -> RunReply:
    error = message.error
    if error is UNSET or message.result is not UNSET:
        return RunReply(message.id, "protocol_error", None, "a reply has exactly one of result and error")
    if error.code == ADAPTER_FAULT:
        return RunReply(message.id, "adapter_error", None, error.message or "an error without a word on it")
    reason = f"the adapter refused a valid request with error {error.code}: {error.message}"
    return RunReply(message.id, "protocol_error", None, reason)


def _misshapen(line: bytes, problem: str) -> RunReply:
    try:
        # The lenient reader of the standard library also accepts NaN and lone surrogates, so the id can still be found.
        loose = json.loads(line)
    except (ValueError, RecursionError):
        raise RemoteError(f"not a JSON message: {problem}", line) from None
    request_id = loose.get("id") if isinstance(loose, dict) else None
    if type(request_id) is not int:
        raise RemoteError(_unnamed(loose, problem), line)
    return RunReply(request_id, "protocol_error", None, f"the reply is not one the protocol knows: {problem}")


def _unnamed(loose: Json, problem: str) -> str:
    if isinstance(loose, dict) and isinstance(loose.get("error"), dict):
        return f"an error that names no request: {loose['error'].get('message')}"
    return f"a message that answers no request: {problem}"


def read_initialize_reply(line: bytes, request_id: int) -> TargetInfo:
    """Read the reply to `initialize`.

    Raises RemoteError when it is not a legal reply, refuses, or speaks another protocol version.
    """
    message = _read(_INITIALIZE, line, request_id, "initialize")
    result = message.result
    if result is UNSET:
        raise RemoteError("the reply to initialize has no result", line)
    if result.protocol_version != PROTOCOL_VERSION:
        offered = f"this harness offers {PROTOCOL_VERSION}"
        raise RemoteError(f"the adapter speaks protocol version {result.protocol_version}; {offered}", line)
    return TargetInfo(
        adapter=result.adapter.name,
        adapter_version=result.adapter.version,
        target=result.target.name,
        version=result.target.version,
        language=result.target.language,
        runtime=result.target.runtime,
        suites={name: _suite_entry(name, entry, line) for name, entry in result.suites.items()},
    )


def _suite_entry(name: str, entry: dict[str, Json], line: bytes) -> dict[str, Json]:
    complete = {"capabilities": [], **entry}
    try:
        msgspec.convert(complete, SuiteEntry)
    except msgspec.ValidationError as problem:
        raise RemoteError(f"the reply to initialize is wrong about suite {name}: {problem}", line) from None
    return complete


def read_shutdown_reply(line: bytes, request_id: int) -> None:
    """Read the reply to `shutdown`; its result is an object that says nothing. Raises RemoteError when it is not."""
    if _read(_SHUTDOWN, line, request_id, "shutdown").result is UNSET:
        raise RemoteError("the reply to shutdown has no result", line)


def _read(decoder: msgspec.json.Decoder[_Message], line: bytes, request_id: int, method: str) -> _Message:
    try:
        message = decoder.decode(line)
    except _UNREADABLE as problem:
        raise RemoteError(f"not a reply to {method}: {problem}", line) from None
    if message.id != request_id:
        raise RemoteError(f"the reply to {method} has id {message.id}, the request had {request_id}", line)
    if not isinstance(message.error, UnsetType):
        _refused(message.error, method, line)
    return message


def _refused(error: ReplyError, method: str, line: bytes) -> NoReturn:
    raise RemoteError(f"the adapter refused to {method}: {error.message}", line)
