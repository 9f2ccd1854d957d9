"""Laboratory parts of the lesson on the utilization trap."""
