"""CEL's conformance tests as vectors: protobuf reads them, by the definitions that the table brings."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bindproof.core.errors import FileError
from bindproof.tables import import_table

Json = Any

SIMPLE = """\
syntax = "proto3";
package cel.expr.conformance.test;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
message SimpleTestFile { repeated Section section = 3; }
message Section { string name = 1; repeated Test test = 3; }
message Test {
  string name = 1;
  string expr = 3;
  bool disable_macros = 4;
  bool disable_check = 5;
  repeated Value type_env = 6;
  map<string, Value> bindings = 7;
  oneof result_matcher { Value value = 8; ErrorSet eval_error = 9; Unknowns unknown = 11; Typed typed_result = 16; }
  string container = 13;
  string locale = 14;
  bool check_only = 15;
}
message ErrorSet { repeated Error errors = 1; }
message Error { string message = 2; }
message Unknowns { repeated int64 exprs = 1; }
message Typed { Value result = 1; }
message Value {
  oneof kind {
    bool bool_value = 2;
    int64 int64_value = 3;
    double double_value = 5;
    google.protobuf.Any object_value = 8;
    Map map_value = 9;
    List list_value = 11;
  }
}
message Map { message Entry { Value key = 1; Value value = 2; } repeated Entry entries = 1; }
message List { repeated Value values = 1; }
"""
"""As much of the real definitions as these cases need."""

CASES = """\
section {
  name: "all"
  test { name: "true" expr: "a" bindings { key: "a" value { int64_value: 9007199254740993 } } }
  test { name: "double" expr: "1.0" value { double_value: 1 } }
  test { name: "empty" expr: "[]" value { list_value {} } }
  test {
    name: "map" expr: "{1: [nan]}"
    value { map_value { entries {
      key { int64_value: 1 } value { list_value { values { double_value: nan } } }
    } } }
  }
  test {
    name: "object" expr: "o"
    value { object_value { [type.googleapis.com/google.protobuf.Struct] {
      fields { key: "$any" value { bool_value: true } }
    } } }
  }
  test { name: "typed" expr: "2" typed_result { result { int64_value: 2 } } }
  test { name: "known" expr: "1 / 0" eval_error { errors { message: "divide by zero" } } }
  test { name: "other" expr: "x" eval_error { errors { message: "what it says" } } }
  test { name: "unknown" expr: "u" unknown {} }
  test { name: "types alone" expr: "t" check_only: true value { bool_value: true } }
}
"""

MAPPING = """\
source = "https://example.org/table"
commit = "abc"
licence = "MIT"
from = "table"
files = ["tests/*.textproto"]
form = "cel-spec"
vectors = "vectors"
scenario = { expression = "expr", given = "bindings" }
errors = { "divide by zero" = "division", "*" = "evaluation" }
[[rule]]
exercises = "CEL-001"
"""


@pytest.fixture
def mapping(tmp_path: Path) -> Path:
    """A mapping in a folder with a table beside it."""
    files = {
        "table.toml": MAPPING,
        "table/tests/all.textproto": CASES,
        "table/proto/cel/expr/conformance/test/simple.proto": SIMPLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "table.toml"


def test_cases_are_what_their_messages_mean(mapping: Path) -> None:
    done = import_table(mapping)
    assert (done.vectors, done.left_out) == (8, 2), "no vector says that something is unknown, or has a type"
    read = [json.loads(path.read_text(encoding="utf-8")) for path in (mapping.parent / "vectors").rglob("*.json")]
    assert {vector["title"]: vector["expect"] for vector in read} == {
        "all: true": {"value": {"boolValue": True}},
        "all: double": {"value": {"doubleValue": {"$numeric": 1.0}}},
        "all: empty": {"value": {"listValue": {}}},
        "all: map": {
            "value": {
                "mapValue": {
                    "entries": {
                        "$unordered": [
                            {"key": {"int64Value": "1"}, "value": {"listValue": {"values": [{"doubleValue": "NaN"}]}}}
                        ]
                    }
                }
            }
        },
        "all: object": {
            "value": {
                "objectValue": {
                    "@type": "type.googleapis.com/google.protobuf.Struct",
                    "value": {"$literal": {"$any": True}},
                }
            }
        },
        "all: typed": {"value": {"int64Value": "2"}},
        "all: known": {"error": "division"},
        "all: other": {"error": "evaluation"},
    }
    given = next(vector["scenario"] for vector in read if vector["title"] == "all: true")
    assert given == {"expression": "a", "given": {"a": {"int64Value": "9007199254740993"}}}


def test_what_is_no_such_file_is_told_with_its_line(mapping: Path) -> None:
    file = mapping.parent / "table/tests/all.textproto"
    file.write_text('section {\n  nam: "x"\n}\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"all\.textproto:2: this is no table of the form cel-spec: .*nam"):
        import_table(mapping)


@pytest.mark.parametrize(
    ("written", "text"),
    [(r"\?", "?"), (r"\\?", r"\?"), (r"\\\?", r"\?"), (r"\\\\?", r"\\?"), (r"\\n\x41\101", r"\nAA")],
)
def test_escapes_are_those_of_protobufs_language(mapping: Path, written: str, text: str) -> None:
    file = mapping.parent / "table/tests/all.textproto"
    file.write_text(f'section {{ name: "a" test {{ name: "b" expr: "{written}" }} }}', encoding="utf-8")
    import_table(mapping)
    (path,) = (mapping.parent / "vectors/all").iterdir()
    assert json.loads(path.read_text(encoding="utf-8"))["scenario"]["expression"] == text


@pytest.mark.parametrize("content", [rb'section { name: "\z" }', b'section { name: "\xff" }'])
def test_a_text_that_is_none_is_told(mapping: Path, content: bytes) -> None:
    (mapping.parent / "table/tests/all.textproto").write_bytes(content)
    with pytest.raises(FileError, match=r"all\.textproto: this is no table of the form cel-spec"):
        import_table(mapping)


def test_a_table_without_its_definitions_is_told(mapping: Path) -> None:
    shutil.rmtree(mapping.parent / "table/proto")
    with pytest.raises(FileError, match=r"no folder above it has proto/cel/expr/conformance/test/simple\.proto"):
        import_table(mapping)


def test_definitions_that_protoc_refuses_are_told(mapping: Path) -> None:
    file = mapping.parent / "table/proto/cel/expr/conformance/test/simple.proto"
    file.write_text("syntax = 3", encoding="utf-8")
    with pytest.raises(FileError, match="protoc cannot compile it"):
        import_table(mapping)


def test_without_the_extra_it_says_what_to_install(mapping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc_tools", None)
    with pytest.raises(FileError, match=r"pip install 'bindproof\[cel\]'"):
        import_table(mapping)


@pytest.mark.binding
def test_every_official_file_is_read(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("the cases come with a Go module, and there is no go")
    module = "cel.dev/expr@v0.25.3"
    found = subprocess.run([go, "mod", "download", "-json", module], capture_output=True, text=True, check=True)
    mapping = tmp_path / "official.toml"
    mapping.write_text(MAPPING.replace("tests/*", "tests/simple/testdata/*"), encoding="utf-8")
    done = import_table(mapping, Path(json.loads(found.stdout)["Dir"]))
    assert (done.vectors, done.left_out) == (2483, 25)
