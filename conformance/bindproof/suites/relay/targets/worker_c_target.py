"""Gets what the adapter `worker-c` drives: the C library as the host, and what its worker is made with.

Enters: a manifest and what is wanted. Leaves: an AdapterCommand, which tells the adapter where the library and the
worker's packages are. Must not know the protocol, nor what a worker answers.
"""

from __future__ import annotations

from bindproof.core.model import AdapterCommand
from bindproof.suites.relay.targets import native_c_target, worker_target
from bindproof.targets.manifest import Manifest, folder_of, manifest_of
from bindproof.targets.terms import Terms

without_target = native_c_target.without_target


def command_for(name: str, manifest: Manifest, rest: str | None, terms: Terms) -> AdapterCommand:
    """Return how to start the adapter with the wanted release; raises Unmet where that cannot be had."""
    host, release = native_c_target.host(name, manifest, rest, terms)
    beside = (*worker_target.sdk_folders(), str(folder_of(manifest_of(worker_target.RAW))))
    return worker_target.with_worker(host, name, manifest, worker_target.grpc_for(release), beside, terms)
