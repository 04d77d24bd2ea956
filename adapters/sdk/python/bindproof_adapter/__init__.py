"""What a Python program needs to be a bindproof adapter: the protocol, the log, scripted callbacks, the clean slate.

Stdlib only. An adapter gives `serve` a function that connects to its target. One that drives a binding of the `relay`
suite wraps its `Binding` in an `Actor`, and is then its binding's API calls and little else.

All but the protocol is imported when it is first asked for: what acts scenarios of `relay` out needs asyncio, which is
slow to import, and adapters of other suites start without. One that calls a single function is a `Function`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bindproof_adapter.serve import Target, Text, serve
from bindproof_adapter.signals import AdapterFault, Inexpressible, ScriptedError, Unsupported
from bindproof_adapter.versions import described, version_of

if TYPE_CHECKING:
    from bindproof_adapter.actor import Actor
    from bindproof_adapter.binding import Binding, Put
    from bindproof_adapter.callback import Around, Callback, Provider, Sink
    from bindproof_adapter.families import KINDS, asked, listed, order_of, tool_outcome
    from bindproof_adapter.flight import at_once
    from bindproof_adapter.function import Function
    from bindproof_adapter.spelling import UNDEFINED, meant, spelled
    from bindproof_adapter.streaming import END, Parts, Source

__all__ = [
    "END",
    "KINDS",
    "UNDEFINED",
    "Actor",
    "AdapterFault",
    "Around",
    "Binding",
    "Callback",
    "Function",
    "Inexpressible",
    "Parts",
    "Provider",
    "Put",
    "ScriptedError",
    "Sink",
    "Source",
    "Target",
    "Text",
    "Unsupported",
    "asked",
    "at_once",
    "described",
    "listed",
    "meant",
    "order_of",
    "serve",
    "spelled",
    "tool_outcome",
    "version_of",
]

_LATER = {
    "actor": ("Actor",),
    "binding": ("Binding", "Put"),
    "callback": ("Around", "Callback", "Provider", "Sink"),
    "families": ("KINDS", "asked", "listed", "order_of", "tool_outcome"),
    "flight": ("at_once",),
    "function": ("Function",),
    "spelling": ("UNDEFINED", "meant", "spelled"),
    "streaming": ("END", "Parts", "Source"),
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for the first time."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
