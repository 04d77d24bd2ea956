"""Names of models: their language, which provider each leads to, and logs of runs that try them, read.

Enters: a scenario that is `of` names, a log. Leaves: the complete scenario, a Resolved. Must not know the requirements,
nor the reference.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct

from bindproof.suite_api import Json
from bindproof.suites.interaction.language import Threshold

Kind = Literal["openai", "anthropic", "claude", "litellm", "cased", "registered", "inferred", "default", "resolver"]
KNOWN: Final = "openai|anthropic|claude|litellm|ollama|ollama_chat|mine"


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """A name of a model, with or without a prefix, and blanks around it."""

    name: Annotated[str, msgspec.Meta(pattern=r"^ {0,2}([A-Za-z_]{1,12}/)?[A-Za-z0-9][A-Za-z0-9.:-]{0,15} {0,2}$")]


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """A run of one step whose models all fail: the first name is the primary's, and the others are the chain.

    default: the provider that is set as the default one; resolver: whether the agent has a resolver of its own;
    threshold: after so many failures in a row the breaker of a model opens.
    """

    of: Literal["names"]
    steps: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=6)]
    default: Literal["openai", "litellm", "anthropic_agent", "mine"] | None = None
    resolver: bool = False
    threshold: Threshold = 5


class Meant(Struct, frozen=True):
    """What a name leads to, and for what reason."""

    name: str
    kind: Kind
    provider: str
    model: str


class Resolved(Struct, frozen=True):
    """A log of such a run, read."""

    scenario: Json
    log: list[Json]
    meant: list[Meant]

    @property
    def tried(self) -> list[list[str]]:
        """The providers that were asked, each with the model."""
        return [[one["provider"], one["model"]] for one in self.log if one["fact"] == "tried"]

    @property
    def misled(self) -> list[Meant]:
        """The names that lead elsewhere than they should: what they mean is not tried, or something else is too."""
        missing = [one for one in self.meant if one not in self.rejected and not self._is_tried(one)]
        due = [[one.provider, one.model] for one in self.meant]
        strays = [model for provider, model in self.tried if [provider, model] not in due]
        return missing or [one for one in self.meant if one.name.strip() in strays]

    @property
    def shared(self) -> list[Meant]:
        """The names of models that another provider has too, of whose model the breaker is open by then."""
        return [
            one
            for at, one in enumerate(self.meant)
            if self.scenario["threshold"] == 1
            and any(other.model == one.model and other.provider != one.provider for other in self.meant[:at])
        ]

    @property
    def rejected(self) -> list[Meant]:
        """Those of them that are not tried, and nothing is in their place."""
        due = {(one.provider, one.model) for one in self.meant}
        return [one for one in self.shared if not self._is_tried(one)] if len(self.tried) < len(due) else []

    def _is_tried(self, one: Meant) -> bool:
        return [one.provider, one.model] in self.tried


def meant(scenario: Json, given: str) -> Meant:
    """Return what a name leads to."""
    name = given.strip()
    prefix, slash, rest = name.partition("/")
    lowered = prefix.lower() if slash else ""
    kinds: dict[str, tuple[Kind, str, str]] = {
        "openai": ("openai", "openai", rest),
        "anthropic": ("anthropic", "anthropic_agent", rest),
        "claude": ("claude", "anthropic_agent", rest),
        "litellm": ("litellm", "litellm", name),
        "ollama": ("litellm", "litellm", name),
        "ollama_chat": ("litellm", "litellm", name),
        "mine": ("registered", "mine", rest),
    }
    if scenario["resolver"]:
        return Meant(given, "resolver", "own", name)
    if lowered in kinds:
        kind, provider, model = kinds[lowered]
        return Meant(given, kind if prefix == lowered else "cased", provider, model)
    if guess(name) is not None:
        return Meant(given, "inferred", str(guess(name)), name)
    return Meant(given, "default", scenario["default"] or "litellm", name)


def guess(name: str) -> str | None:
    """Return the provider that a name without a prefix is known by, or None."""
    if "/" in name:
        return None
    lowered = name.strip().lower()
    return "openai" if lowered.startswith("gpt") else "anthropic_agent" if lowered.startswith("claude") else None


def problem(scenario: Json) -> str | None:
    """Say what of the names breaks the language, or None."""
    for number, step in enumerate(scenario["steps"], 1):
        prefix, slash, _ = step["name"].strip().partition("/")
        if slash and not re.fullmatch(f"(?i:{KNOWN})|gemini|mistral", prefix):
            return f"step {number}: prefixes are {KNOWN.replace('|', ', ')}, gemini and mistral"
        if slash and prefix.lower() == "mine" and prefix != "mine":
            return f"step {number}: nothing says whether a provider's own prefix may be written otherwise"
        if scenario["default"] is not None and guess(step["name"]) is not None and not scenario["resolver"]:
            return f"step {number}: nothing says whether the default provider or the one that is inferred comes first"
    return None


def resolved(scenario: Json, log: list[Json]) -> Resolved:
    """Read a log."""
    return Resolved(scenario, log, [meant(scenario, step["name"]) for step in scenario["steps"]])
