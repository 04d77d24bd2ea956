"""The surface for suites of other packages: it stays as it is, and bindproof's own suites need no more than it has."""

from __future__ import annotations

import dataclasses
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bindproof import suite_api
from tests.repo.sources import HARNESS, ROOT, imports, modules

SURFACE = Path(__file__).with_name("suite_api.txt")
UPDATE = "BINDPROOF_UPDATE"
"""The variable that has the pinned surface written anew."""

OF_THE_ENGINE = (
    "bindproof.core.model",
    "bindproof.core.patterns",
    "bindproof.core.pointer",
    "bindproof.suites",
    "bindproof.spec.models",
    "bindproof.spec.editions",
    "bindproof.spec.forms",
)
"""Where our own suites import what suite_api offers from: they are read beside the engine."""


def surface() -> Iterator[str]:
    """A line for each name of the module, and for each public member of a class."""
    for name in sorted(suite_api.__all__):
        thing = getattr(suite_api, name)
        if thing is Any:
            yield f"{name}: Any"
        elif not inspect.isclass(thing):
            yield f"{name}{inspect.signature(thing)}" if callable(thing) else f"{name} = {thing}"
        else:
            yield f"class {name}({', '.join(base.__name__ for base in thing.__bases__)})"
            yield from (f"    {line}" for line in _members(thing))


def _members(thing: type) -> Iterator[str]:
    if dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            default = "" if field.default is dataclasses.MISSING else f" = {field.default!r}"
            yield f"{field.name}: {field.type}{default}"
    if issubclass(thing, msgspec.Struct):
        for member in msgspec.structs.fields(thing):
            default = "" if member.default is msgspec.NODEFAULT else f" = {member.default!r}"
            yield f"{member.name}: {thing.__annotations__[member.name]}{default}"
    for name, member in sorted(vars(thing).items()):
        if name.startswith("_") or inspect.ismemberdescriptor(member):
            continue
        if isinstance(member, property):
            yield f"{name}: {_returned(member.fget)}"
        elif callable(member):
            yield f"{name}{inspect.signature(member)}"


def _returned(function: Any) -> str:
    return str(inspect.signature(function).return_annotation)


def test_the_surface_is_as_it_was_published() -> None:
    """To change it: BINDPROOF_UPDATE=1 pytest tests/test_suite_api.py, and a breaking fragment where a suite breaks."""
    found = "".join(f"{line}\n" for line in surface()).replace("'", "")
    if os.environ.get(UPDATE):
        SURFACE.write_text(found, encoding="utf-8")
    assert found == SURFACE.read_text(encoding="utf-8"), test_the_surface_is_as_it_was_published.__doc__


def test_every_name_is_in_the_modules_own_list() -> None:
    assert [name for name in suite_api.__all__ if f"`{name}`" not in str(suite_api.__doc__)] == []


def own_suites() -> list[Path]:
    return sorted({path.parent for path in modules(HARNESS / "suites") if path.parent.parent == HARNESS / "suites"})


OF_TARGETS = ("bindproof.targets", "bindproof.core")
"""Where a suite's ways to get a target import from besides; docs/suite-guide.md says so."""


@pytest.mark.long
@pytest.mark.parametrize("suite", own_suites(), ids=lambda folder: folder.name)
def test_our_own_suites_need_no_more_of_the_engine(suite: Path) -> None:
    own = f"bindproof.suites.{suite.name}"
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in modules(suite)
        for name, line in imports(module)
        if name.startswith("bindproof.") and name != own and not name.startswith(f"{own}.") and not _offered(name)
        if not (module.parent.name == "targets" and name.startswith(OF_TARGETS))
    ]
    assert not wrong, "\n".join(wrong)


def _offered(name: str) -> bool:
    module, _, last = name.rpartition(".")
    if name in {*OF_THE_ENGINE, "bindproof.suite_api"}:
        return True
    known = {"bindproof.spec.models.Suite": "Spec"}.get(name, last)
    return module in {*OF_THE_ENGINE, "bindproof.suite_api"} and known in suite_api.__all__


def test_the_template_uses_nothing_else() -> None:
    wrong = [
        f"{module.relative_to(ROOT)}:{line} imports {name}"
        for module in modules(ROOT / "templates")
        for name, line in imports(module)
        if name.split(".")[0] == "bindproof" and not name.startswith("bindproof.suite_api")
    ]
    assert not wrong, "\n".join(wrong)
