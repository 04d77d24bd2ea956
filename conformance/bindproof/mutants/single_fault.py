"""One fault of one function of a package's own layer, in whatever language that is written.

Enters: what the reader of a language found. Leaves: a value. Must not know any language.
"""

from __future__ import annotations

from msgspec import Struct


class SingleFault(Struct, frozen=True):
    """One fault of one function.

    function: its name in its module, of a method with its class. fault: in a few words. line: of the statement, from 1.
    before, after: the statement. text: the whole module with the fault.
    """

    function: str
    fault: str
    line: int
    before: str
    after: str
    text: str
