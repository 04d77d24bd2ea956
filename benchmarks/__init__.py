"""How fast bindproof is; not part of the distribution. `python -m benchmarks.speed --help` is the way in."""
