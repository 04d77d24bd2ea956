"""`bindproof expectations`: from what a run found to a file that makes it green, and back."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bindproof.cli import main
from bindproof.core.model import Evidence, Json
from bindproof.core.origins import FromVector, TwinOf
from bindproof.results import AdapterLine, Broken, Fold, Line, RunLine, Speaks, StaleLine, VerdictLine, encode
from tests.runner.test_execute import program

FAULT = ["--adapter-command", f"mine={program('swaps_marks')}"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def log(lines: Iterable[Line], name: str = "run.jsonl") -> str:
    Path(name).write_bytes(b"".join(map(encode, lines)))
    return name


def run(run_line: RunLine, *lines: Line, expectations: str | None = None, **more: Json) -> list[Line]:
    """A whole log of one adapter. more: other choices of its request."""
    first = replace(run_line, request=replace(run_line.request, expectations=expectations, **more))
    speaks = (Speaks("relay", "0.10", "wire", sum(isinstance(line, VerdictLine) for line in lines)),)
    start: list[Line] = [first, AdapterLine("mine", "ready", target="t", version="1.2", suites=speaks)]
    return [*start, *lines, Fold.over([*start, *lines]).summary()]


def diverging(
    vector: str, expected: Json = "a", observed: Json = "b", *, known: bool = False, cut: str = ""
) -> VerdictLine:
    broken = Broken("MRK-002", (Evidence("s", "so", 0, expected, observed),), "x" if known else None)
    return VerdictLine(vector, "relay", "mine", "diverges", broken=(broken,), cut=cut)


def entries(name: str = "mine.toml") -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = tomllib.loads(Path(name).read_text(encoding="utf-8"))["divergence"]
    return found


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_what_was_found_makes_the_next_run_green_once_it_has_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "--suite", "relay", *FAULT]
    assert main([*words, "--results", "one.jsonl"]) == 1
    assert main(["expectations", "update", "one.jsonl", "mine.toml"]) == 0
    assert main([*words, "--expectations", "mine.toml"]) == 2
    assert "TODO is no reason" in capsys.readouterr().err
    text = Path("mine.toml").read_text(encoding="utf-8").replace('"TODO"', '"A fake swaps them." # in tests')
    Path("mine.toml").write_text(text, encoding="utf-8")
    assert main(["expectations", "check", "mine.toml"]) == 0
    assert main([*words, "--expectations", "mine.toml", "--results", "two.jsonl"]) == 0
    for part in ("update", "prune"):
        assert main(["expectations", part, "two.jsonl", "mine.toml"]) == 0
    assert Path("mine.toml").read_text(encoding="utf-8") == text


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_an_entry_has_what_was_seen_and_asks_for_a_reason(
    run_line: RunLine, capsys: pytest.CaptureFixture[str]
) -> None:
    crash = VerdictLine("relay/c", "relay", "mine", "crash", reason="it ended")
    found = run(run_line, diverging("relay/b"), diverging("relay/a"), diverging("relay/k", known=True), crash)
    assert main(["expectations", "update", log(found), "mine.toml"]) == 0
    assert [{key: value for key, value in one.items() if key != "source"} for one in entries()] == [
        {
            "requirement": "MRK-002",
            "target": "t",
            "versions": ["==1.2"],
            "vectors": ["relay/a", "relay/b"],
            "expected": "a",
            "observed": "b",
            "reason": "TODO",
        },
        {"verdict": "crash", "target": "t", "versions": ["==1.2"], "vectors": ["relay/c"], "reason": "TODO"},
    ]
    assert "say why in each `reason`" in capsys.readouterr().out
    assert main(["expectations", "check", "mine.toml"]) == 2
    assert capsys.readouterr().err.count("TODO is no reason") == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("reproduced", "sometimes"),
    [("sometimes 2/3", {"seen": 3, "of": 4}), ("in_company", {"seen": 1, "of": 4}), ("always", None), (None, None)],
)
@pytest.mark.usefixtures("here")
def test_what_did_not_occur_each_time_is_expected_now_and_then(
    run_line: RunLine, reproduced: str | None, sometimes: Json
) -> None:
    race = replace(diverging("relay/a"), reproduced=reproduced)
    written = log(run(run_line, race, diverging("relay/b")))
    for _ in range(2):
        assert main(["expectations", "update", written, "mine.toml"]) == 0

    (entry,) = entries()
    assert entry["vectors"] == ["relay/a", "relay/b"]
    assert entry.get("sometimes") == sometimes


@pytest.mark.usefixtures("here")
def test_a_race_is_not_added_to_what_is_expected_always(run_line: RunLine) -> None:
    assert main(["expectations", "update", log(run(run_line, diverging("relay/a"))), "mine.toml"]) == 0
    race = replace(diverging("relay/b"), reproduced="sometimes 1/3")
    assert main(["expectations", "update", log(run(run_line, race)), "mine.toml"]) == 0

    assert [("sometimes" in one, one["vectors"]) for one in entries()] == [(False, ["relay/a"]), (True, ["relay/b"])]


@pytest.mark.long
@pytest.mark.parametrize(
    ("value", "key", "written"),
    [
        ({"a": [1, True, 1.5, "x\x00\u202e"]}, "expected", {"a": [1, True, 1.5, "x\x00\u202e"]}),
        (None, "expected_matches", "^null$"),
        ({"a": None}, "expected_matches", r'^\{"a":null\}$'),
        (2**70, "expected_matches", "^$"),
        ({"at": "2026-11-24T12:50:51+00:00"}, "expected_matches", None),
        ("x" * 1000, "expected_matches", '^"' + "x" * 399),
    ],
    ids=["as it is", "null", "null inside", "too great", "a time", "long"],
)
@pytest.mark.usefixtures("here")
def test_a_value_is_written_so_that_the_next_run_finds_it(
    value: Json, key: str, written: Json, run_line: RunLine
) -> None:
    from bindproof.core.patterns import compile_pattern
    from bindproof.runner.excused_failures import json_text

    assert main(["expectations", "update", log(run(run_line, diverging("relay/a", value))), "mine.toml"]) == 0
    (entry,) = entries()
    if key == "expected_matches":
        assert compile_pattern(entry[key]).search(json_text(value))
        assert written in (None, "^$", entry[key])
    else:
        assert entry[key] == written


COMMENTED = """\
# ours

