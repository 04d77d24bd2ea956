"""Objects of the package: whether two of equal content are equal, and whether they show what is in them."""

import nemo_relay as relay

print(f"marks are equal: {relay.PendingMarkSpec('m') == relay.PendingMarkSpec('m')}")
print(f"requests are equal: {relay.LLMRequest({}, {}) == relay.LLMRequest({}, {})}")
print(f"an outcome has to_json: {hasattr(relay.LLMRequestInterceptOutcome, 'to_json')}")
