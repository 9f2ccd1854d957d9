"""Scheduling policy, transfer: a counter with favored customers, and idle printing presses."""

import pandas as pd

from physics.queueing import priority_waits
from physics.scheduling import simulate


def counter(load: float, service: float, favored: float) -> dict[str, float]:
    """Return mean waits at one counter by class, and in order of arrival [s]."""
    rates = [favored * load / service, (1 - favored) * load / service]
    urgent, others = priority_waits(rates, [service] * 2)
    return {
        "urgent": urgent,
        "others": others,
        "in_order": priority_waits([load / service], [service])[0],
    }


def presses(presses: int, busy: int, left: float, large: float, small: float) -> dict[str, float]:
    """Return start and end of the last of three orders [s], and the idle presses [1]."""
    idle = presses - busy
    orders = {"submit": 0.0, "runtime": [left, large, small], "gpus": [busy, presses, idle]}
    last = simulate(pd.DataFrame(orders), presses).jobs.iloc[2]
    return {"idle": idle, "behind": last["start"], "end": last["end"]}
