"""Gets what the adapter `native-node` drives: the Node package as the host, and a library for it.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where both are. Must not know
the protocol, nor what a plugin answers.
"""

from __future__ import annotations

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import native_target, worker_node_target
from bindproof.targets.manifest import Manifest
from bindproof.targets.terms import Terms

releases = worker_node_target.releases
without_target = worker_node_target.without_target


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    found, release = worker_node_target.host(name, manifest, rest, terms)
    return native_target.hosting(found, manifest, release, terms)
