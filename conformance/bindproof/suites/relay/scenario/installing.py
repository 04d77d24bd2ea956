"""The names of the plugins that a step installs, in the scenario language.

Enters: nothing. Leaves: a type. Must not know spelling.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Name = Annotated[str, msgspec.Meta(pattern="^[a-z]$")]
"""The name of a plugin: a letter, so that no runtime has to escape it, and none is the beginning of another."""

Plugins = Annotated[list[Name], msgspec.Meta(min_length=1, max_length=3)]
"""Those that are installed together, in the order in which they are configured; one that stands twice is so twice."""
