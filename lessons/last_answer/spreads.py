"""The last answer: the cost of halving the GPUs with other distributions of the lengths."""

from dataclasses import replace

from lessons.last_answer.settings import SPREADS, Rollout, say
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Right end of the axis, as a share of a step's length [1].
END = 1.25
#: Names of the distributions.
NAMES = {
    "same": "all equally long",
    "half": "log-normal, CV 0.5",
    "memoryless": "memoryless",
    "one": "log-normal, CV 1",
    "two": "log-normal, CV 2",
}


@chart(say, "spreads", x=[0, END])
def figure(rollout: Rollout) -> Rows:
    """Chart with a bar for each distribution of lengths, with the current one marked."""
    rows = []
    for number, (spread, name) in enumerate(NAMES.items()):
        cost = max(0.0, replace(rollout, spread=spread).halved)
        kind = "here" if spread == rollout.spread else "cost"
        foot = len(SPREADS) - 1 - number + 0.15
        rows.append({"kind": kind, "x": 0.0, "x2": min(cost, END), "y": foot, "y2": foot + 0.35})
        words = f"{name}: {f.share(cost, 2)}"
        rows.append(marks.label(0, foot + 0.58, words, dx=4, bold=kind == "here"))
    return rows


view = View("spreads", figure=figure)
