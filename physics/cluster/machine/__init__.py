"""Machine of a log: its size, and jobs on parts of its GPUs."""
