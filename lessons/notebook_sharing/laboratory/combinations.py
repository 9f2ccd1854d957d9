"""Notebook sharing: the mean slowdown of every combination of A to D, as a heat map."""

import altair as alt

from lessons.notebook_sharing.settings import SCHEDULERS, TIE, Study, say
from physics.notebooks.node import COMBINATIONS
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Look, axes, box, marks, plane, stack


def figure(study: Study, look: Look) -> Figure:
    """Heat map of mean slowdowns: the lowest of each combination has a frame, higher are darker."""
    rows = []
    for names, result in study.table.items():
        for name, value in result.items():
            excess = value / min(result.values()) - 1
            policy = SCHEDULERS[name]
            field = {"kind": "field", "x": policy, "y": names}
            rows += [
                field | {"shade": min(excess, 1), "best": excess <= TIE},
                marks.label(policy, names, f.significant(value), align="center"),
            ]
    title = "Which policy has the lowest mean slowdown?"
    return Figure("combinations", title, stack(rows), _spec(look), say("combinations_chart", study))


@verdict_of(say)
def verdict(study: Study) -> Outcome:
    """Return the verdict on how often each policy has the lowest slowdown, alone or tied."""
    if study.tied:
        return "combinations_tied", None
    if study.best["naive"] > study.best["dynamic"]:
        return "combinations", None
    if study.loss > 0:
        return "combinations_lossy", None
    return "combinations_counted", None


@plane
def _spec(look: Look) -> tuple:
    """Schedulers from left to right, combinations from top to bottom."""
    names = {"labelAngle": 0, "labelLimit": 200, "labelExpr": axes.BROKEN}
    x = axes.x("x:N", None, list(SCHEDULERS.values()), sort=None, **names)
    bands = {"sort": None, "paddingInner": 0.1, "labelOverlap": False}
    y = axes.y("y:N", "notebooks on the node", COMBINATIONS, **bands)
    frame = {"stroke": look.good, "strokeWidth": {"expr": "datum.best ? 2 : 0"}}
    shade = {"fillOpacity": {"expr": "0.6 * datum.shade"}}
    return x, y, box("field", "bad", alt.Undefined, alt.Undefined, **frame, **shade)


view = View("combinations", figure=figure, verdict=verdict)
