"""Sharing a GPU, the pair: how full the device is, and the slowdown against the neighbor's intensity."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.gpu_sharing.settings import INTENSITIES, RESOURCES, Sharing, demand
from lessons.gpu_sharing.verdict import bound, slower, written
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Where the roofline has its ridge [FLOP/B].
RIDGE = float(k.SHARE_PEAK / k.SHARE_BANDWIDTH)
#: Ends of the chart of slowdowns: two jobs that reach the roofline slow each other at most twice.
BOTTOM, TOP = 0.65, 2.3
#: What each option of the prediction says, as a slowdown.
SAID = {"a": 2.0, "b": 1.3, "c": 1.0, "d": 5.0}


def device(pair: Sharing, look: Look) -> Figure:
    """Two bars: what each job asks of the device, and what is full."""
    title = "How full is the GPU?"
    return Figure("device", title, device_frame(pair), device_spec(look), device_words(pair))


def device_frame(pair: Sharing) -> pa.Table:
    """Rows of bars (shares of the device) for what is asked, with labels; what is beyond 100 % is not served."""
    rows: list[dict[str, object]] = []
    for number, name in enumerate(RESOURCES):
        mine, both = pair.yours[number], pair.asked[number]
        for start, end, whose, tone in ((0.0, mine, "your job", "s0"), (mine, both, "its neighbor", "s1")):
            rows.append({"kind": "bar", "x": start, "end": end, "y": name, "label": whose, "tone": tone})
            if end - start > 0.5:
                short = whose.split()[-1]
                said = whose if end - start > 0.75 else short
                rows.append(marks.label(start, name, said, dx=6, tone="paper", short=short))
        words = f.share(both) + (" asked" if both > 1 + 1e-9 else "")
        rows.append(marks.label(both, name, words, dx=6, bold=True, short=f.share(both)))
    rows.append({"kind": "full", "x": 1.0})
    return stack(marks.renamed([{{"end": "x2"}.get(n, n): v for n, v in row.items()} for row in rows], "asked", "part"))


@lru_cache(maxsize=8)
def device_spec(look: Look) -> dict:
    """What is asked of compute and of memory bandwidth as shares of the device, and the line where it is full."""
    base = alt.Chart().encode(
        x=axes.x(
            "asked:Q",
            ["share of the device", "that both ask for"],
            [0, 2.4],
            format=".0%",
            values=[0, 0.5, 1, 1.5, 2],
        ),
        y=axes.y(
            "part:N", None, sort=list(RESOURCES), ticks=False, domain=False, labelLimit=220, labelExpr=axes.BROKEN
        ),
    )
    bars = base.transform_filter(only("bar")).mark_bar(
        color=marks.tone(look), stroke=look.paper, strokeWidth=1.5, height={"band": 0.75}
    )
    rule = (
        alt.Chart()
        .transform_filter(only("full"))
        .mark_rule(color=look.bad, strokeWidth=2.5)
        .encode(x="asked:Q", y=alt.value(0), y2=alt.value("height"))
    )
    tooltip = ["part:N", "label:N", alt.Tooltip("x2:Q", format=".1%", title="up to")]
    layers = [bars.encode(x2="x2:Q", tooltip=tooltip), rule, marks.labels(base, look, halo=False)]
    return specification(alt.layer(*layers), look, height=225 if look.present else 190, halo=False)


def device_words(pair: Sharing) -> str:
    """The two bars in one sentence."""
    said = [
        f"{name} {f.share(mine)} and {f.share(theirs)}"
        for name, mine, theirs in zip(RESOURCES, pair.yours, pair.other, strict=True)
    ]
    return f"What your job and its neighbor ask of the GPU: {', '.join(said)}. Each runs {slower(pair.slowdown)}."


def figure(pair: Sharing, look: Look, guess: str | None = None) -> Figure:
    """The main chart: the slowdown against the intensity of the neighbor."""
    title = "How much slower is each, beside which neighbor?"
    return Figure("neighbor", title, frame(pair, guess), spec(look), words(pair), ("curve",), Grab("neighbor"))


@lru_cache(maxsize=512)
def curve(intensity: int, reach: float, neighbor_reach: float) -> tuple[list[float], list[float]]:
    """Slowdown of each over the neighbor's intensity [FLOP/B]."""
    mine, found = (
        demand(intensity, reach),
        sorted([*np.geomspace(INTENSITIES[0], INTENSITIES[-1], 160).tolist(), RIDGE]),
    )
    both = ([one + other for one, other in zip(mine, demand(i, neighbor_reach), strict=True)] for i in found)
    return found, [max(1.0, *asked) for asked in both]


