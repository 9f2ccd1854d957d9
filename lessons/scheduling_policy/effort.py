"""Scheduling policy: how much of a setting is simulated, bounded by what it would cost.

Conservative backfill plans every waiting job at each early end, so that a replication of an overloaded fleet takes a
time that grows with the square of the days simulated. The estimate rests on the settings alone, not on the machine, so
that the same settings give the same numbers everywhere.
"""

import math
from functools import lru_cache
from typing import Any

from physics import constants as k

#: Most CPU time, by the estimate, that one replication and all of a setting may take [s].
ONE, ALL = 1.5, 6.0
#: Load of the jobs that can start from which on the queue is taken to grow, and fewest days simulated.
GROWS, FEWEST_DAYS = 0.9, 7
#: By arrival each start within a quota plans all who wait anew: by job, and by job while another one waits [s].
QUOTAS_PLANNED = (0.6e-3, 250e-6)
DAY = float(k.DAY)


def costs(scenario: Any) -> tuple[float, float]:
    """CPU time of a job, and of a job while another one waits, measured on one core of 2.5 GHz [s]."""
    general = scenario.general
    if scenario.backfill != "conservative":
        return (60e-6 if general else 15e-6), 0.0
    if scenario.order == "arrival" and scenario.quotas != "none":
        return QUOTAS_PLANNED
    if scenario.order != "arrival":
        return (150e-6 if general else 50e-6), 5e-6
    # Exact estimates are cheap: no job ends early, so no reservation moves up.
    if scenario.estimates == 1:
        return (150e-6 if general else 50e-6), 5e-6
    return (300e-6 if scenario.reserved else 150e-6 if general else 50e-6), (250e-6 if scenario.reserved else 150e-6)


@lru_cache(maxsize=1024)
def per_day(scenario: Any) -> tuple[float, float]:
    """Estimated CPU time of a replication of d days is a d + b d², good to a factor of two or three; a and b [s].

    While the queue grows, half the trainings that have come and cannot be served wait beside each job.
    """
    *_, training = mix = scenario.mix
    a_job, a_waiting = costs(scenario)
    jobs = sum(one.arrival_rate for one in mix) * DAY
    sizes = training.gpus.values
    fitting = sum(size <= scenario.training_room for size in sizes) / len(sizes)
    load = scenario.startable_rate / scenario.fleet
    growth = max(0.0, 1 - GROWS / load) if load > 0 else 0.0
    return a_job * jobs, a_waiting * jobs * training.arrival_rate * fitting * DAY * growth / 2


def cost(scenario: Any, days: float) -> float:
    """Estimated CPU time of one replication of so many days [s]."""
    once, square = per_day(scenario)
    return once * days + square * days**2


def days(scenario: Any) -> int:
    """Days simulated: all of them, or as many as one replication may cost, but a week at least."""
    most = int(k.SIMULATED_TIME / k.DAY)
    return next((some for some in range(most, FEWEST_DAYS, -1) if cost(scenario, some) <= ONE), FEWEST_DAYS)


def simulated_time(scenario: Any) -> float:
    """Time during which jobs are submitted in each replication [s]."""
    return days(scenario) * DAY


def runs(scenario: Any, wanted: int | None = None, most: float = ALL) -> int:
    """How many of the wanted replications are simulated: as many as the setting may cost, but two at least."""
    wanted = scenario.replications if wanted is None else wanted
    return min(wanted, max(2, math.floor(most / cost(scenario, days(scenario)))))


def words(scenario: Any, wanted: int | None = None) -> str:
    """Say what was simulated less than asked for and why; empty if nothing was."""
    wanted = scenario.replications if wanted is None else wanted
    few, short = runs(scenario, wanted), days(scenario)
    least = []
    if short < int(k.SIMULATED_TIME / k.DAY):
        least.append(f"{short} days a replication, not {int(k.SIMULATED_TIME / k.DAY)}")
    if few < wanted:
        least.append(f"{few} replications, not {wanted}")
    return f"These settings take long to simulate, so there are only {', and '.join(least)}." if least else ""
