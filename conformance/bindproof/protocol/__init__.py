"""The adapter protocol: messages, the session that knows which message is legal when, and the process it runs over.

Enters: requests of the harness and the bytes an adapter writes. Leaves: request lines and typed events.
Must not know suites, verdicts or blame. The protocol's words are in `spec/protocol/README.md`.
"""
