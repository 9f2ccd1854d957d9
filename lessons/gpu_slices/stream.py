"""GPU slices: a stream of requests under first-fit and best-fit, beside what no policy can beat."""

from functools import lru_cache

import altair as alt

from lessons.gpu_slices.settings import RULES, Slices, say
from physics import constants as k
from ui.base.lesson import Figure
from ui.charts import Look, axes, only, specification, stack

#: The right end and the top of the chart: all requests, and the slices of as many GPUs as there may be.
LAST = int(k.SLICES_REQUESTS)


def figure(wish: Slices, look: Look) -> Figure:
    """Compute slices in use after each request: both policies, the bound, and all that there are."""
    parts: list[dict] = [
        {"kind": kind, "x": list(range(1, LAST + 1)), "y": [n / wish.capacity for n in held]}
        for kind, held in {"bound": wish.trial.bound, **wish.trial.used}.items()
    ]
    title = "What share of the GPUs is in use?"
    return Figure("use", title, stack(parts), spec(look), say("stream_chart", wish))


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Lines of the bound and of both policies over the requests."""
    x = axes.x("x:Q", "requests so far", [1, LAST], tickCount=6)
    y = axes.y("y:Q", "compute slices in use", [0, 1.05], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    names = {"bound": "Upper bound", **RULES}
    said = " : ".join(f"datum.value === '{name}' ? '{words}'" for name, words in names.items()) + " : ''"
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", labelExpr=said)
    colors = alt.Scale(domain=list(names), range=[look.quiet, look.series[1], look.accent])
    dashes = alt.Scale(domain=list(names), range=[[2, 2], [7, 3], [1, 0]])
    lines = (
        alt.Chart().transform_filter(only(*names)).mark_line(interpolate="step-after", strokeWidth=look.stroke - 0.5)
    )
    lines = lines.encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", scale=colors, legend=legend),
        strokeDash=alt.StrokeDash("kind:N", scale=dashes, legend=legend),
        order="x:Q",
    )
    return specification(alt.layer(lines), look, 280)
