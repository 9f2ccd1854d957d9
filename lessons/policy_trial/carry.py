"""Policy trial, third picture: weekly waits after each change of policy, and the challenge."""

import numpy as np

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

#: Right end of the chart [weeks].
END = int(k.TRIAL_BLOCK.high)
LINES = {"strict": ("s0", "strict priority"), "easy": ("s1", "EASY")}


@chart(say, "carry", x=[0, END + 0.5])
def figure(trial: Trial, playing: bool = False) -> Rows:
    """Chart of each policy's mean wait by week after a change, and in the long run."""
    weeks = np.arange(1, trial.block + 1)
    counted = weeks > min(trial.skipped, trial.block - 1)
    rows = []
    for (name, (tone, text)), waits in zip(LINES.items(), choices.blocks(trial.block), strict=True):
        means = waits.mean(axis=(0, 1)) / k.HOUR
        alone = choices.habit(name).mean / k.HOUR
        label = f"{text} without changes: {f.significant(alone)} h"
        style = {"align": "right", "dy": -9, "tone": tone}
        rows += [
            {"kind": name, "x": weeks, "y": means},
            marks.point(weeks[~counted], means[~counted], tone="paper", rim=tone),
            marks.point(weeks[counted], means[counted], tone=tone),
            *marks.limit(f"{name} alone", END + 0.5, float(alone), label, **style),
        ]
    if trial.skipped:
        start = weeks[counted][0] - 0.5
        style = {"dx": 6, "short": "counts", "tone": "quiet"}
        rows.append({"kind": "from", "x": start})
        rows.append(marks.label(start, 3, "weeks counted from here", **style))
    if playing:
        low = float(trial.alternated.easy + k.TRIAL_APART) / k.HOUR
        text = "goal: mean of strict priority above this"
        rows += marks.limit("goal", 0, low, text, short="goal", dx=6, dy=-10, bold=True)
    return rows


@verdict_of(say)
def verdict(trial: Trial) -> Outcome:
    """Return the verdict on the backlog that one policy leaves to the next."""
    if trial.alternated.counted == 1:
        return "carry_all", None
    return "carry_part", None


@verdict_of(say)
def judge(trial: Trial) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that is missed."""
    if not trial.reached["counted"]:
        return "too_few", False
    if not trial.reached["apart"]:
        apart = f.apart(trial.alternated.apart, k.TRIAL_APART, hours)
        return "too_close", False, {"apart": apart}
    return "won", True


view = View("carry", figure=figure, verdict=verdict)
