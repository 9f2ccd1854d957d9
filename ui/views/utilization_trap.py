"""Utilization trap: its settings, and its numbers in words."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from physics import constants as k
from physics.queueing import mmc
from ui import format as f
from ui.compare import Result
from ui.views.trap_fleet import Fleet

PRESETS = {
    "The director's cluster": {},
    "One job takes the whole fleet (M/M/1)": {"gpus_per_job": 1024},
    "8-GPU jobs": {"gpus_per_job": 8},
    "The director buys 256 GPUs": {"added": k.TRAP_REQUESTED},
    "All jobs alike (SCV 0)": {"scv": 0},
    "Wild job lengths (SCV 10)": {"scv": 10},
}
#: What the knobs vary, by quantity: default and range of each.
KNOBS = {
    "fleet": k.TRAP_FLEET,
    "gpus_per_job": k.TRAP_GPUS_PER_JOB,
    "utilization": k.TRAP_UTILIZATION,
    "added": k.TRAP_ADDED,
    "job_length": k.TRAP_JOB_LENGTH,
    "target": k.TRAP_TARGET,
    "scv": k.TRAP_SCV,
}


def defaults() -> Fleet:
    """Return the settings that the page opens with: the director's cluster."""
    return Fleet()


def settings(quantities: Mapping[str, float]) -> Fleet:
    """Read the knobs, SI by quantity."""
    return Fleet(
        gpus=int(quantities["fleet"]),
        gpus_per_job=int(quantities["gpus_per_job"]),
        utilization=quantities["utilization"],
        added=int(quantities["added"]),
        job_length=quantities["job_length"],
        scv=quantities["scv"],
        target=quantities["target"],
    )


def results(fleet: Fleet) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    now = fleet.now
    return [
        Result("Mean wait", now.mean_wait, f.duration(now.mean_wait)),
        Result("Jobs waiting", now.mean_in_queue, f.significant(now.mean_in_queue)),
        Result("Utilization", now.utilization, f.share(now.utilization)),
    ]


@lru_cache(maxsize=1)
def _director() -> dict[str, str]:
    """The numbers of the message's own cluster, whatever the knobs say."""
    director = Fleet()
    bought = replace(director, added=int(k.TRAP_REQUESTED))
    at = {rho: replace(director, utilization=rho).now.mean_wait for rho in (0.75, 0.80, 0.85)}
    wait = director.now.mean_wait
    return {
        "director_utilization": f.share(director.utilization),
        "director_servers": f.count(director.servers, "server"),
        "director_wait": f.duration(wait),
        "bought_utilization": f.share(bought.now.utilization),
        "bought_wait": f.duration(bought.now.mean_wait, 2),
        "bought_factor": f.times(wait / bought.now.mean_wait),
        "eighty_wait": f.duration(at[0.80]),
        "eighty_factor": f.times(wait / at[0.80]),
        "seventyfive_wait": f.duration(at[0.75]),
        "eightyfive_wait": f.duration(at[0.85]),
        "one_wait": f.duration(replace(director, gpus_per_job=director.gpus).now.mean_wait),
        "small_wait": f.duration(replace(director, gpus_per_job=8).now.mean_wait),
        "knee_four": f.share(director.knee),
        "knee_eight": f.share(replace(director, gpus_per_job=128).knee),
    }


@lru_cache(maxsize=1)
def _corrected() -> dict[str, str]:
    """The numbers of the corrections: one server and the director's cluster, whatever the knobs say."""
    director, busy, calm = Fleet(), mmc(float(k.TRAP_UTILIZATION), 1.0), mmc(0.80, 1.0)
    small = replace(director, gpus_per_job=8)
    return {
        "single_wait": f.significant(busy.mean_wait),
        "single_response": f.significant(busy.mean_response),
        "single_wait_factor": f.times(busy.mean_wait / calm.mean_wait, 3),
        "single_response_factor": f.times(busy.mean_response / calm.mean_response, 3),
        "single_p99": f.significant(busy.wait_percentile(0.99)),
        "single_p99_factor": f.times(busy.wait_percentile(0.99) / busy.mean_wait, 3),
        "ln_100": f.significant(math.log(100), 4),
        "small_servers": f.count(small.servers, "server"),
        "small_servers_bare": f.significant(small.servers),
        "small_ratio": f.significant(small.now.mean_wait / small.job_length),
        "director_ratio": f.significant(director.now.mean_wait / director.job_length, 4),
        "director_rate": f"{f.significant(director.arrival_rate * k.HOUR)} jobs an hour",
        "director_servers_bare": f.significant(director.servers),
        "bought_hours": f.significant(replace(director, added=int(k.TRAP_REQUESTED)).now.mean_wait / k.HOUR, 2),
        "knee_one": f.share(replace(director, gpus_per_job=director.gpus).knee),
        "knee_small": f.share(small.knee),
    }


