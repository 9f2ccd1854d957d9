"""Laboratory parts of the lesson on fair queueing."""
