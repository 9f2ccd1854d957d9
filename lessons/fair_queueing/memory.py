"""Fair queueing, second picture: A's wait against its time alone; and the challenge."""

from dataclasses import replace

import numpy as np

from lessons.fair_queueing.settings import HALF_LIVES, JOB, SHOWN, Teams, days, half_life, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, curve, marks

#: Ends of the axis, and the times alone at which the curve has points [days].
LEFT = 1
RIGHT = round(k.FAIR_ALONE.high / k.DAY)
ALONE = np.unique(np.round(np.geomspace(LEFT, RIGHT, 90)).astype(int)).tolist()
#: Goals of the challenge [days], and its half-life by name.
LEAST_ALONE = k.FAIR_LEAST_ALONE / k.DAY
MOST_WAIT = k.FAIR_MOST_WAIT / k.DAY
HALF_LIFE = next(name for name, time in HALF_LIVES.items() if time == k.FAIR_GOAL_HALF_LIFE)


@chart(say, "memory", x=[LEFT, RIGHT], y=[0, SHOWN])
def figure(teams: Teams, playing: bool = False) -> Rows:
    """Chart of A's wait against its time alone, with the half-life and the challenge's goals."""
    x = max(teams.alone / k.DAY, LEFT)
    wait = teams.wait / k.DAY
    waits = {alone: replace(teams, alone=alone * JOB).wait / JOB for alone in ALONE}
    side = {"dx": 12, "dy": 14}
    if x > 20:
        side = {"dx": -12, "dy": -14}
    rows = [
        *curve("curve", waits, SHOWN),
        *marks.here(x, wait, days(teams.wait), top=SHOWN, **side),
    ]
    longest = teams.longest / k.DAY
    if longest <= SHOWN:
        text = f"longest wait: {days(teams.longest)}"
        if teams.weight_ratio == 1:
            text = f"the half-life: {half_life(teams.remembered)}"
        rows += marks.limit("limit", LEFT, longest, text, dx=6, dy=-10)
    if playing:
        corner = {"x": [LEAST_ALONE, LEAST_ALONE, RIGHT], "y": [0, MOST_WAIT, MOST_WAIT]}
        rows.append({"kind": "goal"} | corner)
        text = f"goal: at most {MOST_WAIT:g} days"
        style = {"dx": -6, "dy": 14, "tone": "good", "bold": True}
        rows.append(marks.label(RIGHT, MOST_WAIT, text, short=f"at most {MOST_WAIT:g}", **style))
    return rows


@verdict_of(say)
def judge(teams: Teams) -> Outcome:
    """Return the verdict on the challenge: A's time alone, and its wait afterwards."""
    if teams.weight_ratio != 1:
        return "unequal", None
    if teams.half_life != HALF_LIFE:
        return "other_half_life", None
    if teams.alone < k.FAIR_LEAST_ALONE:
        return "alone_too_short", False
    if teams.wait > k.FAIR_MOST_WAIT:
        return "waits_too_long", False
    return "won", True


view = View("memory", figure=figure)
