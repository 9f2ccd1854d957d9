"""Minimal lesson: its numbers in words."""

from lessons.minimal_lesson.settings import Fleet
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Result


def hourly(fleet: Fleet) -> str:
    """Jobs that end in an hour, in words."""
    return f.significant(fleet.throughput * k.HOUR)


def results(fleet: Fleet) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    return [Result("Jobs an hour", fleet.throughput * k.HOUR, hourly(fleet))]


def live_values(fleet: Fleet) -> dict[str, str]:
    """Every number of the words: `story_…` of the message's own fleet, the others of these settings."""
    return {
        "story_hourly": hourly(Fleet()),
        "story_length": f.duration(Fleet().job_length),
        "gpus": f.count(fleet.fleet, "GPU"),
        "length": f.duration(fleet.job_length),
        "hourly": hourly(fleet),
    }
