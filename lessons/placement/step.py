"""Placement, one step in detail: computing, communication, and their overlap."""

import altair as alt

from lessons.placement.settings import TIE, Training, say
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, box, chart, marks

#: Right end of the axis, on which a step's computing takes 1.
END = 4.0
#: The chart has a row for each part of a step on one node and of a scattered one.
STEPS = ("one node", "scattered")
PARTS = ("computing", "communication")


@chart(
    say,
    "step",
    box("computing", "quiet", y2=alt.Undefined),
    box("communication", "accent", y2=alt.Undefined),
    x=[0, END],
    y=[f"{name}: {part}" for name in STEPS for part in PARTS],
)
def figure(training: Training) -> Rows:
    """Chart of one step on a node and one scattered, with the overlapped communication."""
    rows = []
    for name, communication in zip(STEPS, (training.near, training.far), strict=True):
        step = training.step(communication)
        start = (step - communication) / training.compute
        end = step / training.compute
        upper, lower = (f"{name}: {part}" for part in PARTS)
        text = f"a step of {f.duration(step, 4)}, {f.duration(communication)} of communication"
        rows += [
            {"kind": "computing", "x": 0.0, "x2": 1.0, "y": upper},
            {"kind": "communication", "x": min(start, END), "x2": min(end, END), "y": lower},
            marks.label(1.0, upper, text, short=f"step: {f.duration(step)}", dx=6, bold=True),
        ]
        if end > END:
            rows.append(marks.point(END, lower, shape="triangle-right", tone="paper"))
    return rows


@verdict_of(say)
def verdict(training: Training) -> Outcome:
    """Return the verdict on what slows a scattered step down."""
    if training.steps["seen"] <= TIE * training.steps["far"]:
        return "step_hidden", None
    if training.spread > 1:
        return "step_near_too", None
    return "step_far", None


view = View("step", figure=figure, verdict=verdict)
