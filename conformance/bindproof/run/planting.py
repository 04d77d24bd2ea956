"""Plants every fault in front of one adapter and holds that each breaks exactly the requirements that it names (stub).

Lants every fault in front of one adapter and holds that each breaks exactly the requirements that it names (stub).
"""

from __future__ import annotations

from collections.abc import Callable

from bindproof.log import Line


def check_faults(adapter: str, emit: Callable[[Line], None], progress: Callable[[str], None]) -> None:
    """Stub."""
    raise NotImplementedError
