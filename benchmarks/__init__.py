"""What the app costs to run, measured: `python -m benchmarks.<name>` prints a table."""
