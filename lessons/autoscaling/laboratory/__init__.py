"""Laboratory parts of the lesson on autoscaling."""
