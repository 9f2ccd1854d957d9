"""Spot training: how many workers to use for a deadline or a budget."""

import altair as alt

from lessons.spot_training.settings import MOST, Plan, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, level, line, marks, picture, upright

#: Ends of the axes: time [h] and cost [$].
SOON = 1
LATE = 120
TOP = float(k.SPOT_BUDGET.high or 0)


@picture(
    say,
    "workers",
    "Time and cost of the job by the number of workers",
    axes.x(
        "x:Q",
        "time of the job (h)",
        [SOON, LATE],
        type="log",
        values=[1, 2, 5, 10, 20, 50, 100],
        format="d",
    ),
    axes.y(
        "y:Q", "cost of the job ($)", [0, TOP], values=[0, 300, 600, 900, 1200, 1500], format="d"
    ),
    upright("deadline", "good", (8, 4)),
    level("budget", "good"),
    line("curve", order="n:Q", tooltip=[alt.Tooltip("n:Q", format="d", title="workers")]),
)
def figure(plan: Plan) -> list[marks.Row]:
    """Chart of cost against time, from one worker to the maximum."""
    places = {
        n: (time / k.HOUR, cost) for n in range(1, MOST + 1) for time, cost in [plan.on_workers(n)]
    }
    inside = {n: (hour, cost) for n, (hour, cost) in places.items() if hour <= LATE and cost <= TOP}
    x, y = zip(*inside.values(), strict=True)
    late = plan.train_deadline
    budget = plan.budget
    rows = [
        {"kind": "curve", "x": x, "y": y, "n": list(inside)},
        *marks.limit(
            "deadline", late / k.HOUR, TOP, f"deadline {hours(late)}", short="deadline", dx=5, dy=9
        ),
        *marks.limit(
            "budget", SOON, budget, f"budget {f.money(budget)}", short="budget", dx=4, dy=-9
        ),
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
        rows += marks.here(
            *inside[plan.workers], words, size=110, fill="ink", role=None, dx=-10, dy=12
        )
    return rows


def verdict(plan: Plan) -> Verdict:
    """Return the verdict on which numbers of workers meet each goal."""
    return Verdict(say("workers_goals" if plan.best_crew["deadline"] else "workers_too_late", plan))
