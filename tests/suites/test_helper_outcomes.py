"""What a helper's outcome is held against, where its binding took what it had to refuse."""

from __future__ import annotations

from tests.relay import NEWEST, SUB, broken, intercept, judged, lawful, marks, prepare

HELPER = {"step": "helper", "as": "h", "name": "gpt"}


def test_an_unknown_key_of_a_mark_that_is_dropped_in_silence_breaks_the_rule_on_keys_alone() -> None:
    log = lawful(prepare(SUB, intercept(marks("m")), HELPER), 0, "wire")
    replied = next(record["reply"] for record in log if "reply" in record)
    replied["pending_marks"][0]["a"] = 0
    odd = {"op": "edit", "append": {"/pending_marks": [{"name": "m", "a": 0}]}}

    assert set(broken(judged(prepare(SUB, intercept(odd), HELPER), log, NEWEST, "wire"))) == {"MRK-008"}
