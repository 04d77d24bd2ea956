"""The page of a report in a real browser: what it does, that it is for everybody, and how it looks.

The browser is the Chromium that is installed; without one these tests are left out and say so. With BINDPROOF_UPDATE
set the pictures in docs/ are taken anew.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.logs import lines as large_log
from bindproof.cli import main
from bindproof.results import Line, read
from tests.conftest import REPOSITORY
from tests.report.formats import made
from tests.report.hostile import SCRIPT, hostile_log
from tests.report.reviews import hostile_review

UPDATE = "BINDPROOF_UPDATE"
"""The variable that has the pictures taken anew."""

PICTURES = REPOSITORY / "docs" / "images"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}

Open = Callable[..., Any]
"""Opens the page of some lines: `opened(lines, hash, **context)`."""


@cache
def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(chromium() is None, reason="unavailable: no chromium; to have it: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def shown(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of a text: `shown(text, hash, **context)`."""
    contexts = []

    def open_page(text: str, fragment: str = "", **how: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8", newline="")
        context = browser.new_context(**{"viewport": DESK, "offline": True, **how})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (page.faults.append(dialog.message), dialog.dismiss()))
        page.goto(f"{file.as_uri()}{fragment}")
        return page

    yield open_page
    for context in contexts:
        for page in context.pages:
            assert page.faults == []
        context.close()


@pytest.fixture
def opened(shown: Open) -> Open:
    def open_page(lines: Any, fragment: str = "", **how: Any) -> Any:
        return shown(made("html", lines), fragment, **how)

    return open_page


def visible_rows(page: Any) -> list[str]:
    found: list[str] = page.locator("tr.row:not([hidden]) summary b").all_inner_texts()
    return found


def violations(page: Any) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hostile", [False, True], ids=["mixed", "hostile"])
def test_axe_finds_nothing(scheme: str, hostile: bool, opened: Open, mixed_log: list[Line]) -> None:
    page = opened(hostile_log() if hostile else mixed_log, color_scheme=scheme)
    page.click("#help")
    assert violations(page) == []


def test_axe_finds_nothing_on_a_phone(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log, viewport=PHONE)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_text_of_strangers_is_text(opened: Open) -> None:
    page = opened(hostile_log())
    assert page.evaluate("window.taken") is None
    text = page.inner_text("body")
    assert SCRIPT in text
    assert "\\u202egnitset" in text
    assert "\u202e" not in page.content()
    assert "{{ 7*7 }}" in text
    assert page.locator("main img, main x, main script").count() == 0


def test_a_link_to_a_divergence_survives_a_reload(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log)
    page.click("td.s.broken a")
    assert page.url.endswith("#d-MRK-001-on-node")
    for _ in range(2):
        here = page.locator(".here h3")
        assert here.inner_text() == "MRK-001 Marks keep their order"
        assert page.evaluate("document.activeElement.id") == "d-MRK-001-on-node"
        page.reload()


def test_filters_and_search_survive_a_reload(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log)
    assert visible_rows(page) == ["OUT-001", "MRK-001", "MRK-002", "DLC-001"]
    page.select_option("#level", "MUST")
    page.select_option("#adapter", "node")
    assert visible_rows(page) == ["OUT-001", "MRK-001", "DLC-001"]
    page.select_option("#status", "broken")
    for _ in range(2):
        assert visible_rows(page) == ["MRK-001"]
        assert page.inner_text("#found").startswith("1 requirements")
        page.reload()
    page.click("#clear")
    assert len(visible_rows(page)) == 4
    page.select_option("#chapter", "Pending marks")
    assert visible_rows(page) == ["MRK-001", "MRK-002"]


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("first in", ["MRK-001"]),
        ("M1 m2", ["MRK-001"]),
        ("camelcase", ["DLC-001"]),
        ("shipped", []),
        ("spells it so", ["DLC-001"]),
    ],
)
def test_search_finds_all_that_is_said(words: str, rows: list[str], opened: Open, mixed_log: list[Line]) -> None:
    """Statements, what was expected and observed, and reasons."""
    page = opened(mixed_log)
    page.fill("#q", words)
    assert visible_rows(page) == rows


