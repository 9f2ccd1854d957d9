"""Spot training: how many workers to use for a deadline or a budget."""

from lessons.spot_training.settings import MAX_WORKERS, Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the time axis [h], and top of the chart [$].
SOON = 1
LATE = 120
TOP = float(k.SPOT_BUDGET.high)


@chart(say, "workers", x=[SOON, LATE], y=[0, TOP])
def figure(plan: Plan) -> Rows:
    """Chart of cost against time, from one worker to the maximum."""
    inside = {}
    for n in range(1, MAX_WORKERS + 1):
        time, cost = plan.on_workers(n)
        if time / k.HOUR <= LATE and cost <= TOP:
            inside[n] = (time / k.HOUR, cost)
    x, y = zip(*inside.values(), strict=True)
    late = plan.train_deadline
    at_deadline = {"short": "deadline", "dx": 5, "dy": 9}
    at_budget = {"short": "budget", "dx": 4, "dy": -9}
    rows = [
        {"kind": "curve", "x": x, "y": y, "n": list(inside)},
        *marks.limit("deadline", late / k.HOUR, TOP, f"deadline {hours(late)}", **at_deadline),
        *marks.limit("budget", SOON, plan.budget, f"budget {f.money(plan.budget)}", **at_budget),
    ]
    for n in {2**step for step in range(8)} & inside.keys():
        rows += [
            marks.point(*inside[n], size=30),
            marks.label(*inside[n], str(n), tone="accent", dx=7, dy=-9),
        ]
    for n in set(plan.best_crew.values()) & inside.keys():
        rows.append(marks.point(*inside[n], shape="diamond", tone="good", size=130))
    if plan.workers in inside:
        words = f"you: {f.count(plan.workers, 'worker')}"
        style = {"size": 110, "fill": "ink", "role": None, "dx": -10, "dy": 12}
        rows += marks.here(*inside[plan.workers], words, **style)
    return rows


@verdict_of(say)
def verdict(plan: Plan) -> Outcome:
    """Return the verdict on which numbers of workers meet each goal."""
    if plan.best_crew["deadline"]:
        return "workers_goals", None
    return "workers_too_late", None


view = View("workers", figure=figure, verdict=verdict)
