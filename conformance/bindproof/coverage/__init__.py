"""What of everything that a package offers is set by a scenario and judged by a rule; what is not, and why.

Enters: an adapter's name. Leaves: a `Covered` for each suite that has a surface file for it. Must not know any package.
"""

from bindproof.coverage.covering import Covered, Offered, covered, offered
from bindproof.coverage.fates import FATES, Fate, Part

__all__ = ["FATES", "Covered", "Fate", "Offered", "Part", "covered", "offered"]
