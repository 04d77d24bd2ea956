"""An adapter that answers from memory, as fast as it can: what is left is the harness's own speed.

Enters: a file of recordings (JSON: `initialize` is a result, `runs` pairs a run's params with the rest of its reply
after the id), then the protocol on stdin. Leaves: replies on stdout. Must not know scenarios.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

CHUNK = 1 << 20
AFTER_ID = b',"method":'
BEFORE_PARAMS = b'"params":'


def main() -> None:
    """Answer until told to shut down."""
    recording = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    replies = {params.encode("ascii"): rest.encode("utf-8") for params, rest in recording["runs"]}
    greeting = json.dumps(recording["initialize"]).encode("ascii")
    rest = b""
    while data := os.read(0, CHUNK):
        *lines, rest = (rest + data).split(b"\n")
        _write(b"".join([_reply(line, replies, greeting) for line in lines]))
        if lines and b'"method":"shutdown"' in lines[-1]:
            return


def _reply(line: bytes, replies: dict[bytes, bytes], greeting: bytes) -> bytes:
    start, end = line.index(b'"id":') + 5, line.index(AFTER_ID)
    head = b'{"jsonrpc":"2.0","id":%b,' % line[start:end]
    params = line[line.index(BEFORE_PARAMS) + len(BEFORE_PARAMS) : -1]
    known = replies.get(params)
    if known is not None:
        return head + known + b"\n"
    if line.startswith(b'"initialize"', end + len(AFTER_ID)):
        return head + b'"result":%b}\n' % greeting
    if line.startswith(b'"shutdown"', end + len(AFTER_ID)):
        return head + b'"result":{}}\n'
    return head + b'"error":{"code":-32000,"message":"this scenario was never recorded"}}\n'


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()
