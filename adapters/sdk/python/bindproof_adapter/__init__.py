"""What a Python program needs to be a bindproof adapter: the protocol, the log, scripted callbacks, the clean slate.

Stdlib only. An adapter gives `serve` a function that connects to its target. One that drives a binding of the `relay`
suite wraps its `Binding` in an `Actor`, and is then its binding's API calls and little else.
"""

from bindproof_adapter.actor import Actor
from bindproof_adapter.binding import Binding, Put
from bindproof_adapter.callback import Around, Callback, Provider, Sink
from bindproof_adapter.families import KINDS, asked, listed, order_of, tool_outcome
from bindproof_adapter.flight import at_once
from bindproof_adapter.serve import Target, Text, serve
from bindproof_adapter.signals import AdapterFault, Inexpressible, ScriptedError, Unsupported
from bindproof_adapter.streaming import END, Parts, Source
from bindproof_adapter.versions import described, version_of

__all__ = [
    "END",
    "KINDS",
    "Actor",
    "AdapterFault",
    "Around",
    "Binding",
    "Callback",
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
    "order_of",
    "serve",
    "tool_outcome",
    "version_of",
]
