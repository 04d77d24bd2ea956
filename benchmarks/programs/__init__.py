"""Programs that the benchmarks start; each runs by itself, on the standard library alone."""
