"""What an adapter needs whose binding is a worker of NeMo Relay: a host that starts it, and the wire that it speaks."""

from bindproof_worker.host import Host, Launch

__all__ = ["Host", "Launch"]
