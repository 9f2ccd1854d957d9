"""Utilization trap: what the derivation says of the present queue, and numbers that compare two queues."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

from lessons.utilization_trap import order
from lessons.utilization_trap.settings import Fleet, say
from physics import constants as k
from physics.queueing import mmc
from physics.queueing.errors import LEAST_CHANCE, LOADS, MOST_OFF, SERVERS, measured_around
from ui.base import format as f

#: SCV of the run times of 83,154 jobs of a GPU trace, see the source of `TRAP_SCV`.
TRACE_SCV = 38.9


def values(fleet: Fleet) -> Mapping[str, str]:
    """Return what the words need and is no quantity of the settings."""
    return _compared() | {
        "load_words": load_words(fleet),
        "jobs_waiting": say("littles_law", fleet) if fleet.now.stable else f.duration(math.inf),
        "percentile_words": percentile_words(fleet),
        "scv_words": scv_words(fleet),
    }


@lru_cache(maxsize=1)
def _compared() -> dict[str, str]:
    """The numbers of the corrections and of an order that sees lengths, whatever the settings are."""
    busy, calm, half = (mmc(load, 1.0) for load in (float(k.TRAP_UTILIZATION), 0.80, 0.50))
    response, p99 = order.means(float(k.TRAP_UTILIZATION), TRACE_SCV), busy.wait_percentile(0.99)
    return {
        "calm_wait_factor": f.times(calm.mean_wait / half.mean_wait),
        "calm_response_factor": f.times(calm.mean_response / half.mean_response),
        "single_wait_factor": f.times(busy.mean_wait / calm.mean_wait, 3),
        "single_response_factor": f.times(busy.mean_response / calm.mean_response, 3),
        "single_p99": f.significant(p99),
        "single_p99_factor": f.times(p99 / busy.mean_wait, 3),
        "ln_100": f.significant(math.log(100), 4),
        "trace_scv": f.significant(TRACE_SCV),
        "blind_response": f.significant(response["fifo"]),
        "seeing_response": f.significant(response["srpt"], 2),
    }


def load_words(fleet: Fleet) -> str:
    """How many servers the jobs keep busy, or ask for."""
    return say("load" if fleet.now.stable else "overload_asks", fleet, are="is" if fleet.servers == 1 else "are")


def percentile_words(fleet: Fleet) -> str:
    """The wait of the unlucky one in a hundred, and how good its formula is."""
    if not fleet.now.stable:
        return say("p99_none", fleet)
    name = "p99" if fleet.p99 else "p99_zero"
    if fleet.scv == 1:
        return say(name, fleet)
    start = say(name if fleet.scv and fleet.p99 else f"{name}_formula", fleet)
    return f"{start} {say('p99_tail', fleet)} {measured(fleet, 'p99')}"


def scv_words(fleet: Fleet) -> str:
    """What the variability of job lengths does to the wait, and how good its formula is."""
    if fleet.scv == 1:
        return say("scv_exponential", fleet)
    start = say("scv_factor", fleet)
    if fleet.servers == 1:
        return f"{start} {say('scv_single', fleet)}"
    start = f"{start} {say('scv_several', fleet)}"
    return f"{start} {measured(fleet, 'mean')} {say('scv_tail', fleet)}" if fleet.now.stable else start


def measured(fleet: Fleet, which: str) -> str:
    """What simulations around this setting have found of an approximation."""
    found = measured_around(fleet.servers, fleet.load, fleet.scv, which)
    if found is None:
        numbers = {
            "few": f.significant(SERVERS[0]),
            "many": f.significant(SERVERS[-1]),
            "least": f.significant(100 * LOADS[0]),
            "most": f.share(LOADS[-1]),
            "chance": f.share(LEAST_CHANCE),
            "off": f.share(MOST_OFF),
        }
        said = say("not_measured", fleet, **numbers)
        return f"{said} {say('exact_when_full', fleet)}" if fleet.load > 0.9 else said
    servers = f"{_between(found.servers, f.significant)} {'server' if found.servers[1] == 1 else 'servers'}"
    loads, scvs = _between(found.loads, f.share), _between(found.scvs, f.significant)
    return say("measured", fleet, at_servers=servers, at_loads=loads, at_scvs=scvs, off=_off(found.low, found.high))


def _off(low: float, high: float) -> str:
    if low < 0 < high:
        return f"between {f.share(-low, 2)} too low and {f.share(high, 2)} too high"
    ends = sorted({f.share(abs(low), 2), f.share(abs(high), 2)}, key=lambda text: float(text[:-2].replace(",", "")))
    return f"{' to '.join(ends)} too {'high' if high > 0 else 'low'}"


def _between(ends: tuple[float, float], write: Callable[[float], str]) -> str:
    one, other = (write(end) for end in ends)
    return one if one == other else f"{one.removesuffix(' %')} to {other}"
