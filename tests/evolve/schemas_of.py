"""Comparisons of schemas that stand in a test."""

from __future__ import annotations

import json
from typing import Any

from bindproof.evolve.answers import Answer, Decision
from bindproof.evolve.compare import Comparison
from bindproof.evolve.schemas import Schema, read_schemas
from bindproof.spec.files.document import parse

Json = Any


def side(**files: Json) -> dict[str, Schema]:
    """Schemas, the name of each without `.json`."""
    texts = {f"{name}.json": json.dumps(value, indent=1) for name, value in files.items()}
    return read_schemas({name: parse(text.encode(), name) for name, text in texts.items()})


def comparison(old: Json, new: Json, **more: Any) -> Comparison:
    """Two sides of one file each."""
    return Comparison(side(s=old), side(s=new), **more)


def together(old: Json, new: Json, **more: Any) -> Decision:
    """What all differences do."""
    asked = comparison(old, new, **more)
    return asked.decision(len(asked) - 1)


def each(old: Json, new: Json) -> list[Decision]:
    """What each difference does by itself."""
    asked = comparison(old, new)
    return [asked.decision(number) for number in range(len(asked) - 1)]


def word(answer: Answer) -> str:
    """An answer in the words of the catalogue."""
    return {True: "breaking", False: "safe", None: "undecidable"}[answer.breaks]
