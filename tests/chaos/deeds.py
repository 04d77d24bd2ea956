"""What an adapter may do to the harness at the moment at which it should answer one scenario.

Enters: a request, the true reply, a source of chance. Leaves: bytes in the place of the reply, or nothing, ever again.
Standard library only: this runs between the harness and an adapter, in each process of it.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

Json = Any

LINE_LIMIT = 16 << 20
FOREVER = 3600.0

ABSURD = (
    "1e999", "-1e999", "1e-999", "NaN", "Infinity", "-Infinity", "-0", "1.0", "1e0", "9" * 400, "-" + "9" * 5000,
    "0." + "1" * 3000, "18446744073709551616", "9007199254740993", "00", "+1", "0x10", ".5", "1.", "true", "null", '""',
    '"\\ud800"', '"\\u0000"', '"\\u001b]0;x\\u0007"', '"\u202e\u200b"', "{}", "[]", "[[]]", '{"":{}}', '{"$any":true}',
    '{"$id":"a"}', '{"__proto__":1}',
)  # fmt: skip
"""JSON, and almost JSON, in the place of a value."""

STRANGE_IDS = ("0", "1", "-1", "2", "999999999", "1e3", "1.5", "null", "true", '"7"', "[1]", "{}", "9" * 30, "NaN")


class Scene(NamedTuple):
    """What is known when a reply is due. id: of the request. reply: the true line, without its end."""

    id: int
    reply: bytes
    chance: random.Random
    say: Callable[[bytes], None]
    """Writes all of it, at once."""


class Deed(NamedTuple):
    """Something that is done in the place of a reply.

    does: in words. may_be: the outcomes that its scenario may have for it. adapter: nobody can tell which scenario it
    was, or none was: the adapter itself may be blamed. act: gives what is written instead, None where it was said
    already, or will never be. cost: seconds that nobody can save, about. lives_on: it closes its output and goes on, of
    which nobody hears where another process holds the pipe.
    """

    does: str
    may_be: frozenset[str]
    act: Callable[[Scene], bytes | None]
    adapter: bool = False
    cost: float = 0.0
    lives_on: bool = False


def _deed(does: str, may_be: str, act: Callable[[Scene], bytes | None], **more: Any) -> Deed:
    return Deed(does, frozenset(may_be.split()), act, **more)


def _line(scene: Scene) -> bytes:
    return scene.reply + b"\n"


def _garbage(scene: Scene) -> bytes:
    size = scene.chance.randint(1, 300)
    kinds = (
        b"hello",
        b"",
        b"{",
        b"\x00\xff\xfe",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","method":"run","id":1}',
        b"[]",
        b"\r",
        b'"\xe2\x80\xa8"',
        scene.chance.randbytes(size).replace(b"\n", b""),
        b"[" * 100_000,
        b"\x1b[2J\x1b]0;owned\x07",
    )
    return scene.chance.choice(kinds) + b"\n"


def _endless(scene: Scene) -> None:
    piece = b"x" * (1 << 16)
    scene.say(b'{"jsonrpc":"2.0","id":%d,"result":"' % scene.id)
    for _ in range((LINE_LIMIT >> 16) + 4):
        scene.say(piece)
    time.sleep(FOREVER)


def _huge(scene: Scene) -> bytes:
    scene.say(b'{"jsonrpc":"2.0","id":%d,"result":{"observation":{"log":["' % scene.id)
    piece = b"x" * (1 << 20)
    for _ in range(100):
        scene.say(piece)
    return b'"]}}}\n'


def _padded(scene: Scene, record: bytes, count: int) -> bytes:
    """The reply with so many more records at the front."""
    head, found, rest = scene.reply.partition(b'"log":[')
    return head + found + b",".join([record] * count) + (b"" if rest.startswith(b"]") else b",") + rest + b"\n"


def _big_text(scene: Scene) -> bytes:
    size = scene.chance.choice((1 << 16, 1 << 20, 5 << 20, 15 << 20))
    return _padded(scene, b'{"fact":"done","step":"s","value":"%b"}' % (b"y" * size), 1)


def _many_records(scene: Scene) -> bytes:
    record = scene.chance.choice((b'{"fact":"settled"}', b'{"fact":"done","step":"nobody","value":null}', b"{}"))
    return _padded(scene, record, scene.chance.choice((100, 3_000, 60_000, 200_000)))


def _big_object(scene: Scene) -> bytes:
    count = scene.chance.choice((100, 2_000, 50_000))
    inside = b",".join([b'"k%d":%d' % (at, at) for at in range(count)])
    return _in_place_of_a_value(scene, b"{%b}" % inside)


def _deep(scene: Scene) -> bytes:
    depth = scene.chance.choice((50, 200, 330, 500, 900, 1500, 5_000, 200_000))
    kind = scene.chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return _in_place_of_a_value(scene, kind[0] * depth + (b"0" if kind[0] != b"[" else b"") + kind[1] * depth)


_VALUE = re.compile(rb'(?<=:)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)')


def _in_place_of_a_value(scene: Scene, new: bytes) -> bytes:
    """The reply with other bytes in the place of one value in its observation."""
    start = max(scene.reply.find(b'"observation"'), 0)
    places = [found.span() for found in _VALUE.finditer(scene.reply, start)]
    if not places:
        return _line(scene)
    begin, end = scene.chance.choice(places)
    return scene.reply[:begin] + new + scene.reply[end:] + b"\n"


def _absurd(scene: Scene) -> bytes:
    return _in_place_of_a_value(scene, scene.chance.choice(ABSURD).encode("utf-8", "surrogatepass"))


def _not_utf8(scene: Scene) -> bytes:
    return _in_place_of_a_value(scene, b'"\xff\xc0\x80"')


def _nodes(value: Json) -> Iterator[Json]:
    """All lists and objects in a value that hold something."""
    if isinstance(value, dict | list) and value:
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _nodes(one)


def _changed(scene: Scene) -> bytes:
    """The reply with one thing in its observation taken away, doubled, moved or exchanged."""
    message = json.loads(scene.reply)
    observation = message.get("result", {}).get("observation")
    if observation is None:
        return _line(scene)
    node = scene.chance.choice(list(_nodes(observation)))
    key = scene.chance.choice(list(node) if isinstance(node, dict) else range(len(node)))
    what = scene.chance.choice(("cut", "put", "double", "swap", "left", "stray", "rename"))
    value: Json = scene.chance.choice((None, True, 0, -1, 1.5, 10**30, "", "x", "\u0000", [], {}, [None], {"a": [{}]}))
    if what == "cut":
        del node[key]
    elif what in ("left", "stray"):
        observation[what] = [value]
    elif what == "put" or isinstance(node, dict):
        if what == "rename" and isinstance(node, dict):
            node[f"{key}?"] = node.pop(key)
        else:
            node[key] = value
    elif what == "double":
        node.insert(key, node[key])
    else:
        node[key], node[-1 - key] = node[-1 - key], node[key]
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _another_result(scene: Scene) -> bytes:
    results = (
        "{}", "null", "[]", "1", '"x"', '{"observation":{}}', '{"observation":{"log":null}}',
        '{"observation":{"log":[]}}', '{"observation":{"log":[1]}}', '{"observation":{"log":[{}]}}',
        '{"observation":{"log":[{"fact":1}]}}', '{"observation":{"log":[],"left":[1],"stray":["x",null]}}',
        '{"observation":{"log":[]},"unsupported":{"capability":"x","reason":"y"}}', '{"unsupported":{}}',
        '{"inexpressible":{"path":1,"reason":"y"}}', '{"observation":{"log":[],"more":1}}',
    )  # fmt: skip
    chosen = scene.chance.choice(results)
    return b'{"jsonrpc":"2.0","id":%d,"result":%b}\n' % (scene.id, chosen.encode())


def _duplicate_keys(scene: Scene) -> bytes:
    old = scene.chance.choice((b'"result":', b'"jsonrpc":', b'"observation":', b'"log":', b'"id":'))
    new = {b'"jsonrpc":': b'"2.0"', b'"id":': b"%d" % scene.id}.get(old, b"{}")
    return scene.reply.replace(old, old + new + b"," + old, 1) + b"\n"


def _two_ids(scene: Scene) -> bytes:
    other = scene.chance.choice(STRANGE_IDS).encode()
    end = scene.reply.rindex(b"}")
    return scene.reply[:end] + b',"id":' + other + b"}\n"


def _to_nobody(scene: Scene) -> bytes:
    other = scene.chance.choice(STRANGE_IDS).encode()
    return re.sub(rb'"id":\s*\d+', b'"id":' + other, scene.reply, count=1) + b"\n"


def _error(scene: Scene) -> bytes:
    code = scene.chance.choice(("-32000", "-32000", "-32600", "0", "1e3", "null", "-" + "9" * 30))
    message = scene.chance.choice(('"oh"', '"\\u001b[31mred\\u0007"', '"' + "long " * 50_000 + '"', "null", '""', "[]"))
    return b'{"jsonrpc":"2.0","id":%d,"error":{"code":%b,"message":%b}}\n' % (scene.id, code.encode(), message.encode())


def _declined(scene: Scene) -> bytes:
    kinds = (b'"unsupported":{"capability":"llm","reason":"no"}', b'"inexpressible":{"path":"/steps/0","reason":"no"}')
    return b'{"jsonrpc":"2.0","id":%d,"result":{%b}}\n' % (scene.id, scene.chance.choice(kinds))


def _flood_of_stderr(scene: Scene) -> bytes:
    piece = scene.chance.choice((b"\xff\x1b[2J noise \n", b"no end of it ")) * 5_000
    for _ in range(scene.chance.choice((1, 20, 80))):
        with suppress(OSError):
            _all(2, piece)
    return _line(scene)


def _all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _silent(scene: Scene) -> None:
    if scene.chance.random() < 0.5:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(FOREVER)


def _stopped(scene: Scene) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _spinning(scene: Scene) -> NoReturn:
    while True:
        scene.say(b"")
        time.sleep(0.01)
        with suppress(OSError):
            _all(2, b"still at it\n")


def _half(scene: Scene) -> NoReturn:
    scene.say(scene.reply[: scene.chance.randrange(len(scene.reply) + 1)])
    _end(scene)


def _end(scene: Scene) -> NoReturn:
    number = scene.chance.choice((0, 0, 1, 2, 70, 130, 255, -signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT, -15))
    if number < 0:
        signal.signal(-number, signal.SIG_DFL) if -number != signal.SIGKILL else None
        os.kill(os.getpid(), -number)
        time.sleep(FOREVER)
    os._exit(number)


def _leave_somebody(scene: Scene) -> None:
    """Leave a child, or a daemon, that holds all pipes and hears no signal."""
    if os.fork():
        return
    how = scene.chance.choice(("child", "group", "session", "daemon"))
    if how == "group":
        os.setpgid(0, 0)
    elif how != "child":
        os.setsid()
    if how == "daemon" and os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(FOREVER)


def _orphaned(scene: Scene) -> NoReturn:
    for _ in range(scene.chance.randint(1, 4)):
        _leave_somebody(scene)
    _half(scene)


def _lingering(scene: Scene) -> NoReturn:
    _leave_somebody(scene)
    time.sleep(FOREVER)
    os._exit(0)


def _closed(*descriptors: int) -> Callable[[Scene], None]:
    def act(scene: Scene) -> None:
        for descriptor in descriptors:
            os.close(descriptor)
        time.sleep(FOREVER)

    return act


def _deaf(scene: Scene) -> bytes:
    os.close(0)
    scene.say(_line(scene))
    time.sleep(FOREVER)
    return b""


def _ends_behind(scene: Scene) -> NoReturn:
    scene.say(_line(scene))
    _end(scene)


def _guard_signalled(scene: Scene) -> None:
    """The guard hears none of these; the reply is lost, and the adapter is as silent as any."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        os.kill(os.getppid(), number)
    os.kill(0, signal.SIGTERM)
    _end(scene)


