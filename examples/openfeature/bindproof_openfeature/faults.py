"""Planted faults: filters between an adapter and the judge."""

from __future__ import annotations

from bindproof.suite_api import Fault, Json


def _turned(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    finals = [record for record in log if record.get("stage") == "finally"]
    return [*log[: -len(finals) - 1], *finals[::-1], log[-1]] if len(finals) > 1 else None


def _asked_anyway(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    if not any("before" in stages for stages in full["hooks"].values()):
        return None
    before = sum(record.get("stage") == "before" for record in log)
    return [*log[:before], {"fact": "asked"}, *log[before:]] if full["provider"] == "gives" else None


def _without(stage: str):
    def plant(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
        kept = [record for record in log if record.get("stage") != stage]
        return kept if len(kept) < len(log) else None

    return plant


def _value_anyway(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    unasked = not any(record["fact"] == "asked" for record in log)
    return [*log[:-1], {**log[-1], "value": "v"}] if unasked or full["provider"] == "raises" else None


def _any_type(full: Json, log: list[Json], dialect: Json, edition: str) -> list[Json] | None:
    asked = any(record["fact"] == "asked" for record in log)
    return [*log[:-1], {**log[-1], "value": "v"}] if asked and full["provider"] == "another type" else None


FAULTS = {
    fault.name: fault
    for fault in (
        Fault("turns_the_end", "finally hooks run from the API inwards", ("OFE-001",), _turned),
        Fault("asks_anyway", "the provider is asked though a before hook failed", ("OFE-002",), _asked_anyway),
        Fault("hides_errors", "no error hook runs", ("OFE-003",), _without("error")),
        Fault("has_no_end", "no finally hook runs", ("OFE-004",), _without("finally")),
        Fault("value_anyway", "the flag's value comes out though nothing was evaluated", ("OFE-005",), _value_anyway),
        Fault("any_type", "a value of another type comes out", ("OFE-006",), _any_type),
    )
}
