"""Reads and cross-checks `spec/`: words and data in, typed frozen values out.

Enters: a suite's name, and a data root where it is not an installed one. Leaves: suites, requirements, dialects,
vectors, expectations, and Problems with file and line. Must not know what a scenario means, adapters or processes.
"""

from bindproof.spec.editions import covers, edition_of, editions_in, holds_in, is_about, names_vector, settings
from bindproof.spec.expectations import load_expectations, read_expectations, shipped_expectations
from bindproof.spec.installed import all_installed, installed, root_of, suite_roots
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
    Spec,
    Spelling,
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
    "Spec",
    "SpecError",
    "Spelling",
    "Vector",
    "all_installed",
    "covers",
    "edition_of",
    "editions_in",
    "holds_in",
    "installed",
    "is_about",
    "load",
    "load_expectations",
    "names_vector",
    "read_expectations",
    "read_vector",
    "root_of",
    "settings",
    "shipped_expectations",
    "suite_roots",
    "suites_in",
    "vector_paths",
    "vectors",
]
