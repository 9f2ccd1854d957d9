"""Laboratory parts of the lesson on the I/O bottleneck."""
