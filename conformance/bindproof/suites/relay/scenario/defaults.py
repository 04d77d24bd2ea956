"""A scenario in full form: every default filled in, every step named.

Enters: a scenario that keeps its language, as a vector or a generator states it. Leaves: the complete one. What was
stated, and what is default, is shared with it: nobody may change a complete scenario. Must not know what is legal.
"""

from __future__ import annotations

import msgspec

from bindproof.core.model import Json
from bindproof.suites.relay.scenario import (
    asking,
    boundaries,
    building,
    coding,
    contexts,
    gating,
    going_on,
    language,
    metrics,
)
from bindproof.suites.relay.scenario.callbacks import callback_of, provider_of
from bindproof.suites.relay.scenario.rules.program import FIELDS


def _members(form: type[msgspec.Struct]) -> Json:
    """Return what has this form where nothing is stated; a member without a default is None."""
    config = form.__struct_config__
    found: Json = {} if config.tag is None else {config.tag_field: config.tag}
    for field in msgspec.structs.fields(form):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        found[field.encode_name] = None if default is msgspec.NODEFAULT else msgspec.to_builtins(default)
    return found


def _kinds(form: type[msgspec.Struct]) -> Json:
    """Return kind → what a step of this kind is where nothing is stated; by None what has no kind or the first one."""
    full = _members(form)
    if "kind" not in full:
        return {None: full}
    found = {
        kind: {name: value for name, value in full.items() if name not in others} for kind, others in FIELDS.items()
    }
    return found | {None: found[full["kind"]]}


_STEPS = {
    str(form.__struct_config__.tag): _kinds(form)
    for form in (
        language.Register, language.Deregister, language.Install, language.Uninstall, gating.Gate, gating.Ungate,
        language.List, asking.Current, contexts.Context, contexts.Capture, contexts.Back, asking.Handle,
        building.Build, coding.Decode, coding.Encode,
        language.Start, language.End, language.Mark,
        language.CallStep, going_on.GoOn, language.Open, language.Cancel, language.Read, language.Close,
        language.Helper,
        language.Flush, boundaries.Raw, boundaries.Worker, boundaries.Load, boundaries.Native, language.Storm,
    )
}  # fmt: skip
"""Kind of step → kind of call, helper or what is started → its members."""

_OPS = {
    str(form.__struct_config__.tag): _members(form)
    for form in (language.Edit, language.Raise, language.Mutate, language.Next, language.StepOp, language.Yield,
                 language.Hang, language.Wait, language.Each)
}  # fmt: skip
_CHANGE, _REQUEST = _members(language.Change), _members(language.Request)
_MEASUREMENT = _members(metrics.Measurement)
_CODEC, _OCTETS = _members(language.Codec), _members(boundaries.Octets)


def fill(scenario: Json) -> Json:
    """Return a scenario that keeps its language in full form; a step without a name is `#<index>`."""
    return {"steps": [_step(step, f"#{index}") for index, step in enumerate(scenario["steps"])]}


def _step(step: Json, name: str) -> Json:
    kind = step["step"]
    full = _STEPS[kind][step.get("kind")] | step
    full["as"] = full["as"] or name
    if kind == "register":
        full["do"] = _ops(full["do"], callback_of(full))
    elif kind == "install":
        full["do"] = _ops(full["do"], full["as"])
    elif kind == "call":
        _fill_call(full)
    elif kind == "mark" and full["measurements"] is not None:
        full["measurements"] = [_MEASUREMENT | one for one in full["measurements"]]
    elif kind == "raw":
        full["with"], full["replies"] = _cells(full["with"]), _cells(full["replies"])
    elif kind == "storm":
        full["programs"] = [
            [_step(one, f"{full['as']}/#{index}/{number}") for number, one in enumerate(program)]
            for index, program in enumerate(full["programs"])
        ]
    elif kind in ("worker", "native"):
        full |= _cells({"outcome": full["outcome"]})
    if "request" in step:
        full["request"] = _REQUEST | step["request"]
    return full


def _fill_call(full: Json) -> None:
    full["provider"] = _ops(full["provider"], provider_of(full))
    for member in ("collector", "finalizer"):
        if member in full:  # another kind than a stream may have one by mistake, and is refused for it
            full[member] = _ops(full[member], "")
    codec = full.get("codec")
    if isinstance(codec, dict):
        full["codec"] = {part: _ops(codec.get(part, []), "") for part in _CODEC}


def _ops(ops: list[Json], callback: str) -> list[Json]:
    """Fill in ops. callback: its id, after which the steps inside it are named."""
    return [_op(op, f"{callback}/#{number}") for number, op in enumerate(ops)]


def _op(op: Json, name: str) -> Json:
    kind = op["op"]
    full: Json = _OPS[kind] | op
    if kind == "next":
        full["edits"] = [_CHANGE | edit for edit in full["edits"]]
    elif kind == "step":
        full["step"] = _step(op["step"], name)
    elif kind == "each":
        full["ops"] = [_ops(entry, f"{name}/{k}") for k, entry in enumerate(op["ops"])]
    return full


def _cells(cells: Json) -> Json:
    return {name: _OCTETS | cell if isinstance(cell, dict) else cell for name, cell in cells.items()}
