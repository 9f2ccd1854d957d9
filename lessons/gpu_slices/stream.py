"""GPU slices: how many requests first-fit and best-fit refuse on twenty streams."""

from lessons.gpu_slices.settings import RULES, Slices, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.charts import axes, layer, marks, picture, span

DRAWS = int(k.SLICES_DRAW.high or 1)
REQUESTS = int(k.SLICES_REQUESTS)
#: Tone and shape of each policy's points.
LOOKS = {"first": ("s1", "square"), "best": ("accent", "circle")}


@picture(
    say,
    "draws",
    "How many requests does each policy refuse?",
    axes.x("x:Q", "stream number", [0, DRAWS + 6], values=[1, 5, 10, 15, 20]),
    axes.y("y:Q", "requests refused", [0, REQUESTS]),
    span("apart", "quiet", width=1.5, y2="y2:Q"),
    *(
        layer(rule, "point", tone, filled=True, size=80, opacity=1, shape=shape)
        for rule, (tone, shape) in LOOKS.items()
    ),
    told="stream_chart",
)
def figure(wish: Slices) -> list[marks.Row]:
    """Chart of the requests that each policy refuses, by stream."""
    draws = list(range(1, DRAWS + 1))
    refused = wish.refusals
    rows = [{"kind": "apart", "x": draws, "y": refused["first"], "y2": refused["best"]}]
    rows += [{"kind": rule, "x": draws, "y": refused[rule]} for rule in LOOKS]
    lasts = [refused[rule][-1] for rule in LOOKS]
    heights = marks.apart(lasts, 0.08 * REQUESTS, REQUESTS)
    for rule, height in zip(LOOKS, heights, strict=True):
        tone = LOOKS[rule][0]
        rows.append(marks.label(DRAWS, height, RULES[rule], dx=8, tone=tone))
    return rows


def verdict(wish: Slices) -> Verdict:
    """Return the verdict on which policy refuses fewer requests over many streams, and on how many
    streams.
    """
    if not wish.compared["clear"]:
        name = "stream_alike"
    elif wish.compared["best_ahead"]:
        name = "stream_best"
    else:
        name = "stream_first"
    return Verdict(say(name, wish, here=say("stream_here", wish)))
