"""The reviewer's page as HTML, without a browser: what it is made of, and what it says of packages."""

from __future__ import annotations

from bindproof.evolve.review import Review
from tests.report.reviews import hostile_review, page_of
from tests.report.test_page import Parts


def test_it_needs_no_network_runs_nothing_and_links_into_itself() -> None:
    text = hostile_review()
    parts = Parts(text).found
    reaching = [attrs[name] for _, attrs in parts for name in ("href", "src", "action", "data") if name in attrs]
    assert set(reaching) == {"data:,", "#main"}
    assert [tag for tag, _ in parts if tag in ("script", "img", "iframe", "object", "x")] == []
    assert [tag for tag, attrs in parts if any(name.startswith("on") or name == "style" for name in attrs)] == []
    assert "script-src &#39;none&#39;" in text
    assert "\u202e" not in text
    assert "{{ 7*7 }}" in text


def test_packages_are_told_of_where_runs_were_given_alone() -> None:
    review = Review("s:1", "s:2", (), (), {"p 1.0": ("A-001",)}, ("p 1.0", "q 2.0"), ("r 3.0",))
    text = page_of(review)
    assert "<b>p 1.0</b>: A-001" in text
    assert "judged by the new edition: p 1.0, q 2.0" in text
    assert "not judged by it in these runs: r 3.0" in text
    assert "judged by" not in page_of(review, with_runs=False)
