"""What source text in Rust names, and so has to import.

Enters: source text. Leaves: its `use` lines, and answers about it. Must not know scenarios.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bindproof.suites.relay.programs.rust_values import ROOM, deeper
from bindproof.suites.relay.programs.rust_words import module_of


def says(source: str, pattern: str) -> bool:
    """Tell whether code has a pattern, from the beginning of a word."""
    return re.search(rf"(?<!\w){pattern}", _code(source)) is not None


def needs(source: str, crate: str) -> bool:
    """Tell whether a program imports something of a crate."""
    return any((module_of(word) or "").split("::")[0] == crate for word in _words(source))


def _code(source: str) -> str:
    """Return source text without texts and comments."""
    return re.sub(r'r#".*?"#|r"[^"]*"|"(?:[^"\\]|\\.)*"|//[^\n]*', '""', source)


def _words(source: str) -> set[str]:
    """Return the types that a program names, and the functions that it calls."""
    return set(re.findall(r"(?<![\w.:])(?:[A-Z]\w*|(?<!fn )[a-z]\w*(?=\(|!\(|::<)|oneshot(?=::))", _code(source)))


def uses(source: str) -> str:
    """Return what a program imports."""
    found: dict[str, list[str]] = {}
    for word in _words(source):
        module = module_of(word)
        if module:
            found.setdefault(module, []).append(word)
    if re.search(r"\.next\(\)\.await", source):
        found.setdefault("tokio_stream", []).append("StreamExt")
    if "plugin::" in _code(source):
        found["nemo_relay::plugin"].append("self")
    groups = [
        [name for name in found if name.startswith("std::")],
        [name for name in found if not name.startswith("std::")],
    ]
    return "\n\n".join(
        "\n".join(
            _use(name, found[name])
            for name in sorted(group, key=lambda name: f"{name}::{'' if len(found[name]) == 1 else '{'}")
        )
        for group in groups
        if group
    )


def _use(module: str, names: Iterable[str]) -> str:
    ordered = sorted(names, key=lambda name: (name != "self", not name[0].isupper() or name.isupper(), name))
    if len(ordered) == 1:
        return f"use {module}::{ordered[0]};"
    line = f"use {module}::{{{', '.join(ordered)}}};"
    if len(line) <= ROOM:
        return line
    lines = [""]
    for name in ordered:
        if len(f"{lines[-1]} {name},") > ROOM:
            lines.append("")
        lines[-1] = f"{lines[-1]} {name},".strip()
    return "\n".join([f"use {module}::{{", *deeper(lines), "};"])


def limit_of(source: str) -> int:
    """Return the compiler's limit of recursion that a program needs: `json!` takes some steps for each member.

    It is a power of two, of which the least is the usual limit.
    """
    most, counts = 0, list[int]()
    for char in re.sub(r"[^{}()\[\],#]", "", _code(source).replace("#", "").replace("json!(", "#(")):
        if char == "#" and not counts:
            counts.append(0)
        elif char in "{([" and counts:
            counts.append(0)
            most = max(most, sum(_STEPS * (count + 1) for count in counts[1:]))
        elif char in "})]" and counts:
            counts.pop()
            if len(counts) == 1:
                counts.clear()
        elif char == "," and counts:
            counts[-1] += 1
    return max(128, 1 << most.bit_length())


_STEPS = 4
"""So many steps `json!` goes down for a member, at the most."""
