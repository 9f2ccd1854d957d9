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

    in_parts: Schedule  #: the simulated schedule, with sizes in parts of a GPU
    jobs: pd.DataFrame  #: as `physics.scheduling.Schedule` has them, in GPUs
    capacity: int  #: GPUs [1]
    parts: int  #: parts per GPU [1]

    @property
    def never_started(self) -> pd.DataFrame:
        """Jobs that can never start."""
        return self.jobs[~self.jobs["can_start"]]

    @property
    def timeline(self) -> pd.DataFrame:
        """Busy GPUs and queue length at every change."""
        line = self.in_parts.timeline
        return line.assign(busy=line["busy"] / self.parts)

    @property
    def fragments(self) -> pd.DataFrame:
        """GPUs idle only because of placement, from each time on."""
        line = self.in_parts.fragments
        return line.assign(gpus=line["gpus"] / self.parts)

    @property
    def fragmented(self) -> float:
        """GPU time idle only because of placement [GPU·s]."""
        return self.in_parts.fragmented / self.parts

    @property
    def executed(self) -> float:
        """GPU time in use [GPU·s]."""
        return self.in_parts.executed / self.parts


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

    The sizes of the cluster, the policy, the outages and the nodes are in whole GPUs.

    Args:
        frame: Jobs as `physics.scheduling.simulate` takes them, but in GPUs, such as 0.5.
        gpus: Size of the cluster [1].
        policy: Policy, with reserved GPUs, quotas and limits in GPUs.
        down: Outages: begin [s], end [s], GPUs.
        parts: Parts per GPU [1].
        gpus_per_node, nodes: Sizes of the nodes in GPUs, if jobs are placed on nodes.
        fit: How a node is chosen; see `physics.scheduling.simulate`.

    >>> frame = pd.DataFrame({"submit": [0, 0, 0], "runtime": [9, 9, 9], "gpus": [0.5, 0.5, 0.5]})
    >>> schedule = run(frame, 1, Policy(), parts=2)
    >>> schedule.jobs["wait"].tolist(), schedule.capacity, schedule.executed
    ([0.0, 0.0, 9.0], 1, 13.5)
    """
    if parts == 1:
        return simulate(frame, gpus, policy, down, gpus_per_node, nodes, fit)
    sizes: dict[str, Any] = {}
    for owner, max_gpus in policy.limits.items():
        sizes[f"{owner}_limit"] = max_gpus * parts
    for name in ("reserved", "quotas"):
        of_class = getattr(policy, name)
        if of_class is not None:
            sizes[name] = {job_class: size * parts for job_class, size in of_class.items()}
    if gpus_per_node is not None:
        gpus_per_node *= parts
    if nodes is not None:
        nodes = [size * parts for size in nodes]
    outages = [(begin, end, size * parts) for begin, end, size in down]
    jobs = sizes_in_parts(frame, parts)
    policy = replace(policy, **sizes)
    schedule = simulate(jobs, gpus * parts, policy, outages, gpus_per_node, nodes, fit)
    jobs = schedule.jobs.assign(gpus=frame["gpus"].to_numpy(), lost=schedule.jobs["lost"] / parts)
    return InParts(schedule, jobs, gpus, parts)


def sizes_in_parts(frame: pd.DataFrame, parts: int) -> pd.DataFrame:
    """Return jobs with sizes in parts of a GPU, rounded to whole parts."""
    if parts == 1:
        return frame
    return frame.assign(gpus=np.round(frame["gpus"].to_numpy(float) * parts).astype(np.int64))
