"""The last answer, second picture: the length of a step against the number of GPUs."""

from dataclasses import replace

from lessons.last_answer.settings import Rollout, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, curve, marks

#: Top of the chart [min], and numbers of GPUs that the slider offers.
TOP = 20.0
STEP = int(k.LAST_GPUS.step)
SIZES = range(int(k.LAST_GPUS.low), int(k.LAST_GPUS.high) + 1, STEP)
#: The fewer numbers for a curve without a formula, which is computed number by number.
FEWER = (4, 8, 16, 32, 64)


@chart(say, "gpus", y=[0, TOP])
def figure(rollout: Rollout, playing: bool = False) -> Rows:
    """Chart of the mean step, with the limits of throughput and of the last answer."""
    sizes = SIZES if rollout.exact else FEWER
    rows = []
    for kind in ("work", "step"):
        times = {gpus: getattr(replace(rollout, gpus=gpus), kind) / k.MINUTE for gpus in sizes}
        rows += curve(kind, times, TOP)
    middle = replace(rollout, gpus=SIZES[-4]).work / k.MINUTE
    if middle <= TOP:
        rows.append(marks.label(SIZES[-4], middle, "all slots always busy", dy=-10, tone="quiet"))
    longest = rollout.longest_wait / k.MINUTE
    if playing:
        goal = Rollout().step / k.MINUTE
        rows += marks.limit("goal", 0, goal, f"goal: {f.significant(goal)} min", dx=4, dy=-9)
    elif longest <= TOP:
        words = f"last answer: {f.significant(longest)} min"
        rows += marks.limit("longest", 0, longest, words, tone="accent", dx=4, dy=11)
    step = rollout.step / k.MINUTE
    words = f"{rollout.gpus} GPUs: {f.significant(step)} min"
    side = -10 if rollout.gpus > 40 else 10
    return [*rows, *marks.here(rollout.gpus, step, words, top=TOP, dx=side, dy=-14)]


view = View("gpus", figure=figure)
