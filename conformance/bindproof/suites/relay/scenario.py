"""The scenario language of `relay`, group 1: its model, its complete form, its meaning in a dialect's spelling.

Enters: a scenario as a vector or a generator states it (canonical spelling, defaults left out). Leaves: the complete
scenario,
and what an adapter is sent. Must not know processes or verdicts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from bindproof.model import Json
from bindproof.suites.relay.raws import MisfitError, check_raw
from bindproof.suites.relay.spelling import Spelling

Text = Annotated[str, msgspec.Meta(min_length=1)]


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Edit(_Closed, frozen=True, tag_field="op", tag="edit"):
    """Change the reply so far: set, then remove, then append. `as_is`: pointers and values are sent untranslated."""

    set: dict[str, Any] = {}
    remove: list[str] = []
    append: dict[str, list[Any]] = {}
    as_is: bool = False


class Raise(_Closed, frozen=True, tag_field="op", tag="raise"):
    """Raise an error with this text: a marker that occurs nowhere else, such as `boom-17!`."""

    text: Text


class Register(_Closed, frozen=True, tag_field="step", tag="register", rename={"as_": "as"}):
    """Register a subscriber or an intercept; `do` is what its callback does to the natural reply."""

    family: Literal["subscriber", "llm.request"]
    name: str
    as_: Text | None = None
    scope: Literal["global"] = "global"
    priority: Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)] = 0
    break_chain: bool = False
    do: list[Edit | Raise | StepOp] = []


class StepOp(_Closed, frozen=True, tag_field="op", tag="step"):
    """Do a step inside the callback."""

    step: Register


class Codec(_Closed, frozen=True):
    """A scripted request codec."""

    decode: list[Edit | Raise] = []
    encode: list[Edit | Raise] = []


class Request(_Closed, frozen=True):
    """An LLM request: headers and body."""

    headers: dict[str, Any] = {}
    content: Any = msgspec.field(default_factory=lambda: {"messages": []})


class Call(_Closed, frozen=True, tag_field="step", tag="call", rename={"as_": "as"}):
    """A managed LLM call. `provider`: what the provider's callback does to its natural answer `{"ok": true}`."""

    name: str
    kind: Literal["llm"] = "llm"
    as_: Text | None = None
    request: Request = Request()
    model: str | None = None
    codec: Literal["none"] | Codec = "none"
    provider: list[Edit | Raise | StepOp] = []


class Helper(_Closed, frozen=True, tag_field="step", tag="helper", rename={"as_": "as"}):
    """A standalone helper: runs the request intercepts and returns their outcome, without a call."""

    name: str
    kind: Literal["llm.request"] = "llm.request"
    as_: Text | None = None
    request: Request = Request()


class Flush(_Closed, frozen=True, tag_field="step", tag="flush", rename={"as_": "as"}):
    """Wait until every event so far has been delivered."""

    as_: Text | None = None


class Octets(_Closed, frozen=True):
    """A C string, byte by byte: a text, then bytes in hex, then spaces, then a text again."""

    text: str = ""
    bytes: str = ""
    pad: Annotated[int, msgspec.Meta(ge=0, le=2**24)] = 0
    end: str = ""


class Raw(_Closed, frozen=True, tag_field="step", tag="raw", rename={"as_": "as", "with_": "with"}):
    """A function of the C library, called with arguments byte by byte. `replies`: what its callbacks answer.

    `inside`: what a callback calls when it is first entered: an intercept a helper or a call, a provider a flush. What
    is left out is well formed.
    """

    function: Literal["call", "helper", "register_intercept", "register_subscriber", "outcome", "last_error"]
    as_: Text | None = None
    with_: dict[str, Octets | str | None] = {}
    replies: dict[str, Octets | str | None] = {}
    inside: Literal["helper", "call", "flush"] | None = None


class Scenario(_Closed, frozen=True):
    """A portable program: steps, one after the other."""

    steps: Annotated[list[Register | Call | Helper | Flush | Raw], msgspec.Meta(min_length=1)]


