"""Steps that wait for many answers: their length, the use of slots, and extra answers.

A model writes m = n + e `answers` and `extra` ones on p `places`; an answer starts as soon as a
place is free, and the step ends when the first n are done. Lengths are memoryless (exponential)
unless told otherwise.
"""

from physics.rollouts.simulation import draw_lengths, play_step, simulate_steps
from physics.rollouts.steps import busy_share, kept_mean, last_of, stale_share, step_time

__all__ = [
    "busy_share",
    "draw_lengths",
    "kept_mean",
    "last_of",
    "play_step",
    "simulate_steps",
    "stale_share",
    "step_time",
]
