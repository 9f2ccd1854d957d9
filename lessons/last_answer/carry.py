"""The last answer, beyond the message: unfinished answers continue in the next step."""

from dataclasses import replace

from lessons.last_answer.settings import Rollout, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import View
from ui.charts import Rows, chart, marks
from ui.knobs.declared import knobs_of

#: Top of the chart [1].
TOP = 0.5
#: Share of extra answers from which on there is room for a label to the left of its point [1].
LEFT = 0.05


@chart(say, "carry", y=[0, TOP])
def figure(rollout: Rollout) -> Rows:
    """Chart of how much shorter kept answers are, or of how many are old if continued."""
    shares = knobs_of(Rollout)["extra"].values({})
    percent = [100 * share for share in shares]
    rows = []
    curves = {"shorter": ("bad", "dropped", "shorter"), "stale": ("accent", "continued", "older")}
    for kind, (tone, name, words) in curves.items():
        values = [getattr(replace(rollout, extra=share), kind) for share in shares]
        rows.append({"kind": kind, "x": percent, "y": values})
        rows.append(marks.label(percent[-1], values[-1], name, dx=-4, dy=-14, tone=tone))
        value = getattr(rollout, kind)
        style = {"top": TOP, "fill": tone, "dx": 12, "dy": 14}
        if kind == "shorter" and rollout.extra >= LEFT:
            style |= {"dx": -10, "dy": -14}
        elif rollout.extra > k.LAST_EXTRA.high / 2:
            style["dx"] = -10
        rows += marks.here(100 * rollout.extra, value, f"{f.share(value)} {words}", **style)
    return rows


view = View("carry", figure=figure)
