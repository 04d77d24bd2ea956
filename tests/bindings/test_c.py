"""What only the C boundary can show: who owns what, which thread an error is on, and that memory stays flat."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bindproof.core.model import AdapterCommand
from bindproof.drive import Answer, Job, drive
from bindproof.targets import resolve, without_target
from tests.bindings.counting import counted, one
from tests.bindings.covering import covering
from tests.bindings.toolchains import toolchain
from tests.relay import VECTORS

pytestmark = [pytest.mark.binding, toolchain("c")]

Json = Any

CODEC: Json = {"decode": [], "encode": []}
SCENARIOS = 5_000
WARM = 1_000
"""Scenarios after which the allocator has what it keeps."""

GROWTH_KIB = 4 * 1024
"""What the resident memory may still grow by; one leaked log a scenario would be more than ten times that."""

BROKEN = """
import ctypes, sys
sys.path.insert(0, {adapter!r})
import adapter
whole = adapter.Library.json
def broken(self, borrowed):
    if b"crash-here" in ctypes.string_at(int(self.ffi.cast("uintptr_t", borrowed))):
        ctypes.string_at(0)
    return whole(self, borrowed)
adapter.Library.json = broken
adapter.serve("c", "1", adapter.connect)
"""


WASTEFUL = """
import sys
sys.path.insert(0, {adapter!r})
import adapter
{waste}
adapter.serve("c", "1", adapter.connect)
"""

TEXTS_STAY = """
whole = adapter.Library.give
def wasteful(self, text):
    whole(self, text)
    return whole(self, text)
adapter.Library.give = wasteful
"""

THINGS_STAY = """
import boundary
kept, whole = [], boundary.Exchange.count
def wasteful(self, kind, size):
    kept.append(bytearray(size))
    whole(self, kind, size)
boundary.Exchange.count = wasteful
"""


@pytest.fixture(scope="session", params=["c"])
def command(request: pytest.FixtureRequest) -> AdapterCommand:
    """How to start the adapter of the C library, which is built on first use."""
    found = resolve(request.param, required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    return found


def resident(pid: int) -> int:
    """KiB of memory that a process has in use now."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_it_says_what_it_drives(bare: Any, command: AdapterCommand) -> None:
    told = bare(command).initialize()["result"]
    assert told["target"]["name"] == "nemo-relay-ffi"
    assert told["target"]["version"] == command.version
    assert told["suites"]["relay"]["dialect"] == "c"
    assert {Path(file).suffix for file in command.files} == {".h", ".so"}


def test_without_its_library_it_refuses(bare: Any, command: AdapterCommand) -> None:
    without = without_target(command)
    assert without is not None
    assert "no C library of nemo-relay-ffi" in bare(without).initialize()["error"]["message"]


def test_a_built_library_is_driven_from_where_it_is(bare: Any, command: AdapterCommand) -> None:
    found = resolve(f"c@{command.argv[3]}", required=True, progress=lambda _: None)
    assert isinstance(found, AdapterCommand), found
    assert (found.version, found.files) == (command.version, command.files)
    talk = bare(found)
    assert talk.initialize()["result"]["target"]["version"] == command.version
    assert one(talk.observe(talk.call()), "done", step="c")["value"] == {"ok": True}


def test_a_whole_call(talk: Any) -> None:
    log = talk.observe(talk.subscriber(), talk.intercept(talk.mark(name="m")), talk.call(codec=CODEC))
    events = [seen["event"] for seen in log if seen["fact"] == "event"]
    assert [event["name"] for event in events] == ["gpt", "m", "gpt"]
    assert one(log, "done", step="c")["value"] == {"ok": True}


@pytest.mark.parametrize("reply", [None, 3, "x", [], {}, {"request": None}, {"request": 1}])
def test_any_json_reaches_the_library_and_it_judges(talk: Any, reply: Json) -> None:
    log = talk.observe(talk.intercept({"op": "edit", "set": {"": reply}}), talk.call())
    assert one(log, "leave", callback="i")["reply"] == reply
    error = one(log, "done", step="c")["error"]
    assert error["code"] == "INTERNAL"
    assert error["message"].startswith("internal error: invalid LLM request intercept outcome JSON: ")


@pytest.mark.parametrize("place", ["provider", "decode", "encode", "intercept"])
def test_the_error_of_a_callback_is_the_callers(talk: Any, place: str) -> None:
    broken: list[Json] = [{"op": "raise", "text": "boom-1! \u00e9\u2028"}]
    more: Json = {"codec": CODEC}
    if place == "provider":
        more["provider"] = broken
    elif place != "intercept":
        more["codec"] = {**CODEC, place: broken}
    log = talk.observe(talk.intercept(*(broken if place == "intercept" else [])), talk.call(**more))
    error = one(log, "done", step="c")["error"]
    assert (error["type"], error["code"]) == ("StatusError", "INTERNAL")
    assert "boom-1! \u00e9\u2028" in error["message"]


def test_an_error_does_not_outlive_its_call(talk: Any) -> None:
    failing = talk.call(provider=[{"op": "raise", "text": "boom-2!"}])
    log = talk.observe(failing, talk.call(**{"as": "c2"}), {**talk.subscriber(), "as": "s1"}, talk.subscriber())
    assert one(log, "done", step="c2")["value"] == {"ok": True}
    error = one(log, "done", step="s")["error"]
    assert error["code"] == "ALREADY_EXISTS"
    assert "boom" not in error["message"]


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_what_no_c_string_holds_is_inexpressible(talk: Any, name: str) -> None:
    assert talk.run(talk.call(name=name))["result"]["inexpressible"]["path"] == "name"
    assert talk.run(talk.call(model=name))["result"]["inexpressible"]["path"] == "model"


