"""GPU slices: a stream of requests under first-fit and best-fit, beside what no policy can beat."""

from functools import lru_cache

import altair as alt

from lessons.gpu_slices.settings import RULES, Slices, say
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, axes, only, specification, stack

#: The right end of the chart, and the name of its uppermost line.
LAST, BOUND = int(k.SLICES_REQUESTS), "Upper bound"


def figure(wish: Slices, look: Look) -> Figure:
    """Compute slices in use after each request: both policies, the bound, and all that there are."""
    held = {BOUND: wish.trial.bound} | {words: wish.trial.used[rule] for rule, words in RULES.items()}
    moments = list(range(1, LAST + 1))
    parts = [{"kind": kind, "x": moments, "y": [n / wish.capacity for n in used]} for kind, used in held.items()]
    title = "What share of the GPUs is in use?"
    return Figure("use", title, stack(parts), spec(look), say("stream_chart", wish))


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Lines of the bound and of both policies over the requests."""
    x = axes.x("x:Q", "requests so far", [1, LAST], tickCount=6)
    y = axes.y("y:Q", "compute slices in use", [0, 1.05], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    kinds = [BOUND, *RULES.values()]
    legend = alt.Legend(title=None, orient="top", symbolType="stroke")
    colors = alt.Scale(domain=kinds, range=[look.quiet, look.series[1], look.accent])
    dashes = alt.Scale(domain=kinds, range=[[2, 2], [7, 3], [1, 0]])
    mark = alt.Chart().transform_filter(only(*kinds)).mark_line(interpolate="step-after", strokeWidth=look.stroke - 0.5)
    lines = mark.encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=colors, legend=legend),
        strokeDash=alt.StrokeDash("kind:N", scale=dashes, legend=legend),
        order="x:Q",
    )
    return specification(alt.layer(lines), look, 280)
