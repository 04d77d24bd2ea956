"""One lawful run of a prediction: instants that jitter leaves open are chosen, and matchers made into values.

Enters: a prediction, a seed, the dialect as plain data. Leaves: a raw log as an adapter would record it. The same seed
gives the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bindproof_reference.interceptors.predict import act
from bindproof_reference.interceptors.values import ANY, Json
from bindproof_reference.interceptors.world import World


def resolve(prediction: Json, seed: int, dialect: Json, scenario: Json) -> list[Json]:
    """Return the records of one lawful run, `settled` last."""
    random = Random(seed)  # noqa: S311 - a run, no secret
    world = act(scenario, World(between=random.randint)).world
    return [_plain(record, random) for record in _merged(world, random)]


def _merged(world: World, random: Random) -> Iterator[Json]:
    """Yield the records in their order; lanes that run at once are mixed, each in its own order."""
    done = 0
    for start, end in world.together:
        yield from (record for _, record in world.order[done:start])
        lanes: dict[str, list[Json]] = {}
        for lane, record in world.order[start:end]:
            lanes.setdefault(lane, []).append(record)
        while lanes:
            lane = random.choice(list(lanes))
            yield lanes[lane].pop(0)
            if not lanes[lane]:
                del lanes[lane]
        done = end
    yield from (record for _, record in world.order[done:])


def _plain(value: Json, random: Random) -> Json:
    """Return a value that a matcher accepts; one that is none is itself."""
    if isinstance(value, list):
        return [_plain(item, random) for item in value]
    if not isinstance(value, dict):
        return value
    if value == ANY:
        return 0
    match next(iter(value.items()), None):
        case ["$one_of", options]:
            return _plain(random.choice(options), random)
        case ["$literal", plain]:
            return plain
        case ["$text", text]:
            return text
    if value.get("type") == ANY:
        return {"type": "refused", "message": f"{value['kind']}: refused"}
    return {key: _plain(item, random) for key, item in value.items()}
