"""Placement, one step taken apart: computing, communication, and how much of it computing hides."""

from functools import lru_cache

import altair as alt

from lessons.placement.settings import TIE, Training, say
from ui.base import format as f
from ui.base.lesson import Figure, Verdict
from ui.charts import Look, axes, marks, only, specification, stack

#: Right end of the axis, in times of a step's computing.
END = 4.0


def figure(training: Training, look: Look) -> Figure:
    """One step on a node and scattered."""
    rows: list[dict[str, object]] = []
    for top, words, short, communication in (
        (0.8, "on one node", "one node", training.near),
        (2.3, f"on {f.count(training.nodes, 'node')}", "scattered", training.far),
    ):
        step = training.step(communication)
        begin, end = (step - communication) / training.compute, step / training.compute
        for kind, start, stop, y in (("computing", 0.0, 1.0, top), ("talking", begin, end, top + 0.45)):
            rows.append({"kind": kind, "x": min(start, END), "x2": min(stop, END), "y": y, "y2": y + 0.4})
        said = f"{words}: a step of {f.duration(step, 4)}, {f.duration(communication)} of communication"
        rows.append(marks.label(0, top - 0.25, said, short=f"{short}: {f.duration(step)}", bold=True))
        rows.append(_told(training.hides(communication), end, top + 0.65))
        if end > END:
            rows.append(marks.point(END, top + 0.65, shape="triangle-right", tone="paper"))
    rows.append(marks.label(0.03, 1.0, "computing", tone="paper"))
    return Figure("step", "What is one step made of?", stack(rows), _spec(look), say("step_chart", training))


def _told(hidden: float, end: float, y: float) -> dict[str, object]:
    """Name the communication beside its bar, or inside a long one."""
    words = f"communication, {f.duration(hidden)} of it hidden" if hidden else "communication"
    if end > 0.55 * END:
        return marks.label(min(end, END), y, words, dx=-14, tone="paper", short="communication")
    return marks.label(end, y, words, dx=6, tone="quiet", short="communication")


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Computing above, communication below it, one over the other where it is hidden."""
    x = axes.x("x:Q", "time, in times of the computing of a step", [0, END], tickCount=4)
    base = alt.Chart().encode(x=x, y=axes.y("y:Q", ends=[3.3, 0.3], axis=None), x2="x2:Q", y2="y2:Q")
    bars = [
        base.transform_filter(only(kind)).mark_rect(color=color)
        for kind, color in (("computing", look.quiet), ("talking", look.accent))
    ]
    plain = alt.Chart().encode(x=x, y=base.encoding.y)
    return specification(alt.layer(*bars, marks.points(plain, look), marks.labels(plain, look, halo=False)), look)


def verdict(training: Training) -> Verdict:
    """Say what makes a scattered step slow."""
    if training.seen <= TIE * training.far_step:
        return Verdict(say("step_hidden", training))
    return Verdict(say("step_near_too" if training.spread > 1 else "step_far", training))
