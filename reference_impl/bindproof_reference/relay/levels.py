"""Chapter *Middleware* (MID), registrations: who is registered on which level, and what runs in which order.

Enters: register steps, the scopes that are open. Leaves: the effective chain of a family, and its subscribers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from bindproof_reference.relay.values import Json, Opaque, literal

GLOBAL = "global"

LISTED = (
    "subscriber", "event.metadata", "mark.sanitize", "start.sanitize", "end.sanitize",
    "tool.sanitize_request", "tool.sanitize_response", "tool.conditional", "tool.request", "tool.execution",
    "llm.sanitize_request", "llm.sanitize_response", "llm.conditional", "llm.request", "llm.execution", "llm.stream",
)  # fmt: skip
"""The families in the order in which the listing has them (MID-015)."""


@dataclass
class Levels:
    """The registries: level (`global`, a scope's identity, a plugin) → family → name → registration step."""

    registries: dict[str, dict[str, dict[str, Json]]] = field(default_factory=lambda: {GLOBAL: {}})
    plugins: list[str] = field(default_factory=list)
    """The levels of the plugins that are installed, in the order of their names; what they have is global, under names
    of their own (MID-021, MID-022)."""
    gates: dict[str, Json] = field(default_factory=dict)
    """The gates, by name, which decide who of those that are global takes part (GAT)."""

    def open(self, level: str) -> None:
        """Begin the registry of a scope."""
        self.registries[level] = {}

    def open_plugin(self, plugin: str) -> str:
        """Begin the registry of a plugin of this name, and return its level."""
        level = f"plugin {plugin} {len(self.plugins)}"
        self.open(level)
        self.plugins = sorted([*self.plugins, level])
        return level

    def close_plugins(self) -> None:
        """Drop the registries of the plugins that are installed, and all in them (MID-024)."""
        for level in self.plugins:
            self.close(level)
        self.plugins = []

    def close(self, level: str) -> None:
        """Drop the registry of a scope and all in it (MID-004)."""
        self.registries.pop(level, None)

    def put(self, level: str, step: Json) -> bool:
        """Register; False when the name is taken on this level, also by the same step, done before (MID-005)."""
        registry = self.registries[level].setdefault(step["family"], {})
        if step["name"] in registry:
            return False
        registry[step["name"]] = step
        return True

    def take(self, level: str, step: Json) -> bool:
        """Deregister by family and name; False when nothing is registered so (MID-007)."""
        return self.registries[level].get(step["family"], {}).pop(step["name"], None) is not None

    def shut(self, gate: Json) -> bool:
        """Register a gate; False when there is one of its name (GAT-005)."""
        return self.gates.setdefault(gate["name"], gate) is gate

    def reopen(self, name: str) -> bool:
        """Take a gate back by its name; False when there is none (GAT-004)."""
        return self.gates.pop(name, None) is not None

    def listed(self, family: str | None) -> Json:
        """Return what is registered globally, of one family or of all: family by family, by name (MID-014, MID-015).

        Between which names a plugin's stand is open.
        """
        families = LISTED if family is None else (family,)
        found = [
            {"family": each, "name": name, **owner}
            for each in families
            for level, owner in self._owners()
            for name in sorted(self.registries[level].get(each, {}))
        ]
        return Opaque({"$unordered": literal(found)}) if self.plugins else found

    def chain(self, family: str, stack: Iterable[str]) -> list[Json]:
        """Return what is registered globally and on the open scopes: by priority, level, name (MID-001 to MID-003).

        The level of injectors does not count. What plugins have comes in the order of their names (MID-032).
        """
        leveled = family != "event.metadata"
        levels = [(0, GLOBAL), *((0, level) for level in self.plugins), *enumerate(stack, 1)]
        found = [
            (step["priority"], depth if leveled else 0, level if level in self.plugins else "", step["name"], step)
            for depth, level in levels
            if family in self.registries.get(level, ())
            for step in self._let_in(level, family)
        ]
        return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:4])]

    def subscribers(self, stack: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the subscribers that are registered globally and on the open scopes."""
        return tuple(step["as"] for level in (*self._globals(), *stack) for step in self._let_in(level, "subscriber"))

    def shown_name(self, step: Json, *, encoded: bool) -> Json:
        """Return by which name events tell of a registration, as a matcher: a plugin's is part of it (MID-022).

        encoded: it stands there percent-encoded, as the dialect's policies say.
        """
        of_plugin = any(
            self.registries[level].get(step["family"], {}).get(step["name"]) is step for level in self.plugins
        )
        if not of_plugin:
            return step["name"]
        return {"$text": quote(step["name"], safe="") if encoded else step["name"]}

    def _let_in(self, level: str, family: str) -> list[Json]:
        """Return what is registered of a family on a level, less what a gate gives a reason against (GAT-001).

        One that raises gives none (GAT-002).
        """
        found = self.registries.get(level, {}).get(family, {}).values()
        if level not in self._globals() or not self.gates:
            return list(found)
        plugin = None if level == GLOBAL else level.split()[1]
        about = [gate for gate in self.gates.values() if family in gate["families"] and gate["plugin"] == plugin]
        against = [gate["target"] for gate in about if gate["reason"]]
        return [step for step in found if step["name"] not in against]

    def _owners(self) -> list[tuple[str, Json]]:
        """Return each level of what is global with what a listing says of whose that is (MID-033, MID-034)."""
        names = [level.split()[1] for level in self.plugins]
        numbers = [names[: at + 1].count(name) for at, name in enumerate(names)]
        owners = [{"plugin": name, "number": number} for name, number in zip(names, numbers, strict=True)]
        return [(GLOBAL, {}), *zip(self.plugins, owners, strict=True)]

    def _globals(self) -> tuple[str, ...]:
        return (GLOBAL, *self.plugins)
