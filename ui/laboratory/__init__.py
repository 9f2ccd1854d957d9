"""The page that lists the parts of all lessons."""
