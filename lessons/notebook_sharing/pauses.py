"""Notebook sharing: how long users pause, and which pauses have most of the idle time."""

import numpy as np

from lessons.notebook_sharing.settings import Study, say
from physics import constants as k
from physics.notebooks import ThinkTime, least_idle_share
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

#: Ends of the axis of pauses [s].
LOW = 0.1
HIGH = float(k.THINK_MAXIMUM)


@chart(say, "think", x=[LOW, HIGH])
def figure(study: Study) -> Rows:
    """Chart of the share of pauses above a length [s], and of the idle time in these."""
    law = ThinkTime()
    times = np.geomspace(LOW, HIGH, 80)
    cull = study.cull
    curves = {"pauses": law.pause_share, "idle": law.idle_share, "least": least_idle_share}
    rows = []
    for kind, share in curves.items():
        rows.append({"kind": kind, "x": times, "y": [share(time) for time in times]})
    idle = {"dy": 14, "tone": "accent", "bold": True}
    bound = {"dy": 11, "tone": "s1", "bold": True}
    return [
        *rows,
        marks.label(4.0, law.idle_share(4.0), "idle time (assumed)", **idle),
        marks.label(0.7, least_idle_share(0.7), "idle time: lower bound", **bound),
        marks.label(9.0, law.pause_share(9.0), "pauses (assumed)", dx=8, dy=-10),
        *marks.limit("cull", cull, 0.42, "time-out: drag", short="time-out", dx=-5, tone="ink"),
        marks.point(cull, law.idle_share(cull)),
    ]


view = View("pauses", figure=figure)
