"""Policy trial: weeks needed to compare two policies run one after the other."""

import altair as alt
import numpy as np

from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab
from ui.charts import axes, line, marks, picture

LOW = float(k.TRIAL_DIFFERENCE.low or 1) / k.HOUR
HIGH = float(k.TRIAL_DIFFERENCE.high or 1) / k.HOUR
FLOOR = 0.5
TOP = 1e6
WEEKS = {"type": "log", "values": [1, 10, 100, 1000, 10_000, 100_000], "format": ","}
TIPS = [
    alt.Tooltip("x:Q", format=".1f", title="hours"),
    alt.Tooltip("y:Q", format=",.0f", title="weeks"),
]


@picture(
    say,
    "needed",
    "How many weeks does it take to detect a difference?",
    axes.x("x:Q", "difference to detect (h)", [0, HIGH]),
    axes.y("y:Q", "weeks of each policy", [FLOOR, TOP], **WEEKS),
    line("free", "quiet", (5, 4)),
    line("path", tooltip=TIPS),
    lines=("path",),
    grab=Grab("difference", float(k.HOUR)),
)
def figure(trial: Trial) -> list[marks.Row]:
    """Chart of the weeks per policy against the smallest detectable difference."""
    differences = np.linspace(LOW, HIGH, 59)
    path = [trial.needed_for(float(hours * k.HOUR), trial.r) for hours in differences]
    free = [trial.needed_for(float(hours * k.HOUR), 0.0) for hours in differences]
    looks = {"short": "independent", "align": "right", "dy": 14, "tone": "quiet"}
    here = trial.difference / k.HOUR
    dx = 12
    if here > HIGH / 2:
        dx = -12
    text = f"{f.significant(trial.needed)} weeks"
    return [
        {"kind": "path", "x": differences, "y": path},
        {"kind": "free", "x": differences, "y": free},
        marks.label(HIGH, free[-1], "if weeks were independent", **looks),
        *marks.here(here, float(trial.needed), text, dx=dx, dy=-14),
    ]
