"""Laboratory parts of the lesson on policy trials."""
