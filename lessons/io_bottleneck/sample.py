"""I/O bottleneck at the scale of one sample: where a worker's time goes, and how much of it there is."""

from functools import lru_cache

import altair as alt

from lessons.io_bottleneck.settings import MS, Job, ms, parts, spent
from ui.base.lesson import Figure, Reach
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

#: The frame holds the message's sample; what is longer leaves it through its right edge [ms].
EDGE = 10.0
MESSAGE = Job()


def rows(job: Job, edge: float = EDGE) -> list[dict[str, object]]:
    """Rows of the chart: part of a sample's time, from start to end (ms), the message's beside it, by kind."""
    found = [*_bars("message", MESSAGE, edge), *_bars("bar", job, edge)]
    longest = max(parts(job).values()) if job.sample_time > job.allowed_time else None
    for row, (name, time) in zip(found[-3:], parts(job).items(), strict=True):
        row["tone"] = "bad" if time == longest else "accent"
        start, end = float(row["x"]), float(row["x2"])
        beyond = "" if row["leaves"] < edge else " ▸"
        if end > 0.75 * edge:  # no room at its right
            inside = end - start > 0.25 * edge
            looks = {"align": "right", "dx": -6, "tone": "paper" if inside else "ink"}
            found.append(marks.label(end if inside else start, name, ms(time) + beyond, bold=True, **looks))
        else:
            found.append(marks.label(end, name, spent(time), bold=True, dx=6))
    allowed = job.allowed_time / MS
    text = f"to keep up with the GPU: {ms(job.allowed_time)}"
    where = {"align": "right", "dx": -5} if allowed > 0.5 * edge else {"dx": 5}
    beyond = " ▸" if allowed > edge else ""
    x, short = min(allowed, edge), f"GPU: {ms(job.allowed_time)}{beyond}"
    found.append({"kind": "allowed", "x": x, "y": ""})
    found.append(marks.label(x, "", text + beyond, short=short, tone="good", **where))
    return found


def _bars(kind: str, job: Job, edge: float) -> list[dict[str, object]]:
    found, start = [], 0.0
    for name, time in parts(job).items():
        end = start + time / MS
        found.append(
            {"kind": kind, "x": min(start, edge), "x2": min(end, edge), "y": name, "leaves": end, "label": spent(time)}
        )
        start = end
    return found


@lru_cache(maxsize=32)
def spec(look: Look, edge: float = EDGE) -> dict:
    """One sample's time as steps down the page, and the time that its worker has for it."""
    order = ["", *parts(MESSAGE)]
    wrapped = f"{NARROW} ? split(datum.label, ' ')[0] : datum.label"
    base = alt.Chart().encode(
        x=axes.x(
            "x:Q",
            "ms for one sample; dashed: the message's",
            [0, edge],
            values=[edge * tenth / 10 for tenth in (0, 2, 4, 6, 8, 10)],
            format=",.3~r",
            labelOverlap=True,
        ),
        y=axes.y("y:N", None, order, ticks=False, domain=False, labelLimit=300, labelExpr=wrapped),
    )
    tooltip = [alt.Tooltip("y:N", title="part"), alt.Tooltip("label:N", title="time")]
    bar = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), height={"band": 0.5})
    ghost = base.transform_filter(only("message")).mark_bar(
        filled=False, stroke=look.quiet, strokeDash=[3, 2], height={"band": 0.75}
    )
    layers = [
        ghost.encode(x2="x2:Q", tooltip=tooltip),
        bar.encode(x2="x2:Q", tooltip=tooltip),
        marks.upright(base, "allowed", color=look.good, strokeWidth=1.5, strokeDash=[8, 4]),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, height=245 if look.present else 210, halo=False)


def words(job: Job) -> str:
    """Say the chart in one sentence."""
    said = ", ".join(f"{spent(time)} {name}" for name, time in parts(job).items())
    return (
        f"One sample takes one worker {ms(job.sample_time)}: {said}. For the workers to keep up with the GPU it may "
        f"take {ms(job.allowed_time)}."
    )


@lru_cache(maxsize=128)
def figure(job: Job, look: Look, end: float = EDGE) -> Figure:
    """Draw one sample's time up to so many ms, with the message's dashed behind it where it differs."""
    reach = Reach(max(job.sample_time, job.allowed_time) / MS, end)
    title = "Where does one sample's time go?"
    return Figure("sample", title, stack(rows(job, end)), spec(look, end), words(job), reach=reach)
