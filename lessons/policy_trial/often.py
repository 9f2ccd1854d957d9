"""Policy trial, second picture: how often the worse policy looks better, by the number of weeks."""

import numpy as np

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict, View
from ui.charts import Rows, chart, marks

#: Right end of the chart [weeks of each policy].
END = int(k.TRIAL_LONG)
#: Share of wrong trials according to each answer of the prediction [1], and its name.
SAID = {"a": (0.0, "never"), "b": (0.05, "5%"), "c": (1 / 3, "a third"), "d": (0.5, "half")}


@chart(say, "often", x=[0, END])
def figure(trial: Trial, guess: str | None = None, told: bool = False) -> Rows:
    """Chart of the share of wrong trials against the number of weeks."""
    weeks = np.arange(1, (END if told else trial.weeks) + 1)
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
        dy = 14 if value > 0.1 else -12
        rows += marks.guess(int(k.TRIAL_WEEKS), value, f"you said: {text}", dx=13, dy=dy)
    return rows


def verdict(trial: Trial) -> Verdict:
    """Return the verdict on how often a trial picks the worse policy, and why."""
    start = say("often_some" if trial.wrong else "often_none", trial)
    return Verdict(f"{start} {say(f'often_{trial.way}', trial)}", trial.wrong <= 1 - k.TRIAL_GOAL)


view = View("often", figure=figure, verdict=verdict)
