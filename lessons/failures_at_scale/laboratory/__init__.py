"""Laboratory parts of the lesson on eight times the GPUs."""
