"""The suite `jmespath` as bindproof asks for it: official cases, a reference and a generator."""

from bindproof.suite_api import Spec, Suite
from bindproof.suite_api.functions import FunctionSuite
from bindproof_jmespath.generator import generate
from bindproof_jmespath.reference import predict


def suite(spec: Spec) -> Suite:
    """Return the suite for its spec: the entry point."""
    return FunctionSuite(spec, members={"expression": str, "given": object}, predict=predict, generate=generate)
