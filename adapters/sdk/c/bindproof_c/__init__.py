"""What an adapter needs to drive a C library from Python through cffi: texts, statuses, user data, raw steps.

It goes with `bindproof_adapter`, which has the protocol, the log and the clean slate. Which functions the library has
is the adapter's matter alone.
"""

from bindproof_c.build import load
from bindproof_c.exchange import Exchange, Exchanges, Held
from bindproof_c.library import Conventions, Library, StatusError
from bindproof_c.streams import one_after_the_other, only_chunk, require_one_text
from bindproof_c.texts import c_string, content_of, json_of, octets, optional, plain, verdict

__all__ = [
    "Conventions",
    "Exchange",
    "Exchanges",
    "Held",
    "Library",
    "StatusError",
    "c_string",
    "content_of",
    "json_of",
    "load",
    "octets",
    "one_after_the_other",
    "only_chunk",
    "optional",
    "plain",
    "require_one_text",
    "verdict",
]
