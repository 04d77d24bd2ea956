"""What an adapter of the suite `relay` needs besides to drive the C library: raw steps, replies, streams of one chunk,
and the library as a host of plugins.
"""

from bindproof_c.relay.exchange import Exchange, Exchanges, Held
from bindproof_c.relay.loading import plugin_host, relay_library
from bindproof_c.relay.replies import content_of, verdict
from bindproof_c.relay.streams import one_after_the_other, only_chunk, require_one_text

__all__ = [
    "Exchange",
    "Exchanges",
    "Held",
    "content_of",
    "one_after_the_other",
    "only_chunk",
    "plugin_host",
    "relay_library",
    "require_one_text",
    "verdict",
]
