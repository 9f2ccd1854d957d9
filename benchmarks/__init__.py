"""Measure what the app costs to run: each `python -m benchmarks.<name>` prints a table."""
