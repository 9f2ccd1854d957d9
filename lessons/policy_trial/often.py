"""Policy trial, second picture: how often the worse policy looks better after so many weeks of
each.
"""

import altair as alt
import numpy as np

from lessons.policy_trial import choices
from lessons.policy_trial.settings import BUDGET, GOAL, Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, box, level, line, marks, picture, span

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
    box("goal", "good", x2=alt.datum(BUDGET / 2 + 0.5), opacity=0.25),
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
def figure(
    trial: Trial, guess: str | None = None, told: bool = False, playing: bool = False
) -> list[marks.Row]:
    """Share of wrong trials against weeks, with its interval, up to the present ones; all of it
    once `told`.
    """
    at = np.arange(1, (END if told else trial.weeks) + 1)
    wrong = trial.wrong
    error = choices.error(trial.way, trial.weeks)
    if trial.weeks > END / 3:
        side = {"dx": -12, "dy": 16}
    else:
        side = {"dx": 12, "dy": -16}
    rows = [
        {"kind": "path", "x": at, "y": [choices.missed(trial.way, int(one)) for one in at]},
        {"kind": "bar", "x": trial.weeks, "y": max(0, wrong - error), "y2": wrong + error},
        *marks.limit("coin", END, 0.5, "tossing a coin", align="right", dy=-9, tone="quiet"),
        *marks.here(trial.weeks, wrong, f"{f.share(wrong, 2)} of the trials", **side),
    ]
    if playing:
        rows.append({"kind": "goal", "x": 0.5, "y": 0.0, "y2": 1 - GOAL})
        rows.append(
            marks.label(BUDGET / 2 + 0.7, (1 - GOAL) / 2, "goal: in here", tone="good", bold=True)
        )
    elif guess in SAID:
        value, said = SAID[guess]
        looks = {"dx": 13, "dy": 14 if value > 0.1 else -12}
        rows += marks.said(int(k.TRIAL_WEEKS), value, f"you said: {said}", **looks)
    return rows


def verdict(trial: Trial) -> Verdict:
    """Say how often it goes wrong, and why."""
    start = say("often_some" if trial.wrong else "often_none", trial)
    return Verdict(f"{start} {say(f'often_{trial.way}', trial)}", trial.wrong <= 1 - GOAL)


def judge(trial: Trial) -> Verdict:
    """Say how far these settings have come in the challenge."""
    if trial.spent > BUDGET:
        return Verdict(say("too_long", trial), False)
    right = f.apart(1 - trial.wrong, GOAL, f.share)
    if 1 - trial.wrong < GOAL:
        return Verdict(say("too_rare", trial, right=right), False)
    return Verdict(say("won", trial, right=right), True)