@pytest.mark.parametrize("reply", [None, {"content": {}}, {"headers": {"x": "1"}, "content": {}}])
def test_encode_answers_with_content_alone(talk: Any, reply: Json) -> None:
    codec = {**CODEC, "encode": [{"op": "edit", "set": {"": reply}}]}
    assert talk.run(talk.intercept(), talk.call(codec=codec))["result"]["inexpressible"]["path"] == "encode"
    talk.observe(talk.call(codec=CODEC))


def test_what_the_library_holds_it_frees_once(talk: Any, command: AdapterCommand) -> None:
    raising: Json = {"op": "raise", "text": "boom"}
    taken = {**talk.intercept(), "as": "again"}
    inner = {"op": "step", "step": talk.intercept(name="j")}
    counts = counted(
        command,
        [talk.subscriber(), talk.intercept(talk.mark(name="m")), talk.call(codec=CODEC), talk.helper()],
        [talk.intercept(raising), talk.call(codec=CODEC)],
        [talk.call(provider=[raising], codec={**CODEC, "encode": [raising]})],
        [talk.intercept({"op": "edit", "set": {"": 3}}), taken, talk.call(), talk.helper()],
        [talk.intercept(inner), talk.call()],
    )
    assert counts == {"held": 15, "freed": 15, "twice": 0, "left": 0}


def test_memory_stays_flat(talk: Any) -> None:
    scenarios = (
        [talk.subscriber(), talk.intercept(talk.mark(name="m")), talk.call(codec=CODEC)],
        [talk.intercept({"op": "raise", "text": "boom"}), talk.call(), talk.helper()],
    )
    for turn in range(WARM):
        talk.run(*scenarios[turn % 2])
    before = resident(talk.process.pid)
    for turn in range(SCENARIOS - WARM):
        talk.run(*scenarios[turn % 2])
    assert resident(talk.process.pid) - before < GROWTH_KIB


def test_a_callback_that_crashes_costs_its_scenario_alone(talk: Any, command: AdapterCommand) -> None:
    program = BROKEN.format(adapter=str(Path(command.argv[2]).parent))
    broken = replace(command, argv=(sys.executable, "-S", "-c", program, command.argv[3]))
    calls = [talk.call(request={"headers": {}, "content": f"crash-{'here' if n == 7 else n}"}) for n in range(20)]
    runs = [{"suite": "relay", "scenario": {"steps": [call]}} for call in calls]
    jobs = [Job(str(n), "relay", json.dumps(run).encode()) for n, run in enumerate(runs)]
    answers = [event for event in drive([(broken, lambda _: jobs)]) if isinstance(event, Answer)]
    found = {answer.job.id: answer.outcome for answer in answers}
    assert found == {str(n): "crash" if n == 7 else "observation" for n in range(20)}
    assert "SIGSEGV" in next(answer.reason for answer in answers if answer.outcome == "crash")


LARGE: Json = {"text": '{"request":{"headers":{},"content":{}}}', "bytes": "", "pad": 2**21, "end": ""}
REQUEST: Json = {"text": '{"headers":{},"content":"', "bytes": "", "pad": 2**21, "end": '"}'}


def raw(function: str, name: str, **more: Json) -> Json:
    """A raw step, complete."""
    return {"step": "raw", "as": name, "function": function, "with": {}, "replies": {}, "inside": None, **more}


@pytest.mark.parametrize(
    ("waste", "kind", "steps"),
    [
        (TEXTS_STAY, "texts", [raw("register_intercept", "i", replies={"outcome": LARGE}), raw("helper", "h")]),
        (THINGS_STAY, "events", [raw("register_subscriber", "i"), raw("call", "c", **{"with": {"request": REQUEST}})]),
        (THINGS_STAY, "handles", [raw("register_intercept", "i"), raw("call", "c", **{"with": {"request": REQUEST}})]),
    ],
)
def test_what_nobody_frees_is_counted(
    bare: Any, command: AdapterCommand, waste: str, kind: str, steps: list[Json]
) -> None:
    program = WASTEFUL.format(adapter=str(Path(command.argv[2]).parent), waste=waste)
    for argv, freed in ((command.argv, 1), ((sys.executable, "-S", "-c", program, command.argv[3]), 0)):
        talk = bare(replace(command, argv=argv))
        talk.initialize()
        assert one(talk.observe(*steps), "measure", name="i")["value"][kind] == {"given": 1, "freed": freed}


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_the_vectors_touch_no_memory_that_is_not_theirs(tmp_path: Path, command: AdapterCommand) -> None:
    """Watched, a scenario takes some forty times as long: so vectors are taken that have whatever any of them has."""
    told = tmp_path / "memory.log"
    options = ["--undef-value-errors=no", "--leak-check=full", "--errors-for-leak-kinds=definite", f"--log-file={told}"]
    settings = [f"PYTHONPATH={command.env['PYTHONPATH']}", "PYTHONMALLOC=malloc"]
    watched = shlex.join(["env", *settings, "valgrind", *options, *command.argv])
    judged = [sys.executable, "-m", "bindproof", "run", "--adapter-command", f"c={watched}", "--timeout", "60"]
    judged += [f"--vector={vector.id}" for vector in covering(VECTORS)]
    ended = subprocess.run(judged, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert ended.returncode == 0
    assert "ERROR SUMMARY: 0 errors" in told.read_text()
