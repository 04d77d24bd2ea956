"""Reports for other programs: what they say, and that text of strangers stays text in each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from markdown_it import MarkdownIt

from bindproof.core.visible import visible
from bindproof.report import REPORTS
from bindproof.report.markdown import block, code, plain
from bindproof.report.summary import schema
from bindproof.results import AdapterLine, Fold, Line, RunLine, Speaks, VerdictLine
from tests.report.formats import made
from tests.report.hostile import EVIL, hostile_log

IN_FILES = [name for name, entry in REPORTS.items() if entry.option is not None]


def conforming(run_line: RunLine) -> list[Line]:
    lines: list[Line] = [
        run_line,
        AdapterLine("reference", "ready", suites=(Speaks("relay", "0.10", "wire", 1),)),
        VerdictLine("relay/a", "relay", "reference", "conforms", held=("OUT-001", "MRK-001")),
    ]
    return [*lines, Fold.over(lines).summary()]


@pytest.mark.long
@pytest.mark.parametrize("name", [*IN_FILES, "github", "matrix"])
def test_nothing_in_a_report_is_unseen(name: str) -> None:
    text = made(name, hostile_log())
    assert len(text) > 20
    assert visible(text) == text


@pytest.mark.long
@pytest.mark.parametrize("name", [*IN_FILES, "github"])
def test_a_report_of_a_log_that_was_cut_short_is_red(name: str, mixed_log: list[Line], run_line: RunLine) -> None:
    """It has no summary, say because a machine went away, and all that was judged until then conforms."""
    lines = conforming(run_line)[:-1]
    red = {
        "html": 'class="verdict bad"',
        "junit": "<failure",
        "markdown": "the log has no end",
        "sarif": '"executionSuccessful": false',
        "badge": '"color": "red"',
        "summary": '"exit": 130',
        "github": "::error title=bindproof ends with 130",
    }
    assert red[name] in made(name, lines)
    assert red[name] not in made(name, conforming(run_line))


# JUnit


def junit(lines: list[Line]) -> ElementTree.Element:
    return ElementTree.fromstring(made("junit", lines))


def test_each_verdict_is_a_case(mixed_log: list[Line]) -> None:
    root = junit(mixed_log)
    cases = {
        (suite.get("name"), case.get("classname"), case.get("name")): [
            (child.tag, child.get("message")) for child in case
        ]
        for suite in root
        for case in suite.iter("testcase")
    }
    assert cases["reference relay", "relay.marks", "two"] == []
    assert cases["node relay", "relay.marks", "two"] == [("failure", "MRK-001: the marks come in another order")]
    assert cases["node relay", "relay.dialects", "one"] == [
        ("skipped", "known divergence of DLC-001: the package spells it so")
    ]
    assert cases["node relay", "relay.codec", "one"] == [("skipped", "known crash: it aborts")]
    assert cases["node relay", "relay.outcomes", "two"] == [("error", "not run: the restarts are used up")]
    assert cases["node expectations", "expectations", "shipped#7"][0][0] == "failure"
    assert cases["python adapter", "adapter", "python"] == [
        ("skipped", "adapter python unavailable: it could not be fetched")
    ]
    assert cases["bindproof exit code", "bindproof", "the run is as expected"] == [
        ("failure", "exit code 4: 1 scenario ended in a fault of the adapter")
    ]


def test_counts_are_those_of_the_cases(mixed_log: list[Line]) -> None:
    root = junit(mixed_log)
    for suite in (root, *root):
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert suite.get(attribute) == str(len(list(suite.iter(tag)))), (suite.get("name"), attribute)


def test_a_run_that_is_as_expected_is_green(run_line: RunLine) -> None:
    root = junit(conforming(run_line))
    assert (root.get("failures"), root.get("errors")) == ("0", "0")


def test_a_failure_says_what_was_seen_and_how_to_see_it_again(mixed_log: list[Line]) -> None:
    (failure,) = [one for one in junit(mixed_log).iter("failure") if str(one.get("message")).startswith("MRK-001")]
    assert failure.text is not None
    for said in ("First in, first out.", '"m2"', "bindproof replay relay/marks/two --adapter node"):
        assert said in failure.text


@pytest.mark.long
def test_it_has_no_more_than_pytest_writes(pytester: pytest.Pytester, mixed_log: list[Line]) -> None:
    """Whoever reads the one reads the other."""
    pytester.makepyfile(
        "import pytest\n"
        "def test_ok(record_property): record_property('a', 'b')\n"
        "def test_bad(): assert 0\n"
        "def test_skipped(): pytest.skip('so')\n"
        "@pytest.fixture\n"
        "def broken(): raise OSError\n"
        "def test_error(broken): pass\n"
        "@pytest.fixture(scope='session', autouse=True)\n"
        "def of_the_suite(record_testsuite_property): record_testsuite_property('a', 'b')\n"
    )
    pytester.runpytest_subprocess("--junit-xml=model.xml", "-p", "no:cacheprovider")
    model = ElementTree.fromstring((pytester.path / "model.xml").read_text(encoding="utf-8"))

    def parts(root: ElementTree.Element) -> set[tuple[str, str]]:
        return {(one.tag, name) for one in root.iter() for name in one.keys() or [""]}

    of_the_whole = {("testsuites", name) for name in ("tests", "failures", "errors")}
    types = {("failure", "type"), ("error", "type")}
    assert parts(junit(mixed_log)) - parts(model) <= of_the_whole | types


@pytest.mark.long
def test_junit2html_reads_it(mixed_log: list[Line], tmp_path: Any) -> None:
    from junit2htmlreport.parser import Junit

    for name, lines in (("mixed", mixed_log), ("hostile", hostile_log())):
        path = tmp_path / f"{name}.xml"
        path.write_text(made("junit", lines), encoding="utf-8")
        read = Junit(str(path))
        verdicts = [line for line in lines if isinstance(line, VerdictLine)]
        assert sum(len(suite.all()) for suite in read.suites) > len(verdicts)
        assert "MRK-001" in read.html() or "EVIL" in read.html()


def test_hostile_names_are_texts_of_cases() -> None:
    root = junit(hostile_log())
    names = {one.tag for one in root.iter()}
    assert names == {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped",
    }  # fmt: skip
    assert "<script>window.taken = 1</script>" in str(next(root.iter("failure")).get("message"))


# SARIF


def test_results_have_rules_levels_and_reasons(mixed_log: list[Line]) -> None:
    (run,) = json.loads(made("sarif", mixed_log))["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {one["ruleId"] for one in run["results"]} == rules
    (broken,) = [one for one in run["results"] if one["ruleId"] == "MRK-001"]
    assert broken["level"] == "error"
    assert "suppressions" not in broken
    assert broken["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "spec/relay/vectors/marks/two.json"
    (known,) = [one for one in run["results"] if one["ruleId"] == "DLC-001"]
    assert known["suppressions"] == [{"kind": "external", "justification": "the package spells it so"}]
    assert run["invocations"][0] | {"toolExecutionNotifications": []} == {
        "executionSuccessful": False,
        "exitCode": 4,
        "exitCodeDescription": "1 scenario ended in a fault of the adapter",
        "toolExecutionNotifications": [],
    }


def test_fingerprints_tell_results_apart(mixed_log: list[Line]) -> None:
    (run,) = json.loads(made("sarif", mixed_log))["runs"]
    prints = [one["partialFingerprints"]["requirementAdapterScenario/v1"] for one in run["results"]]
    assert len(set(prints)) == len(prints) == 6


# Badge


@pytest.mark.parametrize(
    ("log", "badge"),
    [
        ("mixed", {"message": "1 broken", "color": "red", "isError": True}),
        ("green", {"message": "2 held", "color": "brightgreen"}),
    ],
)
def test_a_badge_has_what_an_endpoint_gives(
    log: str, badge: dict[str, Any], mixed_log: list[Line], run_line: RunLine
) -> None:
    found = json.loads(made("badge", mixed_log if log == "mixed" else conforming(run_line)))
    assert found == {"schemaVersion": 1, "label": "bindproof", **badge}


BADGES = jsonschema.Draft202012Validator(
    json.loads(Path(__file__).with_name("endpoint_badge.schema.json").read_text(encoding="utf-8"))
)
"""What shields.io takes."""


def test_shields_takes_every_badge(mixed_log: list[Line], run_line: RunLine) -> None:
    for lines in (mixed_log, conforming(run_line), conforming(run_line)[:-1], hostile_log(), [run_line]):
        BADGES.validate(json.loads(made("badge", lines)))


@pytest.mark.parametrize(
    "wrong", [{"message": ""}, {"schemaVersion": 2}, {"isError": "yes"}, {"exit": 0}, {"logoColor": "red"}], ids=str
)
def test_shields_does_not_take_just_anything(wrong: dict[str, Any], run_line: RunLine) -> None:
    assert not BADGES.is_valid(json.loads(made("badge", conforming(run_line))) | wrong)


# One JSON document


@pytest.mark.long
@pytest.mark.parametrize("log", ["mixed", "hostile"])
def test_the_document_has_the_form_of_its_schema(log: str, mixed_log: list[Line]) -> None:
    lines = mixed_log if log == "mixed" else hostile_log()
    document = json.loads(made("summary", lines))
    jsonschema.Draft202012Validator(json.loads(schema())).validate(document)
    assert document["exit"] == 4


@pytest.mark.long
def test_the_schema_refuses_another_document(mixed_log: list[Line]) -> None:
    document = json.loads(made("summary", mixed_log))
    del document["divergences"][0]["replay"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, json.loads(schema()))


# Markdown


def test_a_divergence_can_be_pasted(mixed_log: list[Line]) -> None:
    text = made("markdown", mixed_log)
    for said in (
        "## bindproof: 1 scenario ended in a fault of the adapter",
        "### MRK\\-001 Marks keep their order",
        '-   "m1",',
        "bindproof replay relay/marks/two --adapter node",
        "<details><summary>2 known divergences</summary>",
    ):
        assert said in text


@pytest.mark.parametrize("text", ["a|b", "<b>", "*x*", "[a](b)", "# h", "`c`", "a\n\nb", "1. x", "\\", "~~x~~", "&lt;"])
def test_text_is_no_markup(text: str) -> None:
    shown = plain(text)
    assert "\n" not in shown
    bare = re.sub(r"\\[^\w\s]", "", shown)
    assert not re.search(r"[|<>*\[\]#`_~&\\]", bare)


def test_nobody_is_called_by_name() -> None:
    assert plain("@somebody") == "\\@<!-- -->somebody"


@pytest.mark.parametrize(("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "")])
def test_code_ends_where_it_should(text: str, span: str) -> None:
    assert code(text) == span


def test_a_fence_is_longer_than_what_it_holds() -> None:
    assert block(["```", "a\n````"]) == ["`````", "```", "a", "````", "`````"]


def test_no_text_of_a_stranger_is_markup() -> None:
    """As a parser of CommonMark with GitHub's tables and links reads it."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(made("markdown", hostile_log()))
    inner = [child for token in tokens for child in token.children or []]
    found = {token.type for token in (*tokens, *inner)}
    assert not found & {"link_open", "image", "s_open", "em_open", "hr", "bullet_list_open", "code_block"}
    assert {token.content for token in inner if token.type == "html_inline"} == {"<!-- -->"}
    blocks = "".join(token.content for token in tokens if token.type == "html_block")
    assert re.sub(r"</?details>|<summary>2 known divergences</summary>|\s", "", blocks) == ""


# Annotations


@pytest.mark.long
def test_each_annotation_is_one_line() -> None:
    lines = made("github", hostile_log()).splitlines()
    assert lines
    assert all(re.match(r"::(error|warning|notice) title=[^:,]*::", line) for line in lines)
    assert EVIL.splitlines()[1] not in lines


def test_what_is_expected_is_a_notice(mixed_log: list[Line]) -> None:
    lines = made("github", mixed_log).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        "::warning", "::error", "::error", "::error", "::notice", "::error", "::error",
    ]  # fmt: skip
