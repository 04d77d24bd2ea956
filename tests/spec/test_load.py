"""What a suite is read into, and which edition judges what."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.core.errors import UsageError
from bindproof.spec import (
    SpecError,
    covers,
    edition_of,
    editions_in,
    holds_in,
    load,
    load_expectations,
    shipped_expectations,
    suites_in,
    vectors,
)
from bindproof.spec.editions import bad_specifiers
from bindproof.spec.render import left_open, requirement_list, requirement_text


def test_a_requirement_has_all_its_parts(small: Path) -> None:
    loaded = load(small.parents[1], "small")
    first, second, third = loaded.requirements.values()
    assert (first.id, first.title, first.level) == ("FST-001", "A thing is a thing", "MUST")
    assert first.statement == "A thing is a thing."
    assert first.explanation.startswith("More words.")
    assert "## this is no heading" in first.explanation
    assert [(s.document, s.place) for s in first.sources] == [("book", '"One" ¶1'), ("observed", "A1")]
    assert (first.file, first.line) == ("spec/small/01-first.md", 5)
    assert second.dialects == ("wire", "dutch")
    assert third.untestable == "nobody can see it"
    assert third.retired == "in 10: nobody asked"
    assert loaded.chapters[0].introduction == "What a newcomer has to know."
    assert suites_in(small.parents[1]) == ["small"]


def test_a_chapter_may_have_no_requirement_yet(small: Path) -> None:
    (small / "02-second.md").write_text("# Second\n\nWhat is to come.\n", encoding="utf-8")
    second = load(small.parents[1], "small").chapters[1]
    assert (second.title, second.introduction, second.requirements) == ("Second", "What is to come.", ())


def test_where_a_requirement_holds(small: Path) -> None:
    always, sometimes, retired = load(small.parents[1], "small").requirements.values()
    assert holds_in(always, "9", "wire")
    assert holds_in(always, "10", "any")
    assert holds_in(sometimes, "9", "dutch")
    assert not holds_in(sometimes, "10", "dutch")
    assert not holds_in(sometimes, "9", "any")
    assert holds_in(retired, "9", "wire")
    assert not holds_in(retired, "10", "wire")


@pytest.mark.parametrize(
    ("text", "names"),
    [("9–", "9 10 11"), ("10–", "10 11"), ("9–10", "9 10"), ("9-10", "9 10"), ("10", "10"), ("11–", "11")],
)
def test_ranges_follow_the_order_of_the_suite(text: str, names: str) -> None:
    assert editions_in(text, ["9", "10", "11"]) == tuple(names.split())


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "version", "edition", "warning"),
    [
        ("thing", "0.9.4", "9", None),
        ("thing", "0.10.0", "10", None),
        ("thing", "0.10.4+local", "10", None),
        ("thing", "0.10.1rc2", "10", "prerelease"),
        ("thing", "0.10.0rc1", "10", "prerelease"),
        ("thing", "0.11.0rc3", "10", "the newest edition below it"),
        ("thing", "1.0", "10", "the newest edition below it"),
        ("thing", "0.8.4", "9", "the oldest edition"),
        ("thing", "0.9.2-next.build", "9", None),
        ("thing", "main", "10", "cannot be"),
        pytest.param("thing", "9" * 5000, "10", "cannot be", id="digits"),
        pytest.param("thing", "0.9-" + "9" * 5000, "9", None, id="digits behind"),
        ("other", "9", "9", None),
        ("other", "3", "10", "lists no releases of other"),
    ],
)
def test_the_edition_of_a_release(small: Path, target: str, version: str, edition: str, warning: str | None) -> None:
    found, said = edition_of(load(small.parents[1], "small"), target, version)
    assert found == edition
    assert (said is None) == (warning is None)
    assert (warning or "") in (said or "").replace("no version that can", "cannot")


@pytest.mark.parametrize("text", ["old", "0.9", "<0.9;", ">=" + "9" * 5000])
def test_a_text_that_is_no_specifier_is_found(text: str) -> None:
    assert bad_specifiers([">=0.9,<0.10", text, "~=1.0"]) == [text]


def test_vectors_are_read_when_asked_for(small: Path) -> None:
    loaded = load(small.parents[1], "small")
    plain, red = vectors(loaded)
    assert (plain.id, plain.dialects, plain.in_editions) == ("small/first/plain", ("all",), ("9", "10"))
    assert plain.runs_in("10", "dutch")
    assert red.runs_in("9", "dutch")
    assert not red.runs_in("10", "dutch")
    assert not red.runs_in("9", "wire")
    assert red.defect is not None
    assert (red.defect.at, red.defect.put, red.defect.cut) == ("/steps/0/do", None, False)
    assert [v.id for v in vectors(loaded, "*/red", "small/none")] == ["small/first/red"]
    (small / "vectors/first/red.json").write_text("{", encoding="utf-8")
    assert next(vectors(loaded)).id == "small/first/plain"
    with pytest.raises(SpecError, match=r"spec/small/vectors/first/red\.json:1: "):
        list(vectors(loaded))


def test_a_broken_suite_is_not_loaded(small: Path) -> None:
    (small / "01-first.md").write_text("## nonsense\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load(small.parents[1], "small")
    assert len(caught.value.problems) == 2
    assert "spec/small/01-first.md:1: " in str(caught.value)
    assert (caught.value.path, caught.value.line) == (Path("spec/small/01-first.md"), 1)


def test_expectations_say_what_they_cover(small: Path, tmp_path: Path) -> None:
    loaded = load(small.parents[1], "small")
    (one,) = load_expectations(loaded, shipped_expectations(loaded))
    assert one.place == "spec/small/expectations/dutch.toml:1"
    assert covers(one, "thing", "0.9.3", "small/first/plain")
    assert not covers(one, "thing", "0.10.0", "small/first/plain")
    assert not covers(one, "other", "0.9.3", "small/first/plain")
    assert not covers(one, "thing", "0.9.3", "small/second/plain")
    assert not covers(one, "thing", "main", "small/first/plain")
    users = tmp_path / "elsewhere.toml"
    users.write_text(
        '[[divergence]]\nverdict = "crash"\ntarget = "thing"\nvectors = ["*"]\nreason = "r"\nsource = "s"\n', "utf-8"
    )
    (other,) = load_expectations(loaded, [users])
    assert covers(other, "thing", "main", "small/first/plain")
    users.write_text("[[divergence]]\n", encoding="utf-8")
    with pytest.raises(SpecError):
        load_expectations(loaded, [users])


def test_a_dialect_is_plain_json(small: Path) -> None:
    dutch = load(small.parents[1], "small").dialects["dutch"].as_json()
    assert dutch["spelling"] == {"thing": {"colour": {"own": "kleur", "sides": ["reply"], "refuses": ["colour"]}}}
    assert dutch["error"] == [{"kind": "broken", "pattern": "^kapot: ", "editions": "9–", "example": None}]
    assert dutch["inexpressible"] == []


def test_an_edition_that_is_not_there(small: Path) -> None:
    with pytest.raises(KeyError, match="no edition '8'"):
        load(small.parents[1], "small").edition("8")


def test_requirements_as_text(small: Path) -> None:
    loaded = load(small.parents[1], "small")
    assert [line.split()[0] for line in requirement_list(loaded).splitlines()] == ["First", *loaded.requirements]
    assert requirement_list(loaded, ["NO-*"]) == ""
    text = requirement_text(loaded, "FST-003", ["small/first/plain"])
    for part in ("A thing is loved.", "UNTESTABLE: nobody", "RETIRED in 10", 'book "One" ¶2', "small/first/plain"):
        assert part in text
    assert "reference" in requirement_text(loaded, "REF-000")
    with pytest.raises(UsageError, match="FST-001, FST-002"):
        requirement_text(loaded, "FST-009")
    assert left_open(loaded).endswith("left open: how red")


@pytest.mark.long
def test_a_partial_edition_has_the_vectors_all_of_whose_requirements_hold_in_it(repository: Path) -> None:
    relay = load(repository, "relay")
    found = {vector.id: vector for vector in vectors(relay)}
    partial = relay.edition("0.4")
    assert partial.partial
    inside = {name for name, vector in found.items() if "0.4" in vector.in_editions}
    assert "relay/middleware/priorities-in-a-helper" in inside
    assert "relay/marks/two-in-order" not in inside
    for name in inside:
        held = ["0.4" in relay.requirements[rule].in_editions for rule in found[name].exercises if rule != "REF-000"]
        assert any(held), name
    assert "0.5" in found["relay/marks/two-in-order"].in_editions


def test_no_chapter_of_a_suite_has_the_name_of_one_of_another(repository: Path) -> None:
    suites = [load(repository, name) for name in ("relay", "interceptors", "cells", "interaction")]
    titles = [chapter.title for suite in suites for chapter in suite.chapters]
    assert len(titles) == len(set(titles)), "a report of several suites has one row for each name"
