"""Animation on the home page: a small fleet and its waiting jobs, without an explanation."""

from functools import lru_cache

import numpy as np

from physics import constants as k
from physics.films import in_lanes
from physics.queueing import simulate_queue
from ui.base import format as f

#: Jobs that the small fleet runs at once.
SERVERS = int(k.HOME_GPUS / k.HOME_JOB_GPUS)
#: Unit of the animation's times [s].
TICK = 36.0


@lru_cache(maxsize=1)
def run(seed: int = int(k.HOME_SEED)) -> np.ndarray:
    """Return arrival, start, and end of each job in a run from an empty fleet [ticks].

    >>> arrival, start, end = run()
    >>> bool((arrival <= start).all() and (start < end).all())
    True
    """
    rate = k.HOME_LOAD * SERVERS / k.HOME_RUNTIME
    length = float(k.HOME_LENGTH)
    rng = np.random.default_rng(seed)
    records = simulate_queue(rate, float(k.HOME_RUNTIME), SERVERS, 1.0, int(2 * rate * length), rng)
    times = np.ceil(records[["arrival", "start", "end"]].to_numpy().T / TICK).astype(int)
    return times[:, times[0] < length / TICK]


def waiting(times: np.ndarray) -> np.ndarray:
    """Return the number of waiting jobs at each tick of a run."""
    ticks = np.arange(int(k.HOME_LENGTH / TICK) + 1)
    return ((times[0, :, None] <= ticks) & (ticks < times[1, :, None])).sum(axis=0)


def sent(plays: bool) -> dict:
    """Return the run as data for `ui.films.play`."""
    arrival, start, end = run()
    length = int(k.HOME_LENGTH / TICK)
    line = waiting(run())
    lanes = in_lanes(start, end, SERVERS, length)
    each = int(k.HOME_JOB_GPUS)
    return {
        "places": SERVERS * each,
        "columns": 2 * each,
        "tick": TICK,
        "end": length * TICK,
        "each": each,
        "numbers": list(range(1, len(start) + 1)),
        "jobs": [column.tolist() for column in (lanes, arrival, start, end)],
        "names": ["waiting"],
        "top": 1.25 * float(line.max()),
        "mark": 72.0,
        "title": f"{int(k.HOME_GPUS)} GPUs, simulated for {f.duration(float(k.HOME_LENGTH))}",
        "label": f"{f.duration(float(k.HOME_LENGTH))} of {int(k.HOME_GPUS)} GPUs, simulated: all "
        f"of them are healthy, and the line of waiting jobs grows from none to {line[-1]}.",
        "plays": plays,
    }
