"""What an adapter needs to drive a C library from Python through cffi: texts, statuses, user data, callbacks.

It goes with `bindproof_adapter`, which has the protocol. Which functions the library has is the adapter's matter alone;
what the adapters of one suite alone share is a package within this one, named as the suite is.
"""

from bindproof_c.build import load
from bindproof_c.library import Conventions, Library, StatusError
from bindproof_c.texts import c_string, json_of, optional, plain

__all__ = ["Conventions", "Library", "StatusError", "c_string", "json_of", "load", "optional", "plain"]
