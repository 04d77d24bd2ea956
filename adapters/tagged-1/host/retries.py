"""What a session remembers of what it was asked, so that a client whose response was lost may ask again.

Enters: requests, and what they came to. Leaves: that again, or words against it. Must not know frames.
"""

from __future__ import annotations

from typing import Any

Json = Any

KEY, GENERATION, ID = "idempotency_key", "generation", "cell_id"


class Remembered:
    """By keys, by ids that a client has chosen, and of each cell by its latest generation."""

    def __init__(self) -> None:
        self._created: dict[tuple[str, str], tuple[str, str]] = {}
        """How it was asked for → the cell's source, and its id."""
        self._observed: dict[str, tuple[str, Json]] = {}
        """Key → the cell, and the result."""
        self._latest: dict[str, tuple[int, Json]] = {}
        """Cell → its generation, and the result."""

    def created(self, request: Json) -> str | None:
        """Return the id of the cell that was created so; raises ValueError where that was another one."""
        for how in (KEY, ID):
            source, cell = self._created.get((how, request.get(how)), (request["source"], None))
            if source != request["source"]:
                raise ValueError(f"the {how} {request[how]} was used for something else")
            if cell is not None:
                return cell
        return None

    def create(self, request: Json, cell: str) -> None:
        """Remember a creation."""
        for how in (KEY, ID):
            if how in request:
                self._created[how, request[how]] = request["source"], cell

    def observed(self, request: Json) -> Json:
        """Return the result of the same observation, None where there was none; raises ValueError."""
        cell = request["cell_id"]
        if GENERATION in request:
            latest, result = self._latest.get(cell, (-1, None))
            if request[GENERATION] < latest:
                raise ValueError(f"generation {request[GENERATION]} was acknowledged")
            return result if request[GENERATION] == latest else None
        of, result = self._observed.get(request.get(KEY), (cell, None))
        if of != cell:
            raise ValueError(f"the {KEY} {request[KEY]} was used for something else")
        return result

    def observe(self, request: Json, result: Json) -> None:
        """Remember what an observation came back with."""
        if GENERATION in request:
            self._latest[request["cell_id"]] = request[GENERATION], result
        elif KEY in request:
            self._observed[request[KEY]] = request["cell_id"], result
