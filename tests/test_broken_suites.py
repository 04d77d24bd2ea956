"""A mistake in the code of a suite is its author's: exit code 2 with package, file and line, and the rest goes on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bindproof.cli import main
from bindproof.core.errors import SuiteError
from bindproof.results import VerdictLine, read
from bindproof.spec.problem import Problem
from tests.new_suites import bindproof, new_site

RUN = ("run", "--suite", "meters", "--adapter", "reference")
FUZZ = ("fuzz", "--suite", "meters", "--adapter", "reference", "--examples", "20")


def broken(folder: Path, module: str, old: str, new: str) -> tuple[Path, str]:
    """A new suite in which one thing is wrong, and the place of it as messages name it."""
    site = new_site(folder)
    file = site / "bindproof_meters" / module
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    return site, f"{file}:{line}: a mistake in the suite of the package bindproof_meters: "


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "old", "new", "words", "said"),
    [
        ("checks.py", "CHECKS: dict", "CHECKS: = dict", RUN, "SyntaxError: invalid syntax"),
        ("suite.py", "from bindproof_meters.faults", "from bindproof_meters.nowhere", RUN, "ModuleNotFoundError: No"),
        ("reference.py", "total = 0", "total = nought", ("spec", "check", "meters"), "NameError: name 'nought'"),
        ("checks.py", 'steps = reading.of("take")', 'steps = reading.off("take")', RUN, "AttributeError: 'Reading'"),
        ("generator.py", "steps = [", "steps = 1 / 0 or [", FUZZ, "ZeroDivisionError: division by zero"),
        ("reference.py", "return records", "return nought", RUN, "NameError: name 'nought'"),
        ("suite.py", "return log, read(self.spelled, log)", "return nought", RUN, "NameError: name 'nought'"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    module: str, old: str, new: str, words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    site, place = broken(tmp_path, module, old, new)
    code, text = bindproof(site, *words)
    assert (code, f"{place}{said}" in text, "bug in bindproof" in text) == (2, True, False), text


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "old", "new", "words", "at", "said"),
    [
        ("suite.py", "checks = CHECKS", "checks = 5", RUN, "class Meters", "`checks` is no mapping: 5"),
        ("suite.py", "return generate(choices)", "return None", FUZZ, "def generate", "`generate` gives no scenario"),
        ("suite.py", "return Meters(spec)", "return 5", RUN, "def suite", "the suite has no `name`"),
        ("suite.py", "return log, read(self.spelled, log)", "return log", RUN, "def observe", "`observe` gives no log"),
        (
            "suite.py",
            "return lambda result: None",
            "return None",
            FUZZ,
            "def shapes",
            "`shapes` gives no function: None",
        ),
        ("suite.py", 'record: "program"', "record: None", RUN, "return lambda record", "what `lanes` gives tells no"),
        (
            "reference.py",
            "return records",
            "return [5]",
            ("spec", "check", "meters"),
            "def resolve",
            "`resolve` gives no",
        ),
        (
            "reference.py",
            "return records",
            "return None",
            RUN,
            "def resolve",
            "`resolve` gives no list of records: None",
        ),
        ("checks.py", "return list(_unlike(steps, [step", "return bool((steps, [step", RUN, "@check(", "the check of "),
    ],
)
def test_what_is_not_as_it_has_to_be_is_told_where_it_is(
    module: str, old: str, new: str, words: tuple[str, ...], at: str, said: str, tmp_path: Path
) -> None:
    site, _ = broken(tmp_path, module, old, new)
    file = site / "bindproof_meters" / module
    line = file.read_text(encoding="utf-8").split(at)[0].count("\n") + 1
    code, text = bindproof(site, *words)
    told = f"{file}:{line}: a mistake in the suite of the package bindproof_meters: {said}" in text
    assert (code, told, "bug in bindproof" in text) == (2, True, False), text


@pytest.mark.long
def test_what_is_no_number_in_the_reference_is_told_with_its_place(tmp_path: Path) -> None:
    """A ValueError says that nobody can act a scenario out: of a generated one, that is for nobody else to mend."""
    site, place = broken(tmp_path, "reference.py", "total = 0", "total = int('nought')")
    code, text = bindproof(site, *FUZZ)
    assert (code, f"{place}ValueError: invalid literal" in text, "20 not run" in text) == (2, True, True), text
    code, text = bindproof(site, "spec", "check", "meters")
    at = place.partition(": ")[0]
    assert (code, f"cannot be acted out: invalid literal for int() with base 10: 'nought' ({at})" in text) == (2, True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("bindproof_erence", "ModuleNotFoundError: No module named 'bindproof_erence'"),
        (".reference", "TypeError: the 'package' argument is required"),
        ("os", "ImportError: os has no `resolve`"),
    ],
)
def test_a_reference_that_is_none_is_told_with_the_line_that_names_it(named: str, said: str, tmp_path: Path) -> None:
    old, new = 'reference = "bindproof_meters.reference"', f'reference = "{named}"'
    site, place = broken(tmp_path, "spec/meters/suite.toml", old, new)
    code, text = bindproof(site, "spec", "check", "meters")
    told = f"{place}its reference cannot be used: {said}" in text
    assert (code, told, "bug in bindproof" in text) == (2, True, False), text


@pytest.mark.long
def test_what_a_prediction_raises_leaves_its_scenario_unjudged(tmp_path: Path) -> None:
    """The reference's own process fails as well; what counts is that the suite's place is told."""
    site, place = broken(tmp_path, "suite.py", "prediction = reference", "prediction = nought or reference")
    code, text = bindproof(site, *RUN)
    assert (code, f"{place}NameError" in text, "bug in bindproof" in text) == (2, True, False), text


def test_a_vector_that_cannot_be_read_is_told_with_a_path_that_opens(tmp_path: Path) -> None:
    site = new_site(tmp_path)
    vector = next((site / "bindproof_meters/spec/meters/vectors").rglob("*.json"))
    vector.write_text('{"title": 1}', encoding="utf-8")
    for words in (RUN, ("spec", "check", "meters")):
        code, text = bindproof(site, *words, folder=tmp_path)
        assert (code, f"{vector.relative_to(tmp_path)}:1: " in text) == (2, True), text


@pytest.mark.long
def test_the_other_suites_go_on(tmp_path: Path) -> None:
    site, place = broken(tmp_path, "checks.py", "CHECKS: dict", "CHECKS: = dict")
    words = ("run", "--adapter", "reference", "--vector", "meters/*", "--vector", "interceptors/stack/*")
    code, text = bindproof(site, *words)
    assert (code, place in text, " held" in text) == (2, True, True), text
    code, text = bindproof(site, "run", "--adapter", "reference", "--suite", "interceptors")
    assert (code, place in text) == (0, False), text


@pytest.mark.long
def test_a_check_of_all_specs_goes_on_behind_a_broken_suite(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What each check finds is tried elsewhere."""
    asked: list[str] = []

    def found(name: str, *, everywhere: bool) -> list[Problem]:
        asked.append(name)
        if name == "interceptors":
            raise SuiteError("meters", Path("meters.py"), 3, "a mistake")
        return []

    monkeypatch.setattr("bindproof.cli.spec.checked", found)
    code = main(["spec", "check"])
    told = capsys.readouterr()
    assert (code, asked) == (2, ["cells", "interaction", "interceptors", "relay"])
    assert ("meters.py:3: a mistake" in told.out, "relay: " in told.out) == (True, True), told


