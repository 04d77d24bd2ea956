"""Which scopes are open at a place of a story: facts about the steps that start and end them.

Enters: a Story. Leaves: steps. It judges nothing.
"""

from __future__ import annotations

from bindproof.suites.relay.observation.story import Act, Story


def open_scopes(story: Story, at: int) -> list[Act]:
    """Return the steps whose scopes are open at a place in the log, outermost first."""
    done = [act for act in story.acts if act.error is None and act.done is not None and act.done < at]
    ended = {act.step["of"] for act in done if act.step["step"] == "end"}
    scopes = [act for act in done if act.step["step"] == "start" and act.step["kind"] == "scope"]
    return [act for act in scopes if act.step["as"] not in ended]


def scopes_around(story: Story, act: Act) -> list[Act]:
    """Return the scopes that were open when a step began what it starts or marks, outermost first."""
    return open_scopes(story, act.began if act.step["step"] == "call" else act.done or 0)
