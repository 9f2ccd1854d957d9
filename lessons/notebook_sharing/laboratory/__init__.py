"""Laboratory parts of the lesson on notebook sharing."""
