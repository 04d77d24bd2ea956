"""Replies are told apart by all of their result, whatever is in it."""

from __future__ import annotations

from bindproof.core.paths import data_root
from bindproof.spec import load
from bindproof.suites import load as load_suite
from bindproof.suites.choices import SeededChoices

SUITE = load_suite(load(data_root(), "interceptors"))


def test_results_with_other_ids_inside_have_other_shapes() -> None:
    scenario = SUITE.generate(SeededChoices(1), "wire")
    shape = SUITE.prepare(scenario, "0.7", "wire").shapes(b"{}")

    assert shape(b'"result":{"id": 1}}') == shape(b'"result":{"id": 1}}')
    assert shape(b'"result":{"id": 1}}') != shape(b'"result":{"id": 2}}')
