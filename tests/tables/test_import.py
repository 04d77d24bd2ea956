"""Tables of others become vectors: each form, again and again the same, and what cannot be is told with its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bindproof.cli import main
from bindproof.core.errors import FileError, UsageError
from bindproof.tables import import_table

Json = Any

HEAD = """\
source = "https://example.org/table"
commit = "abc"
licence = "MIT"
licence_file = "LICENSE"
from = "table"
files = ["*.json"]
vectors = "vectors/official"
"""


def mapped(folder: Path, rest: str, **files: Json) -> Path:
    """A mapping in a folder with a table beside it."""
    (folder / "table").mkdir()
    (folder / "table" / "LICENSE").write_text("Do as you like.", encoding="utf-8")
    for name, content in files.items():
        (folder / "table" / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    mapping = folder / "table.toml"
    mapping.write_text(HEAD + rest, encoding="utf-8")
    return mapping


def vectors(folder: Path) -> dict[str, Json]:
    """What was imported, by title."""
    found = (json.loads(path.read_text(encoding="utf-8")) for path in (folder / "vectors").rglob("*.json"))
    return {vector["title"]: vector for vector in sorted(found, key=lambda one: str(one["title"]))}


JMESPATH = """\
form = "jmespath.test"
scenario = { expression = "expression", given = "given" }
errors = { invalid-type = "type" }
[[rule]]
exercises = "ABC-002"
error = "invalid-type"
[[rule]]
exercises = "ABC-001"
"""


def test_jmespath_cases_have_a_rule_and_what_comes_out(tmp_path: Path) -> None:
    cases = [
        {"expression": "a", "result": {"$id": 1}},
        {"expression": "abs(@)", "error": "invalid-type"},
        {"expression": "b", "bench": "full"},
    ]
    done = import_table(mapped(tmp_path, JMESPATH, syntax=[{"given": {"a": 1}, "comment": "Dots", "cases": cases}]))
    assert (done.vectors, done.left_out) == (2, 1)
    assert vectors(tmp_path) == {
        "Dots: a": {
            "title": "Dots: a",
            "exercises": ["ABC-001"],
            "scenario": {"expression": "a", "given": {"a": 1}},
            "expect": {"value": {"$literal": {"$id": 1}}},
        },
        "Dots: abs(@)": {
            "title": "Dots: abs(@)",
            "exercises": ["ABC-002"],
            "scenario": {"expression": "abs(@)", "given": {"a": 1}},
            "expect": {"error": "type"},
        },
    }
    note = (tmp_path / "vectors" / "official" / "imported.toml").read_text(encoding="utf-8")
    assert 'source = "https://example.org/table"\ncommit = "abc"\nlicence = "MIT"\n' in note
    assert (tmp_path / "vectors" / "official" / "LICENCE").read_text(encoding="utf-8") == "Do as you like."


def test_json_schema_cases_are_valid_or_not(tmp_path: Path) -> None:
    rest = 'form = "JSON-Schema-Test-Suite"\nscenario = { schema = "schema", data = "data" }\n'
    group = {"description": "types", "schema": {"type": "null"}}
    tests = [{"description": "a number", "data": 1, "valid": False}]
    import_table(mapped(tmp_path, rest + '[[rule]]\nexercises = "ABC-001"\n', type=[{**group, "tests": tests}]))
    (vector,) = vectors(tmp_path).values()
    assert (vector["title"], vector["expect"]) == ("types: a number", {"value": False})
    assert vector["scenario"] == {"schema": {"type": "null"}, "data": 1}


def test_cases_stand_where_the_mapping_says(tmp_path: Path) -> None:
    rest = """\
