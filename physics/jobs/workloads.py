"""Random workloads of a shared GPU fleet from classes of jobs.

A workload is a frame with one row a job and the columns submit, runtime, gpus, estimate, job_class
and user; times are in seconds. A job is rigid: it asks for all its GPUs at once and holds them
until it ends.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.arguments import (
    MANY,
    Count,
    LimitedCount,
    NonNegative,
    Positive,
    several,
    within_range,
)
from physics.jobs.distributions import Choice, Distribution, Drawn, Exponential, Fixed, Uniform

#: An overestimate of a length that is known exactly.
EXACT = Fixed(1.0)


@within_range
@dataclass(frozen=True)
class JobClass:
    """Class of jobs with random arrivals: rate, width, run time, and accuracy of the estimates.

    Arrivals are Poisson; widths, runtimes and overestimates are independent of each other and from
    job to job.

    Args:
        name: Its label, by which a policy knows it.
        gpus: GPUs a job holds [1]; whole numbers.
        runtime: Time a job runs once it has started [s].
        arrival_rate: λ, jobs a second [1/s]; 0 for a class that is switched off.
        overestimate: estimate ÷ runtime [1], at least 1: what the scheduler is told is never too
            short. 1 is exact knowledge.
        users: Number of users among whom the jobs are dealt at random.

    >>> JobClass("interactive", gpus=8, runtime=Exponential(1800), arrival_rate=50 / 86400).name
    'interactive'
    """

    name: str
    gpus: Drawn
    runtime: Drawn
    arrival_rate: NonNegative
    overestimate: Drawn = EXACT
    users: LimitedCount = 1

    def __post_init__(self) -> None:
        if self.overestimate.mean < 1:
            raise ValueError(f"overestimate must be at least 1, got {self.overestimate.mean}")

    @property
    def gpu_seconds(self) -> float:
        """Mean work of one job, E[gpus] × E[runtime] [GPU·s]."""
        return self.gpus.mean * self.runtime.mean

    def draw(self, count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Draw all columns of `count` jobs except submit: runtime, gpus, estimate, class, user."""
        runtime = self.runtime.sample(rng, count)
        gpus = self.gpus.sample(rng, count)
        factor = self.overestimate.sample(rng, count)
        user = rng.integers(self.users, size=count)
        if (gpus != np.floor(gpus)).any() or (gpus < 1).any():
            raise ValueError(
                f"gpus of class {self.name} must be whole numbers of at least 1, got {gpus.min()}"
            )
        if (factor < 1).any():
            raise ValueError(
                f"overestimate of class {self.name} must be at least 1, got {factor.min()}"
            )
        columns = {"runtime": runtime, "gpus": gpus.astype(np.int64), "estimate": runtime * factor}
        return columns | {"job_class": np.full(count, self.name, dtype=object), "user": user}


def listed(classes: Iterable[JobClass]) -> tuple[JobClass, ...]:
    """Return job classes as a tuple, or raise ValueError for anything else.

    Even a single class must be in a list.
    """
    classes = tuple(several("classes", classes))
    for job_class in classes:
        if not isinstance(job_class, JobClass):
            raise ValueError(f"classes must be JobClass records, got {job_class!r}")
    return classes


@within_range
def offered_load(classes: Iterable[JobClass], capacity: Count) -> float:
    """Work that arrives per unit of time ÷ capacity of the whole fleet [1].

    load = Σ λ · E[gpus · runtime] / capacity, with widths and runtimes independent. At 1 and above
    no policy has a steady state; below 1 it depends on the policy whether it has one
    (`physics.scheduling.saturation_load`).

    >>> round(offered_load(platform_mix(), 1024), 3)
    0.779
    """
    classes = listed(classes)
    return sum(kind.arrival_rate * kind.gpu_seconds for kind in classes) / capacity


@within_range
def sample_jobs(
    classes: Iterable[JobClass], horizon: Positive, rng: np.random.Generator
) -> pd.DataFrame:
    """Draw a random workload: Poisson arrivals of every class from time 0 to the horizon.

    Args:
        classes: The mix. Each class draws from a stream of its own, so that changing one leaves the
            others' jobs as they were.
        horizon: Time during which jobs are submitted [s]; they may run on after it.
        rng: Source of chance; the same state gives the same jobs.

    Returns: submit [s], runtime [s], gpus [1], estimate [s], job_class, user; in order of
    submission, numbered from 0.

    >>> jobs = sample_jobs(platform_mix(), 60 * 86400, np.random.default_rng(1))
    >>> list(jobs.columns)
    ['submit', 'runtime', 'gpus', 'estimate', 'job_class', 'user']
    """
    classes = listed(classes)
    names = [job_class.name for job_class in classes]
    if not classes or len(set(names)) < len(names):
        raise ValueError(f"classes must be at least one, each with a name of its own, got {names}")
    frames = []
    users = 0
    seeds = np.random.default_rng(rng).integers(2**63, size=len(classes))
    for job_class, seed in zip(classes, seeds, strict=True):
        stream = np.random.default_rng(seed)
        expected = job_class.arrival_rate * horizon
        if expected > MANY:
            raise ValueError(
                f"horizon must hold at most {MANY:,} jobs of a class, got {expected:g}"
            )
        count = int(stream.poisson(expected))
        submit = np.sort(stream.uniform(0, horizon, count))
        columns = {"submit": submit} | job_class.draw(count, stream)
        columns["user"] += users
        users += job_class.users
        frames.append(pd.DataFrame(columns))
    jobs = pd.concat(frames)
    return jobs.sort_values("submit", kind="stable", ignore_index=True)


def platform_mix(
    interactive_rate: float = c.INTERACTIVE_RATE,
    search_rate: float = c.SEARCH_RATE,
    training_rate: float = c.TRAINING_RATE,
    training_gpus: Distribution | float | None = None,
    overestimate: float = 1.0,
) -> tuple[JobClass, JobClass, JobClass]:
    """Build the lesson's mix: interactive, search and training jobs of a machine-learning platform.

    Interactive: 8 GPUs, exponential around 30 minutes. Search: 8, 16, 24 or 32 GPUs, exponential
    around 2 hours. Training: 64, 128, …, 512 GPUs, uniform from 12 to 24 hours. Rates are in jobs a
    second.

    >>> [job_class.name for job_class in platform_mix()]
    ['interactive', 'search', 'training']
    """
    sizes: Any = training_gpus
    if sizes is None:
        sizes = Choice([c.TRAINING_GPUS_STEP * step for step in range(1, 9)])
    search_sizes = Choice([c.SEARCH_GPUS_STEP * step for step in range(1, 5)])
    training_time = Uniform(c.TRAINING_RUNTIME_LEAST, c.TRAINING_RUNTIME_MOST)
    interactive_time = Exponential(c.INTERACTIVE_RUNTIME)
    search_time = Exponential(c.SEARCH_RUNTIME)
    return (
        JobClass(
            "interactive", c.INTERACTIVE_GPUS, interactive_time, interactive_rate, overestimate
        ),
        JobClass("search", search_sizes, search_time, search_rate, overestimate),
        JobClass("training", sizes, training_time, training_rate, overestimate),
    )
