"""What a Python program needs to be a bindproof adapter: the protocol, and what it says of itself and of values.

Stdlib only. An adapter gives `serve` a function that connects to its target, which says what it is and acts scenarios
out. One that calls a single function is a `Function`. What the adapters of one suite alone share is a package within
this one, named as the suite is, and imported by them alone.
"""

from bindproof_adapter.function import Function
from bindproof_adapter.serve import Target, Text, serve
from bindproof_adapter.signals import AdapterFault, Inexpressible, Stop, Unsupported
from bindproof_adapter.spelling import UNDEFINED, meant, spelled
from bindproof_adapter.versions import described, version_of

__all__ = [
    "UNDEFINED",
    "AdapterFault",
    "Function",
    "Inexpressible",
    "Stop",
    "Target",
    "Text",
    "Unsupported",
    "described",
    "meant",
    "serve",
    "spelled",
    "version_of",
]
