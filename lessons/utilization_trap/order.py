"""Utilization trap: what the order of service can improve, and whose jobs wait longer."""

import math
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.utilization_trap.settings import Fleet, lengths_of, means, say
from physics.queueing import mg1_response_of
from physics.queueing.response import srpt_payers
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import Look, axes, line, marks, plane, stack, upright

#: By order of service: color and dashes of its line.
LOOKS = {"FIFO": (1, [8, 4]), "PS": (4, [2, 2]), "FB": (2, [6, 2, 2, 2]), "SRPT": (0, [1, 0])}
#: Ends of the axes: length in mean lengths, response ÷ length.
LEFT = 0.03
RIGHT = 300.0
TOP = 10_000.0
POINTS = 25


@lru_cache(maxsize=64)
def _lines(utilization: float, scv: float) -> list[dict[str, object]]:
    """Response ÷ length against length for each order, as far as the frame goes."""
    lengths = [1.0]
    if scv:
        lengths = np.geomspace(LEFT, RIGHT, POINTS).tolist()
    jobs = lengths_of(scv)
    lines = []
    for order in LOOKS:
        slowdowns = {}
        for length in lengths:
            slowdown = mg1_response_of(order.lower(), utilization, jobs, length) / length
            if slowdown <= TOP:
                slowdowns[length] = slowdown
        columns = {"length": list(slowdowns), "slow": list(slowdowns.values())}
        lines.append({"kind": "line", "order": order} | columns)
    return lines


@lru_cache(maxsize=64)
def payers(utilization: float, scv: float) -> tuple[float, float, float] | None:
    """Job length beyond which SRPT is slower, and the shares of jobs and work beyond it."""
    if utilization < 1 and scv:
        return srpt_payers(utilization, lengths_of(scv))
    return None


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of response ÷ length against length for four orders of service."""
    lines = _lines(fleet.load, fleet.scv)
    rows = [*lines]
    labels = []
    if fleet.scv == 0:
        for line, (tone, _) in zip(lines, LOOKS.values(), strict=True):
            for slowdown in line["slow"]:
                labels.append(marks.point(1.0, slowdown, tone=f"s{tone}"))
    payer = payers(fleet.load, fleet.scv)
    if payer:
        length = payer[0]
        rows.append({"kind": "pays", "length": length})
        style = {"dx": -6 if length > 5 else 6, "dy": 10, "tone": "quiet", "short": "SRPT slower"}
        labels.append(marks.label(length, TOP, "from here, SRPT is slower", **style))
    means_by_order = means(fleet.load, fleet.scv).items()
    responses = ", ".join(f"{order} {f.significant(mean)}" for order, mean in means_by_order)
    table = stack([*rows, *marks.renamed(labels, "length", "slow")])
    title = "How long do jobs take compared with their length?"
    text = say("order_chart", fleet, responses=responses)
    return Figure("order", title, table, _spec(look), text)


@plane
def _spec(look: Look) -> tuple:
    """Specification: a line of response ÷ length for each order, on logarithmic axes."""
    tones, dashes = zip(*LOOKS.values(), strict=True)
    legend = alt.Legend(
        title=None, orient="top", symbolStrokeWidth=3, symbolSize=300, symbolType="stroke"
    )
    orders = list(LOOKS)
    colors = alt.Scale(domain=orders, range=[look.series[tone] for tone in tones])
    dashed = alt.Scale(domain=orders, range=dashes)
    encoded = {
        "color": alt.Color("order:N", scale=colors, legend=legend),
        "strokeDash": alt.StrokeDash("order:N", scale=dashed, legend=legend),
        "tooltip": ["order:N", axes.tip("length:Q", form=".3~g"), axes.tip("slow:Q", form=".3~g")],
    }
    across = {"type": "log", "values": [0.1, 1, 10, 100], "format": "~g"}
    up = {"type": "log", "values": [1, 10, 100, 1000, 10_000], "format": ","}
    return (
        axes.x("length:Q", "length of the job (mean lengths)", [LEFT, RIGHT], **across),
        axes.y("slow:Q", "response time (job lengths)", [1, TOP], **up),
        upright("pays", "quiet", (3, 3)),
        line("line", **encoded),
    )


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on the effect of the order of service, and on whose jobs wait longer."""
    responses = means(fleet.load, fleet.scv)
    fifo = responses["FIFO"]
    srpt = responses["SRPT"]
    if srpt == math.inf:
        return "order_full", False
    if fleet.scv == 0:
        return "order_alike", None
    values = {"blind": f.apart(fifo, srpt), "seeing": f.apart(srpt, fifo)}
    payer = payers(fleet.load, fleet.scv)
    return "order", None, values | dict(zip(("length", "jobs", "work"), payer, strict=True))


view = View("order", figure=figure, verdict=verdict)
