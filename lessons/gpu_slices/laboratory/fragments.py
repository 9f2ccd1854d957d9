"""GPU slices, laboratory: share of the free slices that a request cannot use, by its profile."""

import altair as alt

from lessons.gpu_slices.settings import NAMES, RULES, Slices, say
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, box, chart, marks

#: Color of each policy's bars, and how far they are below the middle of a profile's two bars [px].
STYLES = {"first": ("s1", -8), "best": ("accent", 8)}
HALF = {"x2": alt.datum(0), "y2": alt.Undefined, "height": alt.RelativeBandSize(0.36)}


@chart(
    say,
    "fragments",
    *(box(rule, tone, yOffset=below, **HALF) for rule, (tone, below) in STYLES.items()),
    y=NAMES,
)
def figure(settings: Slices) -> Rows:
    """Chart of the share of free compute slices that each profile cannot use, by policy."""
    rows = []
    for rule, (tone, below) in STYLES.items():
        unusable = [settings.trial.unusable(rule, name) for name in NAMES]
        rows.append({"kind": rule, "x": unusable, "y": NAMES})
        share = f.share(settings.lost[rule], 2)
        style = {"dx": 5, "dy": below, "tone": tone, "short": share}
        rows.append(
            marks.label(settings.lost[rule], settings.asked, f"{RULES[rule]}: {share}", **style)
        )
    return rows


view = View("fragments", figure=figure)
