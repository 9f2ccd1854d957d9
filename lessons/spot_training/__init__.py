"""Spot training: everything of this lesson."""
