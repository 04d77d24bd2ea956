"""Searches with the Python package jmespath. It judges nothing."""

from bindproof_adapter import Function, serve


def connect() -> Function:
    """Import the package; without it an adapter refuses to start."""
    import jmespath

    def call(scenario):
        return jmespath.search(scenario["expression"], scenario["given"])

    return Function("jmespath", jmespath.__version__, "jmespath", "python", call)


serve("jmespath-python", "1", connect)
