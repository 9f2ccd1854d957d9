"""Policy trial, laboratory: several policies, of which one is better and the others are equal."""

from lessons.policy_trial import choices
from lessons.policy_trial.laboratory.luck import share_lost
from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

FEWEST = int(k.TRIAL_POLICIES.low)
MOST = int(k.TRIAL_POLICIES.high)


@chart(say, "several", x=[FEWEST - 0.3, MOST + 0.3])
def figure(trial: Trial) -> Rows:
    """Chart of the share of trials not won by EASY, against the number of policies."""
    numbers = range(FEWEST, MOST + 1)
    means = choices.means("after", trial.weeks)
    wrong = trial.several.wrong
    dx = -12 if trial.policies > MOST / 2 else 12
    text = f"{f.share(wrong, 2)} of the trials"
    return [
        {"kind": "path", "x": numbers, "y": [share_lost(*means, n) for n in numbers]},
        {"kind": "guess", "x": numbers, "y": [1 - 1 / n for n in numbers]},
        marks.label(MOST, 1 - 1 / MOST, "random choice", align="right", dy=-12, tone="quiet"),
        *marks.here(trial.policies, wrong, text, dx=dx, dy=16),
    ]


view = View("several", figure=figure)
