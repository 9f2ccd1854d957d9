"""Sharing a GPU: picture of GPUs, of their jobs as cards to tap, and of the jobs' demands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt

from lessons.gpu_sharing.settings import ALL, RESOURCES, TIE
from physics import constants as k
from physics.gpu_sharing import Demand
from ui.base import format as f
from ui.charts import Look, Rows, axes, box, marks, only, span, specification, taps, upright

#: Left ends of the two cards of a GPU, their width, and the ends of the chart [shares of a GPU].
CARD_XS = (-1.72, -0.88)
CARD_WIDTH = 0.8
LEFT = -1.72
RIGHT = 3.85
#: Position of the sums, to the right of all bars and lines [shares of a GPU].
SUMS = 2.06
#: Heights of a GPU's headline and of the gap below the GPU [heights of a bar].
HEADLINE = 1.25
GAP = 0.3
#: Short forms of names for phones.
SHORTS = {
    "decoding": "decode",
    "training": "train",
    "neighbor": "other",
    "fine-tuning": "tune",
    "your job": "yours",
}
#: What the bars of a GPU show, from the top.
BARS = (*RESOURCES, "memory")
#: What NVIDIA's tool reports for a GPU on which some kernel always runs.
SMI = "nvidia-smi 100%, "
#: Vega expression: the job of a row is under the mouse, or a finger tapped it.
TOUCHED = f"isArray({taps.OVER}.job) && {taps.OVER}.job[0] === datum.job"
#: Height of the picture by its number of GPUs, without the axis: on a desk, on a projector [px].
HEIGHTS = {2: (205, 287), 4: (280, 336)}


@dataclass(frozen=True)
class Card:
    """A job on a GPU, as a colored card and as pieces of the GPU's bars."""

    id: str
    title: str
    note: str
    demand: Demand  #: what the job uses alone, which decides its color [1]
    shares: tuple[float, ...]  #: what the job demands of each of `BARS` [1]
    runs: bool = True

    @property
    def style(self) -> marks.Row:
        """Color of the job: blue if limited by memory bandwidth, else purple; pale if it fails."""
        tone = "s0" if self.demand.memory > self.demand.compute else "s3"
        return {"tone": tone, "opacity": 1.0 if self.runs else 0.4}

    def label(self, x: float, y: float, text: str, **style: Any) -> marks.Row:
        """Return the row of a text on the job's color."""
        tone = "paper" if self.runs else "ink"
        style |= {"align": "center", "tone": tone, "short": SHORTS.get(text)}
        return marks.label(x, y, text, **style) | {"kind": "name"}


def top(gpu: int, resources: int) -> float:
    """Top of a GPU in the picture [heights of a bar]."""
    return gpu * (HEADLINE + resources + GAP)


def rows(gpus: Sequence[tuple[str, Sequence[Card]]], resources: int) -> Rows:
    """Return the rows of GPUs, each given by a sentence about its jobs and by the jobs' cards."""
    picture_rows: Rows = [{"kind": "full", "x": 1.0}]
    for gpu, (words, cards) in enumerate(gpus):
        start = top(gpu, resources)
        bars = start + HEADLINE
        ends = {"y": bars, "y2": bars + resources - 0.1}
        middle = (ends["y"] + ends["y2"]) / 2
        short = words.removeprefix(SMI).removeprefix("each takes ").removesuffix(" as long")
        name = f"GPU {gpu + 1}: "
        headline = marks.label(LEFT, start + 0.55, name + words, bold=True, short=name + short)
        picture_rows.append(headline)
        for x in CARD_XS[len(cards) :]:
            picture_rows.append({"kind": "empty", "x": x, "x2": x + CARD_WIDTH} | ends)
        for x, card in zip(CARD_XS, cards, strict=False):
            box = {"kind": "card", "job": card.id, "told": False, "x": x, "x2": x + CARD_WIDTH}
            picture_rows += [
                box | ends | card.style,
                card.label(x + CARD_WIDTH / 2, middle, card.title, dy=-8, bold=True),
                card.label(x + CARD_WIDTH / 2, middle, card.note, dy=8),
            ]
        for number in range(resources):
            picture_rows += _bar(cards, number, bars + number)
    return picture_rows


