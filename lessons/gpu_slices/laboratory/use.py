"""GPU slices, laboratory: compute slices in use under first-fit and best-fit, with a bound."""

import numpy as np

from lessons.gpu_slices.settings import RULES, Slices, say
from physics import constants as k
from ui.base.lesson import View
from ui.charts import Rows, chart, marks

LAST = int(k.SLICES_REQUESTS)
#: Names of the curves, and their colors.
NAMES = {"bound": "Upper bound"} | RULES
TONES = {"bound": "quiet", "first": "s1", "best": "accent"}


@chart(say, "use")
def figure(settings: Slices) -> Rows:
    """Chart of compute slices in use after each request, by policy, with the bound."""
    used = {"bound": settings.trial.bound} | settings.trial.used
    shares = np.divide(list(used.values()), settings.capacity)
    heights = marks.apart(shares[:, -1].tolist(), 0.075, 1)
    rows = []
    for (kind, name), height in zip(NAMES.items(), heights, strict=True):
        rows.append(marks.label(LAST, height, name, short=name.split()[-1], dx=6, tone=TONES[kind]))
    for kind, share in zip(used, shares.tolist(), strict=True):
        rows.append({"kind": kind, "x": range(1, LAST + 1), "y": share})
    return rows


view = View("use", figure=figure)