@pytest.mark.long
def test_a_suite_without_first_steps_is_told_so(tmp_path: Path) -> None:
    site, _ = broken(tmp_path, "suite.py", "    smoke = STEPS\n", "")
    code, text = bindproof(site, "spec", "check", "meters")
    assert (code, "spec/meters/suite.toml:1: the suite's code has no `smoke`;" in text) == (2, True), text


CAMPAIGN = ("fuzz", "--adapter", "reference", "--seed", "3", "--examples", "12", "--results")


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("generator.py", "steps = [", "steps = 1 / 0 or ["),
        ("generator.py", "steps = [", "steps = 1 // (choices.integer(0, 1)) and ["),
        ("checks.py", 'steps = reading.of("take")', 'steps = reading.off("take")'),
        ("suite.py", "prediction = reference", "prediction = nought or reference"),
    ],
)
def test_a_mistake_of_one_suite_ends_no_campaign_of_others(module: str, old: str, new: str, tmp_path: Path) -> None:
    """Each of the other suites' scenarios is judged; those of the mistaken one have a verdict that says why not."""
    site, place = broken(tmp_path, module, old, new)
    log = tmp_path / "run.jsonl"
    code, text = bindproof(site, *CAMPAIGN, str(log))
    assert (code, place in text, "bug in bindproof" in text) == (2, True, False), text
    found = Counter((line.suite, line.outcome) for line in read(log) if isinstance(line, VerdictLine))
    assert {suite: found[suite, "conforms"] + found[suite, "inexpressible"] for suite in ("relay", "interceptors")} == {
        "relay": 12,
        "interceptors": 12,
    }
    assert found["meters", "not_run"] > 0
    assert sum(count for (suite, _), count in found.items() if suite == "meters") == 12


LANES = "    def lanes(self, scenario"


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return brief(full)", "return nought", "NameError: name 'nought'"),
        (LANES, f"    def parts(self, full):\n        raise KeyError(5)\n\n{LANES}", "KeyError: 5"),
        (LANES, f"    def parts(self, full):\n        while True:\n            yield full\n\n{LANES}", ""),
    ],
)
def test_a_mistake_in_what_makes_scenarios_smaller_ends_no_campaign(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    """Parts without an end are no mistake: the first ones are taken."""
    site, _ = broken(tmp_path, "suite.py", old, new)
    code, text = bindproof(site, *FUZZ, "--fault", "adds_one_less")
    assert (code, said in text, "1 of 1 adapter judged: 20 scenarios" in text) == (2 if said else 1, True, True), text


@pytest.mark.long
def test_a_campaign_that_the_time_ends_goes_on_without_a_mistaken_suite(tmp_path: Path) -> None:
    site, place = broken(tmp_path, "generator.py", "steps = [", "steps = 1 / 0 or [")
    log = tmp_path / "run.jsonl"
    code, text = bindproof(site, "fuzz", "--adapter", "reference", "--seconds", "0.5", "--results", str(log))
    assert (code, place in text) == (2, True), text
    found = Counter((line.suite, line.outcome) for line in read(log) if isinstance(line, VerdictLine))
    assert found["meters", "not_run"] == 1
    assert found["relay", "conforms"] > 0


@pytest.mark.long
def test_a_vector_that_a_mistake_lets_nobody_complete_ends_no_run(tmp_path: Path) -> None:
    site, place = broken(tmp_path, "scenario.py", "    given = step.get", "    given = nought or step.get")
    words = ("run", "--adapter", "reference", "--vector", "meters/*", "--vector", "interceptors/stack/*")
    code, text = bindproof(site, *words)
    assert (code, place in text, " held" in text) == (2, True, True), text
