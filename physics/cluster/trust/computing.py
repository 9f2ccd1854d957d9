"""Computing share of a cluster's time, and the queue if this share were higher."""

import math
from dataclasses import dataclass

from physics.arguments import PositiveShare, within_range
from physics.cluster.calibration import Calibration
from physics.cluster.happened import Happened
from physics.cluster.say import alike, say
from physics.fleet import one_fleet

#: Storage that never slows a job down, so that `one_fleet` keeps run times as they are.
PLENTY = {
    "workers": 64,
    "samples_per_open": 1_000_000,
    "metadata_servers": 1_000_000,
    "storage_nodes": 1_000_000,
}


@dataclass(frozen=True)
class Computing:
    """Computing share of a cluster's time, and the queue if jobs waited less for data."""

    stated: float  #: utilization of the occupied GPUs, from monitoring [1]
    reached: float  #: utilization in question [1]
    occupied: float  #: share of the cluster's time that jobs occupy [1]
    before: float  #: mean wait by `one_fleet` with run times as they are [s]
    after: float  #: mean wait with the run times of that utilization [s]
    unit: str  #: what a size counts: "GPU", "CPU" or "node"

    @property
    def useful(self) -> float:
        """Computing share of the cluster's time [1]."""
        return self.stated * self.occupied

    @property
    def speed(self) -> float:
        """Speed of jobs at the higher utilization, relative to now [1]."""
        return self.reached / self.stated

    @property
    def sentences(self) -> tuple[str, str]:
        """Sentences on the computing share, and on the queue if it were higher."""
        before, after = alike(self.before, self.after)
        return (
            say("computing", computing=self),
            say("computing_line", computing=self, before=before, after=after),
        )


@within_range
def what_computes(
    happened: Happened, found: Calibration, stated: PositiveShare, reached: PositiveShare
) -> Computing:
    """Compute the computing share of a cluster's time, and the queue if it were higher.

    Args:
        happened: What the log says.
        found: Of the same log; the formula gets its inputs.
        stated: Utilization of the GPUs that jobs occupy, as monitoring shows it [1].
        reached: Utilization in question [1].

    Returns: Waits by `physics.fleet.one_fleet` of jobs that are all as wide as a running job is on
    average, with run times as recorded, and divided by reached ÷ stated; infinite where the jobs
    ask for more than there is.

    Raises ValueError for something else than the named records.

    >>> from physics.cluster import calibrate, synthetic_log, what_happened
    >>> jobs = synthetic_log(days=30)
    >>> hours = what_computes(what_happened(jobs, 1024), calibrate(jobs, 1024), 0.6, 0.78)
    >>> round(hours.speed, 2), round(hours.useful / hours.occupied, 2), hours.after < hours.before
    (1.3, 0.6, True)
    """
    if not isinstance(happened, Happened) or not isinstance(found, Calibration):
        raise ValueError(f"happened and found must be of one log, got {happened!r}")
    before = _wait(found.inputs, 1.0)
    after = _wait(found.inputs, reached / stated)
    return Computing(stated, reached, happened.utilization, before, after, happened.unit)


def _wait(inputs: dict[str, float], speed: float) -> float:
    """Mean wait by the formula if jobs run `speed` times as fast [s]."""
    servers = int(inputs["servers"])
    # the service time makes up for rounding the servers, as in the other formulas
    length = inputs["load"] * servers / inputs["arrival_rate"] / speed
    if not math.isfinite(length):
        return math.nan
    scv = inputs["length_scv"]
    return one_fleet(servers, 1, length, inputs["arrival_rate"], scv=scv, **PLENTY).wait
