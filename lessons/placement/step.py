"""Placement, one step in detail: computing, communication, and their overlap."""

import altair as alt

from lessons.placement.settings import TIE, Training, say
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, box, marks, picture

#: Right end of the axis, where computing takes 1.
END = 4.0
PLACES = ("one node", "scattered")
PARTS = ("computing", "communication")
LOOKS = {"sort": None, "labelExpr": axes.BROKEN, "labelLimit": 250, "paddingInner": 0.25}


@picture(
    say,
    "step",
    "What is one step made of?",
    axes.x("x:Q", "time (computing one step takes 1)", [0, END], tickCount=4),
    axes.y("y:N", None, [f"{place}: {part}" for place in PLACES for part in PARTS], **LOOKS),
    box("computing", "quiet", y2=alt.Undefined),
    box("communication", "accent", y2=alt.Undefined),
)
def figure(training: Training) -> list[marks.Row]:
    """Chart of one step on a node and one scattered, with overlapped communication below the
    computing.
    """
    rows: list[marks.Row] = []
    for place, communication in zip(PLACES, (training.near, training.far), strict=True):
        step = training.step(communication)
        begin = (step - communication) / training.compute
        end = step / training.compute
        computing = f"{place}: {PARTS[0]}"
        talking = f"{place}: {PARTS[1]}"
        words = f"a step of {f.duration(step, 4)}, {f.duration(communication)} of communication"
        rows += [
            {"kind": "computing", "x": 0.0, "x2": 1.0, "y": computing},
            {"kind": "communication", "x": min(begin, END), "x2": min(end, END), "y": talking},
            marks.label(1.0, computing, words, short=f"step: {f.duration(step)}", dx=6, bold=True),
        ]
        if end > END:
            rows.append(marks.point(END, talking, shape="triangle-right", tone="paper"))
    return rows


def verdict(training: Training) -> Verdict:
    """Return the verdict on what slows a scattered step down."""
    if training.steps["seen"] <= TIE * training.steps["far"]:
        return Verdict(say("step_hidden", training))
    if training.spread > 1:
        return Verdict(say("step_near_too", training))
    return Verdict(say("step_far", training))
