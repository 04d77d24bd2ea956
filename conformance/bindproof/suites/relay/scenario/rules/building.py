"""What a step has to keep that builds an object, so that it is known whether that can be built.

Enters: a `build` of a complete scenario. Leaves: the rules that it breaks, in words. Must not know spelling.
"""

from __future__ import annotations

from collections.abc import Iterator

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.building import ANNOTATIONS, MEMBERS, OF_THE_PROGRAM, malformed_members
from bindproof.suites.relay.scenario.rules.metrics import measurement_misfits

ANY_NUMBER = ("kind", "value_type", "value", "attributes", "boundaries", "version")
"""Members of which it is left open whether a number may stand there that they do not have."""


def object_misfits(step: Json) -> Iterator[str]:
    """Say in words which rules a step breaks that builds an object."""
    if step["object"] in MEMBERS:
        yield from _misfit_members(step["as"], step["object"], step["value"])
        return
    request = step["value"] if step["object"] == "request" else step["value"].get("request")
    if isinstance(request, dict) and request.keys() - {"headers", "content"}:
        yield f"step {step['as']!r}: whether a request may have more than headers and a content is left open"


def _misfit_members(name: str, built: str, value: Json) -> Iterator[str]:
    malformed = malformed_members(built, value)
    for member in sorted(value.keys() - MEMBERS[built].keys()):
        if built not in ANNOTATIONS or not member.startswith(OF_THE_PROGRAM):
            yield f"step {name!r}: {member!r} is no member of it; a program's own, of annotations, begin with x-"
    for member in malformed:
        if member in value and (type(value[member]) is not int or member in ANY_NUMBER):
            yield f"step {name!r}: whether {member!r} may be so is left open; a number in place of a text is malformed"
    if value.get("tracestate") is not None and value.get("traceparent") is None:
        yield f"step {name!r}: a `tracestate` stands beside a `traceparent`, without which it says nothing"
    if built == "measurement" and not malformed:
        yield from measurement_misfits(name, value)
