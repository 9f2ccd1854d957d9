"""Autoscaling: everything of this lesson."""
