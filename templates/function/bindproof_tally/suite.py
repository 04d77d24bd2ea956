"""The suite `tally` as bindproof asks for it: a table of cases."""

from __future__ import annotations

from bindproof.suite_api import Spec, Suite
from bindproof.suite_api.functions import FunctionSuite


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point. FunctionSuite says what else it may be given."""
    return FunctionSuite(spec)
