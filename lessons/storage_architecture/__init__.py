"""Storage architecture: everything of this lesson."""