def live_values(fleet: Fleet) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    now = fleet.now
    one = mmc(now.utilization / fleet.job_length, fleet.job_length)
    exponential = mmc(fleet.arrival_rate, fleet.job_length, fleet.servers)
    return (
        _director()
        | _corrected()
        | {
            "servers_words": f.count(fleet.servers, "server"),
            "gpus_per_job": f.count(fleet.gpus_per_job, "GPU"),
            "job_length": f.duration(fleet.job_length),
            "arrivals": f"{f.significant(fleet.arrival_rate * k.HOUR)} times an hour",
            "offered_load": f.count(fleet.arrival_rate * fleet.job_length, "server"),
            "utilization": f.share(now.utilization),
            "jobs_waiting": jobs_words(fleet),
            "mm1_wait": f.duration(one.mean_wait),
            "mm1_response": f.duration(one.mean_response),
            "prob_wait": f.share(now.prob_wait),
            "mmc_wait": f.duration(exponential.mean_wait),
            "percentile_words": _percentile_words(fleet),
            "scv_words": _scv_words(fleet),
        }
    )


def jobs_words(fleet: Fleet) -> str:
    """Little's law at these settings: arrival rate times mean wait is the mean number waiting."""
    now = fleet.now
    if not now.stable:
        return "without limit"
    rate = f.significant(fleet.arrival_rate * k.HOUR)
    return f"{rate} jobs an hour × {f.duration(now.mean_wait)} = {f.significant(now.mean_in_queue)} jobs"


def percentile(fleet: Fleet) -> str:
    """The wait that 99 of 100 jobs stay below."""
    value = fleet.now.wait_percentile(0.99)
    return "not known" if value is None else f.duration(value)


def percentile_note(fleet: Fleet) -> str:
    """What the P99 is, and by which approximation where it is one."""
    if not fleet.now.stable:
        return "no steady state"
    if fleet.now.percentile_method != fleet.now.method:
        return fleet.now.percentile_method
    return "99 of 100 jobs wait less" if fleet.now.wait_percentile(0.99) else "99 of 100 jobs do not wait"


def _percentile_words(fleet: Fleet) -> str:
    if not fleet.now.stable:
        return "Without a steady state no percentile exists: later jobs wait ever longer."
    value = fleet.now.wait_percentile(0.99)
    if value is None:
        return "For job lengths that are not exponential there is no such closed form."
    kind = (
        ""
        if fleet.scv == 1
        else " Job lengths are not exponential here, so this takes the tail as exponential, an approximation."
    )
    return f"99 of 100 jobs wait at most {f.duration(value)}.{kind}"


def _scv_words(fleet: Fleet) -> str:
    if fleet.scv == 1:
        return "Your job lengths are exponential (SCV 1), so the factor is 1 and the formula is exact."
    start = f"With SCV {f.significant(fleet.scv)} the factor is {f.significant((1 + fleet.scv) / 2)}."
    if fleet.servers == 1:
        return f"{start} For one server this is the Pollaczek–Khinchine formula, and it is exact."
    return (
        f"{start} For several servers this is an approximation. Simulated at SCV 4 and 95 % busy, it is 1 to 3 % high "
        "for 4 servers. For 128 servers it depends on the tail: about 8 % high for gamma job lengths, 21 % for "
        "hyperexponential, 32 % for log-normal ones, more for heavier tails. Below SCV 1 it is a few percent low."
    )