def _bar(cards: Sequence[Card], number: int, start: float) -> Iterator[marks.Row]:
    """Yield a piece for each job's demand of one of `BARS`, side by side, and their sum."""
    total = 0.0
    middle = start + 0.47
    for card in cards:
        share = card.shares[number]
        if not share:
            continue
        center = total + share / 2
        edges = {"x": total, "x2": total + share, "y": start, "y2": start + 0.9}
        name = f"{card.title}: {BARS[number]}"
        yield {"kind": "bar", "label": name, "job": card.id} | edges | card.style
        if total:
            yield {"kind": "seam", "x": total, "y": start - 0.06, "y2": start + 0.96}
        amount = marks.label(center, middle, f.share(share), align="center", bold=True)
        yield amount | {"kind": "demand", "job": card.id}
        if share > 0.15 and len(card.title) == 1:
            letter = card.label(center, middle, card.title, bold=True)
            yield letter | {"kind": "letter", "job": card.id}
        total += share
    if cards:
        over = total > 1 + TIE
        tone = "bad" if over else "ink"
        yield marks.label(SUMS, middle, _sum_text(number, total), tone=tone, bold=over)


def _sum_text(number: int, share: float) -> str:
    """Write the share of one of `BARS` that the jobs demand together."""
    if number < len(RESOURCES):
        return f"{f.share(share)} {RESOURCES[number].split()[-1]}"
    return f"{f.significant(share * ALL / k.GB)} of {f.significant(ALL / k.GB)} GB"


@lru_cache(maxsize=16)
def spec(look: Look, gpus: int, resources: int) -> dict:
    """Return the specification: the jobs' cards at the left, their demands as stacked bars."""
    ticks = {"format": ".0%", "values": [0, 0.5, 1, 1.5, 2]}
    x = axes.x("x:Q", "share of the GPU that its jobs demand", [LEFT, RIGHT], **ticks)
    y = axes.y("y:Q", None, [top(gpus, resources), 0], zero=False, axis=None)
    base = alt.Chart().encode(x=x, y=y)
    tips = [
        alt.Tooltip("label:N", title="demand"),
        alt.Tooltip("x:Q", format=".1%", title="from"),
        alt.Tooltip("x2:Q", format=".1%", title="to"),
    ]
    faded = {"expr": "datum.opacity"}
    card = {"cornerRadius": 6}
    rim = {
        "stroke": look.ink,
        "strokeWidth": {"expr": f"{taps.is_held('job')} ? 4 : 0"},
        "tooltip": {"expr": "null"},
    }
    touched = base.transform_filter(only("card")).mark_rect(
        fill="transparent", cursor="pointer", **card, **rim
    )
    layers = (
        box("empty", fill=None, stroke=look.quiet, strokeDash=[4, 4], **card),
        box("bar", opacity=faded, tooltip=tips),
        span("seam", "paper", width=4, y2="y2:Q"),
        span("seam", "ink", width=1.5, y2="y2:Q"),
        upright("full", "ink", ()),
        span("accepted", "good", (8, 4), 1.5, y2="y2:Q"),
        span("goal", "good", width=3, y2="y2:Q"),
        span("said", "quiet", (5, 3), y2="y2:Q"),
        box("card", opacity=faded, **card),
    )
    # While a job is touched, its pieces show numbers instead of letters.
    touched_job = base.transform_filter(TOUCHED)
    others = base.transform_filter(f"!({TOUCHED})")
    names = (
        box("bar", fillOpacity=0, stroke=look.ink, strokeWidth=2.5)(touched_job, look),
        marks.labels(touched_job, look, kind="demand"),
        marks.labels(others, look, halo=False, kind="letter"),
        marks.points(base, look),
        marks.labels(base, look),
        marks.labels(base, look, halo=False, kind="name"),
    )
    # The cards are the top layer, above their labels, or a tap on a label would miss them.
    cards = touched.encode(x2="x2:Q", y2="y2:Q")
    chart = alt.layer(*(layer(base, look) for layer in layers), *names, cards)
    height = round(HEIGHTS[gpus][look.present] + 3.6 * look.text_size)
    return specification(chart, look, height)


def limit(
    kind: str, at: float, gpu: int, resources: int, words: str, below: int = 0, **style: Any
) -> Rows:
    """Return the rows of a vertical line across a GPU's bars of `RESOURCES`, with its label.

    The label is in the headline of this GPU, or of the one that is `below` GPUs further down.
    """
    y = top(gpu, resources) + HEADLINE
    line = {"kind": kind, "x": at, "y": y - 0.1, "y2": y + len(RESOURCES)}
    return [line, marks.label(at, top(gpu + below, resources) + 0.55, words, dx=5, **style)]
