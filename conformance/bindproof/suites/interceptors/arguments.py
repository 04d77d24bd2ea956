"""Whether arguments satisfy a tool's schema.

Enters: a schema of a scenario, a value. Leaves: whether it is valid. The reference has its own way, so that the two
check each other.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from bindproof.core.model import Json


def satisfies(schema: Json, arguments: Json) -> bool:
    """Tell whether arguments satisfy a schema; raises ValueError for what is no schema."""
    return bool(_validator(json.dumps(schema)).is_valid(arguments))


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    import jsonschema_rs  # starting does not pay for it

    return jsonschema_rs.validator_for(json.loads(schema))
