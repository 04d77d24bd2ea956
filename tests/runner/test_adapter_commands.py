"""The adapters of a request: each has a name of its own, and each that is asked for is judged."""

from __future__ import annotations

import pytest

from bindproof.cli import main
from bindproof.core.errors import UsageError
from bindproof.core.model import AdapterCommand
from bindproof.core.request import RunRequest
from bindproof.runner.adapter_commands import commands, names


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (RunRequest(adapter_commands=(("x", "false"), ("x", "true"))), "two adapters are called x"),
        (RunRequest(adapters=("reference",), adapter_commands=(("reference", "true"),)), "are called reference"),
        (RunRequest(adapters=("x@1",), adapter_commands=(("x@1", "true"), ("y", "z"))), "are called x@1"),
    ],
)
def test_two_adapters_of_one_name_are_refused(request_: RunRequest, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        names(request_, ["relay"])


def test_the_same_adapter_asked_for_twice_is_one() -> None:
    request = RunRequest(adapters=("python", "python"), adapter_commands=(("x", "true"), ("x", "true"), ("y", "true")))
    assert names(request, ["relay"]) == ("python", "x", "y")

    started = list(commands(RunRequest(adapter_commands=request.adapter_commands), lambda _: None, ["relay"]))
    assert [one.name for one in started if isinstance(one, AdapterCommand)] == ["x", "y"]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (RunRequest(), ("node", "python")),
        (RunRequest(fault="swap_marks"), ("node", "python")),
        (RunRequest(suite="relay"), ("reference", "node", "python")),
        (RunRequest(edition="0.10"), ("reference", "node", "python")),
        (RunRequest(requirements=("MRK-*",)), ("reference", "node", "python")),
        (RunRequest(vectors=("relay/marks/*",)), ("reference", "node", "python")),
        (RunRequest(files=("one.json",)), ("reference", "node", "python")),
    ],
)
def test_the_reference_is_judged_where_a_suite_or_a_part_of_it_is_named(
    request_: RunRequest, expected: tuple[str, ...]
) -> None:
    assert names(request_, ["relay"]) == expected


def test_a_part_of_a_suite_that_no_binding_speaks_by_default_is_not_without_adapters() -> None:
    assert names(RunRequest(vectors=("cells/*",)), ["cells"]) == ("reference", "codex", "tagged-1")


@pytest.mark.long
def test_nothing_is_judged_where_two_adapters_have_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["run", "--adapter-command", "x=false", "--adapter-command", "x=true"])

    assert code == 2
    assert capsys.readouterr().err == (
        "bindproof: two adapters are called x: `false` and `true`; give each --adapter-command a name of its own\n"
        "`bindproof run --help` shows how it is used\n"
    )
