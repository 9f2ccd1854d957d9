"""Storage architecture: the costs of moving the data and of moving the job."""

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Ends of the axes: length of the run [h], and cost [$].
LONGEST = 72.0
TOP = 250e3


@chart(say, "distance", x=[0, LONGEST], y=[0, TOP])
def figure(design: Design) -> Rows:
    """Chart of both options' costs over the run's length, with the break-even point."""
    move = design.move
    hours = k.RELOCATION_GPUS * LONGEST
    far = move.transfer_cost + design.price_far * hours
    lines = {"data": [move.transfer_cost, far], "job": [0.0, k.GPU_HOUR_NEAR * hours]}
    costs = {"data": move.cost_moving_data, "job": move.cost_moving_job}
    dx = -5 if design.hours > LONGEST / 2 else 5
    rows = marks.limit("run", design.hours, TOP, say("your_run", design), dx=dx, dy=9, tone="ink")
    for tone, (kind, ends) in zip(("s0", "s1"), lines.items(), strict=True):
        rows.append({"kind": kind, "x": [0.0, LONGEST], "y": ends})
        # The upper line's name is above it on the left, the other below on the right, because both
        # lines rise.
        style = {"bold": True, "tone": tone, "dx": 9, "dy": 12}
        if ends == max(lines.values(), key=max):
            style |= {"dx": -9, "dy": -12}
        rows.append(marks.label(LONGEST / 2, sum(ends) / 2, f"move the {kind}", **style))
        rows.append(marks.point(design.hours, costs[kind], tone=tone))
    return rows


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict on which option is cheaper for this run."""
    if design.move.cost_moving_data < design.move.cost_moving_job:
        return "data_cheaper", None
    return "job_cheaper", None


view = View("distance", figure=figure, verdict=verdict)
