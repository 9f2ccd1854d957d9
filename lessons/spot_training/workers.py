"""Spot training: how many workers to take for a deadline or a budget."""

import altair as alt

from lessons.spot_training.settings import WORK, Plan, hours, say
from physics import constants as k
from physics.checkpointing import speedup, workers_for
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, level, line, marks, plane, stack, upright

STEP, LATENCY = float(k.SPOT_STEP_TIME), float(k.SPOT_LATENCY)
#: Most workers of a job.
MOST = int(k.SPOT_WORKERS.high or 1)
#: Ends of the axes: time [h] and cost [$].
SOON, LATE, TOP = 1, 120, float(k.SPOT_BUDGET.high or 0)


def network(plan: Plan) -> tuple[float, ...]:
    """What the time of a step depends on: serial share, gradient, bandwidth, latency, step on one worker."""
    return plan.serial, plan.gradient, plan.bandwidth, LATENCY, STEP


def time(plan: Plan, n: int) -> float:
    """Time of the message's work on n workers [s]."""
    return WORK / speedup(n, *network(plan))


def cost(plan: Plan, n: int) -> float:
    """Cost of that at the price on demand [$]."""
    return n * k.SPOT_ON_DEMAND_PRICE * time(plan, n) / k.HOUR


def best(plan: Plan, goal: str) -> int | None:
    """Fewest workers for the deadline, or the fastest ones for the budget; None if no number meets it."""
    names = ("serial", "gradient_size", "bandwidth", "latency", "step_time")
    goals = {"deadline": plan.train_deadline, "budget": plan.budget, "price": k.SPOT_ON_DEMAND_PRICE / k.HOUR}
    return workers_for(goal, work=WORK, **dict(zip(names, network(plan), strict=True)), **goals)


def figure(plan: Plan, look: Look) -> Figure:
    """Cost against time, from one worker to the most."""
    places = {n: (time(plan, n) / k.HOUR, cost(plan, n)) for n in range(1, MOST + 1)}
    inside = {n: place for n, place in places.items() if place[0] <= LATE and place[1] <= TOP}
    hour = plan.train_deadline / k.HOUR
    x, y = zip(*inside.values(), strict=True)
    rows = [
        {"kind": "curve", "x": x, "y": y, "n": list(inside)},
        {"kind": "deadline", "x": hour},
        {"kind": "budget", "y": plan.budget},
        marks.label(hour, TOP, f"deadline {hours(plan.train_deadline)}", tone="good", dx=5, dy=9, short="deadline"),
        marks.label(SOON, plan.budget, f"budget {f.money(plan.budget)}", tone="good", dx=4, dy=-9, short="budget"),
    ]
    for n in {2**step for step in range(8)} & inside.keys():
        rows += [marks.point(*inside[n], size=30), marks.label(*inside[n], str(n), tone="accent", dx=7, dy=-9)]
    for n in {best(plan, "deadline"), best(plan, "budget")} & inside.keys():
        rows.append(marks.point(*inside[n], shape="diamond", tone="good", size=130))
    if plan.workers in inside:
        here, words = inside[plan.workers], f"you: {f.count(plan.workers, 'worker')}"
        rows += [marks.point(*here, tone="ink"), marks.label(*here, words, bold=True, dx=-10, dy=12)]
    title, found = "Time and cost of the job by the number of workers", places[plan.workers]
    alt_words = say("workers_chart", plan, time=hours(found[0] * k.HOUR), cost=f.money(found[1]))
    return Figure("workers", title, stack(rows), _spec(look), alt_words)


@plane
def _spec(look: Look) -> tuple:
    """Cost against time."""
    x = axes.x("x:Q", "time of the job (h)", [SOON, LATE], type="log", values=[1, 2, 5, 10, 20, 50, 100], format="d")
    y = axes.y("y:Q", "cost of the job ($)", [0, TOP], values=[0, 300, 600, 900, 1200, 1500], format="d")
    curve = line("curve", order="n:Q", tooltip=[alt.Tooltip("n:Q", format="d", title="workers")])
    return x, y, upright("deadline", "good", (8, 4)), level("budget", "good"), curve


def metrics(plan: Plan) -> list[Metric]:
    """What the number of workers makes of time, cost and use."""
    n = plan.workers
    takes, costs, share = time(plan, n), cost(plan, n), time(plan, 1) / time(plan, n) / n
    return [
        Metric("Time", hours(takes), say("meets" if takes <= plan.train_deadline else "misses", plan)),
        Metric("Cost", f.money(costs), say("within" if costs <= plan.budget else "beyond", plan)),
        Metric("Speed-up per worker", f.share(share), "100 % with 1 worker"),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say which numbers of workers meet each goal."""
    fewest, fastest = (f.count(best(plan, goal) or 0, "worker") for goal in ("deadline", "budget"))
    first = say("workers_deadline" if best(plan, "deadline") else "workers_too_late", plan, fewest=fewest)
    return Verdict(f"{first} {say('workers_budget', plan, fastest=fastest)}")
