"""Sharing a GPU: picture of GPUs with their jobs and the jobs' demands. Jobs can be tapped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import altair as alt

from lessons.gpu_sharing.settings import ALL, RESOURCES, TIE
from physics import constants as k
from physics.gpu_sharing import Demand
from ui.base import format as f
from ui.charts import Look, axes, box, marks, only, span, specification, taps, upright

Row = dict[str, object]
#: Where the two cards of a GPU begin, how wide they are, and where the chart ends [shares of a
#: GPU].
PLACES = (-1.72, -0.88)
WIDE = 0.8
LEFT = -1.72
RIGHT = 3.85
#: Where the sums stand, beyond all bars and lines [shares of a GPU].
SUMS = 2.06
#: A GPU's height is its headline, its bars, and a gap [heights of a bar].
HEAD = 1.25
GAP = 0.3
#: What a phone shows of words that are long.
SHORTS = dict(decoding="decode", training="train", neighbor="other") | {
    "fine-tuning": "tune",
    "your job": "yours",
}
#: What the bars of a GPU show, from the top.
PARTS = (*RESOURCES, "memory")
#: What NVIDIA's tool shows of a GPU on which some kernel always runs.
SMI = "nvidia-smi 100%, "
#: Vega expression: the job of a row is under the mouse, or a finger tapped it.
TOUCHED = f"isArray({taps.OVER}.job) && {taps.OVER}.job[0] === datum.job"
#: Height of the picture without its axis, at a desk and on a projector [px].
HIGH = {2: (205, 287), 4: (280, 336)}


@dataclass(frozen=True)
class Card:
    """Job as it is drawn in the picture."""

    id: str
    title: str
    note: str
    demand: Demand  #: what it uses alone, by which it has its color [1]
    shares: tuple[float, ...]  #: what it demands of each of the GPU's resources [1]
    runs: bool = True

    @property
    def style(self) -> Row:
        """Style of the job: blue if limited by memory bandwidth, otherwise purple.

        Pale if it does not run.
        """
        if self.demand.memory > self.demand.compute:
            tone = "s0"
        else:
            tone = "s3"
        return {"tone": tone, "opacity": 1.0 if self.runs else 0.4}

    def named(self, x: float, y: float, text: str, **style: object) -> Row:
        """Make the row for a text on the job's colored card."""
        style |= {
            "align": "center",
            "tone": "paper" if self.runs else "ink",
            "short": SHORTS.get(text),
        }
        return marks.label(x, y, text, **style) | {"kind": "name"}


def top(gpu: int, resources: int) -> float:
    """Position of the top edge of a GPU's part of the picture [bar heights]."""
    return gpu * (HEAD + resources + GAP)


def rows(gpus: Sequence[tuple[str, Sequence[Card]]], resources: int) -> list[Row]:
    """Rows of the picture: for each GPU, a sentence about its jobs, and the jobs' cards."""
    picture_rows = [{"kind": "full", "x": 1.0}]
    for gpu, (words, cards) in enumerate(gpus):
        begin = top(gpu, resources)
        ends = {"y": begin + HEAD, "y2": begin + HEAD + resources - 0.1}
        short = words.removeprefix(SMI).removeprefix("each takes ").removesuffix(" as long")
        name = f"GPU {gpu + 1}: "
        picture_rows.append(
            marks.label(LEFT, begin + 0.55, name + words, bold=True, short=name + short)
        )
        picture_rows += [
            {"kind": "empty", "x": place, "x2": place + WIDE} | ends
            for place in PLACES[len(cards) :]
        ]
        for place, card in zip(PLACES, cards, strict=False):
            place_of = {"job": card.id, "told": False, "x": place, "x2": place + WIDE}
            picture_rows.append({"kind": "card"} | place_of | ends | card.style)
            center = place + WIDE / 2
            middle = (ends["y"] + ends["y2"]) / 2
            picture_rows.append(card.named(center, middle, card.title, dy=-8, bold=True))
            picture_rows.append(card.named(center, middle, card.note, dy=8))
        for number in range(resources):
            picture_rows += _bar(cards, number, begin + HEAD + number)
    return picture_rows


def _bar(cards: Sequence[Card], number: int, begin: float) -> Iterator[Row]:
    """What the jobs demand of one resource, piece by piece, and the sum."""
    at = 0.0
    middle = begin + 0.47
    for card in cards:
        share = card.shares[number]
        if not share:
            continue
        edges = {"x": at, "x2": at + share, "y": begin, "y2": begin + 0.9}
        name = f"{card.title}: {PARTS[number]}"
        yield {"kind": "bar", "label": name, "job": card.id} | edges | card.style
        if at:
            yield {"kind": "seam", "x": at, "y": begin - 0.06, "y2": begin + 0.96}
        amount = marks.label(at + share / 2, middle, f.share(share), align="center", bold=True)
        yield amount | {"kind": "demand", "job": card.id}
        if share > 0.15 and len(card.title) == 1:
            letter = card.named(at + share / 2, middle, card.title, bold=True)
            yield letter | {"kind": "letter", "job": card.id}
        at += share
    if cards:
        over = at > 1 + TIE
        yield marks.label(
            SUMS, middle, _written(number, at), tone="bad" if over else "ink", bold=over
        )


def _written(number: int, share: float) -> str:
    """Write what the jobs demand of compute, of memory bandwidth, or of memory."""
    if number < len(RESOURCES):
        return f"{f.share(share)} {RESOURCES[number].split()[-1]}"
    return f"{f.significant(share * ALL / k.GB)} of {f.significant(ALL / k.GB)} GB"


@lru_cache(maxsize=16)
def spec(look: Look, gpus: int, resources: int) -> dict:
    """Vega specification: the jobs' cards at the left, their demands as stacked bars."""
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
    # What a job demands alone shows on its pieces while it is touched.
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
    # What is tapped lies above the words on it.
    drawn = [*(layer(base, look) for layer in layers), *names, touched.encode(x2="x2:Q", y2="y2:Q")]
    height = round(HIGH[gpus][look.present] + 3.6 * look.text_size)
    return specification(alt.layer(*drawn), look, height)


def limit(
    kind: str, at: float, gpu: int, resources: int, words: str, below: int = 0, **style: object
) -> list[Row]:
    """Make the rows of a labeled vertical line across a GPU's upper bars, those of demand.

    The name stands in the headline of that GPU, or so many GPUs below.
    """
    y = top(gpu, resources) + HEAD
    line = {"kind": kind, "x": at, "y": y - 0.1, "y2": y + len(RESOURCES)}
    return [line, marks.label(at, top(gpu + below, resources) + 0.55, words, dx=5, **style)]