# the first
[[divergence]]  # of the spring
requirement = "MRK-002"
target = "t"
versions = ["==1.2"]
vectors = [
  "relay/a", # known for long
]
expected = "a"
observed = "b"
reason = "so" # or not
source = "us"

# the last
[[divergence]]
verdict = "crash"
target = "u"
vectors = ["relay/z"]
reason = "so"
source = "us"
"""


@pytest.mark.usefixtures("here")
def test_comments_and_order_stay(run_line: RunLine) -> None:
    Path("mine.toml").write_text(COMMENTED, encoding="utf-8")
    found = run(run_line, diverging("relay/a"), diverging("relay/b"), diverging("relay/n", "c"))
    assert main(["expectations", "update", log(found), "mine.toml"]) == 0
    text = Path("mine.toml").read_text(encoding="utf-8")
    assert [one["vectors"] for one in entries()] == [["relay/a", "relay/b"], ["relay/z"], ["relay/n"]]
    for comment in ("# ours", "# the first", "# of the spring", "# known for long", "# or not", "# the last"):
        assert text.count(comment) == 1
    assert main(["expectations", "update", log(found), "mine.toml"]) == 0
    assert Path("mine.toml").read_text(encoding="utf-8") == text


def stale(line: int, vectors: tuple[str, ...], requirement: str = "MRK-002") -> StaleLine:
    return StaleLine(
        f"t {requirement} on {', '.join(vectors)}", "mine", requirement, vectors, "so", f"mine.toml:{line}"
    )


KNOWN = """\
#:schema x
# ours

# the first
[[divergence]]
requirement = "MRK-002"
target = "t"
vectors = ["relay/a", "relay/b"] # both
expected = "a"
reason = "so"
source = "us"

# the second
[[divergence]]
requirement = "MRK-002"
target = "t"
vectors = ["relay/c"]
expected = "c"
reason = "so"
source = "us"

