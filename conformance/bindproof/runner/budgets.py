"""How much of what an adapter did is kept: a log, and the memory of a run, do not grow as an adapter likes.

Enters: a verdict, held against all that is expected already. Leaves: the same, with what is too much cut; what was left
out is told in `cut`. Must not know where it is kept. A verdict of usual size is the same object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from bindproof.core.model import Evidence, Json, Judgement, Verdict

OBSERVATION: Final = 128 << 10
"""Bytes of an observation's records, as JSON: nearly twice the largest that any vector of ours has."""
VALUE: Final = 16 << 10
"""Bytes of one value in a failure, what was expected or what was observed."""
FAILURES: Final = 200
"""Failures of one requirement in one scenario."""
WORDS: Final = 2000
"""Characters of an adapter's words, and of what is left of a value that is too large."""

_encode = msgspec.json.Encoder().encode


def within_budget(verdict: Verdict) -> Verdict:
    """Return a verdict of which no more is kept than the budgets of this module allow."""
    cuts: list[str] = []
    judgements = verdict.judgements
    if any(one.failures for one in judgements):
        judgements = tuple([_judgement(one, cuts) for one in judgements])
    observation = _observation(verdict.observation, cuts)
    reason = words(verdict.reason)
    if not cuts and reason is verdict.reason:
        return verdict
    cut = "; ".join(dict.fromkeys([*([verdict.cut] if verdict.cut else []), *cuts]))
    return replace(verdict, judgements=judgements, observation=observation, reason=reason, cut=cut)


def words(text: str) -> str:
    """Return a text, cut where it is longer than `WORDS`, which it then says."""
    longest = WORDS + 30  # what is cut already has a few words more
    return text if len(text) <= longest else f"{text[:WORDS]}… ({len(text)} characters)"


def _judgement(judgement: Judgement, cuts: list[str]) -> Judgement:
    failures = judgement.failures
    kept = tuple([_failure(one, cuts) for one in failures[:FAILURES]])
    if len(failures) > FAILURES:
        cuts.append(f"{len(failures)} failures of {judgement.requirement}, of which the first {FAILURES} are kept")
    if len(kept) == len(failures) and all(map(_is, kept, failures)):
        return judgement
    return Judgement(judgement.requirement, kept)


def _is(one: object, other: object) -> bool:
    return one is other


def _failure(failure: Evidence, cuts: list[str]) -> Evidence:
    expected, observed, text = _value(failure.expected, cuts), _value(failure.observed, cuts), words(failure.text)
    if expected is failure.expected and observed is failure.observed and text is failure.text:
        return failure
    return replace(failure, expected=expected, observed=observed, text=text)


def _value(value: Json, cuts: list[str]) -> Json:
    if not isinstance(value, str | list | dict):
        return value
    data = _encode(value)
    if len(data) <= VALUE:
        return value
    cuts.append(f"values of more than {VALUE >> 10} KiB, of which the first {WORDS} characters are kept")
    return f"{data[:WORDS].decode('utf-8', 'ignore')}… ({len(data)} bytes)"


def _observation(records: list[Json] | None, cuts: list[str]) -> list[Json] | None:
    if records is None:
        return None
    kept = list(_fitting(records))
    if len(kept) == len(records):
        return records
    what = f"an observation of {len(records)} records"
    cuts.append(f"{what}, of which the first {len(kept)} are kept, those of {OBSERVATION >> 10} KiB")
    return kept


def _fitting(records: list[Json]) -> Iterator[Json]:
    left = OBSERVATION
    for record in records:
        left -= len(_encode(record))
        if left < 0:
            return
        yield record
