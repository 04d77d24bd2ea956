"""What conformed, kept from one start to the next: for each setting, by the content of its spec and of all code.

Enters: settings. Leaves: what conformed in them in earlier starts, to which this one adds. An observation that is just
like one that conformed need not be judged again, nor its scenario be predicted: neither spec nor code has changed.
"""

from __future__ import annotations

import json
import sys

from bindproof.core import memory
from bindproof.core.paths import PACKAGE
from bindproof.judge import Conformed
from bindproof.runner.setting import Setting
from bindproof.suites import Recognising

_WHAT = "conformed"


class KeptVerdicts:
    """What is known of the settings of one run."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bytes, Conformed, int]] = []

    def of(self, setting: Setting) -> Conformed | None:
        """Return what conformed in a setting; None where nothing can be kept of it."""
        key = _key(setting)
        if key is None:
            return None
        of = f"{setting.spec.root} {setting.spec.name} {setting.edition} {setting.dialect}"
        found = memory.recalled(_WHAT, of, key, Conformed) or Conformed()
        self._open.append((of, key, found, _size(found)))
        return found

    def keep(self) -> None:
        """Keep what conformed in this run besides."""
        for of, key, found, before in self._open:
            if _size(found) > before:
                known = {scenario: one for scenario, one in found.scenarios.items() if one.held}
                memory.keep(_WHAT, of, key, Conformed(known))


def _key(setting: Setting) -> bytes | None:
    spec, suite = setting.spec, setting.suite
    if not memory.is_used() or spec.kept is None or setting.fault is not None or not isinstance(suite, Recognising):
        return None
    dialect = json.dumps(spec.dialects[setting.dialect].as_json(), sort_keys=True).encode()
    files = [("spec", spec.kept.digest.encode()), ("dialect", dialect), ("python", sys.version.encode())]
    return memory.key_of(files, (PACKAGE, *suite.code))


def _size(found: Conformed) -> int:
    return sum(len(one.held) for one in found.scenarios.values())