# the third
[[divergence]]
requirement = "MRK-002"
target = "t"
vectors = ["relay/d*"]
expected = "d"
reason = "so"
source = "us"
"""


@pytest.mark.usefixtures("here")
def test_what_did_not_occur_goes_and_all_else_stays(run_line: RunLine, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text(KNOWN, encoding="utf-8")
    found = run(run_line, stale(5, ("relay/b",)), stale(14, ("relay/c",)), expectations="mine.toml")
    assert main(["expectations", "prune", log(found), "mine.toml"]) == 0
    expected = KNOWN.replace('"relay/a", "relay/b"', '"relay/a"')
    begin, end = expected.index("# the second"), expected.index("# the third")
    assert Path("mine.toml").read_text(encoding="utf-8") == expected[:begin] + expected[end:]
    assert "removed from MRK-002 on mine: relay/b" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (stale(6, ("relay/b",)), "this file is not as it was in that run"),
        (stale(5, ("relay/b",), "MRK-001"), "this file is not as it was in that run"),
        (stale(23, ("relay/d1",)), "a glob names relay/d1, which did not show it: narrow it"),
    ],
    ids=["another line", "another entry", "a glob"],
)
@pytest.mark.usefixtures("here")
def test_nothing_is_pruned_where_a_person_has_to_say(
    line: StaleLine, said: str, run_line: RunLine, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.toml").write_text(KNOWN, encoding="utf-8")
    assert main(["expectations", "prune", log(run(run_line, line, expectations="mine.toml")), "mine.toml"]) == 2
    assert said in capsys.readouterr().err
    assert Path("mine.toml").read_text(encoding="utf-8") == KNOWN


@pytest.mark.usefixtures("here")
def test_a_run_that_was_not_given_the_file_says_nothing_of_it(
    run_line: RunLine, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.toml").write_text(KNOWN, encoding="utf-8")
    for given in (None, "none", "other.toml"):
        assert main(["expectations", "prune", log(run(run_line, expectations=given)), "mine.toml"]) == 2
        assert "that run was not given mine.toml" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("part", ["update", "prune"])
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"requirements": ("MRK-*",)}, "but of one with --requirement"),
        ({"vectors": ("relay/a",)}, "but of one with --vector"),
        ({"fault": "swap_marks"}, "but of one with --fault"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_part_of_a_run_changes_nothing(
    part: str, more: dict[str, Json], said: str, run_line: RunLine, capsys: pytest.CaptureFixture[str]
) -> None:
    found = log(run(run_line, diverging("relay/a"), expectations="mine.toml", **more))
    assert main(["expectations", part, found, "mine.toml"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("mine.toml").exists()


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_what_nobody_saw_to_its_end_changes_nothing(run_line: RunLine, capsys: pytest.CaptureFixture[str]) -> None:
    whole = run(run_line, diverging("relay/a"))
    missing = VerdictLine("relay/n", "relay", "mine", "not_run", reason="the restarts are used up")
    failed = AdapterLine("mine", "failed", reason="it spoke nonsense")
    for lines, said in (
        (whole[:-1], "this run was cut short"),
        (run(run_line, missing), "relay/n was not judged on mine (not_run)"),
        (run(run_line, diverging("relay/a"), failed), "adapter mine failed in this run"),
    ):
        assert main(["expectations", "update", log(lines), "mine.toml"]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_twin_that_diverges_is_expected_of_its_negative(run_line: RunLine) -> None:
    twin = replace(diverging("relay/n+twin"), origin=TwinOf(FromVector("relay/n")))
    negative = VerdictLine("relay/n", "relay", "mine", "not_run", reason="its positive twin diverges")
    assert main(["expectations", "update", log(run(run_line, negative, twin)), "mine.toml"]) == 0
    assert [one["vectors"] for one in entries()] == [["relay/n"]]


@pytest.mark.usefixtures("here")
def test_what_the_log_lacks_is_left_out_and_told(run_line: RunLine, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(run_line, diverging("relay/a", cut="an observation of 9 MiB"))
    assert main(["expectations", "update", log(found), "mine.toml"]) == 0
    assert "left out: MRK-002 on mine in relay/a: not all of it is in the log" in capsys.readouterr().err
    assert not Path("mine.toml").exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("relay/c", "relay/marks/no-such"), "no vector is called 'relay/marks/no-such'"),
        (("MRK-002", "MRK-999"), "no such requirement"),
        (
            ('reason = "so"', 'reason = "todo: find out"'),
            "reason`: say why it is so, and is not mended; TODO is no reason",
        ),
        (('expected = "c"', "expected ="), "this is no TOML"),
    ],
    ids=["vector", "requirement", "reason", "no TOML"],
)
@pytest.mark.usefixtures("here")
def test_check_says_what_is_wrong(change: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text(KNOWN.replace(*change).replace("#:schema x\n", ""), encoding="utf-8")
    assert main(["expectations", "check", "mine.toml"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_check_tells_all_that_is_wrong_in_all_files(capsys: pytest.CaptureFixture[str]) -> None:
    good = KNOWN.replace("#:schema x\n", "").replace("relay/", "relay/marks/").replace("/a", "/*").replace("/d*", "/*")
    good = good.replace("/b", "/two-*").replace("/c", "/two-*")
    Path("good.toml").write_text(good, encoding="utf-8")
    Path("bad.toml").write_text(good.replace('"so"', '"TODO"').replace("relay/marks/two-*", "nobody"), encoding="utf-8")
    assert main(["expectations", "check", "bad.toml", "good.toml", "none.toml"]) == 2
    out, err = capsys.readouterr()
    assert out == "good.toml: 3 known divergences, each with its reason and its vectors\n"
    assert err.count("TODO is no reason") == 3
    assert err.count("no vector is called 'nobody'") == 2
    assert "none.toml: it cannot be read" in err
    assert err.endswith("mend what is named, then: bindproof expectations check bad.toml good.toml none.toml\n")
    assert main(["expectations", "check", "good.toml"]) == 0