def complete(scenario: Json) -> Json:
    """Return a scenario in full form: every default filled in, every step named (`#<index>`).

    Raises ScenarioError when it breaks its language, with the path of the offending part.
    """
    try:
        full: Json = msgspec.to_builtins(msgspec.convert(scenario, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/relay/scenarios.md has the language") from None
    for index, step in enumerate(full["steps"]):
        step["as"] = step["as"] or f"#{index}"
        for callback, ops in scripts(step):
            for number, op in enumerate(ops):
                if op["op"] == "step":
                    op["step"]["as"] = op["step"]["as"] or f"{callback}/#{number}"
    _check_names(full)
    try:
        check_raw(full["steps"])
    except MisfitError as error:
        raise ScenarioError(str(error)) from None
    return full


def brief(full: Json) -> Json:
    """Return a complete scenario as one would write it: without defaults and without ids that `complete` gave.

    Raises ScenarioError for what is no scenario.
    """
    try:
        short: Json = _brief(msgspec.convert(full, Scenario))
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}") from None
    for step in short["steps"]:
        if str(step.get("as", "")).startswith("#"):
            del step["as"]
    return short


def _brief(value: Any) -> Any:
    if isinstance(value, list):
        return [_brief(item) for item in value]
    if isinstance(value, dict):
        return {key: _brief(item) for key, item in value.items()}
    if not isinstance(value, _Closed):
        return value
    config = value.__struct_config__
    short = {} if config.tag is None else {config.tag_field: config.tag}
    for field in sorted(msgspec.structs.fields(value), key=lambda field: field.name != "as_"):
        item, default = getattr(value, field.name), field.default
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.NODEFAULT or type(item) is not type(default) or item != default:
            short[field.encode_name] = _brief(item)
    return short


def scripts(step: Json) -> list[tuple[str, list[Json]]]:
    """Return the callbacks that a complete step brings, each with its ops: `[(callback id, ops)]`."""
    if step["step"] == "register":
        return [(step["as"], step["do"])]
    if step["step"] != "call":
        return []
    found = [(f"{step['as']}.provider", step["provider"])]
    if step["codec"] != "none":
        found += [(f"{step['as']}.{part}", step["codec"][part]) for part in ("decode", "encode")]
    return found


def registrations(full: Json) -> list[Json]:
    """Return every register step of a complete scenario, those inside callbacks too."""
    steps = [step for step in full["steps"] if step["step"] == "register"]
    inner = [op["step"] for step in full["steps"] for _, ops in scripts(step) for op in ops if op["op"] == "step"]
    return steps + inner


def raised_texts(full: Json) -> dict[str, str]:
    """Return the texts that callbacks may raise: text → callback id."""
    found = [(step, scripts(step)) for step in [*full["steps"], *registrations(full)]]
    return {op["text"]: callback for _, pairs in found for callback, ops in pairs for op in ops if op["op"] == "raise"}


def _check_names(full: Json) -> None:
    registered = registrations(full)
    ids = [step["as"] for step in full["steps"]] + [s["as"] for s in registered if s not in full["steps"]]
    for name in {name for name in ids if ids.count(name) > 1}:
        raise ScenarioError(f"two steps are called {name!r}: give each its own `as`")
    names = [(step["family"], step["name"]) for step in registered]
    for family, name in {pair for pair in names if names.count(pair) > 1}:
        raise ScenarioError(f"two registrations of {family} are named {name!r}: give each its own `name`")
    for step in registered:
        if step["family"] == "subscriber" and step["do"]:
            raise ScenarioError(f"subscriber {step['as']!r} has ops: a subscriber returns nothing, so leave out `do`")


# -- what an adapter is sent -----------------------------------------------------------------------


def spell(full: Json, spelling: Spelling) -> Json:
    """Return a complete scenario in a dialect's spelling, as an adapter is sent it: `as_is` done and gone."""
    return {"steps": [_spell_step(step, spelling) for step in full["steps"]]}


def _spell_step(step: Json, spelling: Spelling) -> Json:
    if step["step"] == "register":
        return step | {"do": _spell_ops(step["do"], spelling, outcome=step["family"] == "llm.request")}
    if step["step"] != "call":
        return step
    codec = step["codec"]
    if codec != "none":
        codec = {part: _spell_ops(codec[part], spelling, outcome=False) for part in ("decode", "encode")}
    return step | {"codec": codec, "provider": _spell_ops(step["provider"], spelling, outcome=False)}


def _spell_ops(ops: list[Json], spelling: Spelling, *, outcome: bool) -> list[Json]:
    return [_spell_op(op, spelling, outcome=outcome) for op in ops]


def _spell_op(op: Json, spelling: Spelling, *, outcome: bool) -> Json:
    if op["op"] == "step":
        return {"op": "step", "step": _spell_step(op["step"], spelling)}
    if op["op"] != "edit":
        return op
    plain = {"op": "edit", "set": op["set"], "remove": op["remove"], "append": op["append"]}
    if op["as_is"] or not outcome:
        return _without_empty(plain)
    return _without_empty(
        {
            "op": "edit",
            "set": {spelling.reply_pointer(at): spelling.reply_value(at, value) for at, value in op["set"].items()},
            "remove": [spelling.reply_pointer(at) for at in op["remove"]],
            "append": {
                spelling.reply_pointer(at): [spelling.reply_value(f"{at}/-", value) for value in values]
                for at, values in op["append"].items()
            },
        }
    )


def _without_empty(op: Json) -> Json:
    return {key: value for key, value in op.items() if value}
