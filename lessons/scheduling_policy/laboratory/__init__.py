"""Laboratory parts of the lesson on scheduling policies."""
