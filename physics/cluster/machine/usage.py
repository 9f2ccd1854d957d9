"""Use of a cluster's GPUs by a log's jobs: how much, when, and how many were idle or down."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from physics import pace
from physics.cluster.jobs import Log, ratios
from physics.cluster.machine.size import time_over
from physics.cluster.machine.steps import (
    Steps,
    down_of,
    edges_between,
    idle_while_waiting,
    missing,
    use_of,
)


class Usage(NamedTuple):
    """GPUs in use over a log's time span; see the fields of `physics.cluster.Happened`."""

    largest: int
    utilization: float
    wasted: float
    over_time: pd.DataFrame
    running_share: float
    over: float
    down: float


def usage_of(log: Log, size: int) -> Usage:
    """Measure the use of a cluster of this size [GPUs], which may have GPUs that are down."""
    busy, queue = use_of(log)
    down = down_of(log)
    wasted = idle_while_waiting(busy, queue, size, down)
    out_of_service = missing(busy, size, down)
    # Without recorded waits nobody knows what was in use: results are multiplied by NaN.
    if_recorded = 1.0 if log.recorded.any() else math.nan
    pace.step()
    span = (log.begin, log.end)
    in_use = busy.between(*span)
    provided = size * (log.end - log.begin) - out_of_service.between(*span)
    running = log.running
    ends = (log.start + log.runtime)[running]
    still_running = Steps.of(log.start[running], ends, log.gpus[running])
    return Usage(
        largest=math.ceil(busy.height.max()),
        utilization=if_recorded * in_use / provided if provided > 0 else math.nan,
        wasted=if_recorded * wasted.between(*span),
        over_time=_over_time(log, size, if_recorded, busy, queue, wasted, out_of_service),
        running_share=still_running.between(*span) / in_use if in_use > 0 else 0.0,
        over=time_over(busy, size),
        down=out_of_service.between(*span),
    )


def _over_time(
    log: Log,
    size: int,
    if_recorded: float,
    busy: Steps,
    queue: Steps,
    wasted: Steps,
    out_of_service: Steps,
) -> pd.DataFrame:
    """Table of utilization, waiting jobs, wasted time, and arrivals, by the hour or the day."""
    edges = edges_between(log.begin, log.end)
    length = np.diff(edges)
    provided = size * length - np.diff(out_of_service.integral(edges))
    return pd.DataFrame(
        {
            "begin": edges[:-1],
            "length": length,
            "utilization": if_recorded * ratios(np.diff(busy.integral(edges)), provided),
            "waiting": if_recorded * np.diff(queue.integral(edges)) / length,
            "wasted": if_recorded * np.diff(wasted.integral(edges)),
            "arrivals": np.histogram(np.append(log.submit, log.waiting), edges)[0],
        }
    )
