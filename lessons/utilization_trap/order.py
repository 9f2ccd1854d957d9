"""Utilization trap: what the order of service can improve on one server, and whose jobs wait
longer.
"""

import math
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.utilization_trap.settings import Fleet, lengths_of, means, say
from physics.queueing import mg1_response_of
from physics.queueing.response import srpt_payers
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, line, marks, plane, stack, upright

#: By order of service: color and dashes of its line, and what is said of it.
LOOKS = {
    "FIFO": (1, [8, 4], "blind to lengths"),
    "PS": (4, [2, 2], "all share at once"),
    "FB": (2, [6, 2, 2, 2], "lengths need not be known"),
    "SRPT": (0, [1, 0], "lengths must be known"),
}
#: Ends of the axes: length in mean lengths, response ÷ length.
LEFT = 0.03
RIGHT = 300.0
TOP = 10_000.0
POINTS = 25


@lru_cache(maxsize=64)
def _lines(utilization: float, scv: float) -> list[dict[str, object]]:
    """Response ÷ length against length for each order, as far as the frame goes."""
    if scv == 0:
        lengths = [1.0]
    else:
        lengths = np.geomspace(LEFT, RIGHT, POINTS).tolist()
    found = []
    for order in LOOKS:
        slow = {
            one: mg1_response_of(order.lower(), utilization, lengths_of(scv), one) / one
            for one in lengths
        }
        kept = {one: value for one, value in slow.items() if value <= TOP}
        found.append(
            {"kind": "line", "order": order, "length": list(kept), "slow": list(kept.values())}
        )
    return found


@lru_cache(maxsize=64)
def payers(utilization: float, scv: float) -> tuple[float, float, float] | None:
    """Job length above which SRPT responds later than FIFO, and the share of such jobs and of their
    work.
    """
    if utilization < 1 and scv:
        return srpt_payers(utilization, lengths_of(scv))
    return None


def figure(fleet: Fleet, look: Look) -> Figure:
    """Chart of response ÷ length against length for four orders of service, with the length above
    which SRPT is worse.
    """
    parts = [*_lines(fleet.load, fleet.scv)]
    rows = []
    if fleet.scv == 0:
        rows += [
            marks.point(1.0, *one["slow"], tone=f"s{LOOKS[one['order']][0]}")
            for one in parts
            if one["slow"]
        ]
    pays = payers(fleet.load, fleet.scv)
    if pays:
        parts.append({"kind": "pays", "length": pays[0]})
        if pays[0] > 5:
            dx = -6
        else:
            dx = 6
        rows.append(
            marks.label(
                pays[0],
                TOP,
                "beyond, SRPT is later",
                dx=dx,
                dy=10,
                tone="quiet",
                short="SRPT later",
            )
        )
    said = ", ".join(
        f"{order} {f.significant(value)}" for order, value in means(fleet.load, fleet.scv).items()
    )
    frame = stack([*parts, *marks.renamed(rows, "length", "slow")])
    title = "How long do jobs take compared with their length?"
    alt_text = say("order_chart", fleet, responses=said)
    return Figure("order", title, frame, _spec(look), alt_text)


@plane
def _spec(look: Look) -> tuple:
    """Response ÷ length against length, both on logarithmic axes; a line for each order."""
    tones, dashes, _ = zip(*LOOKS.values(), strict=True)
    legend = alt.Legend(
        title=None, orient="top", symbolStrokeWidth=3, symbolSize=300, symbolType="stroke"
    )
    colors = alt.Scale(domain=list(LOOKS), range=[look.series[tone] for tone in tones])
    looks = {
        "color": alt.Color("order:N", scale=colors, legend=legend),
        "strokeDash": alt.StrokeDash(
            "order:N", scale=alt.Scale(domain=list(LOOKS), range=dashes), legend=legend
        ),
        "tooltip": [
            "order:N",
            alt.Tooltip("length:Q", format=".3~g"),
            alt.Tooltip("slow:Q", format=".3~g"),
        ],
    }
    across = [0.1, 1, 10, 100]
    up = [1, 10, 100, 1000, 10_000]
    return (
        axes.x(
            "length:Q",
            "length of the job (mean lengths)",
            [LEFT, RIGHT],
            type="log",
            values=across,
            format="~g",
        ),
        axes.y("slow:Q", "response ÷ length", [1, TOP], type="log", values=up, format=","),
        upright("pays", "quiet", (3, 3)),
        line("line", **looks),
    )


def metrics(fleet: Fleet) -> list[Metric]:
    """Metrics: mean response of the four orders of service on one server."""
    found = means(fleet.load, fleet.scv)
    return [
        Metric(f"Response, {order}", f.significant(found[order]), note)
        for order, (*_, note) in LOOKS.items()
    ]


def verdict(fleet: Fleet) -> Verdict:
    """Return the verdict on the effect of the order of service, and on whose jobs wait longer."""
    fifo, srpt = (means(fleet.load, fleet.scv)[order] for order in ("FIFO", "SRPT"))
    if srpt == math.inf:
        return Verdict(say("order_full", fleet), False)
    if fleet.scv == 0:
        return Verdict(say("order_alike", fleet))
    blind = f.apart(fifo, srpt)
    seeing = f.apart(srpt, fifo)
    length, jobs, work = payers(fleet.load, fleet.scv)
    return Verdict(
        say("order", fleet, blind=blind, seeing=seeing, length=length, jobs=jobs, work=work)
    )
