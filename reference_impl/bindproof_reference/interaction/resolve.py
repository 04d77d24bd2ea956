"""One lawful run of a prediction: matchers are made into values.

Enters: a prediction, a seed, the dialect as plain data. Leaves: a raw log as an adapter would record it.
"""

from __future__ import annotations

from typing import Any

Json = Any


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the records of one lawful run; the seed chooses the run's id, how long pauses are, and the text
    of one that is degraded."""
    words = {error["kind"]: error["example"] for error in reversed(dialect.get("error", ())) if error.get("example")}
    return [_plain(record, seed, words) for lane in prediction["lanes"].values() for record in lane]


def _plain(value: Json, seed: int, words: Json) -> Json:
    if isinstance(value, list):
        return [_plain(item, seed, words) for item in value]
    if isinstance(value, str):
        word, rest = ("checkpoint:", value[11:]) if value.startswith("checkpoint:") else ("", value)
        return f"{word}r{seed}{rest[3:]}" if rest == "run" or rest.startswith("run:") else value
    if not isinstance(value, dict):
        return value
    if "$any" in value:
        return f"text {seed}"
    if "$text" in value:
        return f"mend {value['$text']}"
    if "$one_of" in value:
        return value["$one_of"][seed % len(value["$one_of"])]
    if "kind" in value:
        return _error(value, words)
    made = {key: _plain(item, seed, words) for key, item in value.items()}
    return made | {"thread": f"t{seed}"} if "thread" in value else made


def _error(error: Json, words: Json) -> Json:
    """Return an error in the dialect's words, or in those of the model that failed."""
    of = error["type"] if isinstance(error["type"], str) else "error"
    if "$text" in error["message"]:
        return {"type": of, "message": f"failed: {error['message']['$text']}"}
    return {"type": of, "message": words.get(error["kind"], f"{error['kind']}: refused")}
