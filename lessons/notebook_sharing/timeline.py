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
from ui.charts import NARROW, Look, axes, box, marks, only, span, specification, stack
from ui.charts.axes import tip
from ui.charts.handle import DOT, UNSEEN

Row = dict[str, object]
#: Ends of a mix's time axis [min]; it ends at the first that holds the last cell.
ENDS = (5, 10, 20, 40, 80, 160)
#: Height of a scheduler's band, in heights of its node.
BAND = 1.36
NAMES = {name: f"s{place}" for place, name in enumerate("ABCD")}


def figure(study: Study, look: Look) -> Figure:
    """Chart of cores over time for a mix of notebooks under the three schedulers."""
    last = max(outcome.last for outcome in study.outcomes.values()) / k.MINUTE
    end = ENDS[bisect_left(ENDS, last)]
    names = {name: NAMES[name] for name in study.combination}
    rows = []
    for place, (name, words) in enumerate(SCHEDULERS.items()):
        top = place * BAND + 0.3
        overhead = study.overhead * (name == "dynamic")
        cells = study.outcomes[name].run.cells
        held = list(spans(cells, study.cores, names, top, float(k.MINUTE), overhead))
        edge = {"kind": "edge", "x": 0, "y": top, "x2": 0, "y2": top + 1}
        rows += [marks.label(0, top - 0.14, words, bold=True), edge, *held]
        rows += named(held, 0.014 * end, 0.03 * end)
    drawn = spec(look, "minutes", end, 3 * BAND, 400 if look.present else 330)
    title = "Who holds the cores, and when?"
    return Figure("mix", title, stack(rows), drawn, say("mix_chart", study))


def spans(
    cells: Sequence[CellRun],
    cores: int,
    names: Mapping[str, str],
    top: float,
    unit: float,
    overhead: float = 0.0,
) -> Iterator[Row]:
    """Yield one row (cell, cores, start, end) per rectangle of a timeline in which the whole node
    has height 1.

    Cells lie upon one another in the order of their notebooks, whose names and colors are given. As
    long as a cell gets its cores it is hollow. The unit is that of the time axis [s].
    """
    named = list(names.items())
    open_: dict[tuple, float] = {}
    for since, holders in _stretches(cells, overhead):
        ends = accumulate((held for _, held, _ in holders), initial=0.0)
        now = {
            (round(low, 6), round(high, 6), cell.notebook, cell.place, works)
            for (cell, _, works), (low, high) in zip(holders, pairwise(ends), strict=True)
            if high > low
        }
        for held in [held for held in open_ if held not in now]:
            low, high, notebook, _, works = held
            name, tone = named[notebook]
            span = {"kind": "span", "notebook": name, "cores": high - low}
            span |= {"tone": "paper", "rim": tone}
            if works:
                span |= {"tone": tone, "rim": "paper"}
            span |= {"x": open_.pop(held) / unit, "x2": since / unit}
            yield span | {"y": top + low / cores, "y2": top + high / cores}
        for held in now:
            open_.setdefault(held, since)


def named(
    held: Sequence[Row], least: float, phone: float, words: str = "{}", room: float = 0.0
) -> Iterator[Row]:
    """Yield each notebook's name on its largest span if there is room, also on a phone."""
    largest: dict[str, Row] = {}
    for row in held:
        name = row["notebook"]
        if row["tone"] != "paper" and (name not in largest or _area(row) > _area(largest[name])):
            largest[name] = row
    for name, row in largest.items():
        long = row["x2"] - row["x"]
        if long < least:
            continue
        x = (row["x"] + row["x2"]) / 2
        y = (row["y"] + row["y2"]) / 2
        style = {"align": "center", "tone": "paper", "bold": True, "short": ""}
        if long >= phone:
            style["short"] = name
        text = name
        if long >= room:
            text = words.format(name)
        yield marks.label(x, y, text, **style)


def _area(row: Row) -> float:
    """Cores of a span times its length."""
    return row["cores"] * (row["x2"] - row["x"])


def _stretches(
    cells: Sequence[CellRun], overhead: float
) -> Iterator[tuple[float, list[tuple[CellRun, float, bool]]]]:
    """Yield each moment of a change and who holds how many cores from then on, and whether it
    works.
    """
    times = []
    for cell in cells:
        times += [cell.end, cell.start + overhead]
        for time, _ in cell.steps:
            times.append(time)
    moments = sorted({round(time, 6) for time in times})
    ordered = sorted(cells, key=attrgetter("notebook"))
    for since, until in pairwise(moments):
        middle = (since + until) / 2
        holders = []
        for cell in ordered:
            if cell.start < middle < cell.end:
                cores = [cores for time, cores in cell.steps if time < middle][-1]
                holders.append((cell, cores, middle > cell.start + overhead))
        yield since, holders
    yield moments[-1], []


@lru_cache(maxsize=32)
def spec(look: Look, unit: str, last: float, tall: float, height: int, held: str = "") -> dict:
    """Vega specification of cores over time up to the last moment.

    `held` selects the rows to show.
    """
    # A mark at the left end would else push the picture to the right.
    inside = [10, alt.ExprRef("width")]
    ticks = {"format": ",.3~r", "tickCount": alt.ExprRef(f"{NARROW} ? 4 : 8"), "grid": False}
    x = axes.x("x:Q", unit, [0, last], range=inside, **ticks)
    base = alt.Chart().encode(x=x, y=axes.y("y:Q", ends=[tall, 0], axis=None))
    if held:
        base = base.transform_filter(f"datum.at < 0 || datum.at === {held}")
    numbers = {"cores": "cores", "x": "from", "x2": "until"}
    tips = [tip(f"{name}:Q", title, ".3~g") for name, title in numbers.items()]
    ends = {"x2": "x2:Q", "y2": "y2:Q"}
    rim = {
        "stroke": marks.tone(look, "rim"),
        "strokeWidth": {"expr": f"datum.x2 - datum.x > {last / 80} ? 1 : 0"},
    }
    drawn = (
        box("span", tooltip=["notebook:N", *tips], **rim),
        span("edge", "quiet", width=1.5, **ends),
        span("back", "paper", width=4.5, **ends),
        span("mark", dash=(6, 3), **ends),
    )
    layers = [layer(base, look) for layer in drawn]
    layers += [marks.points(base, look), marks.labels(base, look, halo=False)]
    if held:  # one row, or the element that a finger drags would go
        dot = base.transform_filter(only("dot")).transform_calculate(x=held, at=held)
        layers.append(dot.mark_point(**UNSEEN).properties(name=DOT))
    return specification(alt.layer(*layers), look, height)


def upright(at: float, top: float, bottom: float, tone: str) -> list[Row]:
    """Return the rows of a dashed vertical line that is visible on any span."""
    edges = {"x": at, "y": top, "x2": at, "y2": bottom}
    return [{"kind": "back"} | edges, {"kind": "mark", "tone": tone} | edges]


view = View("mix", figure=figure)
