"""Policy trial, second picture: how often the worse policy looks better, by the number of weeks."""

import altair as alt
import numpy as np

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture, span

#: Right end of the chart [weeks of each policy], and its top [share of the trials].
END = int(k.TRIAL_LONG)
TOP = 0.6
#: What the options of the question mean, as a share of the trials.
SAID = {"a": (0.0, "never"), "b": (0.05, "5%"), "c": (1 / 3, "a third"), "d": (0.5, "half")}


@picture(
    say,
    "often",
    "How often does the worse policy look better?",
    axes.x("x:Q", "weeks of each policy", [0, END], values=[1, 4, 8, 12, 16, 20, 26], format="d"),
    axes.y("y:Q", "wrong trials", [0, TOP], format="%", values=[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    level("coin", "quiet", (4, 4)),
    line(
        "path",
        tooltip=[
            alt.Tooltip("x:Q", title="weeks"),
            alt.Tooltip("y:Q", format=".1%", title="wrong trials"),
        ],
    ),
    span("bar", "ink", y2="y2:Q"),
    lines=("path",),
    grab=Grab("weeks"),
)
def figure(trial: Trial, guess: str | None = None, told: bool = False) -> list[marks.Row]:
    """Chart of the share of wrong trials against weeks, up to the current number, or complete once
    `told`.
    """
    if told:
        end = END
    else:
        end = trial.weeks
    weeks = np.arange(1, end + 1)
    shares = [choices.missed(trial.way, int(number)) for number in weeks]
    wrong = trial.wrong
    low = max(0, wrong - wrong.half_width)
    side = {"dx": 12, "dy": -16}
    if trial.weeks > END / 3:
        side = {"dx": -12, "dy": 16}
    rows = [
        {"kind": "path", "x": weeks, "y": shares},
        {"kind": "bar", "x": trial.weeks, "y": low, "y2": wrong + wrong.half_width},
        *marks.limit("coin", END, 0.5, "tossing a coin", align="right", dy=-9, tone="quiet"),
        *marks.here(trial.weeks, wrong, f"{f.share(wrong, 2)} of the trials", **side),
    ]
    if guess in SAID:
        value, text = SAID[guess]
        dy = -12
        if value > 0.1:
            dy = 14
        rows += marks.said(int(k.TRIAL_WEEKS), value, f"you said: {text}", dx=13, dy=dy)
    return rows


def verdict(trial: Trial) -> Verdict:
    """Return the verdict on how often a trial picks the worse policy, and why."""
    if trial.wrong:
        start = say("often_some", trial)
    else:
        start = say("often_none", trial)
    return Verdict(f"{start} {say(f'often_{trial.way}', trial)}", trial.wrong <= 1 - k.TRIAL_GOAL)
