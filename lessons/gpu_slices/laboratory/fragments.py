"""GPU slices: share of the free slices that the next request cannot use, by requested profile."""

import altair as alt

from lessons.gpu_slices.settings import NAMES, RULES, Slices, say
from ui.base import format as f
from ui.charts import axes, box, marks, picture

#: Tone of each policy's bars, and how far below the middle of a request's two bars they lie [px].
LOOKS = {"first": ("s1", -8), "best": ("accent", 8)}
HALF = {"x2": alt.datum(0), "y2": alt.Undefined, "height": alt.RelativeBandSize(0.36)}


@picture(
    say,
    "fragments",
    "What share of the free slices can the next request not use?",
    axes.x(
        "x:Q",
        "free slices that are of no use",
        [0, 1.35],
        format=".0%",
        values=[0, 0.25, 0.5, 0.75, 1],
    ),
    axes.y("y:N", "next request", list(NAMES), sort=None, labelOverlap=False),
    *(box(rule, tone, yOffset=below, **HALF) for rule, (tone, below) in LOOKS.items()),
)
def figure(wish: Slices) -> list[marks.Row]:
    """Chart of the share of free compute slices that each profile cannot use, under both
    policies.
    """
    rows = []
    for rule, (tone, below) in LOOKS.items():
        rows.append(
            {
                "kind": rule,
                "x": [wish.trial.useless(rule, name) for name in NAMES],
                "y": list(NAMES),
            }
        )
        share = f.share(wish.lost[rule], 2)
        looks = {"dx": 5, "dy": below, "tone": tone, "short": share}
        rows.append(marks.label(wish.lost[rule], wish.asked, f"{RULES[rule]}: {share}", **looks))
    return rows
