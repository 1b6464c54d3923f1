"""Benchmarks of the scheduler; see `__main__`."""
