"""The envelope of a SARIF log."""

from __future__ import annotations

from bindproof.core.sarif import in_file, sarif_log


def test_rules_that_only_results_name_join_the_others_once() -> None:
    rules = [{"id": "a", "help": {"text": "h"}}]
    results = [{"ruleId": "b"}, {"ruleId": "a"}, {"ruleId": "b"}]
    (run,) = sarif_log("1", rules, results, invocations=[])["runs"]
    assert run["tool"]["driver"]["rules"] == [*rules, {"id": "b"}]
    assert run["results"] == results


def test_a_path_is_written_as_an_address() -> None:
    assert in_file("a b/ü#.json", 3)["artifactLocation"]["uri"] == "a%20b/%C3%BC%23.json"
