"""Utilization trap: how good the derivation's approximations are at a setting."""

from collections.abc import Mapping

from lessons.utilization_trap.settings import Fleet, say
from physics.queueing.errors import measured_around
from ui.base import format as f


def values(fleet: Fleet) -> Mapping[str, str]:
    """Return what simulations have found of the mean wait and of its P99."""
    exact = {"mean": fleet.now.exact, "p99": fleet.scv == 1}
    return {f"{which}_error": say("exact", fleet) if exact[which] else _error(fleet, which) for which in exact}


def _error(fleet: Fleet, which: str) -> str:
    found = measured_around(fleet.servers, fleet.load, fleet.scv, which)
    return say("measured", fleet, low=_off(found.low), high=_off(found.high)) if found else say("not_measured", fleet)


def _off(error: float) -> str:
    return f"{f.share(abs(error), 2)} too {'high' if error > 0 else 'low'}"
