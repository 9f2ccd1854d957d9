"""The film for those who have not begun: on this small fleet nobody waits, so it answers no lesson's question."""

from functools import lru_cache

import numpy as np
import pandas as pd

from physics import constants as k
from physics.films import Film
from physics.films import film as of_rows
from physics.placement import place
from ui.base import format as f
from ui.films import Kind, Showing

#: GPUs of a job, each as likely, and the tone of its boxes.
SIZES = {1: "s4", 2: "s0", 4: "s2", 8: "s1"}
NODES, NODE = int(k.HOME_NODES), int(k.HOME_NODE_GPUS)


@lru_cache(maxsize=1)
def jobs(seed: int = int(k.HOME_SEED)) -> pd.DataFrame:
    """Serve the jobs of a day and of the day before it, so that the fleet is not empty when the film begins.

    >>> bool((jobs()["start"] == jobs()["arrival"]).all())
    True
    """
    rng, length = np.random.default_rng(seed), float(k.HOME_LENGTH)
    count = int(2 * length / k.HOME_BETWEEN)
    stream = pd.DataFrame(
        {
            "arrival": np.sort(rng.uniform(0, 2 * length, count)),
            "gpus": rng.choice(list(SIZES), count),
            "runtime": rng.exponential(float(k.HOME_RUNTIME), count),
        }
    )
    return place(stream, NODES, NODE)


def film(seed: int = int(k.HOME_SEED)) -> Film:
    """Give each job the lowest free GPUs of its node; a box for each GPU, as neighbors may be taken."""
    served, until = jobs(seed), np.full(NODES * NODE, -np.inf)
    boxes: list[tuple] = []
    for job in served.sort_values("start", kind="stable").itertuples():
        for node, size in job.nodes:
            gpus = node * NODE + np.flatnonzero(until[node * NODE : (node + 1) * NODE] <= job.start)[:size]
            until[gpus] = job.end
            boxes += [(gpu, gpu, job.start, job.end, job.gpus, "") for gpu in gpus.tolist()]
    waiting = [(job.gpus, job.arrival, job.start, job.gpus) for job in served.itertuples() if job.start > job.arrival]
    length = float(k.HOME_LENGTH)
    return of_rows(NODES * NODE, length, 2 * length, boxes, waiting)


@lru_cache(maxsize=1)
def showing() -> Showing:
    """The film with its words; they name what was put in, nothing that a model found."""
    fleet = f"{NODES} nodes of {NODE} GPUs"
    return Showing(
        film(),
        {size: Kind(f.count(size, "GPU"), tone) for size, tone in SIZES.items()},
        f"A simulated day of {fleet}, half a row for each node; one of many days that could have come (seed "
        f"{int(k.HOME_SEED)}). A job comes about every {f.duration(float(k.HOME_BETWEEN))}: so few that on this day "
        "none waits. The lessons ask what happens on busier fleets.",
        f"Jobs come and go on {fleet}; on this day none waits.",
        columns=2 * NODE,
        tall=110,
        queue=False,
    )
