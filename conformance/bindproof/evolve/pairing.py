"""Whether one schema takes all that another takes: of tagged objects branch by branch, as each has one that it may go
to; else by the set algebra of the library; and where that does not know, keyword by keyword.

Enters: two flat schemas, in which the `oneOf` of such objects is an `anyOf`. Leaves: True where it is proved, False
where the contrary is, None where nobody knows. The set algebra takes all branches at once, and says of many that it
does not know.
"""

from __future__ import annotations

from typing import Final

from bindproof.core.model import Json, same
from bindproof.evolve.apart import tags_apart, tags_of
from bindproof.evolve.by_keyword import takes_all_by_keyword
from bindproof.evolve.proof import covers

_LOOKING_AROUND: Final = frozenset({"unevaluatedItems", "unevaluatedProperties", "$defs"})
"""Keywords to which it matters which branch was taken, or by which a branch means something only where it is."""


def takes_all(wide: Json, narrow: Json) -> bool | None:
    """Tell whether every value that `narrow` takes is taken by `wide`; None where nobody knows."""
    found = _branch_by_branch(wide, narrow) or covers(wide, narrow)
    return takes_all_by_keyword(wide, narrow) if found is None else found


def _branch_by_branch(wide: Json, narrow: Json) -> bool | None:
    if not (isinstance(wide, dict) and isinstance(narrow, dict)):
        return None
    if "anyOf" not in wide or wide.keys() != narrow.keys() or _LOOKING_AROUND & wide.keys():
        return None
    if not all(same(wide[key], narrow[key]) for key in wide if key != "anyOf"):
        return None
    tag = tags_apart(wide["anyOf"])
    if tag is None:
        return None
    target = {text: branch for branch in wide["anyOf"] for text in tags_of(branch)[tag]}
    for branch in narrow["anyOf"]:
        text = next(iter(tags_of(branch).get(tag, ())), None)
        if text not in target or not covers(target[text], branch):
            return None
    return True
