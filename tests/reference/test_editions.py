from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import pytest

from bindproof_reference.relay.editions import EDITIONS, UnknownEditionError, rules
from tests.relay import SPEC


def test_the_reference_knows_the_editions_of_the_spec_in_their_order() -> None:
    assert list(EDITIONS) == list(SPEC.edition_names)


def test_what_each_edition_switches() -> None:
    changed = {
        (old, new): {key for key, value in asdict(rules(new)).items() if value != asdict(rules(old))[key]}
        for old, new in pairwise(EDITIONS)
    }
    assert changed == {
        ("0.4", "0.5"): {"agents_named", "outcome_fields", "outcomes_are_closed", "subscribers_settled"},
        ("0.5", "0.6"): {"annotation_fields", "answer_fields", "dropped_streams_end", "outcome_fields"},
        ("0.6", "0.7"): {
            "annotations_go_with_answers",
            "cancelled_workers_told",
            "codec_context",
            "credentials_hidden",
            "failures_typed",
            "finished_streams_end_well",
            "next_ends",
            "sanitizers_fail_closed",
            "stand_ins_sanitized",
        },
        ("0.7", "0.8"): {"mark_fields", "runtime_traceparent"},
        ("0.8", "0.9"): {"captured_roots", "propagation_root", "first_chunk_time", "tool_context"},
        ("0.9", "0.10"): {"captured_trace", "execution_codecs", "original_exception", "tracestate_removed"},
        ("0.10", "0.11"): {"failed_finalizers_tell", "stated_errors_stay", "tool_results_may_fail"},
    }


def test_an_unknown_edition_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownEditionError, match=r"'0\.3' is not known to the reference; known: 0\.4, 0\.5"):
        rules("0.3")
