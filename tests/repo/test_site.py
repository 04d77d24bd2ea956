"""Pages and docstrings of the site; `tox -e docs` builds all of it."""

from __future__ import annotations

import json
import re
from types import ModuleType

import pytest

from bindproof.core.model import REFERENCE_REQUIREMENT
from bindproof.report.digest import STATUSES
from bindproof.spec import all_installed
from tests.loose import module_at
from tests.repo.sources import ROOT


def module_of_the_site(name: str) -> ModuleType:
    """Return a module of docs/site, which is no part of a package."""
    return module_at(ROOT / f"docs/site/{name}.py")


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    return module_of_the_site("pages")


def test_a_run_is_kept_by_target_and_requirement() -> None:
    summary = {
        "bindproof": "1",
        "started": "2026-01-02T03:04",
        "targets": [
            {"name": "a", "state": "ready", "target": "t", "version": "1", "editions": ["0.9"], "notes": []},
            {"name": "b", "state": "unavailable"},
        ],
        "requirements": [{"id": "X-001", "status": {"a": "held"}}, {"id": "X-002", "status": {}}],
    }
    assert json.loads(module_of_the_site("kept_by").written(summary)) == {
        "bindproof": "1",
        "on": "2026-01-02",
        "targets": {"a": {"target": "t", "version": "1", "editions": ["0.9"]}},
        "requirements": {"X-001": {"a": "held"}},
    }


def test_the_frame_of_a_page_is_for_everybody() -> None:
    """Whether that is all, the browser says."""
    mended = module_of_the_site("frame").mended
    assert (
        mended('<aside class="toc-drawer"><pre>')
        == '<aside class="toc-drawer" aria-label="This page"><pre tabindex="0">'
    )
    assert mended('<p class="caption" role="heading">x</p>') == '<p class="caption">x</p>'


@pytest.mark.long
def test_every_requirement_has_its_anchor_and_its_vectors(pages: ModuleType) -> None:
    anchors: list[str] = []
    for path in sorted((ROOT / "spec").glob("*/[0-9]*.md")):
        page = path.relative_to(ROOT).with_suffix("").as_posix()
        text = path.read_text(encoding="utf-8")
        made = pages.ready(page, text)
        anchors += re.findall(r"^\(([a-z]+-\d+)\)=\n## ", made, re.MULTILINE)
        added = r"^\(.*\)=\n|^<details>.*\n\n.*\n\n</details>\n\n?|^\*\d{4}-\d\d-\d\d:\* .*\n\n?"
        assert re.sub(added, "", made, flags=re.MULTILINE).split() == text.split(), page
    names = [name.lower() for spec in all_installed() for name in spec.requirements]
    assert sorted(anchors) == sorted(names)
    made = pages.ready("spec/x", "# T\n\n## MID-002 Lower priorities run first\n\nText.\n")
    assert "`relay/streams/priorities`" in made.split("<details>")[1]
    assert re.search(r"\n\*\d{4}-\d\d-\d\d:\* kept by .*`python` 0\.10\.4.*\.\n", made)


def test_a_run_of_one_suite_leaves_the_rows_of_others_as_they_are() -> None:
    target = {"name": "afk", "target": "afk", "version": "0.1.0", "editions": ["0.1"], "state": "ready"}
    summary = {"bindproof": "0.1.0", "started": "2026-11-27T08:00", "targets": [target]}
    rows = {"requirements": [{"id": "RUN-001", "status": {"afk": "known"}}]}
    kept = {"on": "2026-11-26", "targets": {"c": {}}, "requirements": {"MID-001": {"c": "held"}, "RUN-001": {}}}
    found = module_of_the_site("kept_by").renewed(kept, {**summary, **rows}, "interaction")
    assert found["requirements"] == {"MID-001": {"c": "held"}, "RUN-001": {"afk": "known"}}
    assert (found["on"], found["later"]) == ("2026-11-26", {"interaction": "2026-11-27"})
    assert [*found["targets"]] == ["c", "afk"]


def test_the_run_that_is_kept_says_of_each_requirement_who_keeps_it(pages: ModuleType) -> None:
    """A requirement that is newer than the run has no row; `python docs/site/kept_by.py` writes one."""
    kept = json.loads((ROOT / "docs/site/kept_by.json").read_text(encoding="utf-8"))
    known = {REFERENCE_REQUIREMENT, *(name for spec in all_installed() for name in spec.requirements)}
    assert kept["requirements"].keys() <= known
    assert len(kept["requirements"]) > 0.8 * len(known)
    assert {"python", "node", "c", "go"} <= kept["targets"].keys()
    found = {status for row in kept["requirements"].values() for status in row.values()}
    assert "broken" not in found
    assert found <= pages.WORDS.keys() == set(STATUSES)
    assert all(row.keys() <= kept["targets"].keys() for row in kept["requirements"].values())


def test_a_link_to_a_folder_is_its_words_and_other_pages_stay_as_they_are(pages: ModuleType) -> None:
    assert pages.ready("docs/x", "see [the `notes`](../a/b/) and [c](c.md)") == "see the `notes` and [c](c.md)"
    assert pages.ready("docs/x", "## MID-002 Of another page\n") == "## MID-002 Of another page\n"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Return `x`, ``y``.", "Return ``x``, ``y``.\n"),
        ("a:\n- b\n  c\nd", "a:\n\n- b\n  c\n\nd\n"),
        ("so:\n\n    x = 1\n\nz", "so:\n\n\n.. code-block:: python\n\n       x = 1\n\n\nz\n"),
        ("a\n| b | c |", "a\n\n.. code-block:: text\n\n   | b | c |\n"),
    ],
)
def test_a_docstring_is_made_ready(said: str, meant: str, pages: ModuleType) -> None:
    assert [line.rstrip() for line in pages.told(said.split("\n"))] == meant.split("\n")


def test_the_index_leads_to_every_guide() -> None:
    index = (ROOT / "docs/site/index.md").read_text(encoding="utf-8")
    assert [path.stem for path in (ROOT / "docs").glob("*.md") if f"../{path.stem}\n" not in index] == []
