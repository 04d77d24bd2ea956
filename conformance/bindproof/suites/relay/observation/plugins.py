"""Whose a registration is: the program's, or that of a plugin.

Enters: a Transcript. Leaves: names of plugins, and which of one name it is. It judges nothing.
"""

from __future__ import annotations

from bindproof.suites.relay.observation.transcript import Act, Transcript


def plugin_of(transcript: Transcript, act: Act) -> str | None:
    """Return the name of the plugin that registers in a step; None where that is the program."""
    return str(_configured(transcript, act)[act.nth]) if act.plugin else None


def number_of(transcript: Transcript, act: Act) -> int:
    """Return which of those that are configured by its name the plugin is that registers in a step: 1 is the first."""
    configured = _configured(transcript, act)
    return configured[: act.nth + 1].count(configured[act.nth])


def _configured(transcript: Transcript, act: Act) -> list[str]:
    plugins: list[str] = transcript.by_id[act.plugin].step["plugins"]
    return plugins
