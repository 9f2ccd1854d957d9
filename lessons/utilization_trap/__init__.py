"""Utilization trap: everything of this lesson."""
