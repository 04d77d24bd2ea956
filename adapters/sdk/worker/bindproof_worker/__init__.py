"""What an adapter needs whose binding is a plugin of NeMo Relay: a host that starts it, and calls that are counted."""

from bindproof_worker.asking import WorkerCalls
from bindproof_worker.calling import counted_call, imported, lines
from bindproof_worker.host import Artifact, Host, Launch
from bindproof_worker.native import HONEST, Library

__all__ = ["HONEST", "Artifact", "Host", "Launch", "Library", "WorkerCalls", "counted_call", "imported", "lines"]