DEEDS = {
    "garbage-before": _deed("writes garbage before its reply", "protocol_error", lambda s: _garbage(s) + _line(s)),
    "garbage-behind": _deed("writes garbage behind its reply", "protocol_error", lambda s: _line(s) + _garbage(s)),
    "endless-line": _deed("writes a line that does not end", "protocol_error", _endless, cost=0.3),
    "huge-reply": _deed("answers with 100 MB", "protocol_error", _huge, cost=1.0),
    "big-text": _deed("adds a record with a text of up to 15 MB", "diverges protocol_error", _big_text, cost=1.0),
    "many-records": _deed("adds up to 200,000 records", "diverges protocol_error", _many_records, cost=1.0),
    "big-object": _deed(
        "puts an object of many members in the place of a value",
        "conforms diverges protocol_error adapter_error",
        _big_object,
        cost=1.0,
    ),
    "deep": _deed("nests a value deep", "conforms diverges protocol_error adapter_error", _deep),
    "absurd": _deed(
        "puts an absurd value in the place of another", "conforms diverges protocol_error adapter_error", _absurd
    ),
    "not-utf-8": _deed("answers with bytes that are no UTF-8", "protocol_error conforms", _not_utf8),
    "changed": _deed(
        "changes what was observed in one place", "conforms diverges protocol_error adapter_error", _changed
    ),
    "another-result": _deed("answers with a result of another form", "protocol_error diverges", _another_result),
    "duplicate-keys": _deed("says a key twice", "conforms protocol_error diverges", _duplicate_keys),
    "two-ids": _deed("gives its reply a second id", "conforms protocol_error", _two_ids, adapter=True),
    "to-nobody": _deed("answers somebody else", "protocol_error", _to_nobody, adapter=True),
    "nobody-too": _deed(
        "answers somebody else, too", "protocol_error", lambda s: _line(s) + _to_nobody(s), adapter=True
    ),
    "twice": _deed("answers twice", "protocol_error", lambda s: _line(s) * 2),
    "error": _deed("answers with an error", "adapter_error protocol_error", _error),
    "declined": _deed("says that it cannot, or that nobody can say it", "unsupported inexpressible", _declined),
    "flood-of-stderr": _deed("writes up to 5 MB to stderr first", "conforms", _flood_of_stderr),
    "silent": _deed("does not answer, perhaps deaf to signals", "timeout", _silent, cost=4.0),
    "stopped": _deed("stops itself", "timeout", _stopped, cost=4.0),
    "spinning": _deed("goes on without an answer", "timeout", _spinning, cost=4.0),
    "half": _deed("ends in the middle of its reply", "crash conforms", _half, adapter=True),
    "ends": _deed("ends without a reply", "crash", lambda s: _end(s)),
    "ends-behind": _deed("ends behind its reply", "crash conforms", _ends_behind, adapter=True),
    "orphans": _deed("leaves children that hold its pipes, and ends", "crash conforms", _orphaned, adapter=True),
    "lingers": _deed("leaves a child that holds its pipes, and hangs", "timeout", _lingering, cost=4.0),
    "closes-stdout": _deed("closes its output, and lives on", "crash", _closed(1), cost=2.0, lives_on=True),
    "closes-all": _deed("closes all its streams, and lives on", "crash", _closed(0, 1, 2), cost=2.0, lives_on=True),
    "deaf": _deed("closes its input behind its reply", "conforms timeout", _deaf, adapter=True, cost=10.0),
    "signals-its-guard": _deed("signals its parent and its group, and ends", "crash", _guard_signalled),
}
"""What can be done in the place of a reply, by name."""
