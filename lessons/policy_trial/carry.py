"""Policy trial, third picture: weekly mean waits after each change of alternating policies; and the
challenge.
"""

import numpy as np

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, hours, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture, upright

#: Right end of the chart [weeks], and its top [h].
END = int(k.TRIAL_BLOCK.high)
TOP = 45
LINES = {"strict": ("s0", "strict priority"), "easy": ("s1", "EASY")}


@picture(
    say,
    "carry",
    "What does each week after a change measure?",
    axes.x("x:Q", "week after the change", [0, END + 0.5], format="d", tickCount=END),
    axes.y("y:Q", "mean wait (h)", [0, TOP], tickCount=5),
    level("goal", "good", (8, 3)),
    level("strict alone", "s0", (4, 4)),
    level("easy alone", "s1", (4, 4)),
    upright("from", "quiet", (4, 4)),
    line("strict", "s0"),
    line("easy", "s1"),
    lines=("strict",),
    grab=Grab("skipped"),
)
def figure(trial: Trial, playing: bool = False) -> list[marks.Row]:
    """Chart of each policy's mean wait by week after a change, and in the long run, with the
    challenge's goal.
    """
    weeks = np.arange(1, trial.block + 1)
    counted = weeks > min(trial.skipped, trial.block - 1)
    start = weeks[counted][0] - 0.5
    rows = []
    for (name, (tone, text)), waits in zip(LINES.items(), choices.blocks(trial.block), strict=True):
        means = waits.mean(axis=(0, 1)) / k.HOUR
        alone = choices.habit(name).mean / float(k.HOUR)
        rows.append({"kind": name, "x": weeks, "y": means})
        rows.append(marks.point(weeks[~counted], means[~counted], tone="paper", rim=tone))
        rows.append(marks.point(weeks[counted], means[counted], tone=tone))
        label = f"{text} without changes: {f.significant(alone)} h"
        looks = {"align": "right", "dy": -9, "tone": tone}
        rows += marks.limit(f"{name} alone", END + 0.5, float(alone), label, **looks)
    if trial.skipped:
        rows.append({"kind": "from", "x": start})
        rows.append(
            marks.label(start, 3, "weeks count from here", dx=6, short="counts", tone="quiet")
        )
    if playing:
        low = float(trial.alternated.easy + k.TRIAL_APART) / k.HOUR
        text = "goal: mean of strict priority above this"
        rows += marks.limit("goal", 0, low, text, short="goal", dx=6, dy=-10, bold=True)
    return rows


def verdict(trial: Trial) -> Verdict:
    """Return the verdict on the backlog that one policy leaves to the next."""
    if trial.alternated.counted == 1:
        return Verdict(say("carry_all", trial))
    return Verdict(say("carry_part", trial))


def judge(trial: Trial) -> Verdict:
    """Judge the challenge at these settings."""
    if not trial.reached["counted"]:
        return Verdict(say("too_few", trial), False)
    if not trial.reached["apart"]:
        apart = f.apart(trial.alternated.apart, k.TRIAL_APART, hours)
        return Verdict(say("too_close", trial, apart=apart), False)
    return Verdict(say("won", trial), True)
