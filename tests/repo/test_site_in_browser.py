"""The site in a real browser: it is for everybody, finds what is searched for, and needs no network.

`tox -e docs` builds it and says where it is (BINDPROOF_SITE); a run of all tests leaves these out. The browser is the
Chromium that is installed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SITE = Path(os.environ.get("BINDPROOF_SITE", "/nowhere"))

PAGES = [
    "docs/site/index",
    "docs/site/commands",
    "docs/site/suite-api",
    "docs/site/results",
    "docs/tutorial",
    "docs/adapter-guide",
    "docs/reviewing",
    "docs/releases",
    "docs/evolution",
    "spec/README",
    "spec/relay/01-middleware",
    "spec/relay/scenarios",
    "spec/protocol/README",
    "README",
    "CHANGELOG",
    "search",
    "genindex",
]
"""Of each kind of page one; every page has the same frame."""

PHONE = {"width": 390, "height": 844}

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SITE.is_dir(), reason="unavailable: no site; to have it: tox -e docs"),
    pytest.mark.skipif(
        shutil.which("chromium") is None, reason="unavailable: no chromium; to have it: apt-get install chromium"
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--allow-file-access-from-files"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without a network."""
    with browser.new_context(color_scheme="light", offline=True) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("requestfailed", lambda one: faults.append(one.url))
        yield page
        assert faults == []


def violations(page: Any, **options: Any) -> list[str]:
    """What axe has against a page; options: as axe takes them."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(name: str, page: Any) -> None:
    """In the dark nothing but colours is other than by day."""
    page.goto((SITE / f"{name}.html").as_uri())
    assert violations(page) == []
    by_day = background(page)
    page.emulate_media(color_scheme="dark")
    assert background(page) != by_day
    assert violations(page, runOnly=["color-contrast"]) == []


def background(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_on_a_phone_nothing_is_wider_than_the_page(page: Any) -> None:
    page.set_viewport_size(PHONE)
    for name in ("docs/site/index", "docs/releases", "spec/relay/01-middleware"):
        page.goto((SITE / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], name
    assert violations(page) == []


def test_a_requirement_has_its_anchor_its_vectors_and_who_keeps_it(page: Any) -> None:
    page.goto(f"{(SITE / 'spec/relay/01-middleware.html').as_uri()}#mid-002")
    section = page.locator("section:has(> #mid-002), section#mid-002").last
    assert section.locator("h2").inner_text().startswith("MID-002 Lower priorities run first")
    section.locator("summary").click()
    assert section.get_by_text("relay/streams/priorities").is_visible()
    assert "kept by" in section.inner_text()


def test_search_finds_a_requirement(page: Any) -> None:
    page.goto(f"{(SITE / 'search.html').as_uri()}?q=MID-002")
    page.wait_for_selector("#search-results li a")
    assert any(
        "middleware" in link
        for link in page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    )
