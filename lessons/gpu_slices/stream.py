"""GPU slices: how many requests first-fit and best-fit refuse on twenty streams."""

from lessons.gpu_slices.settings import DRAWS, RULES, Slices, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

REQUESTS = int(k.SLICES_REQUESTS)
#: Color of each policy's label, which is also that of its points.
TONES = {"first": "s1", "best": "accent"}


@chart(say, "draws", x=[0, DRAWS + 6], y=[0, REQUESTS])
def figure(settings: Slices) -> Rows:
    """Chart of the requests that each policy refuses, by stream."""
    draws = list(range(1, DRAWS + 1))
    refused = settings.refusals
    rows = [{"kind": "apart", "x": draws, "y": refused["first"], "y2": refused["best"]}]
    rows += [{"kind": rule, "x": draws, "y": refused[rule]} for rule in RULES]
    last = [refused[rule][-1] for rule in RULES]
    heights = marks.apart(last, 0.08 * REQUESTS, REQUESTS)
    for (rule, name), height in zip(RULES.items(), heights, strict=True):
        rows.append(marks.label(DRAWS, height, name, dx=8, tone=TONES[rule]))
    return rows


@verdict_of(say)
def verdict(settings: Slices) -> Outcome:
    """Return the verdict on which policy refuses fewer requests, and on how many streams."""
    name = "stream_first"
    if not settings.compared["clear"]:
        name = "stream_alike"
    elif settings.compared["best_ahead"]:
        name = "stream_best"
    return name, None, {"here": say("stream_here", settings)}


view = View("stream", figure=figure, verdict=verdict)
