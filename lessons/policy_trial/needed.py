"""Policy trial, an entry of Going further: for how many weeks policies have to be tried, one after the other."""

import altair as alt
import numpy as np

from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, line, marks, plane, stack

LOW, HIGH = float(k.TRIAL_DIFFERENCE.low or 1) / k.HOUR, float(k.TRIAL_DIFFERENCE.high or 1) / k.HOUR
FLOOR, TOP = 0.5, 1e6


def figure(trial: Trial, look: Look) -> Figure:
    """Weeks of each policy against the difference that is to be found."""
    at, here = np.linspace(LOW, HIGH, 59), trial.difference / k.HOUR
    paths = {
        kind: [trial.needed_for(float(one * k.HOUR), r) for one in at] for kind, r in (("path", trial.r), ("free", 0.0))
    }
    side = -12 if here > HIGH / 2 else 12
    rows = [
        *({"kind": kind, "x": at, "y": path} for kind, path in paths.items()),
        marks.label(HIGH, paths["free"][-1], "if weeks were independent", align="right", dy=14, tone="quiet",
                    short="independent"),
        marks.point(here, trial.needed, size=140, role="here"),
        marks.label(here, trial.needed, f"{f.rounded(trial.needed, 3)} weeks", bold=True, dx=side, dy=-14),
    ]  # fmt: skip
    title, words = "How many weeks does a difference take?", say("needed_chart", trial)
    return Figure("needed", title, stack(rows), _spec(look), words, ("path",), Grab("difference", float(k.HOUR)))


@plane
def _spec(look: Look) -> tuple:
    """Weeks on a logarithmic axis."""
    x = axes.x("x:Q", "difference to be found (h)", [0, HIGH])
    ticks = [1, 10, 100, 1000, 10_000, 100_000]
    y = axes.y("y:Q", "weeks of each policy", [FLOOR, TOP], type="log", values=ticks, format=",")
    tips = [alt.Tooltip("x:Q", format=".1f", title="hours"), alt.Tooltip("y:Q", format=",.0f", title="weeks")]
    return x, y, line("free", "quiet", (5, 4)), line("path", tooltip=tips)
