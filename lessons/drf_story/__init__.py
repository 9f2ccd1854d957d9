"""Drf story: everything of this lesson."""
