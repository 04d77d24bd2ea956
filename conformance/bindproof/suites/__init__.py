"""The suites: found through the entry points of installed packages.

Enters: a suite's spec. Leaves: the suite that an installed package provides. The engine knows suites only through
`suite_api`, so that adding one touches no engine code.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint
from typing import Any, cast

from bindproof.core.errors import SuiteError, UsageError
from bindproof.core.paths import GROUP, OWN, entries, providers
from bindproof.spec.files.document import parse
from bindproof.spec.files.text import read_bytes
from bindproof.suite_api import (
    Choices,
    Fault,
    Gullible,
    Lenient,
    NoProgramError,
    Normalising,
    ObservationError,
    Prepared,
    Program,
    Programmed,
    Recognising,
    SmokeStep,
    Spec,
    Subject,
    Suite,
)
from bindproof.suite_api.callables import need
from bindproof.suites.mistakes import UnfitError, mistake_in, unloadable
from bindproof.suites.provided import watched

__all__ = [
    "Choices",
    "Fault",
    "Gullible",
    "Lenient",
    "NoProgramError",
    "Normalising",
    "ObservationError",
    "Prepared",
    "Program",
    "Programmed",
    "Recognising",
    "SmokeStep",
    "Subject",
    "Suite",
    "UnfitError",
    "foreign_reference",
    "load",
    "provider",
    "reference_of",
]


def load(spec: Spec) -> Suite:
    """Return the suite that a spec is about: what its entry point makes of the spec.

    Raises UsageError when no installed package provides it.
    """
    return provider(spec)()


def provider(spec: Spec) -> Callable[[], Suite]:
    """Return what loads the suite that a spec is about, as `load` does, once it is called for.

    Raises UsageError when no installed package provides it; what is returned raises SuiteError for code that cannot be
    loaded.
    """
    for entry in entries(GROUP):
        if entry.name == spec.name:
            return lambda: _loaded(entry, spec)
    raise UsageError(
        f"no installed package provides the suite {spec.name!r}, whose spec is in {spec.folder}: install its package "
        f"again; its entry point belongs in the group {GROUP!r}"
    )


def _loaded(entry: EntryPoint, spec: Spec) -> Suite:
    package = entry.value.partition(":")[0].partition(".")[0]
    if package == OWN:
        return cast(Suite, entry.load()(spec))
    try:
        maker = entry.load()
        return watched(maker(spec), spec.name, package, maker)
    except Exception as error:
        raise unloadable(package, entry.value, error) from error


def reference_of(spec: Spec) -> Any:
    """Return the module of the reference that a suite names, which has `resolve`; None where it names none.

    Raises SuiteError where there is no such module, with the line that names it, and for a mistake in its code.
    """
    if spec.reference is None:
        return None
    package = providers().get(spec.name, OWN)
    try:
        found = import_module(spec.reference)
        for word, count in (("resolve", 4), ("predict", 3)):
            if not hasattr(found, word):
                raise ImportError(f"{spec.reference} has no `{word}`")
            need(f"its `{word}`", getattr(found, word), count)
    except Exception as error:
        if package == OWN:
            raise
        raise mistake_in(error) or _misnamed(spec, package, error) from error
    return found


def foreign_reference(spec: Spec) -> Any:
    """Return the reference of another package's suite, whose author may be mistaken; None for one of ours.

    Raises SuiteError as `reference_of` does.
    """
    return None if providers().get(spec.name, OWN) == OWN else reference_of(spec)


def _misnamed(spec: Spec, package: str, error: Exception) -> SuiteError:
    path = spec.folder / "suite.toml"
    line = parse(read_bytes(path, str(path)), str(path)).line("reference")
    return SuiteError(package, path, line, f"its reference cannot be used: {type(error).__name__}: {error}")
