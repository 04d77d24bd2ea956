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
    root: str
    session: str
    type: str
    name: str


def _session(step: Json) -> str:
    """Return what names an agent to others: its metadata's `session_id`, else its name (LIF-017)."""
    metadata = step["metadata"]
    named = metadata.get("session_id") if isinstance(metadata, dict) else None
    return named if isinstance(named, str) else str(step["name"])


@dataclass
class Stack:
    """The open scopes of one context, outermost first. root: what stands around them all."""

    root: str = ROOT
    scopes: list[Scope] = field(default_factory=list)

    def top(self) -> Scope:
        """Return the innermost open scope, or what stands around all."""
        return self.scopes[-1] if self.scopes else Scope(self.root, self.root, self.root, "", "", "")

    def outermost(self) -> str | None:
        """Return the identity of the outermost open scope, or None outside any."""
        return self.scopes[0].identity if self.scopes else None

    def push(self, identity: str, step: Json, parent: Scope) -> Scope:
        """Open a scope; an agent that is in none is a root of its own (LIF-020)."""
        root = identity if step["type"] == "agent" and parent.root == self.root else parent.root
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
