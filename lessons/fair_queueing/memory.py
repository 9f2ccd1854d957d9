"""Fair queueing, second picture: A's wait against the time that it ran alone; and the challenge."""

from dataclasses import replace

import altair as alt

from lessons.fair_queueing.settings import JOB, SHOWN, Teams, days, say
from physics import constants as k
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, line, marks, picture

#: Right end of the axis [days].
RIGHT = round(k.FAIR_ALONE.high / k.DAY)
#: Goals of the challenge: after how long alone, from how long a wait up to how long a one [days].
GOALS = {
    "at least": (k.FAIR_SHORT_ALONE / k.DAY, k.FAIR_SHORT_WAIT / k.DAY, k.FAIR_SHORT_ALONE / k.DAY),
    "at most": (k.FAIR_LONG_ALONE / k.DAY, 0.0, k.FAIR_LONG_WAIT / k.DAY),
}


@picture(
    say,
    "memory",
    "How long does A wait after it ran alone?",
    axes.x("x:Q", "days that A ran alone", [0, SHOWN], values=[0, 10, 20, 30, 40]),
    axes.y("y:Q", "A's next job (days)", [0, SHOWN], values=[0, 10, 20, 30, 40]),
    *(line(goal, "good", width=8) for goal in GOALS),
    line(
        "curve",
        tooltip=[
            alt.Tooltip("x:Q", title="alone (days)"),
            alt.Tooltip("y:Q", title="A's next job (days)"),
        ],
    ),
    lines=("curve",),
    grab=Grab("alone", float(k.DAY)),
)
def figure(teams: Teams, playing: bool = False) -> list[marks.Row]:
    """How long A waits against how long it ran alone, at this half-life; in the challenge with its
    two goals.
    """
    x = teams.alone / k.DAY
    wait = min(teams.wait / k.DAY, SHOWN)
    if x > 20:
        side = {"dx": -12, "dy": -12}
    else:
        side = {"dx": 12, "dy": 14}
    waits = (replace(teams, alone=alone * JOB).wait / JOB for alone in range(RIGHT + 1))
    inside = {alone: wait for alone, wait in enumerate(waits) if wait <= SHOWN}
    curve = {"kind": "curve", "x": list(inside), "y": list(inside.values())}
    rows = [curve, *marks.here(x, wait, days(teams.wait), **side)]
    for words, (at, low, high) in GOALS.items() if playing else ():
        # Where the curve of a half-life that wins does not come by.
        if words == "at least":
            edge = low
            y = high + 2
        else:
            edge = high
            y = 0.4 * high
        rows.append({"kind": words, "x": [at, at], "y": [low, high]})
        looks = {"dx": -10, "tone": "good", "bold": True}
        rows.append(
            marks.label(at, y, f"{words} {edge:g} days", short=f"{words} {edge:g}", **looks)
        )
    return rows


def judge(teams: Teams) -> Verdict:
    """Say how far a half-life has come in the challenge."""
    if teams.weight_ratio != 1:
        return Verdict(say("unequal", teams))
    if teams.after["short"] < k.FAIR_SHORT_WAIT:
        return Verdict(say("forgets_too_much", teams), False)
    if teams.after["long"] > k.FAIR_LONG_WAIT:
        return Verdict(say("remembers_too_much", teams), False)
    return Verdict(say("won", teams), True)
