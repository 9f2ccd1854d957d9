"""Gpu slices: everything of this lesson."""
