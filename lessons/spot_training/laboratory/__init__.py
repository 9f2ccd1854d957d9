"""Laboratory parts of the lesson on spot training."""
