"""Storage architecture: the costs of moving the data and of moving the job."""

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.charts import axes, line, marks, picture, upright

#: Ends of the axes: hours of the run, and dollars.
LONGEST = 72.0
TOP = 250e3


@picture(
    say,
    "distance",
    "Which is cheaper: to move the data or the job?",
    axes.x(
        "x:Q", "length of the run (h)", [0, LONGEST], grid=False, values=[0, 12, 24, 36, 48, 60, 72]
    ),
    axes.y(
        "y:Q", "cost (dollars)", [0, TOP], format="$,.0f", values=[0, 50e3, 100e3, 150e3, 200e3]
    ),
    upright("run", "quiet", (2, 3)),
    line("data", "s0"),
    line("job", "s1", (8, 3), thick=True),
)
def figure(design: Design) -> list[marks.Row]:
    """Chart of both options' costs over the run's length, with this run and the break-even
    point.
    """
    move = design.move
    hours = k.RELOCATION_GPUS * LONGEST
    far = move.transfer_cost + design.price_far * hours
    lines = {"data": [move.transfer_cost, far], "job": [0.0, k.GPU_HOUR_NEAR * hours]}
    costs = {"data": move.cost_moving_data, "job": move.cost_moving_job}
    if design.hours > LONGEST / 2:
        dx = -5
    else:
        dx = 5
    rows = marks.limit("run", design.hours, TOP, say("your_run", design), dx=dx, dy=9, tone="ink")
    for tone, (kind, ends) in zip(("s0", "s1"), lines.items(), strict=True):
        rows.append({"kind": kind, "x": [0.0, LONGEST], "y": ends})
        # The upper line's name ends above it, the lower one's begins below: both lines rise away
        # from their names.
        if ends == max(lines.values(), key=max):
            side = -9
            down = -12
        else:
            side = 9
            down = 12
        rows.append(
            marks.label(
                LONGEST / 2,
                sum(ends) / 2,
                f"move the {kind}",
                bold=True,
                tone=tone,
                dx=side,
                dy=down,
            )
        )
        rows.append(marks.point(design.hours, costs[kind], tone=tone))
    return rows


def verdict(design: Design) -> Verdict:
    """Return the verdict on which option is cheaper for this run."""
    if design.move.cost_moving_data < design.move.cost_moving_job:
        cheaper = "data"
    else:
        cheaper = "job"
    return Verdict(say(f"{cheaper}_cheaper", design))
