"""Fair queueing, going further: how near a lottery's shares are to its tickets."""

import numpy as np

from lessons.fair_queueing.settings import DRAWS, Teams, path, say, spread
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import Look, axes, level, line, marks, plane, stack

MOST = DRAWS[-1]
#: The highest share won that the frame shows, as a multiple of the tickets' share.
TOP = 2.5
#: Numbers of draws at which the lines have points.
ALONG = np.unique(np.round(np.geomspace(10, MOST, 60)).astype(int))


def figure(teams: Teams, look: Look) -> Figure:
    """One lottery's share against its draws, and the interval in which about 19 of 20 lotteries lie."""
    p, n, mine = teams.tickets, int(teams.draws), teams.won / teams.tickets
    past = np.append(ALONG[n > ALONG], n)
    parts: list[dict] = [
        {"kind": "path", "x": past, "y": np.minimum(path(teams.lottery, p)[past - 1], TOP)},
        {"kind": "tickets", "y": 1.0},
    ]
    for kind, sign in (("upper", 1), ("lower", -1)):
        ends = 1 + sign * spread(p, ALONG)
        inside = (ends >= 0) & (ends <= TOP)
        parts.append({"kind": kind, "x": ALONG[inside], "y": ends[inside]})
    side = -10 if n > 100 else 10
    rows = [
        marks.label(10, 1.0, f"tickets: {f.share(p)}", dx=4, dy=-10, tone="good"),
        marks.point(n, min(mine, TOP), size=130),
        marks.label(n, min(mine, TOP), f"won: {f.share(teams.won)}", bold=True, dx=side, dy=-13 if mine >= 1 else 13),
    ]
    frame, title = stack([*parts, *rows]), "How close is the share won to the tickets?"
    return Figure("lottery", title, frame, _spec(look), say("lottery_chart", teams), grab=Grab("draws"))


@plane
def _spec(look: Look) -> tuple:
    """Share won over the share of the tickets, against the draws on a logarithmic axis."""
    x = axes.x("x:Q", "draws", [10, MOST], type="log", values=[10, 100, 1000, 10_000], format=",")
    y = axes.y("y:Q", "won ÷ tickets' share", [0, TOP], tickCount=5)
    bounds = (line(kind, "quiet", (4, 3)) for kind in ("upper", "lower"))
    return x, y, level("tickets", "good"), *bounds, line("path")
