"""The machine that a log is of: its size, and jobs on parts of its GPUs."""
