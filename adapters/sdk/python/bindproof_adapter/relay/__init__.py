"""What an adapter of the suite `relay` needs besides: the log, scripted callbacks, the clean slate.

It wraps its `Binding` in an `Actor`, and is then its binding's API calls and little else. Stdlib only. This takes
asyncio, which is slow to import: adapters of other suites start without.
"""

from bindproof_adapter.relay.actor import Actor
from bindproof_adapter.relay.binding import Binding, Decide, Put, SetUp, Undo
from bindproof_adapter.relay.bytewise import octets
from bindproof_adapter.relay.callback import Around, Callback, Provider, Sink
from bindproof_adapter.relay.coding import CODED, handed, in_hand
from bindproof_adapter.relay.families import KINDS, Listed, asked, family_of, is_awaited, order_of, tool_outcome
from bindproof_adapter.relay.flight import at_once
from bindproof_adapter.relay.script import ScriptedError
from bindproof_adapter.relay.streaming import END, Parts, Source

__all__ = [
    "CODED",
    "END",
    "KINDS",
    "Actor",
    "Around",
    "Binding",
    "Callback",
    "Decide",
    "Listed",
    "Parts",
    "Provider",
    "Put",
    "ScriptedError",
    "SetUp",
    "Sink",
    "Source",
    "Undo",
    "asked",
    "at_once",
    "family_of",
    "handed",
    "in_hand",
    "is_awaited",
    "octets",
    "order_of",
    "tool_outcome",
]
