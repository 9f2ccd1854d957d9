"""Notebooks that share one node: cell end times under three schedulers, and slowdowns."""

from physics.notebooks.node import SCHEDULERS, Cell, CellRun, NotebookRun, alone, antt, run, stp
from physics.notebooks.think_time import ThinkTime, greatest_median, least_idle_share

__all__ = [
    "SCHEDULERS",
    "Cell",
    "CellRun",
    "NotebookRun",
    "ThinkTime",
    "alone",
    "antt",
    "greatest_median",
    "least_idle_share",
    "run",
    "stp",
]
