"""What may stand after the name of an adapter."""

from __future__ import annotations

import pytest

from bindproof.targets.names import Wanted, is_folder, reference_choice, split, wanted
from bindproof.targets.unmet import Unmet


@pytest.mark.parametrize(
    ("spec", "name", "rest"),
    [
        ("python", "python", None),
        ("python@0.9.4", "python", "0.9.4"),
        ("python@", "python", ""),
        ("reference", "reference", None),
        ("reference:0.9", "reference", ":0.9"),
        ("reference@node:0.9", "reference", "node:0.9"),
        ("python@C:/x.whl", "python", "C:/x.whl"),
        ("./gull", "./gull", None),
        ("./a:b/gull", "./a:b/gull", None),
        ("~/gull@../build", "~/gull", "../build"),
        ("..", "..", None),
    ],
)
def test_name_and_rest(spec: str, name: str, rest: str | None) -> None:
    assert split(spec) == (name, rest)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("./gull", True), ("../gull", True), ("/gull", True), ("~/gull", True), (".", True), ("gull", False), ("", False)],
)
def test_an_adapter_may_be_named_by_its_folder(name: str, folder: bool) -> None:
    assert is_folder(name) is folder


@pytest.mark.parametrize(
    ("rest", "meaning"),
    [
        (None, Wanted("default")),
        ("env", Wanted("env")),
        ("0.9.4", Wanted("release", "0.9.4")),
        ("v0.9.4", Wanted("release", "0.9.4")),
        ("0.11.0rc3", Wanted("release", "0.11.0rc3")),
        ("0.11.1-beta.1", Wanted("release", "0.11.1-beta.1")),
        ("./dist/x.whl", Wanted("path", "./dist/x.whl")),
        ("dist/x.whl", Wanted("path", "dist/x.whl")),
        ("x.whl", Wanted("path", "x.whl")),
        ("~/pkg", Wanted("path", "~/pkg")),
        ("..", Wanted("path", "..")),
    ],
)
def test_meanings(rest: str | None, meaning: Wanted) -> None:
    assert wanted(rest, "python") == meaning


@pytest.mark.parametrize("rest", ["", "latest", "0.9 .4", "==0.9"])
def test_what_means_nothing_is_refused_with_what_to_type(rest: str) -> None:
    with pytest.raises(Unmet) as caught:
        wanted(rest, "python")
    assert repr(rest) in caught.value.reason
    assert "python@RELEASE" in caught.value.remedy


@pytest.mark.parametrize(
    ("rest", "choice"),
    [(None, (None, None)), ("node", ("node", None)), (":0.9", (None, "0.9")), ("node:0.9", ("node", "0.9"))],
)
def test_dialect_and_edition(rest: str | None, choice: tuple[str | None, str | None]) -> None:
    assert reference_choice(rest) == choice
