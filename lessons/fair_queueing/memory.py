"""Fair queueing, second picture: A's wait against its time alone; and the challenge."""

from dataclasses import replace

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import HALF_LIVES, JOB, SHOWN, Teams, days, half_life, say
from physics import constants as k
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, level, line, marks, picture

#: Ends of the axis [days], and the times alone on it at which the curve has points.
LEFT = 1
RIGHT = round(k.FAIR_ALONE.high / k.DAY)
ALONE = np.unique(np.round(np.geomspace(LEFT, RIGHT, 90)).astype(int)).tolist()
TICKS = {"1": "1 day", "7": "1 week", "30": "30 days", "365": "1 year", "3650": "10 years"}
#: Goals of the challenge [days], and its half-life by name.
LEAST_ALONE = k.FAIR_LEAST_ALONE / k.DAY
MOST_WAIT = k.FAIR_MOST_WAIT / k.DAY
HALF_LIFE = next(name for name, time in HALF_LIVES.items() if time == k.FAIR_GOAL_HALF_LIFE)


@picture(
    say,
    "memory",
    "How long does A wait after it ran alone?",
    axes.x(
        "x:Q",
        "time that A ran alone",
        [LEFT, RIGHT],
        type="log",
        values=[int(value) for value in TICKS],
        labelExpr=f"({TICKS})[datum.value]",
    ),
    axes.y("y:Q", "A's wait (days)", [0, SHOWN], values=[0, 10, 20, 30, 40]),
    level("limit", "good"),
    line("goal", "good", width=8),
    line(
        "curve",
        tooltip=[
            alt.Tooltip("x:Q", title="A ran alone (days)"),
            alt.Tooltip("y:Q", title="A's wait (days)"),
        ],
    ),
    lines=("curve",),
    grab=Grab("alone", float(k.DAY)),
)
def figure(teams: Teams, playing: bool = False) -> list[marks.Row]:
    """Chart of A's wait against its time alone, with the half-life and the challenge's goals."""
    x = max(teams.alone / k.DAY, LEFT)
    wait = min(teams.wait / k.DAY, SHOWN)
    waits = {alone: replace(teams, alone=alone * JOB).wait / JOB for alone in ALONE}
    inside = {alone: wait for alone, wait in waits.items() if wait <= SHOWN}
    if x > 20:
        side = {"dx": -12, "dy": -14}
    else:
        side = {"dx": 12, "dy": 14}
    rows = [
        {"kind": "curve", "x": list(inside), "y": list(inside.values())},
        *marks.here(x, wait, days(teams.wait), **side),
    ]
    longest = teams.longest / k.DAY
    if longest <= SHOWN:
        if teams.weight_ratio == 1:
            text = f"the half-life: {half_life(teams.remembered)}"
        else:
            text = f"the most: {days(teams.longest)}"
        rows += marks.limit("limit", LEFT, longest, text, dx=6, dy=-10)
    if playing:
        corner = {"x": [LEAST_ALONE, LEAST_ALONE, RIGHT], "y": [0, MOST_WAIT, MOST_WAIT]}
        rows.append({"kind": "goal"} | corner)
        text = f"goal: at most {MOST_WAIT:g} days"
        looks = {"dx": -6, "dy": 14, "tone": "good", "bold": True}
        rows.append(marks.label(RIGHT, MOST_WAIT, text, short=f"at most {MOST_WAIT:g}", **looks))
    return rows


def judge(teams: Teams) -> Verdict:
    """Judge the challenge by A's time alone."""
    if teams.weight_ratio != 1:
        return Verdict(say("unequal", teams))
    if teams.half_life != HALF_LIFE:
        return Verdict(say("other_half_life", teams))
    if teams.alone < k.FAIR_LEAST_ALONE:
        return Verdict(say("alone_too_short", teams), False)
    if teams.wait > k.FAIR_MOST_WAIT:
        return Verdict(say("waits_too_long", teams), False)
    return Verdict(say("won", teams), True)
