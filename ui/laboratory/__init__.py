"""Page that lists the laboratory parts of all lessons."""
