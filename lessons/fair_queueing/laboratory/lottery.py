"""Fair queueing: how close a lottery's shares are to its tickets."""

import numpy as np

from lessons.fair_queueing.settings import DRAWS, Teams, path, say, spread
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

MOST = DRAWS[-1]
#: Highest share won in the frame ÷ share of the tickets.
TOP = 2.5
#: Numbers of draws at which the lines have points.
COUNTS = np.unique(np.round(np.geomspace(10, MOST, 60)).astype(int))


@chart(say, "lottery", x=[10, MOST], y=[0, TOP])
def figure(teams: Teams) -> Rows:
    """Chart of one lottery's share by draws, with the interval of 19 of 20 lotteries."""
    tickets = teams.tickets
    draws = int(teams.draws)
    won = teams.luck["won"]
    counts = np.append(COUNTS[draws > COUNTS], draws)
    ratios = np.minimum(path(teams.lottery, tickets)[counts - 1], TOP)
    side = {"dx": 10, "dy": 13}
    if draws > 100:
        side["dx"] = -10
    if won >= tickets:
        side["dy"] = -13
    rows = [
        {"kind": "path", "x": counts, "y": ratios},
        *marks.limit("tickets", 10, 1.0, f"tickets: {f.share(tickets)}", dx=4, dy=-10),
        *marks.here(draws, min(won / tickets, TOP), f"won: {f.share(won)}", role=None, **side),
    ]
    for kind, sign in (("upper", 1), ("lower", -1)):
        ends = 1 + sign * spread(tickets, COUNTS)
        inside = (ends >= 0) & (ends <= TOP)
        rows.append({"kind": kind, "x": COUNTS[inside], "y": ends[inside]})
    return rows


view = View("lottery", figure=figure)
