"""A suite of another package, held to what a suite has to provide: else its author's mistake would look like ours.

Enters: a suite as its package made it. Leaves: the same suite, or a SuiteError that names package, file and line. What
is missing or cannot be called is told when it is loaded, what gives something else than it should when it does. Must
not know what a suite is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from msgspec.structs import replace

from bindproof.core.errors import SuiteError, UsageError
from bindproof.core.lacking import lacking
from bindproof.suite_api import Evidence, Fault, Json, SmokeStep, Suite
from bindproof.suite_api.callables import takes
from bindproof.suite_api.functions import FunctionSuite
from bindproof.suites.mistakes import Place, mistake_in, place_of

_METHODS: Final = {"complete": 1, "brief": 1, "prepare": 3, "lanes": 1, "generate": 2}
"""What has to be there, and how many arguments it is given."""

_MAY_RAISE: Final[Mapping[str, tuple[type[Exception], ...]]] = {"complete": (ValueError,), "prepare": (ValueError,)}
"""What a scenario may be refused by."""

_FURTHER: Final = {"parts": 1, "smaller": 1, "drawn": 1, "program": 2}
"""What may be there."""


def watched(made: object, name: str, package: str, made_by: object) -> Suite:
    """Return a suite that tells its author's mistakes as such.

    name: what it should be called. made_by: what its entry point names. Raises SuiteError.
    """
    given = made.given if isinstance(made, FunctionSuite) else {}
    watch = _Watch(package, place_of(made_by, package), given)
    _hold(made, name, watch)
    suite = cast(Suite, made)
    methods = {one: _forwarded(getattr(suite, one), one, watch) for one in _METHODS}
    further = {one: getattr(suite, one) for one in _FURTHER if hasattr(suite, one)}
    further |= {one: _forwarded(further[one], one, watch) for one in ("parts", "smaller") if one in further}
    checks = {rule: _check(check, rule, watch) for rule, check in suite.checks.items()}
    members = {one: staticmethod(member) for one, member in (methods | further).items()}
    return cast(Suite, type("Watched", (_Watched,), members)(suite, checks, watch))


class _Watched:
    """What is no method of a watched suite; the methods are added."""

    def __init__(self, suite: Suite, checks: Mapping[str, Callable[[Any], Any]], watch: _Watch) -> None:
        self._suite, self.name, self.checks, self._watch = suite, suite.name, checks, watch
        self.faults = {name: replace(one, plant=_plant(one, watch)) for name, one in suite.faults.items()}

    @property
    def smoke(self) -> Sequence[SmokeStep]:
        """Return the steps of the suite, which may be made when they are asked for."""
        steps: Any = self._suite.smoke
        if not isinstance(steps, list | tuple) or not all(isinstance(one, SmokeStep) for one in steps):
            raise self._watch.error(f"the suite's `smoke` is no list of SmokeStep: {_short(steps)}", type(self._suite))
        return steps


class _Watch:
    """Says whose mistake it is. whole: the place of the suite as a whole. given: what does a method's work, where the
    suite was given it, as a FunctionSuite is."""

    def __init__(self, package: str, whole: Place, given: Mapping[str, object]) -> None:
        self.package, self._whole, self.given = package, whole, given

    def error(self, what: str, of: object = None) -> SuiteError:
        """Return a mistake of something that the suite has, at its place if it has one."""
        path, line = place_of(of, self.package)
        return SuiteError(self.package, *((path, line) if path is not None else self._whole), what)


def _hold(suite: object, name: str, watch: _Watch) -> None:
    """Raise SuiteError for what a suite lacks, and for what is of another kind."""
    for member in ("name", "checks", "faults", *_METHODS):
        if not hasattr(suite, member):
            raise watch.error(f"the suite has no `{member}`", type(suite))
    found: Any = suite
    if found.name != name:
        raise watch.error(f"the suite's `name` is {found.name!r}, and its entry point's is {name!r}", type(suite))
    for member, count in [*_METHODS.items(), *((one, count) for one, count in _FURTHER.items() if hasattr(suite, one))]:
        _callable(f"the suite's `{member}`", getattr(suite, member), count, type(suite), watch)
    _mapping("checks", found.checks, watch, type(suite))
    for rule, check in found.checks.items():
        _callable(f"the check of {rule}", check, 1, type(suite), watch)
    _mapping("faults", found.faults, watch, type(suite))
    for one in found.faults.values():
        if not isinstance(one, Fault):
            raise watch.error(f"one of `faults` is no Fault: {_short(one)}", type(suite))
        _callable(f"`plant` of the fault {one.name}", one.plant, 4, type(suite), watch)


def _callable(what: str, member: object, count: int, owner: object, watch: _Watch) -> None:
    if not callable(member):
        raise watch.error(f"{what} is no function: {_short(member)}", owner)
    if not takes(member, count):
        raise watch.error(f"{what} has to take {count} argument{'s' if count > 1 else ''}", member)


def _mapping(member: str, value: object, watch: _Watch, owner: object) -> None:
    if not isinstance(value, Mapping):
        raise watch.error(f"`{member}` is no mapping: {_short(value)}", owner)


def _forwarded(method: Callable[..., Any], name: str, watch: _Watch) -> Callable[..., Any]:
    """Return a method that tells what it gives where that is of no use, and what nobody's line raised."""
    fault_in = _FAULTS_IN[name]
    may_raise: tuple[type[Exception], ...] = (*_MAY_RAISE.get(name, ()), UsageError, MemoryError)

    def forwarded(*arguments: Any) -> Any:
        try:
            given = method(*arguments)
        except may_raise:
            raise
        except Exception as error:
            if mistake_in(error) is not None:
                raise
            raise watch.error(f"`{name}`: {type(error).__name__}: {error}", watch.given.get(name, method)) from error
        if (fault := fault_in(given)) is not None:
            raise watch.error(f"`{name}` gives {fault}", watch.given.get(name, method))
        return given if name != "lanes" else _lane_of(given, watch)

    return forwarded


