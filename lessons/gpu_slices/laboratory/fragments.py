"""GPU slices: share of the free slices that the next request cannot use, by requested profile."""

import altair as alt

from lessons.gpu_slices.settings import NAMES, RULES, Slices, say
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, box, chart, marks

#: Tone of each policy's bars, and how far below the middle of a request's two bars they lie [px].
LOOKS = {"first": ("s1", -8), "best": ("accent", 8)}
HALF = {"x2": alt.datum(0), "y2": alt.Undefined, "height": alt.RelativeBandSize(0.36)}


@chart(
    say,
    "fragments",
    *(box(rule, tone, yOffset=below, **HALF) for rule, (tone, below) in LOOKS.items()),
    y=NAMES,
)
def figure(wish: Slices) -> Rows:
    """Chart of the share of free compute slices that each profile cannot use, by policy."""
    rows = []
    for rule, (tone, below) in LOOKS.items():
        useless = [wish.trial.useless(rule, name) for name in NAMES]
        rows.append({"kind": rule, "x": useless, "y": NAMES})
        share = f.share(wish.lost[rule], 2)
        style = {"dx": 5, "dy": below, "tone": tone, "short": share}
        rows.append(marks.label(wish.lost[rule], wish.asked, f"{RULES[rule]}: {share}", **style))
    return rows


view = View("fragments", figure=figure)
