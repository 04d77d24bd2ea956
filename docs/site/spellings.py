"""The page of spellings: each object that a dialect respells, by side and member, and its spelling in each dialect.

`python docs/site/spellings.py` writes `docs/spellings.md`. Enters: the dialects of `relay`, and `SEEN`. Leaves: the
page. A test holds that each respelt member has a row, and that its vectors show what the page says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bindproof.core.paths import data_root
from bindproof.spec import load

PAGE: Final = Path(__file__).parents[1] / "spellings.md"

CANONICAL: Final = ("python", "c", "go", "rust")
"""Dialects without a spelling of their own."""

OWN: Final = "node"
"""The dialect whose members the rows are; `wasm`, whose edition the spec has in part, respells some of them."""


class Row(NamedTuple):
    """What shows how one member is spelled on one side: ids of vectors below `relay/`, or reasons in words."""

    shown: str
    """A vector that has the member, in each dialect in its own spelling."""
    wire_in_own: str
    """What becomes of the canonical spelling where a dialect has its own one."""
    own_elsewhere: str
    """What becomes of that dialect's spelling in the others."""


WRITTEN: Final = "the binding writes it, and the reference knows one name"
AS_ANY: Final = "as any unknown key: `outcomes/unknown-key`"
UNRULED: Final = "no vector: no requirement speaks of it, see the [findings](findings.md)"

SEEN: Final[Mapping[tuple[str, str, str], Row]] = {
    ("outcome", "argument", "annotated_request"): Row("authority/annotation-is-the-body", WRITTEN, WRITTEN),
    ("outcome", "reply", "annotated_request"): Row(
        "authority/annotation-is-the-body", "dialects/annotation-in-wire-spelling", "dialects/outcome-in-other-spelling"
    ),
    ("outcome", "helper", "annotated_request"): Row("dialects/helper-names", WRITTEN, WRITTEN),
    ("outcome", "reply", "pending_marks"): Row(
        "dialects/profile-arrives", "dialects/marks-in-wire-spelling", "dialects/outcome-in-other-spelling"
    ),
    ("outcome", "helper", "pending_marks"): Row("dialects/helper-names", WRITTEN, WRITTEN),
    ("outcome", "reply", "optimization_contributions"): Row("contributions/two-intercepts", AS_ANY, AS_ANY),
    ("outcome", "helper", "optimization_contributions"): Row("contributions/in-a-helper", WRITTEN, WRITTEN),
    ("mark", "reply", "category_profile"): Row(
        "dialects/profile-arrives", "dialects/profile-in-wire-spelling", "dialects/own-spelling-elsewhere"
    ),
    ("mark", "helper", "category_profile"): Row("dialects/helper-names", WRITTEN, WRITTEN),
    ("mark", "reply", "data_schema"): Row(
        "marks/schema-and-severity", "dialects/schema-in-wire-spelling", "as any unknown key: `marks/key-bogus`"
    ),
    ("mark", "helper", "data_schema"): Row("dialects/helper-schema", WRITTEN, WRITTEN),
    ("encode", "argument", "annotated_request"): Row("authority/annotation-is-the-body", WRITTEN, WRITTEN),
    ("tool_outcome", "reply", "pending_marks"): Row("tools/marks-with-every-field", UNRULED, UNRULED),
    ("fields", "argument", "category_profile"): Row("events/sanitizers", WRITTEN, WRITTEN),
    ("fields", "reply", "category_profile"): Row(
        "events/sanitizers", "dialects/fields-in-wire-spelling", "dialects/fields-in-other-spelling"
    ),
}
"""Object, side and member → what shows its spelling: those that OWN respells."""


def page() -> str:
    """Return the page's text."""
    return "\n".join([_HEAD, *_rows()]) + "\n"


_HEAD = """\
# Spellings: each object and side in each dialect

What a program hands a binding, and what it is handed, is spelled in the binding's own way. All names are canonical in
Python, C, Go and Rust; a row is a member that a dialect respells on a side: an *argument* is what a callback is given,
a *reply* what it answers, and *helper* what a standalone helper answers. Events are canonical everywhere (DLC-001).

A vector stands below `relay/`. *Shown by* is one that has the member, in each dialect in its own spelling. *Canonical
in node* and *node's elsewhere* are what becomes of a spelling where it is another binding's: a vector, or the reason
why there is none. `python docs/site/spellings.py` wrote this page.

| object | side | in Python, C, Go, Rust | in node | in wasm | shown by | canonical in node | node's elsewhere |
|-|-|-|-|-|-|-|-|"""


def _rows() -> Iterator[str]:
    dialects = load(data_root(), "relay").dialects
    own, old = (dialects[name].as_json()["spelling"] for name in (OWN, "wasm"))
    for (kind, side, member), row in SEEN.items():
        spelled = [_spelled(table, kind, side, member) for table in (own, old)]
        told = [f"`{one}`" if is_vector(one) else one for one in row]
        yield f"| {kind} | {side} | `{member}` | " + " | ".join([*spelled, *told]) + " |"


def is_vector(told: str) -> bool:
    """Tell whether a cell's text is a vector's id, and no reason."""
    return "/" in told and " " not in told


def _spelled(table: Any, kind: str, side: str, member: str) -> str:
    entry = table.get(kind, {}).get(member)
    return f"`{entry['own']}`" if entry is not None and side in entry["sides"] else "none of its own"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
