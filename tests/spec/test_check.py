"""Every kind of Problem is seen once, each on a small suite with one thing broken."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from bindproof.spec import Problem
from bindproof.spec.check import accept, check

CHECKS = dict.fromkeys(("FST-001", "FST-002"))


class Break(NamedTuple):
    """In `file`, `old` becomes `new`; then a problem of `line` (in `at`, else in `file`) says `text`."""

    name: str
    file: str
    old: str
    new: str
    line: int
    text: str
    at: str = ""


BREAKS = [
    Break("suite: no toml", "suite.toml", "error_kinds = [", "error_kinds [", 3, "no TOML"),
    Break("suite: unknown key", "suite.toml", 'title = "A', 'heading = "A', 2, "`heading` is unknown"),
    Break("suite: wrong name", "suite.toml", 'name = "small"', 'name = "big"', 1, "folder 'small'"),
    Break(
        "suite: state",
        "suite.toml",
        'name = "10"\nstate = "open"',
        'name = "10"\nstate = "?"',
        13,
        "`/edition/1/state` is '?'; write one of 'open', 'locked', 'preview'",
    ),
    Break("suite: edition twice", "suite.toml", 'name = "10"', 'name = "9"', 12, "each once"),
    Break("suite: specifier", "suite.toml", ">=0.9,<0.10", "0.9 or so", 9, "no version specifier"),
    Break("chapter: no title", "01-first.md", "# First\n", "First\n", 1, "begins with `# Title`"),
    Break(
        "chapter: heading", "01-first.md", "## FST-002 A thing may", "## FST-2 A thing may", 17, "`## ABC-001 Title`"
    ),
    Break("chapter: meta", "01-first.md", "SHOULD · editions", "SHOULD, editions", 18, "has to look like"),
    Break("chapter: level", "01-first.md", "SHOULD ·", "OUGHT ·", 18, "one of MUST, SHOULD, MAY"),
    Break("chapter: edition", "01-first.md", "editions 9 ·", "editions 8 ·", 18, "no edition '8'"),
    Break("chapter: backwards", "01-first.md", "editions 9 ·", "editions 10–9 ·", 18, "9 is older than 10"),
    Break("chapter: no start", "01-first.md", "editions 9 ·", "editions –9 ·", 18, "begins with an edition"),
    Break(
        "chapter: source", "01-first.md", "source observed A2", "source observed", 18, "name the document and the place"
    ),
    Break("chapter: statement", "01-first.md", "A2\n\nA thing", "A2\nA thing", 17, "one paragraph after an empty line"),
    Break("chapter: retired when", "01-first.md", "RETIRED in 10", "RETIRED in 11", 23, "no such edition"),
    Break("chapter: dialect", "01-first.md", "wire, dutch", "wire, greek", 18, "no dialect 'greek'"),
    Break("chapter: id twice", "01-first.md", "## FST-002 A", "## FST-001 A", 17, "FST-001 is taken"),
    Break("chapter: built-in id", "01-first.md", "## FST-002 A", "## REF-000 A", 17, "built in"),
    Break("chapter: only observed", "01-first.md", "SHOULD ·", "MUST ·", 18, "SHOULD at most"),
    Break("lock: drifted", "01-first.md", "A thing is red.", "A thing is blue.", 17, "drifted: the check of FST-002"),
    Break("lock: new", "01-first.md", "## FST-002 A", "## FST-009 A", 17, "new: FST-009"),
    Break("lock: gone", "01-first.md", "## FST-002 A", "## FST-009 A", 4, "never given up", "requirements.lock"),
    Break("lock: no entry", "requirements.lock", "FST-002 ", "FST-002: ", 4, "an id and 12 hex digits"),
    Break("sources: place", "sources.toml", 'what = "What was seen."', 'what = ""\nplaces = ["A3"]', 10, "observed A3"),
    Break("schema: no json", "schemas/9/thing.json", "{\n", "{{\n", 1, "no JSON"),
    Break(
        "schema: key twice", "schemas/9/thing.json", '"title": "Thing"', '"title": "T", "title": "U"', 4, "stands twice"
    ),
    Break("schema: properties", "schemas/9/thing.json", '"type": "object"', '"required": 3', 6, "no JSON Schema"),
    Break("schema: no object", "schemas/9/thing.json", "{\n", "[]\n{\n", 2, "no JSON"),
    Break("schema: draft", "schemas/9/thing.json", "2020-12", "2019-09", 2, "$schema"),
    Break("schema: id", "schemas/9/thing.json", "small/9", "small/8", 3, "small/9/thing.json"),
    Break("schema: words", "schemas/9/thing.json", '  "description": "A thing.",\n', "", 1, "needs a `description`"),
    Break("schema: invalid", "schemas/9/thing.json", '"type": "object"', '"type": "thing"', 6, "no JSON Schema"),
    Break(
        "schema: pattern looks ahead",
        "schemas/9/thing.json",
        '{"type": "string"}',
        '{"pattern": "(?=(a+)+$)b"}',
        9,
        "is no regular expression, looks ahead",
    ),
    Break(
        "schema: pattern too large",
        "schemas/9/thing.json",
        '{"type": "string"}',
        '{"pattern": "a{99999}"}',
        9,
        "too large",
    ),
    Break(
        "schema: pattern of keys",
        "schemas/9/thing.json",
        '{"type": "string"}',
        '{"patternProperties": {"(": {}}}',
        9,
        "'(' is no regular expression",
    ),
    Break("schema: ref", "schemas/9/thing.json", "#/$defs/size", "#/$defs/length", 8, "leads nowhere"),
    Break("schema: file ref", "schemas/9/thing.json", "#/$defs/size", "other.json", 8, "leads nowhere"),
    Break("schema: keys", "schemas/9/thing.json", '"colour"', '"color"', 1, "no keys of 'thing' in suite.toml: color"),
    Break("schema: unused", "suite.toml", '"size", "colour"', '"size", "colour", "hue"', 1, "of no edition"),
    Break("dialect: spoken", "dialects/dutch.toml", "\n\n", '\neditions = "8–"\n\n', 3, "no edition '8'"),
    Break("schema: missing", "suite.toml", "thing.json", "thong.json", 1, "no edition has such a file"),
    Break(
        "dialect: withheld",
        "dialects/dutch.toml",
        "\n\n",
        '\n\n[[withheld]]\nfamily = "f"\narguments = ["a"]\neditions = ["8"]\n\n',
        7,
        "no edition '8'",
    ),
    Break("dialect: file", "dialects/dutch.toml", 'name = "dutch"', 'name = "flemish"', 1, "file name 'dutch'"),
    Break("dialect: object", "dialects/dutch.toml", "spelling.thing", "spelling.thong", 4, "no object 'thong'"),
    Break("dialect: key", "dialects/dutch.toml", "colour = {", "color = {", 5, "no canonical key"),
    Break(
        "dialect: side", "dialects/dutch.toml", '"reply"', '"answer"', 5, "write one of 'input', 'argument', 'reply'"
    ),
    Break("dialect: kind", "dialects/dutch.toml", 'kind = "broken"', 'kind = "bent"', 8, "no error kind"),
    Break("dialect: pattern", "dialects/dutch.toml", "'^kapot: '", "'^kapot( '", 9, "pattern"),
    Break("dialect: example", "dialects/dutch.toml", 'editions = "9–"', 'example = "heel"', 9, "its example"),
    Break("dialect: anchor", "dialects/dutch.toml", "'^kapot: '", "'kapot: '", 9, "not anchored"),
    Break("dialect: editions", "dialects/dutch.toml", '"9–"', '"8–"', 10, "no edition '8'"),
    Break("sources: document", "sources.toml", 'document = "book"', 'document = "cook"', 12, "'cook' is none"),
    Break("sources: id", "sources.toml", '"FST-002"', '"FST-009"', 21, "FST-009 is no requirement"),
    Break(
        "sources: neither", "sources.toml", 'requirements = ["FST-001", "FST-003"]\n', "", 11, "name the requirements"
    ),
    Break("sources: nothing", "sources.toml", 'document = "book"', 'document = "observed"', 2, "no rule is about book"),
    Break(
        "sources: twice",
        "sources.toml",
        'place = "A1 A2"\ngist = "Things are, and are red."',
        'place = "A1"\ngist = "Red."\nopen = "x"\n\n[[rule]]\ndocument = "observed"\nplace = "A1"\ngist = "Red."',
        26,
        "an entry already",
    ),
    Break("sources: type", "sources.toml", 'open = "how red"', "open = 1", 22, "`/rule/1/open` is 1; write a text"),
    Break("sources: untraced", "sources.toml", ', "FST-003"', "", 23, "no rule of 'book'", "01-first.md"),
    Break("sources: unknown", "01-first.md", "source observed A2", "source rumour A2", 18, "no document of"),
    Break("vector: no json", "vectors/first/plain.json", '"exercises":', '"exercises"', 3, "this is no JSON"),
    Break("vector: cut short", "vectors/first/plain.json", "}\n", "", 4, "this is no JSON"),
    Break("vector: key", "vectors/first/plain.json", '"title"', '"name"', 2, "`name` is unknown"),
    Break("vector: type", "vectors/first/plain.json", '["FST-001"]', "7", 3, "`exercises` is 7; write a list"),
    Break("vector: editions", "vectors/first/red.json", '"editions": "9"', '"editions": "8"', 4, "no edition '8'"),
    Break("vector: no ids", "vectors/first/plain.json", '"FST-001"', "", 3, "exercises is empty"),
    Break("vector: id", "vectors/first/plain.json", "FST-001", "FST-009", 3, "FST-009 is no requirement"),
    Break("vector: dialect", "vectors/first/red.json", '"dutch"', '"greek"', 5, "no dialect 'greek'"),
    Break(
        "vector: elsewhere", "vectors/first/red.json", '"editions": "9"', '"editions": "10"', 3, "none of the vector's"
    ),
    Break("vector: breaks", "vectors/first/red.json", '"breaks": "FST-002"', '"breaks": "FST-7"', 7, "FST-7 is no"),
    Break("vector: kind", "vectors/first/red.json", '"kind": "broken"', '"kind": "bent"', 7, "no error kind"),
    Break("vector: pointer", "vectors/first/red.json", "/steps/0/do", "/steps/1/do", 7, "leads nowhere"),
    Break("vector: whole", "vectors/first/red.json", "/steps/0/do", "", 7, "leads nowhere"),
    Break("vector: odd pointer", "vectors/first/red.json", "/steps/0/do", "/steps/0/~do", 7, "leads nowhere"),
    Break("vector: put and cut", "vectors/first/red.json", '"put": null', '"put": 1, "cut": true', 7, "`put`"),
    Break("vector: nothing put", "vectors/first/red.json", '"put": null, ', "", 7, "`put`"),
    Break(
        "not exercised", "vectors/first/plain.json", "FST-001", "FST-003", 5, "no vector exercises it", "01-first.md"
    ),
    Break("expected: both", "expectations/dutch.toml", "target", 'verdict = "crash"\ntarget', 1, "either"),
    Break("expected: nothing seen", "expectations/dutch.toml", 'observed = "orange"\n', "", 1, "say what is seen"),
    Break(
        "expected: twice", "expectations/dutch.toml", "observed =", 'observed_matches = "o"\nobserved =', 1, "either"
    ),
    Break("expected: of old", "expectations/dutch.toml", "observed =", "evidence =", 8, "evidence` is unknown"),
    Break(
        "expected: always",
        "expectations/dutch.toml",
        "observed =",
        "sometimes = { seen = 2, of = 2 }\nobserved =",
        8,
        "expected always",
    ),
    Break(
        "expected: beside", "expectations/dutch.toml", "observed =", "beside = [{}]\nobserved =", 8, "say what is seen"
    ),
    Break("expected: id", "expectations/dutch.toml", "FST-002", "FST-009", 2, "no such requirement"),
    Break(
        "expected: verdict",
        "expectations/dutch.toml",
        'requirement = "FST-002"',
        'verdict = "odd"',
        2,
        "write one of 'unsupported'",
    ),
    Break("expected: vectors", "expectations/dutch.toml", '"small/first/*"', "", 5, "name at least one"),
    Break("expected: versions", "expectations/dutch.toml", ">=0.9,<0.10", "old", 4, "no version specifier"),
    Break("expected: reason", "expectations/dutch.toml", '"It is orange."', '" "', 6, "/divergence/0/reason` is empty"),
]


def problems(small: Path, checks: dict[str, None] | None = None) -> list[Problem]:
    return check(small.parents[1], "small", CHECKS if checks is None else checks)


def test_a_good_suite_has_no_problem(small: Path) -> None:
    assert problems(small) == []


@pytest.mark.long
@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: b.name)
def test_one_broken_thing_is_reported_with_its_place(small: Path, broken: Break) -> None:
    path = small / broken.file
    text = path.read_text(encoding="utf-8")
    assert broken.old in text
    path.write_text(text.replace(broken.old, broken.new, 1), encoding="utf-8")
    found = problems(small)
    wanted = f"spec/small/{broken.at or broken.file}"
    assert any(p.file == wanted and p.line == broken.line and broken.text in p.text for p in found), found


def test_a_missing_suite_file_is_reported(small: Path) -> None:
    (small / "suite.toml").unlink()
    assert [p.file for p in problems(small)] == ["spec/small/suite.toml"]


def test_an_edition_without_schemas_is_reported(small: Path) -> None:
    (small / "schemas/10/thing.json").unlink()
    assert ("spec/small/schemas/10", 1) in {(p.file, p.line) for p in problems(small)}


def test_a_schema_that_is_a_list_is_reported(small: Path) -> None:
    (small / "schemas/9/thing.json").write_text("[]", encoding="utf-8")
    found = [p.text for p in problems(small) if p.file == "spec/small/schemas/9/thing.json"]
    assert "this is no JSON object" in found


def test_a_requirement_without_check_is_reported(small: Path) -> None:
    assert [(p.line, p.text[:20]) for p in problems(small, {"FST-001": None})] == [(17, "FST-002 has no check")]


def test_a_check_without_requirement_is_reported(small: Path) -> None:
    found = problems(small, CHECKS | {"FST-009": None, "REF-000": None})
    assert [p.text for p in found] == ["there is a check for FST-009, but no chapter has that requirement"]


def test_an_untestable_requirement_has_no_check(small: Path) -> None:
    assert "UNTESTABLE and has a check" in problems(small, CHECKS | {"FST-003": None})[0].text


def test_a_prefix_belongs_to_one_chapter(small: Path) -> None:
    chapter = (small / "01-first.md").read_text(encoding="utf-8").replace("FST-00", "FST-10")
    (small / "02-second.md").write_text(chapter, encoding="utf-8")
    accept(small.parents[1], "small", ["all"])
    texts = [p.text for p in problems(small) if p.file == "spec/small/02-second.md"]
    assert any("the prefix FST belongs to spec/small/01-first.md" in text for text in texts)


def test_a_new_key_of_an_object_is_a_place_for_a_defect(small: Path) -> None:
    path = small / "vectors/first/red.json"
    path.write_text(path.read_text(encoding="utf-8").replace("/steps/0/do", "/steps/0/new"), encoding="utf-8")
    assert problems(small) == []


def test_what_is_to_be_cut_has_to_be_there(small: Path) -> None:
    path = small / "vectors/first/red.json"
    text = path.read_text(encoding="utf-8").replace("/steps/0/do", "/steps/0/new")
    path.write_text(text.replace('"put": null', '"cut": true'), encoding="utf-8")
    assert ["leads nowhere" in p.text for p in problems(small)] == [True]


@pytest.mark.parametrize(
    ("globs", "said"),
    [
        ('["FST-*"]', []),
        ('["FST-00[12]"]', ["FST-003 is of no class; add it to one in spec/small/suite.toml"]),
        ('["FST-*", "SND-*"]', ["class 'all': no requirement is called 'SND-*'"]),
    ],
)
def test_classes_have_every_requirement_and_nothing_else(small: Path, globs: str, said: list[str]) -> None:
    path = small / "suite.toml"
    table = f'\n[[class]]\nname = "all"\ntitle = "All of it"\nrequirements = {globs}\n'
    path.write_text(path.read_text(encoding="utf-8") + table, encoding="utf-8")
    assert [one.text for one in problems(small)] == said


def test_two_classes_of_one_name_are_a_problem(small: Path) -> None:
    path = small / "suite.toml"
    table = '\n[[class]]\nname = "all"\ntitle = "All of it"\nrequirements = ["FST-*"]\n'
    path.write_text(path.read_text(encoding="utf-8") + table * 2, encoding="utf-8")
    assert [one.text for one in problems(small)] == ["there are two classes 'all'; name each once"]


def test_accepting_settles_drift(small: Path) -> None:
    path = small / "01-first.md"
    path.write_text(path.read_text(encoding="utf-8").replace("A thing is red.", "A thing is blue."), encoding="utf-8")
    assert len(problems(small)) == 1
    assert accept(small.parents[1], "small", ["FST-002"]) == ["FST-002"]
    assert accept(small.parents[1], "small", ["all"]) == []
    assert problems(small) == []


def test_words_around_a_statement_may_change(small: Path) -> None:
    path = small / "01-first.md"
    text = (
        path.read_text(encoding="utf-8").replace("More words.", "Other words.").replace("A thing is\na", "A thing is a")
    )
    path.write_text(text, encoding="utf-8")
    assert problems(small) == []


def test_only_a_known_id_is_accepted(small: Path) -> None:
    with pytest.raises(Exception, match="no requirement FST-009"):
        accept(small.parents[1], "small", ["FST-009"])
