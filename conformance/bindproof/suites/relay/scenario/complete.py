"""Scenarios of `relay`: their complete form, what they must keep, their meaning in a dialect's spelling.

Enters: a scenario as a vector or a generator states it (canonical spelling, defaults left out). Leaves: the complete
scenario,
and what an adapter is sent. Must not know processes or verdicts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.scenario.callbacks import inner_steps, is_of_sanitizer, raisers
from bindproof.suites.relay.scenario.defaults import fill
from bindproof.suites.relay.scenario.language import CallStep, Helper, Scenario, Start
from bindproof.suites.relay.scenario.natives import check_natives
from bindproof.suites.relay.scenario.raw import MisfitError, check_raw
from bindproof.suites.relay.scenario.rules.program import FIELDS, misfit
from bindproof.suites.relay.scenario.spelling import Spelling
from bindproof.suites.relay.scenario.storms import check_storms
from bindproof.suites.relay.scenario.workers import check_workers


class ScenarioError(ValueError):
    """A scenario breaks its language; the message says where and what to do."""


def complete(scenario: Json) -> Json:
    """Return a scenario in full form: every default filled in, every step named (`#<index>`).

    Raises ScenarioError when it breaks its language, with the path of the offending part.
    """
    try:
        msgspec.convert(scenario, Scenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"not a scenario: {error}; spec/relay/scenarios.md has the language") from None
    full = fill(scenario)
    steps = all_steps(full)
    for step in steps:
        _take_out_foreign(step)
    broken = misfit(steps)
    if broken is not None:
        raise ScenarioError(broken)
    try:
        check_raw(full["steps"])
        check_workers(full["steps"])
        check_natives(full["steps"])
        check_storms(full["steps"])
    except MisfitError as error:
        raise ScenarioError(str(error)) from None
    return full


def _take_out_foreign(step: Json) -> None:
    """Take out the fields of other kinds, which must be default."""
    for name in FIELDS.get(step.get("kind", ""), ()):
        if name in step and step.pop(name) != _defaults(step["step"])[name]:
            raise ScenarioError(f"step {step['as']!r}: `{name}` means nothing to the kind {step['kind']!r}")


@cache
def _defaults(step: str) -> Json:
    """Return what a kind of step is where nothing is stated; it is only compared with."""
    return msgspec.to_builtins(msgspec.convert({"step": step, "name": ""}, Start | CallStep | Helper))


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
    if not isinstance(value, msgspec.Struct):
        return value
    config = value.__struct_config__
    short = {} if config.tag is None else {config.tag_field: config.tag}
    for field in _fields(type(value)):
        item, default = getattr(value, field.name), field.default
        if field.name == "as_" and item is not None and is_of_sanitizer(item):
            continue  # no other id may be given there
        if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        if default is msgspec.NODEFAULT or type(item) is not type(default) or item != default:
            short[field.encode_name] = _brief(item)
    return short


@cache
def _fields(kind: type[msgspec.Struct]) -> list[msgspec.structs.FieldInfo]:
    """Return the fields of a kind of part, its name first; msgspec reads annotations anew each time it is asked."""
    return sorted(msgspec.structs.fields(kind), key=lambda field: field.name != "as_")


def all_steps(full: Json) -> list[Json]:
    """Return every step of a complete scenario, those inside callbacks after those of the program."""
    found: list[Json] = list(full["steps"])
    for step in found:  # grows while it is read
        found += inner_steps(step)
    return found


def registrations(full: Json) -> list[Json]:
    """Return every register step of a complete scenario, those inside callbacks too."""
    return [step for step in all_steps(full) if step["step"] == "register"]


def raised_texts(full: Json) -> dict[str, str]:
    """Return the texts that callbacks may raise, and plugins answer as errors: text → callback or step id."""
    errors = {step["message"]: step["as"] for step in full["steps"] if step.get("message")}
    return errors | {text: name for name, text in raisers(all_steps(full))}


# -- what an adapter is sent -----------------------------------------------------------------------


def spell(full: Json, spelling: Spelling) -> Json:
    """Return a complete scenario in a dialect's spelling, as an adapter is sent it: `as_is` done and gone."""
    return {"steps": [_spell_step(step, spelling) for step in full["steps"]]}


def _spell_step(step: Json, spelling: Spelling) -> Json:
    if step["step"] == "register":
        return step | {"do": _spell_ops(step["do"], spelling, step["family"])}
    if step["step"] == "install":
        return step | {"do": _spell_ops(step["do"], spelling)}
    if step["step"] == "storm":
        programs = [[_spell_step(one, spelling) for one in program] for program in step["programs"]]
        return step | {"programs": programs, "on": spelling.at_once if step["on"] == "own" else step["on"]}
    if step["step"] != "call":
        return step
    spelled = step | {"provider": _spell_ops(step["provider"], spelling)}
    if step["kind"] == "llm_stream":
        spelled["finalizer"] = _spell_ops(step["finalizer"], spelling)
    codec = step.get("codec")
    if isinstance(codec, dict):
        spelled["codec"] = {part: _spell_ops(codec[part], spelling) for part in ("decode", "encode")}
    return spelled


def _spell_ops(ops: list[Json], spelling: Spelling, family: str = "") -> list[Json]:
    return [_spell_op(op, spelling, family) for op in ops]


def _spell_op(op: Json, spelling: Spelling, family: str) -> Json:
    if op["op"] == "step":
        return {"op": "step", "step": _spell_step(op["step"], spelling)}
    if op["op"] == "each":
        return {"op": "each", "ops": [_spell_ops(entry, spelling, family) for entry in op["ops"]]}
    if op["op"] == "next":
        return op | {"edits": [_without_empty(edit) for edit in op["edits"]]}
    reply = spelling.replies(family)
    if op["op"] == "mutate" and reply is not None:
        return op | {"at": reply.place(op["at"])}
    if op["op"] != "edit":
        return op
    plain = {"op": "edit", "set": op["set"], "remove": op["remove"], "append": op["append"]}
    if op["as_is"] or reply is None:
        return _without_empty(plain)
    return _without_empty(
        {
            "op": "edit",
            "set": {reply.pointer(at): reply.value(at, value) for at, value in op["set"].items()},
            "remove": [reply.pointer(at) for at in op["remove"]],
            "append": {
                reply.pointer(at): [reply.value(f"{at}/-", value) for value in values]
                for at, values in op["append"].items()
            },
        }
    )


def _without_empty(op: Json) -> Json:
    return {key: value for key, value in op.items() if value}
