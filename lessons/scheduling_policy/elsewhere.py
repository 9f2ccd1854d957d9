"""Scheduling policy, transfer: a counter with favored customers, and idle printing presses."""

import pandas as pd

from physics.queueing import priority_waits
from physics.scheduling import simulate


def counter(load: float, service: float, favored: float) -> dict[str, float]:
    """Return mean waits [s] at one counter: of favored customers, of the others, and of all
    customers in order of arrival.
    """
    rates = [favored * load / service, (1 - favored) * load / service]
    urgent, others = priority_waits(rates, [service] * 2)
    return {
        "urgent": urgent,
        "others": others,
        "in_order": priority_waits([load / service], [service])[0],
    }


def presses(presses: int, busy: int, left: float, large: float, small: float) -> dict[str, float]:
    """Return when the last of three orders starts and ends in strict order [s], and how many
    presses are idle until then [1].
    """
    gpus = [busy, presses, presses - busy]
    orders = simulate(
        pd.DataFrame({"submit": [0.0] * 3, "runtime": [left, large, small], "gpus": gpus}), presses
    ).jobs
    return {"idle": gpus[2], "behind": orders["start"].iloc[2], "end": orders["end"].iloc[2]}
