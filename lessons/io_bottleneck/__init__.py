"""Io bottleneck: everything of this lesson."""
