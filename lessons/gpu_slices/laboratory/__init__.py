"""Laboratory parts of the lesson on GPU slices."""
