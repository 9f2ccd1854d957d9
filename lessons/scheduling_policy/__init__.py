"""Scheduling policy: everything of this lesson."""
