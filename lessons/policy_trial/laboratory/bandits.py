"""Policy trial, laboratory: a bandit that chooses each week's policy, and its assumptions."""

import numpy as np

from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

MOST = int(k.TRIAL_ROUNDS.high)


@chart(say, "bandit", x=[0, MOST])
def figure(trial: Trial) -> Rows:
    """Chart of the mean cumulative regret, with that of two simple choices."""
    regret = trial.bandit
    side = {"dx": -4, "dy": -20}
    if trial.rounds < 0.7 * MOST:
        side = {"dx": 12}
    worst = regret.worst / trial.rounds * MOST / k.HOUR
    text = f"{say.written('bandit.end:hours', trial)} lost"
    style = {"short": "worse policy", "dx": -8, "dy": -8, "tone": "bad"}
    return [
        {"kind": "even", "x": [0, MOST], "y": [0.0, worst / 2]},
        {"kind": "worst", "x": [0, MOST], "y": [0.0, worst]},
        {"kind": "path", "x": np.arange(1, trial.rounds + 1), "y": regret.path / k.HOUR},
        marks.label(0.62 * MOST, 0.62 * worst, "always the worse policy", **style),
        marks.label(MOST, worst / 2, "equal shares", dx=-4, dy=-18, tone="quiet"),
        *marks.here(trial.rounds, regret.end / k.HOUR, text, role=None, **side),
    ]


view = View("bandit", figure=figure)
