"""What is fuzzed: a name for each thing that is read, and how one changed input of it is made and tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.fuzz.commands import Commands
from tests.fuzz.files import SuiteFiles, manifests, package_locks, packages
from tests.fuzz.logs import Logs
from tests.fuzz.messages import Messages
from tests.fuzz.observations import Observed
from tests.fuzz.vectors import Vectors

Try = Callable[[], None]
"""Makes one changed input and tries it; raises where that ends as nothing may end."""

SUBJECTS: Mapping[str, Callable[[random.Random, Path], Try]] = {
    "relay": lambda draw, _: Observed("relay", draw),
    "interceptors": lambda draw, _: Observed("interceptors", draw),
    "cells": lambda draw, _: Observed("cells", draw),
    "interaction": lambda draw, _: Observed("interaction", draw),
    "messages": lambda draw, _: Messages(draw),
    "vectors": Vectors,
    "suites": SuiteFiles,
    "manifests": manifests,
    "packages": packages,
    "locks": package_locks,
    "logs": Logs,
    "commands": Commands,
}
"""All subjects. Those of `suites` are chapters, schemas, dialects, vectors, expectations, locks and notes."""
