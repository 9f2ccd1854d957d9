"""Notebook sharing: everything of this lesson."""
