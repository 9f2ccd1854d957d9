"""Spot training: what binds, and the smallest changes that fix it, each tried on the model."""

import math
from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.spot_training.settings import INTERVALS, Plan, hours
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs import remedies as search

#: Said when none of the changes that are tried helps by itself.
UNMENDED = (
    "No single one of these was found to mend it: another interval, deadline, dump, restart or replacement delay, "
    "gang, a notice."
)


def verdict(plan: Plan) -> Verdict:
    """Name the bottleneck."""
    return Verdict(f"{_binding(plan)}{_standing(plan)}", plan.good)


def _standing(plan: Plan) -> str:
    """How long the run stands, where replacements take time."""
    if not plan.delay:
        return ""
    if not math.isfinite(plan.where.waits):
        return " It stands without limit, waiting for nodes."
    return (
        f" On average it stands for {hours(plan.where.waits)}, waiting for {'nodes' if plan.nodes > 1 else 'a node'}."
    )


def _binding(plan: Plan) -> str:
    if not plan.best.cheap:
        least = f.apart(plan.best.cost, plan.on_demand_cost, f.money)
        return (
            f"Spot is dearer than on demand at every interval: at best it costs {least} against "
            f"{f.money(plan.on_demand_cost)}, {_why_dear(plan)}."
        )
    if not plan.cheap:
        side = "too long, lost work eats" if plan.interval > plan.best.interval else "too short, dumps eat"
        return f"A checkpoint every {hours(plan.interval)} is past break-even: {side} more than spot saves."
    if plan.in_time:
        cost = f.share(plan.cost / plan.on_demand_cost)
        return f"Spot costs {cost} of on demand, and {done(plan)} are done within {hours(plan.deadline)}."
    if plan.work > plan.deadline:
        return (
            f"The work alone takes {hours(plan.work)}, more than the {hours(plan.deadline)} of the "
            "deadline: no checkpoint can help."
        )
    return (
        f"{cost_words(plan)} The deadline is missed: 5 of 100 runs take longer than {hours(plan.p95)}; "
        f"{f.share(missed(plan))} of all end after {hours(plan.deadline)}."
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
    start = f"A checkpoint every {hours(plan.interval)} costs {f.money(plan.cost)} on average"
    if plan.cost <= 1.0005 * plan.best.cost:
        return f"{start}, and none is cheaper by more than 0.05 %."
    return f"{start}, {f.share(plan.cost / plan.best.cost - 1)} more than the cheapest interval."


def _why_dear(plan: Plan) -> str:
    """Why spot is more expensive even at its best interval: the first of the causes without which it would not be."""
    if plan.price >= plan.on_demand_price:
        return "since a node costs no less on the spot market to begin with"
    every = f"every {hours(plan.gang_mtbf)}"
    if plan.delay and replace(plan, delay=0.0).best.cheap:
        return f"since the gang is interrupted {every} and those nodes that stand for the missing ones are paid"
    if replace(plan, restart=0.0).best.cheap:
        return f"since the gang is interrupted {every} and needs {hours(plan.restart)} to restart each time"
    if not plan.saved_by_notice and replace(plan, dump=float(k.SPOT_DUMP.low)).best.cheap:
        return f"since the gang is interrupted {every} and a dump takes {hours(plan.dump)}"
    return f"since the gang is interrupted {every}"


@lru_cache(maxsize=256)
def remedies(plan: Plan) -> str:
    """Say where spot pays, and the smallest single changes after which it does and the deadline is met."""
    if plan.good:
        return ""
    on_demand = f"On demand it takes {hours(plan.work)} and costs {f.money(plan.on_demand_cost)}."
    start = break_even_words(plan) if plan.best.cheap else f"{on_demand} {_smaller_gang(plan)}"
    names = ["interval", "nodes", "dump", "restart", "deadline"]
    names += ["notice"] * (not plan.notice) + ["delay"] * (plan.delay > 0)
    found = search.listed(search.remedies(plan, _mended, names)) or _two(plan)
    return f"{start.strip()} " + (f"This mends it: {found}." if found else UNMENDED)


def break_even_words(plan: Plan) -> str:
    """The intervals at which spot pays."""
    if plan.break_even is None:
        return "Spot pays at no interval."
    shortest, longest = plan.break_even
    if math.isinf(longest):
        notice = "With this notice spot" if plan.saved_by_notice else "Spot"
        return f"{notice} pays at every interval above {hours(shortest)}."
    return f"Spot pays from {hours(shortest)} to {hours(longest)}."


def _smaller_gang(plan: Plan) -> str:
    """The largest gang for which spot pays at its best interval, if there is one."""
    sizes = range(1, plan.nodes)
    most = bisect_left(sizes, True, key=lambda n: not replace(plan, nodes=n).best.cheap)
    return f"A gang of at most {f.count(most, 'node')} would pay, at its best interval." if most else ""


def _two(plan: Plan) -> str:
    """The cheapest interval that can be set, and the deadline that it can meet."""
    cheapest = min(INTERVALS, key=lambda minutes: replace(plan, interval=minutes * k.MINUTE).cost) * k.MINUTE
    found = search.remedies(replace(plan, interval=cheapest), _mended, ["deadline"])
    return f"write a checkpoint every {hours(cheapest)} and {found[0].words}" if found else ""


def _mended(plan: Plan) -> bool:
    """Whether a plan is good; the formula first, since it spares most simulations."""
    return plan.cheap and plan.work < plan.deadline and plan.runtime <= plan.deadline and plan.in_time
