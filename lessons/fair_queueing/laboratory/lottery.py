"""Fair queueing: how close a lottery's shares are to its tickets."""

import numpy as np

from lessons.fair_queueing.settings import DRAWS, Teams, path, say, spread
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import marks
from ui.charts.described import Rows, chart

MOST = DRAWS[-1]
#: The highest share won that the frame shows, as a multiple of the tickets' share.
TOP = 2.5
#: Numbers of draws at which the lines have points.
ALONG = np.unique(np.round(np.geomspace(10, MOST, 60)).astype(int))


@chart(say, "lottery", x=[10, MOST], y=[0, TOP])
def figure(teams: Teams) -> Rows:
    """Chart of one lottery's share by draws, with the interval of 19 of 20 lotteries."""
    p = teams.tickets
    n = int(teams.draws)
    won = teams.luck["won"]
    past = np.append(ALONG[n > ALONG], n)
    side = {"dx": 10, "dy": 13}
    if n > 100:
        side["dx"] = -10
    if won >= p:
        side["dy"] = -13
    rows = [
        {"kind": "path", "x": past, "y": np.minimum(path(teams.lottery, p)[past - 1], TOP)},
        *marks.limit("tickets", 10, 1.0, f"tickets: {f.share(p)}", dx=4, dy=-10),
        *marks.here(n, min(won / p, TOP), f"won: {f.share(won)}", role=None, **side),
    ]
    for kind, sign in (("upper", 1), ("lower", -1)):
        ends = 1 + sign * spread(p, ALONG)
        inside = (ends >= 0) & (ends <= TOP)
        rows.append({"kind": kind, "x": ALONG[inside], "y": ends[inside]})
    return rows


view = View("lottery", figure=figure)