def test_keys_lead_from_one_divergence_to_the_next(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log)
    shown = []
    for key in ("j", "j", "k"):
        page.keyboard.press(key)
        shown.append(page.locator(".here h3").inner_text())
    assert shown[0] == shown[2] != shown[1]
    page.keyboard.press("/")
    page.keyboard.type("camel")
    assert visible_rows(page) == ["DLC-001"]
    page.keyboard.press("Escape")
    assert len(visible_rows(page)) == 4
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement.id") == "matrix"


def test_all_that_acts_is_reached_by_the_tab_key(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className || 'other'"))
    assert {"skip", "q", "chapter", "level", "status", "adapter", "clear", "theme", "help", "copy", "anchor"} <= reached


def test_a_command_is_copied(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log, permissions=["clipboard-read", "clipboard-write"])
    page.click("#d-MRK-001-on-node .command:has(code) .copy >> nth=0")
    assert page.evaluate("navigator.clipboard.readText()") == "bindproof replay relay/marks/two --adapter node"


def test_light_and_dark_are_chosen_and_kept(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log, color_scheme="light")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("#theme")
    dark = page.evaluate(colour)
    assert light != dark
    for _ in range(20):  # a busy browser loads the page before it has written what the page has it keep
        page.reload()
        if page.evaluate(colour) == dark:
            break
    assert page.evaluate(colour) == dark


def test_without_scripts_all_but_the_list_of_scenarios_is_there(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log, "#d-MRK-001-on-node", java_script_enabled=False)
    assert page.locator("tr.row").count() == 4
    assert "the marks come in another order" in page.inner_text("body")


def test_on_paper_statements_are_shown_and_controls_are_not(opened: Open, mixed_log: list[Line]) -> None:
    page = opened(mixed_log)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#filters").is_hidden()
    assert page.locator("button.copy >> nth=0").is_hidden()
    assert page.locator("text=On the way in. >> nth=0").is_visible()
    assert page.pdf()[:4] == b"%PDF"


def test_scenarios_are_listed_in_parts(opened: Open) -> None:
    page = opened(large_log(2, 20, 600, diverging=6))
    assert page.inner_text("#scenarios-count") == "100 of 300 scenarios"
    page.click("#more")
    assert page.locator("#scenarios-table tbody tr").count() == 300
    page.fill("#q", "diverges")
    assert page.inner_text("#scenarios-count") == "3 of 3 scenarios"


def test_20000_verdicts_are_one_small_page_that_opens(opened: Open) -> None:
    """How long it takes `python -m benchmarks.pages` tells."""
    page = opened(large_log(6, 300, 20_000))
    assert page.locator("tr.row").count() == 300
    assert page.locator("tr.row >> nth=0").locator("td.s").count() == 6
    page.fill("#q", "number 77 is")
    assert "REQ-077" in visible_rows(page)
    assert len(page.content()) < 2_000_000


@pytest.fixture(scope="module")
def swapped_marks(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """The log of a real run, in which marks are swapped on their way to the judge."""
    log = tmp_path_factory.mktemp("run") / "run.jsonl"
    words = ["run", "--suite", "relay", "--adapter", "reference", "--fault", "swap_marks", "--vector", "relay/marks/*"]
    assert main([*words, "--results", str(log)]) == 1
    return list(read(log))


def test_the_pictures_in_the_docs(opened: Open, swapped_marks: list[Line]) -> None:
    """They show a page of today: to take them anew, BINDPROOF_UPDATE=1 pytest with this file."""
    shots: dict[str, dict[str, Any]] = {
        "page-light.png": {"color_scheme": "light"},
        "page-dark.png": {"color_scheme": "dark"},
        "page-phone.png": {"viewport": PHONE},
    }
    for name, how in shots.items():
        page = opened(swapped_marks, **how)
        link = page.locator("td.s.broken a >> nth=0")
        if name == "page-light.png":
            link.scroll_into_view_if_needed()
        else:
            link.click()
            assert page.locator(".here svg.picture g.wrong").count() > 0
        if os.environ.get(UPDATE):
            PICTURES.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=PICTURES / name)
    assert {path.name for path in PICTURES.glob("page-*.png")} == set(shots)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reviewers_page_is_for_everybody_too(scheme: str, shown: Open) -> None:
    """It has no script: whatever a stranger writes into it, nothing could run."""
    page = shown(hostile_review(), color_scheme=scheme)
    assert violations(page) == []
    assert SCRIPT in page.inner_text("body")
    assert page.locator("script, img, main x").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == DESK["width"]
