"""Simulation of jobs on parts of GPUs, such as sevenths, with results in GPUs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from physics.scheduling import Policy, Schedule, simulate


@dataclass(frozen=True, eq=False)
class InParts:
    """Schedule that was simulated in parts of a GPU, with its results converted to GPUs."""

    whole: Schedule  #: the schedule in parts
    jobs: pd.DataFrame  #: as `physics.scheduling.Schedule` has them, in GPUs
    capacity: int  #: GPUs [1]
    parts: int  #: parts of a GPU [1]

    @property
    def policy(self) -> Policy:
        """Policy of the simulation, in parts of a GPU."""
        return self.whole.policy

    @property
    def never_started(self) -> pd.DataFrame:
        """Jobs that can never start."""
        return self.jobs[~self.jobs["can_start"]]

    @property
    def timeline(self) -> pd.DataFrame:
        """Busy GPUs and queue length at every change."""
        line = self.whole.timeline
        return line.assign(busy=line["busy"] / self.parts)

    @property
    def fragments(self) -> pd.DataFrame:
        """GPUs idle only because of placement, from each time on."""
        line = self.whole.fragments
        return line.assign(gpus=line["gpus"] / self.parts)

    @property
    def fragmented(self) -> float:
        """GPU time idle only because of placement [GPU·s]."""
        return self.whole.fragmented / self.parts

    @property
    def executed(self) -> float:
        """GPU time in use [GPU·s]."""
        return self.whole.executed / self.parts


#: Result of a simulation, in whole GPUs or in parts.
AnySchedule = Schedule | InParts


def run(
    frame: pd.DataFrame,
    gpus: int,
    policy: Policy,
    down: Iterable[tuple[float, float, int]] = (),
    parts: int = 1,
    gpus_per_node: int | None = None,
    nodes: Sequence[int] | None = None,
    fit: Literal["best", "first", "worst"] = "best",
) -> AnySchedule:
    """Simulate jobs whose sizes are whole multiples of 1 ÷ parts GPUs, on nodes if there are any.

    >>> frame = pd.DataFrame({"submit": [0, 0, 0], "runtime": [9, 9, 9], "gpus": [0.5, 0.5, 0.5]})
    >>> schedule = run(frame, 1, Policy(), parts=2)
    >>> schedule.jobs["wait"].tolist(), schedule.capacity, schedule.executed
    ([0.0, 0.0, 9.0], 1, 13.5)
    """
    if parts == 1:
        return simulate(frame, gpus, policy, down, gpus_per_node, nodes, fit)
    sizes: dict[str, Any] = {
        f"{owner}_limit": most * parts for owner, most in policy.limits.items()
    }
    for name in ("reserved", "quotas"):
        of_class = getattr(policy, name)
        if of_class is not None:
            sizes[name] = {job_class: size * parts for job_class, size in of_class.items()}
    if gpus_per_node is not None:
        gpus_per_node *= parts
    if nodes is not None:
        nodes = [size * parts for size in nodes]
    outages = [(begin, end, size * parts) for begin, end, size in down]
    jobs = whole_parts(frame, parts)
    in_parts = replace(policy, **sizes)
    schedule = simulate(jobs, gpus * parts, in_parts, outages, gpus_per_node, nodes, fit)
    jobs = schedule.jobs.assign(gpus=frame["gpus"].to_numpy(), lost=schedule.jobs["lost"] / parts)
    return InParts(schedule, jobs, gpus, parts)


def whole_parts(frame: pd.DataFrame, parts: int) -> pd.DataFrame:
    """Convert the sizes of jobs to parts of a GPU."""
    if parts == 1:
        return frame
    return frame.assign(gpus=np.round(frame["gpus"].to_numpy(float) * parts).astype(np.int64))
