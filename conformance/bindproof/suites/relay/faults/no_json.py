"""Planted faults of what JSON lacks: handed over (DLC-012), replied (DLC-013, DLC-014), in chunks (DLC-015)."""

from __future__ import annotations

from collections.abc import Iterable

from bindproof.core.model import Json
from bindproof.suites import Fault
from bindproof.suites.relay.faults.sanitizing import told
from bindproof.suites.relay.faults.spoiled_log import Spoiled, plant
from bindproof.suites.relay.observation.no_json import chunks
from bindproof.suites.relay.observation.published import payloads, publications
from bindproof.suites.relay.observation.scopes import registrations
from bindproof.suites.relay.observation.transcript import Act, Entry
from bindproof.suites.relay.scenario.no_json import hands_over_no_json, lacks_json, null_for

FAULTS: dict[str, Fault] = {}


@plant(FAULTS, "vague_no_json", "what JSON lacks is refused with an error that does not say so", "DLC-012")
def vague_no_json(spoiled: Spoiled) -> bool:
    """Make the error of each step that was refused for it say something else."""
    steps = {step["as"] for step in spoiled.full["steps"] if hands_over_no_json(step)}
    errors = [row["error"] for row in spoiled.log if row["fact"] == "done" and row["step"] in steps and "error" in row]
    return _say_nothing(errors)


@plant(
    FAULTS,
    "vague_no_json_reply",
    "a reply that JSON lacks fails its call with an error that does not say so",
    "DLC-013",
)
def vague_no_json_reply(spoiled: Spoiled) -> bool:
    """Make the error of each call of which such a reply was refused say something else."""
    acts = [act for act in spoiled.transcript.acts if any(lacks_json(one.raw_reply) for one in act.everything)]
    return _say_nothing(_errors(spoiled, acts))


@plant(
    FAULTS,
    "vague_no_json_chunk",
    "a chunk that JSON lacks fails its stream with an error that does not say so",
    "DLC-015",
)
def vague_no_json_chunk(spoiled: Spoiled) -> bool:
    """Make the error of each stream that such a chunk failed say something else."""
    acts = [stream.act for stream, _, _ in chunks(spoiled.transcript)]
    return _say_nothing(_errors(spoiled, acts))


@plant(
    FAULTS,
    "null_for_no_json",
    "where a sanitizer replies with what JSON lacks null stands in its place, and nothing has failed",
    "DLC-014",
)
def null_for_no_json(spoiled: Spoiled) -> bool:
    """Tell each event that such a reply was the last to rewrite as the reply says, with null in place of that."""
    rewritten = [(one, left) for one in publications(spoiled.transcript) for left in _lacking(spoiled, one.sanitizers)]
    chains = [one for one in payloads(spoiled.transcript) if one.runs and _is_whole(spoiled, one.runs)]
    sanitized = [(one, left) for one in chains for left in _lacking(spoiled, one.runs)]
    for one, reply in rewritten:
        for event in told(spoiled, one):
            event.update({name: null_for(reply.get(name)) for name in ("data", "metadata")})
            event["category_profile"] = one.sanitizers[-1].given["fields"]["category_profile"]
    for payload, reply in sanitized:
        for event in told(spoiled, payload):
            event["data"] = null_for(reply)
    return bool(rewritten or sanitized)


def _errors(spoiled: Spoiled, acts: Iterable[Act]) -> list[Json]:
    """Return the errors that these steps came back with."""
    return [spoiled.log[act.done]["error"] for act in acts if act.done is not None and act.error is not None]


def _say_nothing(errors: list[Json]) -> bool:
    """Make errors say something else; tell whether there are any."""
    for error in errors:
        error["message"] = "planted"
    return bool(errors)


def _is_whole(spoiled: Spoiled, chain: list[Entry]) -> bool:
    """Tell whether nothing was to come behind a chain of sanitizers if its last one had not failed."""
    return len(chain) == len(registrations(spoiled.transcript, chain[0].part))


def _lacking(spoiled: Spoiled, chain: list[Entry]) -> list[Json]:
    """Return what the last of a chain replied, if JSON lacks something in it: the transcript says that it failed."""
    left = spoiled.log[chain[-1].left or 0] if chain else {}
    return [left["reply"]] if left.get("fact") == "leave" and lacks_json(left.get("reply")) else []
