"""Changes to a cluster, and a log's jobs after a change."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from physics.arguments import MANY, LimitedCount, Positive, count, finite, positive, refusing
from physics.cluster.jobs import Log
from physics.cluster.weeks import WEEK, week_of
from physics.scheduling import Policy

REQUESTED = "requested"
PERFECT = "perfect"
#: Nodes of a change: those that were read with the log.
LISTED = "listed"
#: Most jobs of a changed log, and most arrivals, estimates and speeds as multiples of the log's.
MOST_JOBS = 2_000_000
MOST_ARRIVALS = 10.0
MOST_ESTIMATE = 1_000.0
MOST_SPEED = 1_000.0
#: Class of jobs that leave the cluster.
AWAY = "away"


@refusing
@dataclass(frozen=True)
class Change:
    """Change of a cluster or its jobs; a field left out keeps the baseline's value.

    Args:
        policy: Whole new policy, including order, backfill, reserved GPUs and preemption.
        gpus: New size of the cluster [1].
        arrivals: Jobs as a multiple of the log's. Below 1, each job stays with that probability;
            above 1, jobs of weeks drawn from the log are added at the same hour of the week [1].
        estimates: Run times that the scheduler is told: "requested", as in the log; "perfect", the
            run times themselves; or a multiple of the run times from 1 to 1,000.
        moved: New class of a class's jobs, whose rules they then follow; "away": they leave the
            cluster.
        speed: Factor by which run times and estimates are divided, for all or some classes [1].
        gpus_per_node, nodes, fit: Nodes and their choice, see `physics.scheduling.simulate`;
            "listed" nodes are those that were read with the log (`physics.cluster.Nodes`).
        capped: Most GPUs of a class's jobs, which then run so much longer that their work stays the
            same: a best case, as if all scaled perfectly [1].

    Raises ValueError for a value that is none of these.

    >>> Change(gpus=576, moved={"interactive": "away"}).gpus
    576
    """

    policy: Policy | None = None
    gpus: LimitedCount | None = None
    arrivals: Positive = 1.0
    estimates: str | float = REQUESTED
    moved: Mapping[str, str] = field(default_factory=dict)
    capped: Mapping[str, int] = field(default_factory=dict)
    speed: float | Mapping[str, float] = 1.0
    gpus_per_node: LimitedCount | None = None
    nodes: Sequence[int] | Literal["listed"] | None = None
    fit: Literal["best", "first", "worst"] = "best"

    def __post_init__(self) -> None:
        if self.arrivals > MOST_ARRIVALS:
            raise ValueError(
                f"arrivals must be at most {MOST_ARRIVALS:g} times those of the log, got "
                f"{self.arrivals}"
            )
        if self.estimates not in (REQUESTED, PERFECT):
            factor = finite("estimates", self.estimates)
            if not 1 <= factor <= MOST_ESTIMATE:
                raise ValueError(
                    f"estimates must be 1 to {MOST_ESTIMATE:,g} times the runtime, got "
                    f"{self.estimates}"
                )
        for name, mapping in (("moved", self.moved), ("capped", self.capped)):
            if not isinstance(mapping, Mapping):
                raise ValueError(f"{name} must map class names, got {mapping!r}")
        for name, target in self.moved.items():
            if not isinstance(target, str) or not target:
                raise ValueError(f"moved must name a class for {name}, got {target!r}")
        for name, gpus in self.capped.items():
            count(f"cap of {name}", gpus, most=MANY)
        speeds = self.speed if isinstance(self.speed, Mapping) else {"all jobs": self.speed}
        for name, factor in speeds.items():
            positive(f"speed of {name}", factor)
            if not 1 / MOST_SPEED <= factor <= MOST_SPEED:
                raise ValueError(
                    f"speed of {name} must be 1 ÷ {MOST_SPEED:g} to {MOST_SPEED:g}, got {factor:g}"
                )

    @property
    def on_nodes(self) -> bool:
        """Whether the simulation places jobs on nodes."""
        return self.gpus_per_node is not None or self.nodes is not None

    def placed(self, listed: Sequence[int] = ()) -> dict[str, Any]:
        """Node arguments for the simulator, from the change or the log; empty without nodes."""
        if not self.on_nodes:
            return {}
        nodes = self.nodes
        if isinstance(nodes, str):
            if nodes != LISTED:
                raise ValueError(f"nodes must be sizes or {LISTED!r}, got {nodes!r}")
            if not listed:
                raise ValueError(
                    f"nodes must be read with the log to be {LISTED} (--nodes FILE), got none"
                )
            nodes = list(listed)
        return {"gpus_per_node": self.gpus_per_node, "nodes": nodes, "fit": self.fit}


def changed_jobs(log: Log, change: Change, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """Jobs after a change, and the position of each of the log's jobs in them (−1 if removed)."""
    length = log.runtime
    estimate = log.estimate
    width = log.gpus
    classes = log.classes.copy()
    for name, most in change.capped.items():
        narrowed = (log.classes == name) & (width > most)
        stretch = np.where(narrowed, width / int(most), 1.0)
        length = length * stretch
        estimate = estimate * stretch
        width = np.where(narrowed, int(most), width)
    for name, target in change.moved.items():
        classes[log.classes == name] = target
    speed: Any = change.speed
    if isinstance(speed, Mapping):
        speed = np.array([speed.get(name, 1.0) for name in log.classes])
    length = length / speed
    estimate = estimate / speed
    if change.estimates == PERFECT:
        estimate = length
    elif change.estimates != REQUESTED:
        estimate = length * float(change.estimates)
    frame = log.frame.assign(runtime=length, gpus=width, job_class=classes, estimate=estimate)
    away = [name for name, target in change.moved.items() if target == AWAY]
    keep = ~np.isin(log.classes, away)
    rng = np.random.default_rng(seed)
    if change.arrivals < 1:
        keep &= rng.random(len(frame)) < change.arrivals
    if not keep.any():
        raise ValueError("change must leave at least one job, got none")
    new_index = np.where(keep, np.cumsum(keep) - 1, -1)
    frame = frame[keep].reset_index(drop=True)
    if change.arrivals > 1:
        more = _more(frame, change.arrivals - 1, rng)
        frame = pd.concat([frame, more], ignore_index=True)
    return frame, new_index


def _more(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """Additional jobs, as a share of the log's: copies at the same time of another week.

    Each week gets jobs from weeks that are drawn from the log.
    """
    jobs = len(frame) * (1 + share)
    if jobs > MOST_JOBS:
        raise ValueError(f"arrivals must make at most {MOST_JOBS:,} jobs, got {jobs:,.0f}")
    submit = frame["submit"].to_numpy(float)
    week = week_of(submit, submit.min())
    # The last week is not complete: it gets jobs, but is drawn only if it is the only week.
    drawable = max(1, int(week[-1]))
    first = np.searchsorted(week, np.arange(drawable + 1))
    rounds = math.ceil(share)
    rows = []
    moves = []
    for target in range(int(week[-1]) + 1):
        for source in rng.integers(drawable, size=rounds).tolist():
            candidates = np.arange(first[source], first[source + 1])
            copies = candidates[rng.random(len(candidates)) < share / rounds]
            rows.append(copies)
            moves.append(np.full(len(copies), (target - source) * WEEK))
    chosen = np.concatenate(rows)
    moved = np.concatenate(moves)
    more = frame.iloc[chosen].assign(submit=submit[chosen] + moved)
    return more[more["submit"] <= submit.max()]
