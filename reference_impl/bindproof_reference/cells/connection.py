"""One connection, frame by frame: the handshake, and what ends a host.

Enters: complete frames. Leaves: records: what the host replied, and the status with which it ended.
"""

from __future__ import annotations

from bindproof_reference.cells.record import PROGRAM, Json, RacyError, Records

VERSION = 1


def act(frames: list[Json], records: Records) -> None:
    """Send the frames one after the other, then close the pipe."""
    status = _status(frames, records)
    records.put(PROGRAM, {"fact": "ended", "exit": status})


def _status(frames: list[Json], records: Records) -> int:
    greeted, seen = False, set()
    for number, frame in enumerate(frames):
        if frame["frame"] == "broken":
            return _last(frames, number, 1)
        if not greeted:
            answer = _greeting(frame)
            if answer is None:
                return _last(frames, number, 1)
            _reply(records, answer)
            if answer["type"] == "rejected":
                return _last(frames, number, 0)
            greeted = True
        elif frame["frame"] == "hello":
            return _last(frames, number, 1)
        elif frame["frame"] == "request":
            if frame["id"] in seen:
                return _last(frames, number, 1)
            if frame["session"] in seen:
                raise RacyError(f"frame {number}: a session is opened once")
            seen |= {frame["id"], frame["session"]}
            _reply(records, {"type": "opened", "id": frame["id"]})
    return 0


def _greeting(frame: Json) -> Json:
    """Return what a first message is answered with; None where the host ends without a word."""
    if frame["frame"] != "hello":
        return {"type": "rejected", "reason": "invalidHello"}
    versions, required, optional = frame["versions"], frame["required"], frame["optional"]
    if not versions or any(len(set(one)) < len(one) for one in (versions, required, optional)):
        return None
    if set(required) & set(optional):
        return None
    if VERSION not in versions:
        return {"type": "rejected", "reason": "noCompatibleVersion"}
    if required:
        return {"type": "rejected", "reason": "missingRequiredCapability"}
    return {"type": "ready", "version": VERSION}


def _last(frames: list[Json], number: int, status: int) -> int:
    if number != len(frames) - 1:
        raise RacyError(f"frame {number} ends the host; put nothing behind it")
    return status


def _reply(records: Records, reply: Json) -> None:
    records.put(PROGRAM, {"fact": "got", "reply": reply})
