"""Policy trial: weeks needed to compare two policies run one after the other."""

import numpy as np

from lessons.policy_trial.settings import Trial, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

LOW = k.TRIAL_DIFFERENCE.low / k.HOUR
HIGH = k.TRIAL_DIFFERENCE.high / k.HOUR


@chart(say, "needed", x=[0, HIGH])
def figure(trial: Trial) -> Rows:
    """Chart of the weeks per policy against the smallest detectable difference."""
    differences = np.linspace(LOW, HIGH, 59)
    seconds = (differences * k.HOUR).tolist()
    path = [trial.needed_for(difference, trial.r) for difference in seconds]
    free = [trial.needed_for(difference, 0.0) for difference in seconds]
    style = {"short": "independent", "align": "right", "dy": 14, "tone": "quiet"}
    here = trial.difference / k.HOUR
    dx = -12 if here > HIGH / 2 else 12
    text = f"{f.significant(trial.needed)} weeks"
    return [
        {"kind": "path", "x": differences, "y": path},
        {"kind": "free", "x": differences, "y": free},
        marks.label(HIGH, free[-1], "if weeks were independent", **style),
        *marks.here(here, float(trial.needed), text, dx=dx, dy=-14),
    ]


view = View("needed", figure=figure)
