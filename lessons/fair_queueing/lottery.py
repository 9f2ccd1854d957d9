"""Fair queueing, third act: how near a lottery's shares are to its tickets."""

import math
from functools import lru_cache
from statistics import NormalDist

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import Turns
from physics import constants as k
from physics.fair_queueing import lottery_draws, lottery_drought
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, specification, stack

#: About this share of lotteries stays within the interval: 93 to 97 % where ten wins are expected.
CONFIDENCE = 0.95
Z = -NormalDist().inv_cdf((1 - CONFIDENCE) / 2)
MOST = int(k.FAIR_DRAWS.high or 0)
#: The highest share won that the frame shows, as a multiple of the tickets' share.
TOP = 2.5


def spread(share: float, draws: float) -> float:
    """Half the width of the interval relative to the share: z √((1 − p) ÷ (p n)), by the normal approximation [1]."""
    return Z * math.sqrt((1 - share) / (share * draws))


@lru_cache(maxsize=64)
def _path(number: int, share: float) -> np.ndarray:
    """Share won after 1, 2, … draws of one lottery, over the share of the tickets."""
    won = np.random.default_rng(number).random(MOST) < share
    return np.cumsum(won) / np.arange(1, MOST + 1) / share


def won(turns: Turns) -> float:
    """Share that this lottery has given after its draws."""
    return float(_path(turns.lottery, turns.tickets)[turns.draws - 1] * turns.tickets)


def figure(turns: Turns, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """One lottery's share against its draws; where it gets near enough only once that may be `told`."""
    p, n = turns.tickets, turns.draws
    at = np.unique(np.round(np.geomspace(10, n, 60)).astype(int))
    path = np.minimum(_path(turns.lottery, p)[at - 1], TOP)
    wide = spread(p, n)
    parts = [
        {"kind": "path", "draws": at, "share": path},
        {"kind": "interval", "draws": [n, n], "share": [max(0.0, 1 - wide), min(TOP, 1 + wide)]},
        {"kind": "tickets", "share": 1.0},
    ]
    right = {"align": "right", "dx": -10} if n > 100 else {"align": "left", "dx": 10}
    mine = won(turns) / p
    rows = [
        marks.label(10, 1.0, f"tickets: {f.share(p)}", dx=4, dy=-10, tone="good"),
        marks.point(n, min(mine, TOP), size=130),
        marks.label(n, min(mine, TOP), f"won: {f.share(won(turns))}", bold=True, dy=-13 if mine >= 1 else 13, **right),
    ]
    if 1 + wide > TOP:
        rows.append(marks.label(n, TOP, f"up to {f.times(1 + wide)} ↑", dy=10, tone="quiet", **right))
    if told:
        draws = np.unique(np.round(np.geomspace(10, MOST, 60)).astype(int))
        wides = np.array([spread(p, one) for one in draws])
        parts += [
            {"kind": "upper", "draws": draws[1 + wides <= TOP], "share": (1 + wides)[1 + wides <= TOP]},
            {"kind": "lower", "draws": draws[wides <= 1], "share": (1 - wides)[wides <= 1]},
        ]
        needed = lottery_draws(p, float(k.FAIR_TOLERANCE))
        if 10 <= needed <= MOST:
            words = f"within a tenth from about {f.rounded(needed)} on"
            rows.append(marks.point(needed, 1 + float(k.FAIR_TOLERANCE), shape="diamond", tone="good"))
            rows.append(
                marks.label(needed, 1 + float(k.FAIR_TOLERANCE), words, align="right", dx=4, dy=-34, tone="good")
            )
    frame = stack([*parts, *marks.renamed(rows, "draws", "share")])
    return Figure(
        "lottery", "How near is the share won to the tickets?", frame, _spec(look), alt_text(turns), grab=Grab("draws")
    )


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Share won over the share of the tickets, against the draws on a logarithmic axis."""
    x = axes.x("draws:Q", "draws", [10, MOST], type="log", values=[10, 100, 1000, 10_000], format=",")
    y = axes.y("share:Q", "won ÷ tickets' share", [0, TOP], tickCount=5)
    base = alt.Chart().encode(x=x, y=y)

    drawn = base.encode(order="draws:Q")
    layers = [
        marks.level(base, "tickets", color=look.good, strokeWidth=1.5, strokeDash=[8, 4]),
        marks.line(drawn, "upper", look.quiet, 1.5, [4, 3]),
        marks.line(drawn, "lower", look.quiet, 1.5, [4, 3]),
        marks.line(drawn, "path", look.accent, look.stroke),
        marks.line(drawn, "interval", look.ink, 2),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(turns: Turns) -> str:
    """The chart in one sentence with its numbers."""
    return (
        f"Share won of a lottery against its draws: {f.share(turns.tickets)} of the tickets have won "
        f"{f.share(won(turns))} of {f.count(turns.draws, 'draw')}."
    )


def metrics(turns: Turns) -> list[Metric]:
    """The headline numbers of the lottery."""
    p, n = turns.tickets, turns.draws
    return [
        Metric("Share won", f.share(won(turns)), f"of {f.count(n, 'draw')}, lottery {turns.lottery}"),
        Metric("Wins expected", f.significant(n * p), f"{f.share(p)} of the tickets"),
        Metric("About 19 of 20 within", f"± {f.share(spread(p, n), 2)}", "of the tickets' share"),
        Metric("No win at all", f.share(lottery_drought(p, n)), f"chance in {f.count(n, 'draw')}"),
    ]


def verdict(turns: Turns) -> Verdict:
    """Say how coarse the lottery still is."""
    wide = spread(turns.tickets, turns.draws)
    near = wide <= k.FAIR_TOLERANCE
    text = (
        f"After {f.count(turns.draws, 'draw')} about 19 of 20 lotteries have given {f.share(turns.tickets)} of the "
        f"tickets a share within {f.share(wide, 2)} of that, up or down: "
        f"{'near' if near else 'not near'} enough for a tenth."
    )
    if turns.draws * turns.tickets < 10:
        text += " Fewer than ten wins are expected, so the interval is rough."
    return Verdict(text, near)


def words(turns: Turns) -> str:
    """What the picture shows."""
    return (
        "In a lottery each draw picks one ticket at random, and its holder is served. The line is one lottery, the bar "
        "what about 19 of 20 lotteries stay within after as many draws (normal approximation). The number of the "
        "lottery is among the further knobs."
    )
