"""Single faults in a copy of a binding's own layer, one at a time, and who names each: the worth of a suite, measured.

Enters: an adapter whose manifest names its layer. Leaves: a `Trial` for each fault. Must not know any package.
"""

from bindproof.mutants.sampling import sample
from bindproof.mutants.trials import OUTCOMES, Bench, Fate, Fault, Trial, bench

__all__ = ["OUTCOMES", "Bench", "Fate", "Fault", "Trial", "bench", "sample"]
