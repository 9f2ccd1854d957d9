"""Spot training: how many workers to take for a deadline or a budget."""

import altair as alt

from lessons.spot_training.models import MOST
from lessons.spot_training.settings import Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.layers import only
from ui.charts.look import Look, stack
from ui.charts.plane import Layer, level, plane, upright

#: Ends of the axes: time [h] and cost [$].
SOON, LATE, TOP = 1, 120, float(k.SPOT_BUDGET.high or 0)
#: Numbers of workers that are named along the curve.
NAMED = (1, 2, 4, 8, 16, 32, 64, 128)


def figure(plan: Plan, look: Look) -> Figure:
    """Cost against time, from one worker to the most."""
    crew = plan.crew
    places = {n: (crew.time(n) / k.HOUR, crew.cost(n)) for n in range(1, MOST + 1)}
    inside = {n: place for n, place in places.items() if place[0] <= LATE and place[1] <= TOP}
    hour = crew.train_deadline / k.HOUR
    rows = [
        {
            "kind": "curve",
            "x": [x for x, _ in inside.values()],
            "y": [y for _, y in inside.values()],
            "n": list(inside),
        },
        {"kind": "deadline", "x": hour},
        {"kind": "budget", "y": crew.budget},
        marks.label(hour, TOP, f"deadline {hours(crew.train_deadline)}", tone="s3", dx=5, dy=9, short="deadline"),
        marks.label(SOON, crew.budget, f"budget {f.money(crew.budget)}", tone="s3", dx=4, dy=-9, short="budget"),
    ]
    for n in {*NAMED} & inside.keys():
        rows += [marks.point(*inside[n], size=30, tone="accent")]
        rows += [marks.label(*inside[n], str(n), tone="accent", dx=7, dy=-9)]
    for n in {crew.fewest, crew.fastest} & inside.keys():
        rows.append(marks.point(*inside[n], shape="diamond", tone="good", size=130))
    if plan.workers in inside:
        x, y = inside[plan.workers]
        rows += [marks.point(x, y, tone="ink", size=110)]
        rows += [marks.label(x, y, f"you: {f.count(plan.workers, 'worker')}", bold=True, align="right", dx=-10, dy=12)]
    title, n = "Time and cost of the job by the number of workers", plan.workers
    alt_words = say("workers_chart", plan, time=hours(crew.time(n)), cost=f.money(crew.cost(n)))
    return Figure("workers", title, stack(rows), _spec(look), alt_words)


@plane
def _spec(look: Look) -> tuple:
    """Cost against time."""
    x = axes.x("x:Q", "time of the job (h)", [SOON, LATE], type="log", values=[1, 2, 5, 10, 20, 50, 100], format="d")
    y = axes.y("y:Q", "cost of the job ($)", [0, TOP], values=[0, 300, 600, 900, 1200, 1500], format="d")
    return x, y, upright("deadline", "s3", (8, 4)), level("budget", "s3"), _curve()


def _curve() -> Layer:
    tips = [
        alt.Tooltip("n:Q", format="d", title="workers"),
        alt.Tooltip("x:Q", format=".3~g", title="time (h)"),
        alt.Tooltip("y:Q", format=".3~g", title="cost ($)"),
    ]
    return lambda base, look: (
        base.transform_filter(only("curve"))
        .mark_line(color=look.accent, strokeWidth=look.stroke)
        .encode(order="n:Q", tooltip=tips)
    )


def metrics(plan: Plan) -> list[Metric]:
    """What the number of workers makes of time, cost and use."""
    crew, n = plan.crew, plan.workers
    time, cost = crew.time(n), crew.cost(n)
    share = crew.time(1) / time / n
    return [
        Metric("Time", hours(time), say("meets" if time <= crew.train_deadline else "misses", plan)),
        Metric("Cost", f.money(cost), say("within" if cost <= crew.budget else "beyond", plan)),
        Metric("Speed-up per worker", f.share(share), "100 % with 1 worker"),
    ]


def verdict(plan: Plan) -> Verdict:
    """Say which numbers of workers meet each goal."""
    fewest = say("workers_deadline" if plan.crew.fewest else "workers_too_late", plan)
    return Verdict(f"{fewest} {say('workers_budget', plan)}")


def words(plan: Plan) -> str:
    """Say why no number of workers beats one per dollar."""
    return say("workers_words", plan)
