"""Laboratory parts of the lesson on placement."""
