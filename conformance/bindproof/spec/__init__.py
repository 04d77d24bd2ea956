"""Reads and cross-checks `spec/`: words and data in, typed frozen values out.

Enters: the data root (`bindproof.paths.data_root()`) and a suite's name. Leaves: suites, requirements, dialects,
vectors, expectations, and Problems with file and line. Must not know what a scenario means, adapters or processes.
"""

from bindproof.spec.editions import covers, edition_of, editions_in, holds_in
from bindproof.spec.expectations import load_expectations, shipped_expectations
from bindproof.spec.load import load, suites_in
from bindproof.spec.models import (
    Chapter,
    Dialect,
    Divergence,
    Edition,
    ErrorPattern,
    Inexpressible,
    Requirement,
    Source,
    Spelling,
    Suite,
    Vector,
)
from bindproof.spec.problem import Problem, SpecError
from bindproof.spec.vectors import read_vector, vector_paths, vectors

__all__ = [
    "Chapter",
    "Dialect",
    "Divergence",
    "Edition",
    "ErrorPattern",
    "Inexpressible",
    "Problem",
    "Requirement",
    "Source",
    "SpecError",
    "Spelling",
    "Suite",
    "Vector",
    "covers",
    "edition_of",
    "editions_in",
    "holds_in",
    "load",
    "load_expectations",
    "read_vector",
    "shipped_expectations",
    "suites_in",
    "vector_paths",
    "vectors",
]