def frame(pair: Sharing, guess: str | None = None) -> pa.Table:
    """Rows of the chart: the curve, the accepted slowdown, the present neighbor and the guess."""
    x, y = curve(pair.intensity, pair.reach, pair.neighbor_reach)
    low = BOTTOM + 0.1
    side = {"align": "right", "dx": -12} if pair.neighbor > 40 else {"align": "left", "dx": 12}
    rows = [
        marks.label(INTENSITIES[0], pair.accepted, f"accepted: {bound(pair)}", dx=6, dy=-9, tone="good"),
        marks.label(RIDGE, low, "neighbor held up by memory", align="right", dx=-6, tone="quiet", short="by memory"),
        marks.label(RIDGE, low, "by compute", dx=6, tone="quiet"),
        *_said(guess, pair.slowdown),
        marks.point(pair.neighbor, pair.slowdown, size=130, role="here"),
        marks.label(pair.neighbor, pair.slowdown, f"you are here: {written(pair)}", bold=True, dy=13, **side),
    ]
    parts = [
        {"kind": ["curve"] * len(x), "neighbor": x, "slowdown": y},
        {"kind": "accepted", "slowdown": pair.accepted},
        {"kind": "ridge", "neighbor": RIDGE},
    ]
    return stack([*parts, *marks.renamed(rows, "neighbor", "slowdown")])


def _said(guess: str | None, slowdown: float) -> list[dict[str, object]]:
    """The visitor's own answer as a ring beside the message's neighbor; what is beyond the frame is an arrow."""
    if guess not in SAID:
        return []
    at, said = float(k.SHARE_NEIGHBOR), SAID[guess]
    words = f"you said: {f.times(said) if said > 1 else 'not at all'}"
    left = {"align": "right", "dx": -13, "tone": "quiet"}
    if said > TOP:
        arrow = marks.point(at, TOP - 0.06, shape="triangle-up", size=150, tone="quiet")
        return [arrow, marks.label(at, TOP - 0.06, f"{words} ↑", short="you said ↑", **left)]
    # Clear of “you are here”, whose label stands below its point.
    below = 34 if said == SAID["b"] else 4 if said < slowdown - 0.2 else -11
    ring = marks.point(at, said, size=260, tone="paper", rim="quiet", rim_width=2)
    return [ring, marks.label(at, said, words, dy=below, short="you said", **left)]


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Slowdown against the intensity of the neighbor, on axes that stand still."""
    ticks = [1, 10, 100, 1000]
    x = axes.x(
        "neighbor:Q",
        "intensity of the neighbor (FLOP/B)",
        [INTENSITIES[0], INTENSITIES[-1]],
        type="log",
        format=",d",
        values=ticks,
    )
    y = axes.y("slowdown:Q", "times slower", [BOTTOM, TOP], values=[1, 1.5, 2], format=".2~f")
    base = alt.Chart().encode(x=x, y=y)
    tips = [
        alt.Tooltip("neighbor:Q", format=",.0f", title="neighbor (FLOP/B)"),
        alt.Tooltip("slowdown:Q", format=".3f", title="times slower"),
    ]
    line = base.transform_filter(only("curve")).mark_line(color=look.accent, strokeWidth=look.stroke)
    layers = [
        marks.upright(base, "ridge", color=look.quiet, strokeWidth=1, strokeDash=[2, 3]),
        marks.level(base, "accepted", color=look.good, strokeWidth=1.5, strokeDash=[8, 4]),
        marks.ghosts(base, look, "neighbor:Q"),
        line.encode(order="neighbor:Q", tooltip=tips),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def words(pair: Sharing) -> str:
    """The main chart in one sentence with its numbers."""
    return (
        f"Slowdown of each job against the intensity of the neighbor. Beside {f.significant(pair.neighbor, 4)} "
        f"FLOP/B each runs {slower(pair.slowdown)}; accepted: {bound(pair)}."
    )