def _check(check: Callable[[Any], Any], rule: str, watch: _Watch) -> Callable[[Any], Any]:
    def checked(reading: Any) -> Any:
        found = check(reading)
        if found is not None and not _is_evidence(found):
            raise watch.error(f"the check of {rule} gives no list of Evidence, nor None: {_short(found)}", check)
        return found

    return checked


def _plant(fault: Fault, watch: _Watch) -> Callable[[Json, list[Json], Json, str], list[Json] | None]:
    def planted(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
        found = fault.plant(full, log, dialect, edition)
        if found is not None and not isinstance(found, list):
            raise watch.error(f"the fault {fault.name} gives no log, nor None: {_short(found)}", fault.plant)
        return found

    return planted


def _lane_of(own: Callable[[Json], str], watch: _Watch) -> Callable[[Json], str]:
    def lane_of(record: Json) -> str:
        lane = own(record)
        if not isinstance(lane, str):
            raise watch.error(f"what `lanes` gives tells no lane of the record {_short(record)}: {lane!r}", own)
        return lane

    return lane_of


def _is_evidence(found: object) -> bool:
    return isinstance(found, list | tuple) and all(isinstance(one, Evidence) for one in found)


def _no_scenario(given: object) -> str | None:
    if not isinstance(given, dict | list):
        return f"no scenario: {_short(given)}"
    lacks = lacking(given)
    return None if lacks is None else f"a scenario in which is what JSON lacks ({lacks})"


def _not_prepared(given: Any) -> str | None:
    missing = next((one for one in ("spelled", "prediction", "observe", "shapes") if not hasattr(given, one)), None)
    if missing is not None:
        return f"something without `{missing}`: {_short(given)}"
    if not _is_prediction(given.prediction):
        return 'a `prediction` that is no {"lanes": {lane: [record]}, "after": []}: ' + _short(given.prediction)
    lacks = lacking(given.prediction)
    return None if lacks is None else f"a `prediction` in which is what JSON lacks ({lacks})"


def _is_prediction(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    lanes = given.get("lanes")
    if not isinstance(lanes, dict):
        return "inexpressible" in given
    return all(isinstance(lane, list) and all(isinstance(one, dict) for one in lane) for lane in lanes.values())


_FAULTS_IN: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "complete": _no_scenario,
    "brief": _no_scenario,
    "generate": _no_scenario,
    "prepare": _not_prepared,
    "parts": lambda given: None if isinstance(given, Iterable) else f"no parts: {_short(given)}",
    "smaller": lambda given: None if isinstance(given, Iterable) else f"no scenarios: {_short(given)}",
    "lanes": lambda given: None if callable(given) else f"no function: {_short(given)}",
}


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