form = "cases"
numeric = true
scenario = { text = "in" }
members = { list = "/tests", result = "/out", title = "/name" }
[[rule]]
exercises = "ABC-001"
"""
    content = {"tests": [{"name": "a sum", "in": "1+1", "out": [2.0]}, {"in": "1+", "error": "syntax"}]}
    import_table(mapped(tmp_path, rest, sums=content))
    assert [(one["title"], one["expect"]) for one in vectors(tmp_path).values()] == [
        ("Case 1", {"error": "syntax"}),
        ("a sum", {"value": [{"$numeric": 2.0}]}),
    ]


TOML = """\
form = "toml-test"
scenario = { toml = "text" }
[[rule]]
exercises = "ABC-002"
error = "invalid"
[[rule]]
exercises = "ABC-001"
"""


def test_toml_cases_are_files_with_what_they_mean_beside_them(tmp_path: Path) -> None:
    mapping = mapped(tmp_path, TOML, one={"a": {"type": "integer", "value": "1"}})
    mapping.write_text(mapping.read_text("utf-8").replace("*.json", "*.toml"), encoding="utf-8")
    table = tmp_path / "table"
    (table / "one.toml").write_bytes(b"a = 1\r\n")
    (table / "wrong.toml").write_bytes(b"a = \n")
    (table / "no-text.toml").write_bytes(b"a = '\xff'\n")
    done = import_table(mapping)
    assert (done.vectors, done.left_out) == (2, 1)
    found = vectors(tmp_path)
    assert found["one"]["scenario"] == {"toml": "a = 1\r\n"}
    assert found["one"]["expect"] == {"value": {"a": {"type": "integer", "value": "1"}}}
    assert (found["wrong"]["expect"], found["wrong"]["exercises"]) == ({"error": "invalid"}, ["ABC-002"])


def test_files_may_be_those_of_a_list(tmp_path: Path) -> None:
    cases = [{"given": 1, "cases": [{"expression": "a", "result": 1}]}]
    mapping = mapped(tmp_path, 'listed = "which"\n' + JMESPATH, a=cases, b=cases)
    (tmp_path / "table" / "which").write_text("b.json\nc.json\n", encoding="utf-8")
    import_table(mapping)
    assert {path.parent.name for path in (tmp_path / "vectors" / "official").rglob("*.json")} == {"b"}


def test_integers_that_not_every_language_has_are_spelled(tmp_path: Path) -> None:
    cases = [{"expression": "a", "result": [2**53 + 1, 1]}]
    import_table(mapped(tmp_path, JMESPATH, a=[{"given": 1, "cases": cases}]))
    (vector,) = vectors(tmp_path).values()
    assert vector["expect"] == {"value": [{"$integer": "9007199254740993"}, 1]}


def test_again_is_the_same_and_what_is_gone_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mapping = mapped(tmp_path, JMESPATH, a=[{"given": 1, "cases": [{"expression": "a", "result": 1}]}], b=[])
    assert main(["import", str(mapping)]) == 0
    assert capsys.readouterr().out.startswith("1 vectors written in ")
    before = vectors(tmp_path)
    assert main(["import", str(mapping), "--from", str(tmp_path / "table")]) == 0
    assert vectors(tmp_path) == before
    (tmp_path / "table" / "a.json").write_text("[]", encoding="utf-8")
    import_table(mapping)
    assert vectors(tmp_path) == {}


def test_a_case_keeps_its_name_when_others_come_and_an_equal_one_has_its_own(tmp_path: Path) -> None:
    one, other = ({"expression": name, "result": 1} for name in "ab")
    mapping = mapped(tmp_path, JMESPATH, a=[{"given": 1, "cases": [one]}])
    names = []
    for cases in ([one], [other, one, one]):
        (tmp_path / "table" / "a.json").write_text(json.dumps([{"given": 1, "cases": cases}]), encoding="utf-8")
        import_table(mapping)
        names.append({path.name for path in (tmp_path / "vectors").rglob("*.json")})
    (first,) = names[0]
    assert {first, first.replace(".json", "-2.json")} < names[1]
    assert len(names[1]) == 3


def test_vectors_that_were_not_imported_are_left_alone(tmp_path: Path) -> None:
    mapping = mapped(tmp_path, JMESPATH, a=[])
    own = tmp_path / "vectors" / "official" / "mine.json"
    own.parent.mkdir(parents=True)
    own.write_text("{}", encoding="utf-8")
    with pytest.raises(FileError, match=r"official: it was not imported, and would go"):
        import_table(mapping)
    (own.parent / "imported.toml").touch()
    with pytest.raises(FileError, match=r"mine\.json: it was not imported, and would go"):
        import_table(mapping)
    assert own.read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(
    ("rest", "content", "said"),
    [
        (JMESPATH, {"cases": 1}, r"a\.json: this is no table of the form jmespath\.test"),
        (JMESPATH, [{"cases": [{"expression": "a", "result": 1}]}], r"a\.json: .* has no member 'given'"),
        (JMESPATH.replace('[[rule]]\nexercises = "ABC-001"\n', ""), [], r""),
        (JMESPATH.replace("errors", "kinds"), [], r"table\.toml:\d+: `kinds` is unknown"),
    ],
)
def test_what_cannot_be_is_told_with_its_file(tmp_path: Path, rest: str, content: Json, said: str) -> None:
    mapping = mapped(tmp_path, rest, a=content)
    if not said:
        assert import_table(mapping).vectors == 0
        return
    with pytest.raises(UsageError, match=said):
        import_table(mapping)


def test_a_case_without_a_rule_is_told(tmp_path: Path) -> None:
    rest = JMESPATH.rpartition("[[rule]]")[0]
    mapping = mapped(tmp_path, rest, a=[{"given": 1, "cases": [{"expression": "a", "result": 1}]}])
    with pytest.raises(FileError, match=r"no \[\[rule\]\] is for a\.json: A case: a; add one"):
        import_table(mapping)
