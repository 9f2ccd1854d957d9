"""Notebook sharing: a mix's use of the cores over time on one node, under several schedulers."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import attrgetter

import altair as alt

from lessons.notebook_sharing.settings import SCHEDULERS, Study, say
from physics import constants as k
from physics.notebooks import CellRun
from ui.base.lesson import Figure, View
from ui.charts import NARROW, Look, Rows, axes, box, marks, span, specification, stack
from ui.charts.axes import tip
from ui.charts.handle import dot

#: Title of this lesson's timelines.
TITLE = "Who holds the cores, and when?"
#: Ends that a mix's time axis may have [min]: it takes the first with room for the last cell.
ENDS = (5, 10, 20, 40, 80, 160)
#: Height of a scheduler's band, in heights of its node.
BAND = 1.36
#: Colors of the notebooks.
NAMES = {name: f"s{number}" for number, name in enumerate("ABCD")}


def figure(study: Study, look: Look) -> Figure:
    """Chart of cores over time for a mix of notebooks under the three schedulers."""
    last = max(outcome.last for outcome in study.outcomes.values()) / k.MINUTE
    end = ENDS[bisect_left(ENDS, last)]
    names = {name: NAMES[name] for name in study.combination}
    rows = []
    for number, (name, title) in enumerate(SCHEDULERS.items()):
        top = number * BAND + 0.3
        overhead = study.overhead * (name == "dynamic")
        cells = study.outcomes[name].run.cells
        node_spans = list(spans(cells, study.cores, names, top, k.MINUTE, overhead))
        rows += [marks.label(0, top - 0.14, title, bold=True), edge(top), *node_spans]
        rows += named(node_spans, 0.014 * end, 0.03 * end)
    height = 400 if look.present else 330
    bands = spec(look, "minutes", end, len(SCHEDULERS) * BAND, height)
    return Figure("mix", TITLE, stack(rows), bands, say("mix_chart", study))


def edge(top: float) -> marks.Row:
    """Return the left edge of a node whose top is given."""
    return {"kind": "edge", "x": 0, "y": top, "x2": 0, "y2": top + 1}


def spans(
    cells: Sequence[CellRun],
    cores: int,
    names: Mapping[str, str],
    top: float,
    unit: float,
    overhead: float = 0.0,
) -> Iterator[marks.Row]:
    """Yield a row for each rectangle of cores and time that a cell occupies without a change.

    The node has height 1 and its cells lie above one another, in the order of their notebooks.
    `names` are the notebooks' names and colors, and `unit` is that of the time axis [s]. A cell is
    hollow during its overhead, in which it holds its cores but does not work yet.
    """
    notebooks = list(names.items())
    starts: dict[tuple, float] = {}  # of the rectangles that have not ended
    for time, holders in _stretches(cells, overhead):
        ends = accumulate((amount for _, amount, _ in holders), initial=0.0)
        current = {
            (round(low, 6), round(high, 6), cell.notebook, cell.place, works)
            for (cell, _, works), (low, high) in zip(holders, pairwise(ends), strict=True)
            if high > low
        }
        for rectangle in [rectangle for rectangle in starts if rectangle not in current]:
            low, high, notebook, _, works = rectangle
            name, color = notebooks[notebook]
            colors = {"tone": "paper", "rim": color}
            if works:
                colors = {"tone": color, "rim": "paper"}
            yield colors | {
                "kind": "span",
                "notebook": name,
                "cores": high - low,
                "x": starts.pop(rectangle) / unit,
                "x2": time / unit,
                "y": top + low / cores,
                "y2": top + high / cores,
            }
        for rectangle in current:
            starts.setdefault(rectangle, time)


def named(
    rows: Sequence[marks.Row],
    min_length: float,
    phone_length: float,
    words: str = "{}",
    words_length: float = 0.0,
) -> Iterator[marks.Row]:
    """Yield the label of each notebook on the largest of its spans.

    A span has no label if it is shorter than `min_length`, and on a phone if shorter than
    `phone_length`. From `words_length` on the label is `words` with the notebook's name, else the
    name alone. All lengths are in the unit of the time axis.
    """
    largest: dict[str, marks.Row] = {}
    for row in rows:
        name = row["notebook"]
        if row["tone"] != "paper" and (name not in largest or _area(row) > _area(largest[name])):
            largest[name] = row
    for name, row in largest.items():
        length = row["x2"] - row["x"]
        if length < min_length:
            continue
        x = (row["x"] + row["x2"]) / 2
        y = (row["y"] + row["y2"]) / 2
        short = ""
        if length >= phone_length:
            short = name
        text = name
        if length >= words_length:
            text = words.format(name)
        yield marks.label(x, y, text, short=short, align="center", tone="paper", bold=True)


def _area(row: marks.Row) -> float:
    """Return the cores of a span times its length."""
    return row["cores"] * (row["x2"] - row["x"])


def _stretches(
    cells: Sequence[CellRun], overhead: float
) -> Iterator[tuple[float, list[tuple[CellRun, float, bool]]]]:
    """Yield each time at which a cell's cores change, with the cells that run from then on.

    Each of these cells comes with its cores, and with whether it works or is still in its overhead.
    """
    times = []
    for cell in cells:
        times += [cell.end, cell.start + overhead, *(time for time, _ in cell.steps)]
    times = sorted({round(time, 6) for time in times})
    ordered = sorted(cells, key=attrgetter("notebook"))
    for start, end in pairwise(times):
        middle = (start + end) / 2
        holders = []
        for cell in ordered:
            if cell.start < middle < cell.end:
                cores = [cores for time, cores in cell.steps if time < middle][-1]
                holders.append((cell, cores, middle > cell.start + overhead))
        yield start, holders
    yield times[-1], []


@lru_cache(maxsize=32)
def spec(look: Look, unit: str, end: float, bottom: float, height: int, at: str = "") -> dict:
    """Return the specification of cores over time, on axes up to `end` and down to `bottom`.

    With `at`, a Vega expression, it shows the rows whose column `at` equals that or is negative.
    """
    # Without room at the left, a mark at the axis' end would push the picture to the right.
    inside = [10, alt.ExprRef("width")]
    ticks = {"format": ",.3~r", "tickCount": alt.ExprRef(f"{NARROW} ? 4 : 8"), "grid": False}
    x = axes.x("x:Q", unit, [0, end], range=inside, **ticks)
    base = alt.Chart().encode(x=x, y=axes.y("y:Q", ends=[bottom, 0], axis=None))
    if at:
        base = base.transform_filter(f"datum.at < 0 || datum.at === {at}")
    numbers = {"cores": "cores", "x": "from", "x2": "until"}
    tips = [tip(f"{name}:Q", title, ".3~g") for name, title in numbers.items()]
    ends = {"x2": "x2:Q", "y2": "y2:Q"}
    rim = {
        "stroke": marks.tone(look, "rim"),
        "strokeWidth": {"expr": f"datum.x2 - datum.x > {end / 80} ? 1 : 0"},
    }
    shapes = (
        box("span", tooltip=["notebook:N", *tips], **rim),
        span("edge", "quiet", width=1.5, **ends),
        span("back", "paper", width=4.5, **ends),
        span("mark", dash=(6, 3), **ends),
    )
    layers = [layer(base, look) for layer in shapes]
    layers += [marks.points(base, look), marks.labels(base, look, halo=False)]
    if at:
        # The same row at every start, or the mark under the finger would vanish.
        layers.append(dot(base).transform_calculate(x=at, at=at))
    return specification(alt.layer(*layers), look, height)


def upright(at: float, top: float, bottom: float, tone: str) -> Rows:
    """Return the rows of a dashed vertical line with a light background, visible on any span."""
    edges = {"x": at, "y": top, "x2": at, "y2": bottom}
    return [{"kind": "back"} | edges, {"kind": "mark", "tone": tone} | edges]


view = View("mix", figure=figure)
