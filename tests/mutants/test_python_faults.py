"""What faults a module of Python may have, and what a traced one writes down."""

from __future__ import annotations

from pathlib import Path

import pytest

from bindproof.mutants.python_faults import faults_of, traced

MODULE = '''"""A layer."""

from __future__ import annotations


def put(name: str, priority: int, once: bool, function: Function) -> None:
    """Put it there."""
    return _put(name, priority, once, function)


def take(name: str) -> bool:
    return _take(name)


def call(name: str, *, data: Json | None = None, metadata: Json | None = None) -> Handle:
    return _call(name, data=data, metadata=metadata)


class Context(Protocol):
    def put(self, name: str) -> None:
        return _put(name)
'''


@pytest.mark.parametrize(
    ("function", "faults"),
    [
        (
            "put",
            {
                "name is another": "return _put(name + '?', priority, once, function)",
                "priority is ignored": "return _put(name, 0, once, function)",
                "priority is negated": "return _put(name, -priority, once, function)",
                "once is dropped": "return _put(name, priority, False, function)",
                "once is always set": "return _put(name, priority, True, function)",
                "put is not called": "return None",
                "put is called twice": (
                    "_put(name, priority, once, function)\nreturn _put(name, priority, once, function)"
                ),
            },
        ),
        (
            "take",
            {
                "name is another": "return _take(name + '?')",
                "take is not called, and true answered": "return True",
                "take is not called, and false answered": "return False",
                "the answer is reversed": "return not _take(name)",
            },
        ),
        (
            "call",
            {
                "name is another": "return _call(name + '?', data=data, metadata=metadata)",
                "data is not passed on": "return _call(name, metadata=metadata)",
                "metadata is not passed on": "return _call(name, data=data)",
                "data and metadata are exchanged": "return _call(name, data=metadata, metadata=data)",
                "the answer is dropped": "_call(name, data=data, metadata=metadata)\nreturn None",
                "call is called twice": (
                    "_call(name, data=data, metadata=metadata)\nreturn _call(name, data=data, metadata=metadata)"
                ),
            },
        ),
    ],
)
def test_each_argument_and_answer_has_its_faults(function: str, faults: dict[str, str]) -> None:
    assert {one.fault: one.after for one in faults_of(MODULE) if one.function == function} == faults


def test_what_only_says_what_others_do_has_none() -> None:
    assert {one.function for one in faults_of(MODULE)} == {"put", "take", "call"}


def test_a_fault_changes_one_statement_and_leaves_a_module() -> None:
    for one in faults_of(MODULE):
        compile(one.text, "layer", "exec")
        lines, changed = MODULE.splitlines(), one.text.splitlines()
        added = len(one.after.splitlines())
        assert changed[: one.line - 1] == lines[: one.line - 1]
        assert changed[one.line - 1 + added :] == lines[one.line :]


def test_a_traced_module_tells_what_is_entered(tmp_path: Path) -> None:
    told = tmp_path / "told"
    names: dict[str, object] = {"_take": lambda name: True, "Protocol": object}

    exec(compile(traced(MODULE, "layer", str(told)), "layer", "exec"), names)
    take = names["take"]
    assert callable(take)
    assert take("x") is True
    assert told.read_text() == "layer.take\n"
