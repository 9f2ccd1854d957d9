"""Laboratory parts of the lesson Where the hours go."""
