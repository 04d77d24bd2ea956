"""What the theme's frame and Sphinx leave out of a page for those who do not see it, or have no mouse.

Enters: the HTML of a page. Leaves: the same, mended. Must not know what any page says. That nothing is missing is what
tests/repo/test_site_in_browser.py has axe say.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

MENDS: Final[Mapping[str, str]] = {
    '<p class="caption" role="heading">': '<p class="caption">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
    "<pre>": '<pre tabindex="0">',
}
"""What is written, and what should be: a caption is a heading of no level; two places are to be told apart by name;
what is wider than the page is scrolled by keys too; each page has a title."""


def mended(html: str) -> str:
    """Return a page with all that is mended."""
    for written, meant in MENDS.items():
        html = html.replace(written, meant)
    return html


def mend_all(site: Path) -> None:
    """Mend the pages of a site."""
    for page in site.rglob("*.html"):
        page.write_text(mended(page.read_text(encoding="utf-8")), encoding="utf-8")
