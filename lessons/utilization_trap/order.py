"""Utilization trap, third chart: what an order of service can do on one server, and who pays for it."""

import math
from functools import lru_cache
from statistics import NormalDist

import altair as alt
import numpy as np

from lessons.utilization_trap.settings import Fleet, say
from physics.jobs import Exponential, Lognormal
from physics.numerics.roots import rising_root
from physics.queueing import mg1_response, mg1_response_of
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

ORDERS = {
    "fifo": "FIFO, or any order blind to lengths that interrupts nobody",
    "ps": "Processor sharing",
    "fb": "Least served first (FB)",
    "srpt": "Shortest remaining first (SRPT)",
}
SHORT = {"fifo": "FIFO", "ps": "PS", "fb": "FB", "srpt": "SRPT"}
#: Ends of the axes: length in mean lengths, response ÷ length.
LEFT, RIGHT, TOP = 0.03, 300.0, 10_000.0
POINTS = 25


def lengths_of(scv: float) -> object:
    """Return job lengths with a mean of one: alike, exponential at an SCV of 1, else log-normal."""
    return 1.0 if scv == 0 else Exponential(1.0) if scv == 1 else Lognormal(1.0, scv)


@lru_cache(maxsize=128)
def means(utilization: float, scv: float) -> dict[str, float]:
    """Mean response of each order, in mean lengths; infinite from full load on."""
    return {order: mg1_response(order, utilization, lengths_of(scv)) for order in ORDERS}


@lru_cache(maxsize=64)
def _lines(utilization: float, scv: float) -> dict[str, tuple[list[float], list[float]]]:
    """Response ÷ length against length, as far as the frame goes."""
    found = {}
    lengths = [1.0] if scv == 0 else np.geomspace(LEFT, RIGHT, POINTS).tolist()
    for order in ORDERS:
        slow = [mg1_response_of(order, utilization, lengths_of(scv), one) / one for one in lengths]
        kept = [(one, value) for one, value in zip(lengths, slow, strict=True) if value <= TOP]
        found[order] = [one for one, _ in kept], [value for _, value in kept]
    return found


@lru_cache(maxsize=64)
def payers(utilization: float, scv: float) -> tuple[float, float, float] | None:
    """Length from which on SRPT responds later than FIFO, the share of jobs beyond it, and their share of the work."""
    if utilization >= 1 or scv == 0:
        return None
    lengths = lengths_of(scv)
    wait = mg1_response_of("fifo", utilization, lengths, 1.0) - 1.0

    def later(log_length: float) -> float:
        length = math.exp(log_length)
        return mg1_response_of("srpt", utilization, lengths, length) - length - wait

    if later(math.log(1e-3)) > 0 or later(math.log(1e5)) < 0:
        return None
    length = math.exp(rising_root(later, math.log(1e-3), math.log(1e5)))
    return length, *beyond(scv, length)


def beyond(scv: float, length: float) -> tuple[float, float]:
    """Share of the jobs that are longer, and their share of the work."""
    if scv == 1:
        return math.exp(-length), (1 + length) * math.exp(-length)
    variance = math.log1p(scv)
    jobs = NormalDist(-variance / 2, math.sqrt(variance))
    work = NormalDist(variance / 2, math.sqrt(variance))
    return jobs.cdf(-variance - math.log(length)), work.cdf(variance - math.log(length))


