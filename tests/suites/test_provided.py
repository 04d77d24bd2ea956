"""What a suite of another package lacks, or gives wrongly, is told with its package and its line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from bindproof.core.errors import SuiteError
from bindproof.suite_api import Divisible, Evidence, Fault, Json, Pictured, SmokeStep
from bindproof.suite_api.functions import FunctionSuite
from bindproof.suites import mistakes as module
from bindproof.suites.provided import watched
from bindproof_reference.functions import predicting

PREPARED = SimpleNamespace(spelled={}, prediction={"lanes": {"program": []}}, observe=None, shapes=None)


class Fit:
    """A suite that has what it has to."""

    name = "mine"
    checks: ClassVar[Json] = {"MIN-001": lambda reading: reading}
    faults: ClassVar[Json] = {}
    smoke: Json = ()

    def complete(self, scenario: Json) -> Json:
        return scenario

    def brief(self, full: Json) -> Json:
        return full

    def prepare(self, full: Json, edition: str, dialect: str) -> Json:
        return full

    def lanes(self, scenario: Json) -> Json:
        return scenario

    def generate(self, choices: Json, dialect: Json) -> Json:
        return choices

    def parts(self, full: Json) -> Json:
        return full


def make(spec: Json) -> Fit:
    """What an entry point names."""
    return Fit()


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of the suite is this folder."""
    monkeypatch.setattr(module, "home_of", lambda package: Path(__file__).parent)


def line_of(thing: Any) -> int:
    return inspect.getsourcelines(thing)[1]


def told(made: object, act: Callable[[Any], Any] = lambda suite: None) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        act(watched(made, "mine", "bindproof_mine", make))
    assert caught.value.path == Path(__file__)
    return caught.value


def test_a_fit_suite_is_as_it_was() -> None:
    suite: Any = watched(Fit(), "mine", "bindproof_mine", make)
    assert [isinstance(suite, kind) for kind in (Divisible, Pictured)] == [True, False]
    assert (suite.name, suite.faults, suite.smoke, suite.parts([{}]), suite.complete({"a": 1})) == (
        *("mine", {}, ()),
        [{}],
        {"a": 1},
    )
    assert suite.prepare(PREPARED, "1", "python") is PREPARED
    check = suite.checks["MIN-001"]
    assert (check(None), check([])) == (None, [])


@pytest.mark.long
@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"generate": 5}, "the suite's `generate` is no function: 5"),
        ({"complete": None}, "the suite's `complete` is no function: None"),
        ({"name": "yours"}, "the suite's `name` is 'yours', and its entry point's is 'mine'"),
        ({"checks": [1]}, r"`checks` is no mapping: \[1\]"),
        ({"checks": {"MIN-001": "x"}}, "the check of MIN-001 is no function: 'x'"),
        ({"faults": {"a": 1}}, "one of `faults` is no Fault: 1"),
        ({"faults": {"a": Fault("a", "t", (), 3)}}, "`plant` of the fault a is no function: 3"),  # type: ignore[arg-type]
        ({"drawn": "x"}, "the suite's `drawn` is no function: 'x'"),
    ],
)
def test_what_is_of_another_kind_is_told_at_the_class(members: dict[str, Any], said: str) -> None:
    broken = type("Broken", (Fit,), members)
    error = told(broken())
    assert error.line == line_of(make), "a class that nobody wrote has no line: it is that of the entry point"
    assert said.replace("\\", "") in str(error)


class TakesLess(Fit):
    """Its check and `lanes` take too little."""

    def lanes(self) -> Json:  # type: ignore[override]
        return None


class Lacks:
    """It has a name alone."""

    name = "mine"


def test_what_is_missing_or_takes_too_little_is_told_at_its_line() -> None:
    assert (told(Lacks()).line, told(Lacks()).what) == (line_of(Lacks), "the suite has no `checks`")
    error = told(TakesLess())
    assert (error.line, error.what) == (line_of(TakesLess.lanes), "the suite's `lanes` has to take 1 argument")
    assert told(partial).line == line_of(make)


