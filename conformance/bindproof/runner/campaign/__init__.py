"""Generated scenarios, and how one that fails is made small.

Enters: a seed, verdicts that nothing expects. Leaves: scenarios, each decided by the seed and its number; findings,
each with the smallest scenario that shows it, saved as a vector where that is asked for.
"""
