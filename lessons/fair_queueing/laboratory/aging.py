"""Fair queueing: aging, between the order of arrival and strict priority."""

from dataclasses import replace

import numpy as np

from lessons.fair_queueing.settings import AGING, CLASSES, Teams, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Top of the chart [h]: above what strict priority makes of the highest load.
TOP = 40.0
MOST = AGING[-1]


@chart(say, "aging", x=[1, MOST], y=[0, TOP])
def figure(teams: Teams) -> Rows:
    """Chart of both classes' mean waits against the ratio of the aging rates."""
    current = teams.aging_ratio
    ratios = np.geomspace(1, MOST, 41)
    waits_by_ratio = [replace(teams, aging_ratio=ratio).waits for ratio in ratios]
    rows = []
    for name, tone in zip(CLASSES, ("s0", "s1"), strict=True):
        wait = teams.waits[name]
        text = f.duration(wait)
        style = {"dx": -11 if current > 4 else 11, "dy": -13, "tone": tone, "short": text}
        if name == "urgent" and wait > 4 * k.HOUR:
            style["dy"] = 13
        curve = [waits[name] / k.HOUR for waits in waits_by_ratio]
        rows.append({"kind": name, "x": ratios, "y": curve})
        rows += marks.here(current, wait / k.HOUR, f"{name}: {text}", fill=tone, role=None, **style)
    return rows


view = View("aging", figure=figure)
