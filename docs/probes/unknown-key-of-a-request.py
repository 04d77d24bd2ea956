"""A request with a key beside headers and content: Python refuses it."""

import nemo_relay as relay

try:
    print(relay.LLMRequest({}, {}, bogus=1))
except TypeError as error:
    print(f"refused: {error}")
