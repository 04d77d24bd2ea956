"""The fixture for scenarios of one's own.

Enters: a scenario, in a test. Leaves: its verdict on each adapter, or a failed test. Must not know vectors of the spec.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import msgspec
import pytest

from bindproof.core.errors import UsageError
from bindproof.core.model import Json
from bindproof.core.origins import FromFile
from bindproof.pytest_plugin.items import conclude
from bindproof.pytest_plugin.judging import judged, request_of
from bindproof.results import VerdictLine


class Case:
    """Acts scenarios out on the adapters of a test: those of its marker `bindproof`, else `--bindproof-adapter`'s."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self._count = 0

    def __call__(
        self, scenario: Json, *, defect: Json = None, exercises: Sequence[str] = (), suite: str | None = None
    ) -> Mapping[str, VerdictLine]:
        """Judge one scenario; fail the test unless it conforms, or xfail it where an expectation names it.

        Args:
            scenario: as in a vector.
            defect: as in a vector: what turns the scenario into one that has to be refused. Both are acted out.
            exercises: the ids of the requirements that it is about.
            suite: whose language it is in, None for the only one there is.

        Returns:
            By adapter, the verdict with all that was seen.
        """
        __tracebackhide__ = True
        config = self._request.config
        run = request_of(self._adapters(), (), config.getoption("--bindproof-expectations"))
        vector = {"title": self._request.node.name, "exercises": list(exercises), "scenario": scenario}
        path = self._request.getfixturevalue("tmp_path") / f"{self._name()}.json"
        path.write_text(json.dumps(vector | ({"defect": defect} if defect is not None else {})), encoding="utf-8")
        try:
            found = judged(msgspec.structs.replace(run, files=(str(path),), suite=suite, details=True))
        except UsageError as error:
            pytest.fail(str(error), pytrace=False)
        conclude(list(found.values()))
        return {of.adapter: one.line for of, one in found.items() if isinstance(of.origin, FromFile)}

    def _adapters(self) -> Sequence[str]:
        marker = self._request.node.get_closest_marker("bindproof")
        own = (*marker.args, *marker.kwargs.values()) if marker is not None else ()
        given: Sequence[str] = own or self._request.config.getoption("--bindproof-adapter")
        if not given:
            raise pytest.UsageError(
                "the fixture `bindproof` needs --bindproof-adapter CMD, or @pytest.mark.bindproof(adapter=CMD)"
            )
        return given

    def _name(self) -> str:
        self._count += 1
        name = re.sub(r"\W+", "-", self._request.node.name).strip("-")
        return name if self._count == 1 else f"{name}-{self._count}"
