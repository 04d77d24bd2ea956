"""Migration notes: none is missing, none tells what did not change, and their examples show what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.spec import SpecError, load
from bindproof.spec.changes import changes_between, read_changes
from bindproof.spec.check import check
from bindproof.spec.render_changes import changes_text

CHECKS = dict.fromkeys(("FST-001", "FST-002"))
NOTE = "changes/9--10.toml"
SIZED = """
breaks = ["writers"]
schemas = ["thing.json#/properties/size"]

[[note.object]]
schema = "thing.json"
before = '{}'
after = '{"size": 1}'
"""


def texts(small: Path) -> list[str]:
    """What is wrong with the notes."""
    found = check(small.parents[1], "small", CHECKS)
    assert {problem.file for problem in found} <= {f"spec/small/{NOTE}"}, found
    return [problem.text for problem in found]


def edit(small: Path, old: str, new: str, file: str = NOTE) -> None:
    path = small / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def require_size(small: Path, more: str = "") -> None:
    """In edition 10 a thing needs a size; `more` goes into the note."""
    edit(small, '"type": "object",', '"type": "object",\n  "required": ["size"],', "schemas/10/thing.json")
    edit(small, "\n\n[[note.act]]", f"{more}\n\n[[note.act]]")


def test_a_changed_schema_needs_a_note(small: Path) -> None:
    require_size(small)
    assert texts(small) == [
        "thing.json#/properties/size differs between the schemas of 9 and 10; a [[note]] has to name it in `schemas`"
    ]


def test_a_note_that_shows_the_change_settles_it(small: Path) -> None:
    require_size(small, SIZED)
    assert texts(small) == []


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("before = '{}'", "before = '{\"size\": 2}'", "`breaks` says writers, its objects show nobody"),
        ("before = '{}'", "before = '{\"size\": []}'", "`before` of thing.json is refused by the old edition too"),
        ("after = '{\"size\": 1}'", "after = '{}'", "`after` of thing.json is refused by the new edition"),
        ("before = '{}'", "before = '{'", "an example of thing.json is no JSON"),
        ('breaks = ["writers"]', 'breaks = ["readers"]', "`breaks` says readers, its objects show writers"),
        ('schema = "thing.json"', 'schema = "thong.json"', "no object of both editions; there is thing"),
    ],
)
def test_an_example_that_does_not_show_it_is_refused(small: Path, old: str, new: str, text: str) -> None:
    require_size(small, SIZED.replace(old, new))
    assert any(text in found for found in texts(small)), texts(small)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('"FST-002", ', "", "FST-002 does not hold in both of 9 and 10; a [[note]] has to name it in `requirements`"),
        ('"FST-002", ', '"FST-001", "FST-002", ', "requirements: FST-001 is not what does not hold in both"),
        (
            "requirements",
            'schemas = ["thing.json#/type"]\nrequirements',
            "schemas: thing.json#/type is not what differs",
        ),
        ('["small/first/red"]', '["small/first/blue"]', "there is no 'small/first/blue'"),
        ('vectors = ["small/first/red"]', "", "show it: give"),
        ('dialects = ["all"]', 'dialects = ["greek"]', "there is no dialect 'greek'"),
        ('must = "Paint them."', 'ought = "Paint them."', "ought"),
    ],
)
def test_a_note_that_is_not_true_is_refused(small: Path, old: str, new: str, text: str) -> None:
    edit(small, old, new)
    assert any(text in found for found in texts(small)), texts(small)


def test_a_program_is_one_of_its_language(small: Path) -> None:
    (small / "dialects/python.toml").write_text('name = "python"\ntitle = "P"\n', encoding="utf-8")
    program = "\n\n[[note.program]]\ndialect = 'python'\nbefore = 'x = 1'\nafter = 'x ='\n"
    edit(small, 'must = "Paint them."\n', f'must = "Paint them."{program}')
    assert ["its program is no python" in text for text in texts(small)] == [True]


def test_notes_stand_between_an_edition_and_the_next(small: Path) -> None:
    (small / "changes/8--10.toml").write_text("", encoding="utf-8")
    found = check(small.parents[1], "small", CHECKS)
    assert [(problem.file, "`0.8--0.9.toml`" in problem.text) for problem in found] == [
        ("spec/small/changes/8--10.toml", True)
    ]
    with pytest.raises(SpecError):
        changes_between(load(small.parents[1], "small"), "9", "10")


def test_the_steps_between_two_editions(repository: Path) -> None:
    relay = load(repository, "relay")
    found = changes_between(relay, "0.7", "0.9")
    assert [(change.old, change.new) for change in found] == [("0.7", "0.8"), ("0.8", "0.9")]
    with pytest.raises(UsageError, match=r"0\.7 does not come after 0\.9"):
        changes_between(relay, "0.9", "0.7")
    with pytest.raises(UsageError, match=r"no edition '0\.3'"):
        changes_between(relay, "0.3", "0.7")


def test_a_reader_is_told_what_to_do(small: Path) -> None:
    require_size(small, SIZED)
    changes, problems = read_changes(load(small.parents[1], "small"))
    assert problems == []
    assert (
        changes_text("small", changes)
        == """\
small 9 → 10

Things are not red any more

  Nobody asked.

  To do
    all  Whoever has red things: Paint them.

  breaks       writers
  requirements FST-002, FST-003
  schemas      thing.json#/properties/size
  vectors      small/first/red

  thing.json, before
    {}

  thing.json, after
    {"size": 1}"""
    )


def migrating(patch: str, schema: str = "thing.json") -> str:
    return f"{SIZED}\n[[note.migrate]]\nschema = \"{schema}\"\npatch = '{patch}'\n"


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (migrating('[{"op": "add", "path": "/size", "value": 1}]'), None),
        (migrating('[{"op": "add", "path": "/size", "value": 2}]'), "is not what `migrate` makes of `before`"),
        (migrating('[{"op": "none"}]'), "migrate of thing.json: `patch` is no JSON Patch (RFC 6902)"),
        (migrating("["), "migrate of thing.json: `patch` is no JSON: "),
        (migrating("[]", "thong.json"), "migrate: 'thong.json' is no object of both editions; there is thing"),
    ],
)
def test_what_migrates_makes_after_of_before(small: Path, more: str, text: str | None) -> None:
    require_size(small, more)
    assert texts(small) == [] if text is None else any(text in found for found in texts(small)), texts(small)
