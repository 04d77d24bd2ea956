"""A scenario of `interceptors` in its complete form, and what the language's model alone cannot refuse.

Enters: a scenario as a vector or a generator states it. Leaves: the complete scenario, or what breaks the language.
Must not know processes or verdicts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from bindproof.core.model import Json
from bindproof.suites.interceptors.forms import Closed, MisfitError, decision, outcome, request, tool_schema
from bindproof.suites.interceptors.language import MOST_RUNS, Scenario


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


def complete(scenario: Json) -> Json:
    """Return a scenario in full form. Raises ScenarioError when it breaks its language, with the offending part."""
    try:
        full: Json = msgspec.to_builtins(msgspec.convert(scenario, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/interceptors/scenarios.md has the language") from None
    places: dict[str, Json] = {}
    for index, step in enumerate(full["steps"]):
        step["as"] = step["as"] or f"#{index}"
        try:
            _FILL[step["step"]](step, places)
        except MisfitError as error:
            raise ScenarioError(f"step {step['as']!r}: {error}") from None
        if step["as"] in places:
            raise ScenarioError(f"two steps are called {step['as']!r}: give each its own `as`")
        places[step["as"]] = step
    _check_names(full)
    return full


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it. Raises ScenarioError for what is no scenario."""
    try:
        short: Json = _brief(msgspec.convert(full, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}") from None
    for step in short["steps"]:
        if str(step.get("as", "")).startswith("#"):
            del step["as"]
    return short


def origin(step: Json, steps: dict[str, Json]) -> Json:
    """Return the stack or registry that a step is, or is derived from, at whatever remove."""
    while step["step"] == "derive":
        step = steps[step["of"]]
    return step


# -- filling in -----------------------------------------------------------------------------------------------------


def _stack(step: Json, places: dict[str, Json]) -> None:
    _layers(step["layers"], step["domain"], places)


def _registry(step: Json, places: dict[str, Json]) -> None:
    _layers(step["layers"], "tool", places)
    names = [tool["name"] for tool in step["tools"]]
    if len(set(names)) < len(names):
        raise MisfitError("two tools have one name: give each its own")
    for tool in step["tools"]:
        tool["schema"] = tool_schema(tool["schema"])
        for did in tool["does"]:
            did["gives"] = outcome("tool", did["gives"])
        if tool["retry"] is not None:
            _all_or_none(tool["retry"], "a tool's retry", apart=("only_if",))
            jitter = tool["retry"]["jitter"]
            if jitter != 0 and any(layer["layer"] == "timeout" for layer in step["layers"]):
                raise MisfitError("a jittered retry inside a timeout may end either way; give it jitter 0")


def _derive(step: Json, places: dict[str, Json]) -> None:
    parent = _place(step["of"], places, ("stack", "registry", "derive"))
    chosen = [name for name in ("only", "without") if step[name] is not None]
    if len(chosen) == 2:
        raise MisfitError("give `only` or `without`, or neither for a clone")
    if chosen and origin(parent, places)["step"] == "stack":
        raise MisfitError("`only` and `without` are for registries; a stack can be cloned")


def _share(step: Json, places: dict[str, Json]) -> None:
    """A share has nothing to fill in."""


def _call(step: Json, places: dict[str, Json]) -> None:
    step["on"] = step["on"] or _latest(places)
    place = origin(_place(step["on"], places, ("stack", "registry", "derive")), places)
    domain = "tool" if place["step"] == "registry" else place["domain"]
    step["input"] = request(domain, step["input"], step["as"])
    for did in step["does"]:
        did["gives"] = outcome(domain, did["gives"])
    _bounded(place)


def _all(step: Json, places: dict[str, Json]) -> None:
    step["on"] = step["on"] or _latest(places)
    place = origin(_place(step["on"], places, ("stack", "registry", "derive")), places)
    if place["step"] != "registry":
        raise MisfitError("only a registry takes several calls at once")
    if any(layer["layer"] == "logging" for layer in place["layers"]):
        raise MisfitError("what several calls log cannot be told apart; leave the logging layer out")
    if not place["layers"] or place["layers"][0]["layer"] not in ("record", "shared"):
        raise MisfitError("several calls are told apart by a record or shared layer; put one outermost")
    step["inputs"] = [request("tool", one, f"{step['as']}/{index}") for index, one in enumerate(step["inputs"])]
    ids = [one["call_id"] for one in step["inputs"]]
    if len(set(ids)) < len(ids):
        raise MisfitError("two calls have one call_id: give each its own")
    _bounded(place)


_FILL = {"stack": _stack, "registry": _registry, "derive": _derive, "share": _share, "call": _call, "all": _all}


def _layers(layers: list[Json], domain: str, places: dict[str, Json]) -> None:
    for layer in layers:
        match layer["layer"]:
            case "record":
                _record(layer, domain)
            case "shared":
                _place(layer["of"], places, ("share",))
            case "retry":
                _all_or_none(layer, "a retry")
            case "approval":
                if domain != "tool":
                    raise MisfitError("an approval is for tools; this stack's domain is llm")
                layer["decisions"] = [decision(one) for one in layer["decisions"]]
    shared = [layer["of"] for layer in layers if layer["layer"] == "shared"]
    if len(set(shared)) < len(shared):
        raise MisfitError("a stack holds a shared layer once")


def _record(layer: Json, domain: str) -> None:
    if layer["times"] == 0 and layer["gives"] is None:
        raise MisfitError(f"layer {layer['as']!r} runs nothing, so it needs `gives`")
    if layer["gives"] is not None:
        layer["gives"] = outcome(domain, layer["gives"])
    if layer["input"] is not None:
        if domain == "tool" and (not isinstance(layer["input"], dict) or set(layer["input"]) != {"arguments"}):
            raise MisfitError(f"layer {layer['as']!r}: what replaces a tool's input has `arguments` alone")
        if domain == "llm":
            layer["input"] = request(domain, layer["input"], "")


def _all_or_none(config: Json, what: str, apart: tuple[str, ...] = ()) -> None:
    given = [value for key, value in config.items() if key not in ("layer", *apart)]
    if any(value is None for value in given) and any(value is not None for value in given):
        raise MisfitError(f"{what} has all of its numbers, or none for the library's defaults")


def _place(name: str, places: dict[str, Json], kinds: tuple[str, ...]) -> Json:
    found = places.get(name)
    if found is None or found["step"] not in kinds:
        raise MisfitError(f"no step before it named {name!r} is a {' or '.join(kinds)}")
    return found


def _latest(places: dict[str, Json]) -> str:
    made = [name for name, step in places.items() if step["step"] in ("stack", "registry", "derive")]
    if not made:
        raise MisfitError("there is nothing to call yet; build a stack or a registry before")
    return made[-1]


def _bounded(place: Json) -> None:
    runs = 1
    for layer in place["layers"]:
        if layer["layer"] == "retry":
            runs *= max(1, 3 if layer["max_attempts"] is None else layer["max_attempts"])
        if layer["layer"] == "record":
            runs *= max(1, layer["times"])
    retries = [tool["retry"] for tool in place.get("tools", ()) if tool["retry"] is not None]
    runs *= max([1, *(1 + (3 if one["max_retries"] is None else one["max_retries"]) for one in retries)])
    if runs > MOST_RUNS:
        raise MisfitError(f"a call could run its operation {runs} times; {MOST_RUNS} is the most")


def _check_names(full: Json) -> None:
    steps = [step["as"] for step in full["steps"]]
    layers = [layer["as"] for step in full["steps"] for layer in step.get("layers", ()) if "as" in layer]
    names = steps + layers
    for name in sorted({name for name in names if names.count(name) > 1}):
        raise ScenarioError(f"two things are called {name!r}: give each its own `as`")


def _brief(value: Any) -> Any:
    if isinstance(value, list):
        return [_brief(item) for item in value]
    if not isinstance(value, Closed):
        return value
    config = value.__struct_config__
    short = {} if config.tag is None else {config.tag_field: config.tag}
    for field in _fields(type(value)):
        item, default = getattr(value, field.name), field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.NODEFAULT or type(item) is not type(default) or item != default:
            short[field.encode_name] = _brief(item)
    return short


@cache
def _fields(kind: type[Closed]) -> list[msgspec.structs.FieldInfo]:
    return sorted(msgspec.structs.fields(kind), key=lambda field: field.name != "as_")