@pytest.mark.parametrize(
    ("act", "said", "method"),
    [
        (lambda suite: suite.generate(None, None), "`generate` gives no scenario: None", Fit.generate),
        (
            lambda suite: suite.generate({"a": {1}}, None),
            "`generate` gives a scenario in which is what JSON l",
            Fit.generate,
        ),
        (lambda suite: suite.complete("x"), "`complete` gives no scenario: 'x'", Fit.complete),
        (lambda suite: suite.parts(None), "`parts` gives no parts: None", Fit.parts),
        (lambda suite: suite.lanes({}), "`lanes` gives no function: {}", Fit.lanes),
        (lambda suite: suite.prepare({}, "", ""), "`prepare` gives something without `spelled`: {}", Fit.prepare),
        (
            lambda suite: suite.prepare(SimpleNamespace(**{**vars(PREPARED), "prediction": None}), "", ""),
            '`prepare` gives a `prediction` that is no {"lanes": {lane: [record]}, "after": []}',
            Fit.prepare,
        ),
        (
            lambda suite: suite.prepare(
                SimpleNamespace(**{**vars(PREPARED), "prediction": {"lanes": {"a": [{"value": float("nan")}]}}}), "", ""
            ),
            '`prepare` gives a `prediction` in which is what JSON lacks (nan, as {"$float": …})',
            Fit.prepare,
        ),
    ],
)
def test_what_a_method_gives_wrongly_is_told_at_its_line(act: Callable[[Any], Any], said: str, method: Any) -> None:
    error = told(Fit(), act)
    assert error.what.startswith(said)
    assert error.line == line_of(method)


class Refuses(Fit):
    """It refuses a scenario, and the lanes of one."""

    def complete(self, scenario: Json) -> Json:
        raise ValueError("no")

    def lanes(self, scenario: Json) -> Json:
        raise ValueError("no")


def test_a_scenario_may_be_refused_and_nothing_else() -> None:
    with pytest.raises(ValueError, match=r"^no$"):
        watched(Refuses(), "mine", "bindproof_mine", make).complete({})
    error = told(Refuses(), lambda suite: suite.lanes({}))
    assert (error.line, error.what) == (line_of(Refuses.lanes), "`lanes`: ValueError: no")


@pytest.mark.parametrize("found", [True, [1], Evidence("program", "", None, 1, 2)])
def test_a_check_gives_evidence(found: object) -> None:
    error = told(Fit(), lambda suite: suite.checks["MIN-001"](found))
    assert error.what.startswith("the check of MIN-001 gives no list of Evidence, nor None: ")


def test_a_fault_gives_a_log() -> None:
    def plant(*given: Json) -> Json:
        return 5

    broken = type("Broken", (Fit,), {"faults": {"a": Fault("a", "t", (), plant)}})
    error = told(broken(), lambda suite: suite.faults["a"].plant({}, [], {}, "1"))
    assert (error.line, error.what) == (line_of(plant), "the fault a gives no log, nor None: 5")


def test_first_steps_are_steps() -> None:
    error = told(type("Broken", (Fit,), {"smoke": [1]})(), lambda suite: suite.smoke)
    assert error.what == "the suite's `smoke` is no list of SmokeStep: [1]"
    steps = [SmokeStep("t", {}, "h")]
    assert watched(type("Sound", (Fit,), {"smoke": steps})(), "mine", "bindproof_mine", make).smoke == steps


@pytest.mark.parametrize("argument", ["predict", "complete", "generate", "parts"])
@pytest.mark.parametrize("given", [5, lambda: None])
def test_what_a_function_suite_is_given_can_be_called(argument: str, given: Any) -> None:
    with pytest.raises(TypeError, match=f"{argument} has to be a function of "):
        FunctionSuite(None, **{argument: given})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="what predicts has to be a function, and is 5"):
        predicting(5)  # type: ignore[arg-type]
