"""Spot training: what binds, and the smallest changes that mend it, each tried on the model."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.spot_training.settings import INTERVALS, Plan, hours
from physics import constants as k
from ui.base import format as f


@lru_cache(maxsize=256)
def verdict(plan: Plan) -> str:
    """One sentence: what binds, and the smallest changes that mend it."""
    found = "" if plan.good else mends(plan)
    if not plan.best.cheap:
        return (
            f"Spot is dearer than on demand at every interval: at best it costs {f.money(plan.best.cost, 4)} against "
            f"{f.money(plan.on_demand_cost, 4)}, {_why_dear(plan)}. {_smaller_gang(plan)}{found}"
        )
    if not plan.cheap:
        side = "too long, lost work eats" if plan.interval > plan.best.interval else "too short, dumps eat"
        return (
            f"A checkpoint every {hours(plan.interval)} is past break-even: {side} more than spot saves. "
            f"{break_even_words(plan)} {found}"
        )
    if not plan.in_time:
        if plan.work > plan.deadline:
            return (
                f"The work alone takes {hours(plan.work)}, more than the {hours(plan.deadline)} of the "
                f"deadline: no checkpoint can help. {found}"
            )
        return (
            f"{cost_words(plan)} The deadline is missed: 5 of 100 runs take longer than {hours(plan.p95)}; "
            f"{f.share(missed(plan))} of all end after {hours(plan.deadline)}. {found}"
        )
    return (
        f"Spot costs {f.share(plan.cost / plan.on_demand_cost)} of on demand, and {done(plan)} are done within "
        f"{hours(plan.deadline)}. {break_even_words(plan)}"
    )


def missed(plan: Plan) -> float:
    """Share of the simulated runs that end after the deadline."""
    return float(np.mean(plan.finish_times > plan.deadline))


def done(plan: Plan) -> str:
    """How many of the simulated runs meet the deadline."""
    late = missed(plan)
    return f"{f.share(1 - late)} of the simulated runs" if late else "all simulated runs"


def cost_words(plan: Plan) -> str:
    """Answer the message's own question: what this interval costs beside the cheapest one."""
    start = f"A checkpoint every {hours(plan.interval)} costs {f.money(plan.cost, 4)} on average"
    if plan.cost <= 1.0005 * plan.best.cost:
        return f"{start}, and none is cheaper by more than 0.05 %."
    return f"{start}, {f.share(plan.cost / plan.best.cost - 1)} more than the cheapest interval."


def _why_dear(plan: Plan) -> str:
    """Why spot is dearer even at its best interval: the first of the causes without which it would not be."""
    if plan.price >= plan.on_demand_price:
        return "since a node costs no less on the spot market to begin with"
    every = f"every {hours(plan.mtbf)}"
    if replace(plan, restart=0.0).best.cheap:
        return f"since the gang is interrupted {every} and needs {hours(plan.restart)} to restart each time"
    if not plan.saved_by_notice and replace(plan, dump=float(k.SPOT_DUMP.low)).best.cheap:
        return f"since the gang is interrupted {every} and a dump takes {hours(plan.dump)}"
    return f"since the gang is interrupted {every}"


def _smaller_gang(plan: Plan) -> str:
    """The largest gang for which spot pays at its best interval, if there is one."""
    sizes = range(1, plan.nodes)
    most = bisect_left(sizes, True, key=lambda n: not replace(plan, nodes=n).best.cheap)
    return f"A gang of at most {f.count(most, 'node')} would pay, at its best interval. " if most else ""


def break_even_words(plan: Plan) -> str:
    """The intervals at which spot pays."""
    if plan.break_even is None:
        return "Spot pays at no interval."
    shortest, longest = plan.break_even
    if math.isinf(longest):
        notice = "With this notice spot" if plan.saved_by_notice else "Spot"
        return f"{notice} pays at every interval above {hours(shortest)}."
    return f"Spot pays from {hours(shortest)} to {hours(longest)}."


#: Said when none of the changes that are tried below helps by itself.
UNMENDED = "None of these by itself mends it: another interval, deadline, dump or restart, a smaller gang, a notice."


def mends(plan: Plan) -> str:
    """Single-knob changes after which spot pays and the deadline is met, each the smallest its knob allows."""
    found = []
    # The nearest one on the slider, whichever side it is on.
    way = sorted(INTERVALS, key=lambda minutes: abs(math.log(minutes * 60 / plan.interval)))
    interval = next((at for minutes in way if _mended(at := replace(plan, interval=minutes * 60.0))), None)
    if interval:
        found.append(f"a checkpoint every {hours(interval.interval)}")
    nodes = _nearest(range(1, plan.nodes), lambda n: replace(plan, nodes=n))
    if nodes:
        found.append(f"a gang of {f.count(nodes.nodes, 'node')}")
    halves = range(int(k.SPOT_DUMP.low / 30), math.ceil(plan.dump / 30))
    dump = _nearest(halves, lambda half: replace(plan, dump=half * 30.0))
    if dump:
        found.append(f"dumps of {hours(dump.dump)}")
    minutes = range(int(k.SPOT_RESTART.low / 60), math.ceil(plan.restart / 60))
    restart = _nearest(minutes, lambda minute: replace(plan, restart=minute * 60.0))
    if restart:
        found.append(f"restarts in {hours(restart.restart)}" if restart.restart else "restarts that take no time")
    noticed = replace(plan, notice=True)
    if not plan.notice and _mended(noticed):
        found.append("making use of the notice")
    later = math.ceil(plan.p95 / (5 * k.HOUR)) * 5 * k.HOUR if math.isfinite(plan.p95) else math.inf
    if plan.cheap and later <= k.SPOT_DEADLINE.high:
        found.append(f"a deadline of {hours(later)}")
    on_demand = f"On demand it takes {hours(plan.work)} and costs {f.money(plan.on_demand_cost, 4)}."
    if not found and plan.best.cheap:
        found = _two_mends(plan)
    if not found:
        return f"{UNMENDED} {on_demand}"
    start = "This mends it" if len(found) == 1 else "Any one of these mends it"
    return f"{start}: {'; '.join(found)}." + ("" if plan.best.cheap else f" {on_demand}")


def _two_mends(plan: Plan) -> list[str]:
    """The cheapest interval that can be set, and the deadline that it can meet."""
    at = min((replace(plan, interval=minutes * 60.0) for minutes in INTERVALS), key=lambda one: one.cost)
    later = math.ceil(at.p95 / (5 * k.HOUR)) * 5 * k.HOUR
    if not at.cheap or later > k.SPOT_DEADLINE.high:
        return []
    return [f"a checkpoint every {hours(at.interval)} together with a deadline of {hours(later)}"]


def _mended(plan: Plan) -> bool:
    """Whether a plan is good; the formula first, since it spares most simulations."""
    return plan.cheap and plan.work < plan.deadline and plan.runtime <= plan.deadline and plan.in_time


def _nearest(values: Sequence[int], plan_at: Callable[[int], Plan]) -> Plan | None:
    """Return the plan of the last value that is good, where every earlier one is better; None if none is."""
    good = bisect_left(values, True, key=lambda value: not _mended(plan_at(value)))
    return plan_at(values[good - 1]) if good else None
