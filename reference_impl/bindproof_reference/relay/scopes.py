"""Chapter *Managed LLM lifecycle* (LIF), scopes: which are open, what is in which, and what is given on from them.

Enters: scopes that start and end. Leaves: parents, roots, and the headers that a request gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bindproof_reference.relay.values import Json

ROOT = "root"
"""The identity that stands around all scopes of the context in which a program begins (LIF-014)."""

SESSION, PARENT_SESSION = "x-dynamo-session-id", "x-dynamo-parent-session-id"


@dataclass(frozen=True, slots=True)
class Scope:
    """An open scope: its identity, the scope around it, its root, what names its session, its type, its name."""

    identity: str
    parent: str
    root: str | None
    session: str
    type: str
    name: str


def _session(step: Json) -> str:
    """Return what names an agent to others: its metadata's `session_id`, else its name (LIF-017)."""
    metadata = step["metadata"]
    named = metadata.get("session_id") if isinstance(metadata, dict) else None
    return named if isinstance(named, str) else str(step["name"])


@dataclass(frozen=True, slots=True)
class Captured:
    """What is told of a place to another process (PRP-001, PRP-002): the scope around it, its root, its trace."""

    parent: str
    root: str | None
    trace: str | None


@dataclass
class Stack:
    """The open scopes of one context, outermost first. root: what stands around them all."""

    root: str = ROOT
    scopes: list[Scope] = field(default_factory=list)
    received: Captured | None = None
    """What the context was made of; then that is around all (PRP-003)."""

    def top(self) -> Scope:
        """Return the innermost open scope, or what stands around all."""
        return self.scopes[-1] if self.scopes else Scope(self.root, self.root, self.origin(), "", "", "")

    def origin(self) -> str | None:
        """Return the root of what is in no agent: what stands around all, or the one that was received (PRP-004)."""
        return self.root if self.received is None else self.received.root

    def trace(self) -> str | None:
        """Return the identity of the trace: the outermost open scope (LIF-023), or the one received (PRP-005)."""
        if self.received is not None and self.received.trace is not None:
            return self.received.trace
        return self.scopes[0].identity if self.scopes else None

    def capture(self, root: str | None, *, traced: bool) -> Captured:
        """Return what is told of this place. root: the root to be told. traced: whether its trace is told besides."""
        return Captured(self.top().identity, root, self.trace() if traced and self.trace() else root)

    def push(self, identity: str, step: Json, parent: Scope) -> Scope:
        """Open a scope; an agent that is in none is a root of its own (LIF-020)."""
        begins = step["type"] == "agent" and parent.root == self.origin()
        is_kept = self.received is not None and self.received.root is not None  # PRP-004
        root = identity if begins and not is_kept else parent.root
        scope = Scope(identity, parent.identity, root, _session(step), step["type"], step["name"])
        self.scopes.append(scope)
        return scope

    def levels(self) -> Sequence[str]:
        """Return the identities of the open scopes, outermost first."""
        return [scope.identity for scope in self.scopes]

    def with_session(self, headers: dict[str, Json]) -> dict[str, Json]:
        """Return a request's headers with those that name the two innermost agents, in place of its own (LIF-017)."""
        agents = [scope.session for scope in self.scopes if scope.type == "agent"]
        if not agents:
            return headers
        kept = {name: value for name, value in headers.items() if name not in (SESSION, PARENT_SESSION)}
        return kept | dict(zip((SESSION, PARENT_SESSION), reversed(agents), strict=False))
