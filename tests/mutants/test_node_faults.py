"""What faults the exports of a Node package may have, and what a traced one writes down."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bindproof.mutants.node_faults import faults_of, traced

MODULE = """function put(name, priority, once, run) { return [name, priority, once, run] }
function take(name) { return name === 'there' }
class Handle {
  get uuid() { return 'u' }
  close(data, metadata) { return [data, metadata] }
}
function __testPut(name) { return name }
class Codec {
  encode(value) { return ['e', value] }
  decode(value) { return ['d', value] }
}
module.exports.put = put
module.exports.Handle = Handle
module.exports.__testPut = __testPut
module.exports = { ...module.exports,
  take,
  Codec,
}
"""

DECLARED = """/** Puts it there; export declare function commented(x: number): void */
export declare function put(name: string, priority: number, once: boolean, run: (arg: Json) => any | null): void
export declare function take(
  name: string,
): boolean;
export declare class Handle {
  constructor(first: string)
  get uuid(): string
  close(data?: Json | undefined | null, metadata?: Json | undefined | null): Promise<Json>
}
export declare class Codec {
  encode(value: Json): Json;
  decode(value: Json): Json;
}
export declare function __testPut(name: string): void
export declare function notExported(name: string): void
"""


def test_each_export_has_the_faults_of_its_arguments_and_of_its_answer() -> None:
    found = faults_of(MODULE, DECLARED)

    assert [f"{one.function}:{one.line} {one.fault}" for one in found] == [
        "put:12 name is another",
        "put:12 priority is ignored",
        "put:12 priority is negated",
        "put:12 once is dropped",
        "put:12 once is always set",
        "put:12 put is not called",
        "put:12 put is called twice",
        "take:16 name is another",
        "take:16 take is not called, and true answered",
        "take:16 take is not called, and false answered",
        "take:16 the answer is reversed",
        "Handle.uuid:13 the answer is dropped",
        "Handle.close:13 data is not passed on",
        "Handle.close:13 metadata is not passed on",
        "Handle.close:13 data and metadata are exchanged",
        "Handle.close:13 the answer is dropped",
        "Handle.close:13 close is called twice",
        "Codec.encode:17 value is dropped",
        "Codec.encode:17 the answer is dropped",
        "Codec.encode:17 encode is called twice",
        "Codec.decode:17 value is dropped",
        "Codec.decode:17 the answer is dropped",
        "Codec.decode:17 decode is called twice",
    ]


def test_a_fault_changes_one_line_and_no_other() -> None:
    for fault in faults_of(MODULE, DECLARED):
        pairs = list(zip(MODULE.splitlines(), fault.text.splitlines(), strict=True))
        (changed,) = [(before.strip(), after.strip()) for before, after in pairs if before != after]
        assert changed == (fault.before, fault.after)


ASKED = """
const { put, take, Handle, Codec } = require('./index.js');
(async () => {
  const handle = new Handle();
  const codec = new Codec();
  console.log(JSON.stringify(put('n', 5, true, null)), take('there'), handle.uuid, await handle.close(1, 2));
  console.log(JSON.stringify([codec.encode(1), codec.decode(2)]));
})();
"""


def said(folder: Path, text: str) -> str:
    (folder / "index.js").write_text(text)
    (folder / "asked.js").write_text(ASKED)
    run = subprocess.run(["node", "asked.js"], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.strip()


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")


RIGHT = '["n",5,true,null] true u [ 1, 2 ]\n[["e",1],["d",2]]'


@pytest.mark.long
@needs_node
@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("put:12 priority is negated", '"n",5', '"n",-5'),
        ("put:12 put is not called", '["n",5,true,null]', "undefined"),
        ("take:16 the answer is reversed", " true ", " false "),
        ("Handle.uuid:13 the answer is dropped", " u ", " null "),
        ("Handle.close:13 data and metadata are exchanged", "[ 1, 2 ]", "[ 2, 1 ]"),
        ("Codec.decode:17 value is dropped", '["d",2]', '["d",null]'),
    ],
)
def test_a_fault_is_seen_where_it_is_and_nowhere_else(tmp_path: Path, name: str, right: str, wrong: str) -> None:
    (fault,) = [one for one in faults_of(MODULE, DECLARED) if f"{one.function}:{one.line} {one.fault}" == name]

    assert said(tmp_path, fault.text) == RIGHT.replace(right, wrong)


@pytest.mark.long
@needs_node
def test_a_traced_module_does_the_same_and_writes_down_what_is_entered(tmp_path: Path) -> None:
    told = tmp_path / "entered"

    assert said(tmp_path, traced(MODULE, DECLARED, "index", str(told))) == RIGHT
    entered = ["put", "take", "Handle.uuid", "Handle.close", "Codec.encode", "Codec.decode"]
    assert told.read_text().split() == [f"index.{name}" for name in entered]
