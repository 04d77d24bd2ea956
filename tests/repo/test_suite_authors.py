"""docs/suite-authors.md has every word that a suite may use, as the code has it; its commands run with the guide's."""

from __future__ import annotations

import os

from bindproof import suite_api
from tests.repo.author_tables import MARK, filled
from tests.repo.sources import ROOT

PAGE = ROOT / "docs/suite-authors.md"
UPDATE = "BINDPROOF_UPDATE"


def test_its_tables_are_those_of_the_code() -> None:
    """To write them anew: BINDPROOF_UPDATE=1 pytest tests/repo/test_suite_authors.py."""
    page = PAGE.read_text(encoding="utf-8")
    whole = filled(page)
    if os.environ.get(UPDATE):
        PAGE.write_text(whole, encoding="utf-8")
    assert whole == PAGE.read_text(encoding="utf-8"), test_its_tables_are_those_of_the_code.__doc__
    assert len(MARK.findall(page)) > 20
    assert "|  |" not in whole, "each word says what it is"


def test_every_name_of_the_surface_is_there() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in suite_api.__all__ if f"`{name}`" not in page] == []


def test_every_matcher_has_its_row_on_the_page_of_matchers() -> None:
    from bindproof.judge import match

    page = (ROOT / "docs/matchers.md").read_text(encoding="utf-8")
    rows = {line.partition('"')[2].partition('"')[0] for line in page.splitlines() if line.startswith('| `{"$')}
    assert rows == {*match._MATCHERS, "$maybe"}
