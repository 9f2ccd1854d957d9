"""Utilization trap: its settings, and its numbers in words."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.utilization_trap import order
from lessons.utilization_trap.settings import Fleet
from physics import constants as k
from physics.queueing import mmc
from physics.queueing.errors import LEAST_CHANCE, LOADS, MOST_OFF, SERVERS, measured_around
from ui.base import format as f
from ui.base.lesson import Result

#: SCV of the run times of 83,154 jobs of a GPU trace, see the source of `TRAP_SCV`.
TRACE_SCV = 38.9


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
        "quarter_wait": f.duration(0.75 * wait),
        "narrow_wait": f.duration(replace(director, gpus_per_job=64).now.mean_wait),
        "limited_wait": f.duration(replace(director, utilization=0.855).now.mean_wait),
        "director_free": f.share(1 - director.utilization),
        "bought_free": f.share(1 - bought.now.utilization),
        "merged_wait": f.duration(replace(director, fleet=2 * director.fleet).now.mean_wait),
        "bought_factor": f.times(wait / bought.now.mean_wait),
        "eighty_wait": f.duration(at[0.80]),
        "seventyfive_wait": f.duration(at[0.75]),
        "eightyfive_wait": f.duration(at[0.85]),
        "one_wait": f.duration(replace(director, gpus_per_job=director.fleet).now.mean_wait),
        "small_wait": f.duration(replace(director, gpus_per_job=8).now.mean_wait),
        "knee_four": f.share(director.knee),
        "knee_eight": f.share(replace(director, gpus_per_job=128).knee),
        "trace_scv": f.significant(TRACE_SCV),
        "blind_response": f.significant(order.means(director.utilization, TRACE_SCV)["fifo"]),
        "seeing_response": f.significant(order.means(director.utilization, TRACE_SCV)["srpt"], 2),
    }


@lru_cache(maxsize=1)
def _corrected() -> dict[str, str]:
    """The numbers of the corrections: one server and the director's cluster, whatever the knobs say."""
    director, busy, calm = Fleet(), mmc(float(k.TRAP_UTILIZATION), 1.0), mmc(0.80, 1.0)
    small = replace(director, gpus_per_job=8)
    return {
        "single_wait": f.significant(busy.mean_wait),
        "single_response": f.significant(busy.mean_response),
        "calm_wait_factor": f.times(calm.mean_wait / mmc(0.50, 1.0).mean_wait),
        "calm_response_factor": f.times(calm.mean_response / mmc(0.50, 1.0).mean_response),
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
        "knee_one": f.share(replace(director, gpus_per_job=director.fleet).knee),
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
            "arrivals": f"{f.count(fleet.arrival_rate * k.HOUR, 'time')} an hour",
            "load_words": _load_words(fleet),
            "jobs_waiting": jobs_words(fleet),
            "mm1_wait": f.duration(one.mean_wait),
            "mm1_response": f.duration(one.mean_response),
            "prob_wait": f.share(now.prob_wait),
            "mmc_wait": f.duration(exponential.mean_wait),
            "percentile_words": _percentile_words(fleet),
            "scv_words": _scv_words(fleet),
        }
    )


def load_note(fleet: Fleet) -> str:
    """The load beside a headline number; what exceeds the servers is asked for, and keeps nobody busy."""
    load = f.share(fleet.now.utilization)
    return f"at {load} busy" if fleet.now.stable else f"offered load: {load}"


def _load_words(fleet: Fleet) -> str:
    load, rho = fleet.arrival_rate * fleet.job_length, f"ρ = {f.share(fleet.now.utilization)}"
    if fleet.now.stable:
        return f"they keep {f.count(load, 'server')} busy on average: {rho}"
    return f"they ask for {f.count(load, 'server')} on average, and there {_is_are(fleet.servers)}: {rho}"


def _is_are(servers: int) -> str:
    return f"{'is' if servers == 1 else 'are'} {f.significant(servers)}"


def jobs_words(fleet: Fleet) -> str:
    """Little's law at these settings: arrival rate times mean wait is the mean number waiting."""
    now = fleet.now
    if not now.stable:
        return "without limit"
    rate = f.count(fleet.arrival_rate * k.HOUR, "job")
    return f"{rate} an hour × {f.duration(now.mean_wait)} = {f.count(now.mean_in_queue, 'job')}"


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
    start = f"99 of 100 jobs wait at most {f.duration(value)}." if value else "At least 99 of 100 jobs do not wait."
    if fleet.scv == 1:
        return start
    if fleet.scv == 0 or not value:
        start = f"By this formula {start[0].lower()}{start[1:]}"
    return f"{start} Job lengths are not exponential here, so the tail is taken as exponential, an approximation. " + (
        _measured_words(fleet, "p99")
    )


def _scv_words(fleet: Fleet) -> str:
    if fleet.scv == 1:
        return "Your job lengths are exponential (SCV 1), so the factor is 1 and the formula is exact."
    start = f"With SCV {f.significant(fleet.scv)} the factor is {f.significant((1 + fleet.scv) / 2)}."
    if fleet.servers == 1:
        return f"{start} For one server this is the Pollaczek–Khinchine formula, and it is exact."
    if not fleet.now.stable:
        return f"{start} For several servers this is an approximation."
    return (
        f"{start} For several servers this is an approximation. {_measured_words(fleet, 'mean')} The SCV does not tell "
        "the shape of the tail: at SCV 4, 95 % and 128 servers the formula is about 8 % high for gamma lengths, 21 % "
        "for hyperexponential, 32 % for log-normal ones."
    )


def _measured_words(fleet: Fleet, which: str) -> str:
    """What simulations around this setting have found of an approximation."""
    found = measured_around(fleet.servers, fleet.now.utilization, fleet.scv, which)
    if found is None:
        heavy = " In the limit of a full fleet it is exact." if fleet.now.utilization > 0.9 else ""
        return (
            "Its error was not measured all around this setting, but for "
            f"{f.significant(SERVERS[0])} to {f.significant(SERVERS[-1])} servers at {f.significant(100 * LOADS[0])} "
            f"to {f.share(LOADS[-1])} busy, where at least {f.share(LEAST_CHANCE)} of the jobs wait and chance blurs a "
            f"simulated result by at most {f.share(MOST_OFF)}.{heavy}"
        )
    where = (
        f"{_between(found.servers, f.significant)} {'server' if found.servers[1] == 1 else 'servers'}, "
        f"{_between(found.loads, f.share)} busy, SCV {_between(found.scvs, f.significant)}"
    )
    low, high = found.low, found.high
    if low < 0 < high:
        said = f"between {f.share(-low, 2)} too low and {f.share(high, 2)} too high"
    else:
        ends = sorted({f.share(abs(low), 2), f.share(abs(high), 2)}, key=lambda text: float(text[:-2].replace(",", "")))
        said = f"{' to '.join(ends)} too {'high' if high > 0 else 'low'}"
    return f"Simulated with gamma job lengths ({where}) it is {said}."


def _between(ends: tuple[float, float], write: Callable[[float], str]) -> str:
    one, other = (write(end) for end in ends)
    return one if one == other else f"{one.removesuffix(' %')} to {other}"