def figure(fleet: Fleet, look: Look) -> Figure:
    """Response over length against length for the four orders, and from which length on SRPT costs."""
    utilization, scv = fleet.now.utilization, fleet.scv
    parts: list[dict] = []
    for order, (lengths, slow) in _lines(utilization, scv).items():
        parts.append({"kind": "line", "order": SHORT[order], "length": lengths, "slow": slow})
    rows = []
    if scv == 0:
        points = _lines(utilization, scv).items()
        tones = dict(zip(ORDERS, ("s1", "s4", "s2", "s0"), strict=True))
        rows = [marks.point(1.0, slow[0], tone=tones[order]) for order, (_, slow) in points if slow]
    if pays := payers(utilization, scv):
        length = pays[0]
        parts.append({"kind": "pays", "length": length})
        side = {"align": "right", "dx": -6} if length > 5 else {"align": "left", "dx": 6}
        words = f"beyond {f.significant(length)} SRPT is later than FIFO"
        rows.append(marks.label(length, TOP, words, dy=10, tone="quiet", short="SRPT later", **side))
    frame = stack([*parts, *marks.renamed(rows, "length", "slow")])
    return Figure("order", "Who waits how long for its length, on one server?", frame, _spec(look), alt_text(fleet))


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Response ÷ length against length, both on logarithmic axes; a line for each order."""
    x = axes.x(
        "length:Q", "length of the job (mean lengths)", [LEFT, RIGHT], type="log", values=[0.1, 1, 10, 100], format="~g"
    )
    y = axes.y("slow:Q", "response ÷ length", [1, TOP], type="log", values=[1, 10, 100, 1000, 10_000], format=",")
    base = alt.Chart().encode(x=x, y=y)
    names = [SHORT[order] for order in ORDERS]
    colors = alt.Scale(domain=names, range=[look.series[1], look.series[4], look.series[2], look.series[0]])
    dashes = alt.Scale(domain=names, range=[[8, 4], [2, 2], [6, 2, 2, 2], [1, 0]])
    legend = alt.Legend(title=None, orient="top", symbolStrokeWidth=3, symbolSize=300, symbolType="stroke")
    line = base.transform_filter(only("line")).mark_line(strokeWidth=look.stroke)
    layers = [
        marks.upright(base, "pays", color=look.quiet, strokeDash=[3, 3]),
        line.encode(
            order="length:Q",
            color=alt.Color("order:N", scale=colors, legend=legend),
            strokeDash=alt.StrokeDash("order:N", scale=dashes, legend=legend),
            tooltip=["order:N", alt.Tooltip("length:Q", format=".3~g"), alt.Tooltip("slow:Q", format=".3~g")],
        ),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(fleet: Fleet) -> str:
    """The chart in one sentence with its numbers."""
    found = means(fleet.now.utilization, fleet.scv)
    said = ", ".join(f"{SHORT[order]} {_lengths(value)}" for order, value in found.items())
    return say("order_chart", fleet, responses=said)


def _lengths(value: float) -> str:
    return "without limit" if value == math.inf else f.significant(value)


def metrics(fleet: Fleet) -> list[Metric]:
    """Mean response of the four orders on one server."""
    found = means(fleet.now.utilization, fleet.scv)
    notes = {
        "fifo": "mean lengths; any order blind to lengths",
        "ps": "all at once, each a share",
        "fb": "lengths need not be known",
        "srpt": "lengths must be known",
    }
    return [Metric(f"Response, {SHORT[order]}", _lengths(found[order]), note) for order, note in notes.items()]


def verdict(fleet: Fleet) -> Verdict:
    """Say what an order can do here, and who pays."""
    found = means(fleet.load, fleet.scv)
    if found["srpt"] == math.inf:
        return Verdict(say("order_full" if fleet.scv else "order_full_alike", fleet), False)
    if fleet.scv == 0:
        return Verdict(say("order_alike", fleet))
    blind, seeing = f.apart(found["fifo"], found["srpt"]), f.apart(found["srpt"], found["fifo"])
    text = say("order", fleet, blind=blind, seeing=seeing)
    if pays := payers(fleet.load, fleet.scv):
        length, jobs, work = pays
        numbers = {"length": f.significant(length), "jobs": f.share(jobs, 2), "work": f.share(work, 2)}
        text = f"{text} {say('order_payers', fleet, **numbers)}"
    return Verdict(text)


def words(fleet: Fleet) -> str:
    """What is compared."""
    kind = "all alike" if fleet.scv == 0 else "exponential" if fleet.scv == 1 else "log-normal"
    return say("order_words", fleet, kind=kind)
