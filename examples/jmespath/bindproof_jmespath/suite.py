"""The suite `jmespath` as bindproof asks for it: the cases of the JMESPath project, and nothing else."""

from __future__ import annotations

from bindproof.suite_api import Spec, Suite
from bindproof.suite_api.functions import FunctionSuite


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point."""
    return FunctionSuite(spec)
