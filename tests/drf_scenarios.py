"""Scenarios of the DRF story from jobs and amounts, as tests think of them."""

from collections.abc import Sequence

from lessons.drf_story import PRESETS
from lessons.drf_story.jobs import Job
from lessons.drf_story.settings import Scenario
from physics import constants as k
from ui.knobs.declared import read


def scenario_of(
    jobs: Sequence[Job], pool: Sequence[float], executors: int = 15, step: int = 1, *policies: str
):
    """Make a scenario: amounts of the pool in vCPU and GB."""
    cpu, mem = pool
    return Scenario(
        tuple(jobs), executors, step, *policies or ("drf", "round_robin"), cpu=cpu, mem=mem * k.GB
    )


def preset(name: str) -> Scenario:
    """Return the scenario of a preset."""
    return read(Scenario, PRESETS[name].changes)[0]
