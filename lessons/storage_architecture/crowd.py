"""Storage architecture: how many jobs write their checkpoints at the same time. No Streamlit in here."""

from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.storage_architecture.settings import Design
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification

MOST = int(k.STORAGE_CROWD_JOBS.high)
#: Shares below this are not drawn and not spoken of.
LEAST = 5e-4
STARTS = {"random": "start at random", "aligned": "start all at once", "staggered": "are evenly staggered"}


def over(design: Design) -> float:
    """Share of the time in which more jobs write than bandwidth is reserved for [1]."""
    return min(1.0, sum(design.crowd[design.reserved + 1 :]))


def most(design: Design) -> int:
    """Jobs that write at once at the most, leaving out what is hardly ever seen."""
    return max(number for number, share in enumerate(design.crowd) if share >= LEAST)


def frame(design: Design) -> pd.DataFrame:
    """Rows of the chart: how many write, for what share of the time, and how many have reserved bandwidth."""
    rows: list[dict[str, object]] = [
        {"kind": "too many" if number > design.reserved else "fits", "x": number, "y": share, "label": f.share(share)}
        for number, share in enumerate(design.crowd)
    ]
    right = design.reserved > MOST / 2
    looks = {"align": "right", "dx": -6} if right else {"dx": 6}
    rows.append({"kind": "reserved", "x": design.reserved + 0.5, "y": 1.0})
    text = f"reserved for {design.reserved}; more: {f.share(over(design), 2)}"
    rows.append(marks.label(design.reserved + 0.5, 1.02, text, bold=True, **looks))
    return pd.DataFrame(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Share of the time by the number of jobs that write."""
    x = axes.x(
        "x:Q",
        "jobs that write at the same time",
        [-0.7, MOST + 0.7],
        grid=False,
        values=list(range(0, MOST + 1, 5)),
        format="d",
    )
    y = axes.y("y:Q", "share of the time", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1.0])
    base = alt.Chart().encode(x=x, y=y)
    tooltip = [alt.Tooltip("x:Q", title="jobs"), alt.Tooltip("label:N", title="share of the time")]
    bars = [
        base.transform_filter(only(kind)).mark_bar(color=color, width=9).encode(tooltip=tooltip)
        for kind, color in (("fits", look.accent), ("too many", look.bad))
    ]
    reserved = marks.upright(base, "reserved", color=look.ink, strokeDash=[6, 4])
    layers = [*bars, reserved, marks.labels(base, look)]
    return specification(alt.layer(*layers), look, halo=False)


def words(design: Design) -> str:
    """How many write at once, and what that means for those who have reserved bandwidth, in words."""
    times = f"{f.duration(design.crowd_write)} out of every {f.duration(design.crowd_interval)}"
    if design.jobs == 1:
        return f"1 job writes {times}, whenever it starts, and bandwidth is reserved for it."
    mean = f.significant(design.jobs * design.crowd_write / design.crowd_interval, 2)
    start = f"{f.count(design.jobs, 'job')} that write {times}: {mean} on average at a time, whenever they start."
    found, how = over(design), STARTS[design.phases]
    some = f"{f.count(design.reserved + 1, 'job')} or more write for {f.share(found, 2)} of the time"
    if design.reserved >= design.jobs:
        some = "bandwidth is reserved for all of them"
    elif found == 0:
        some = f"never do more than {design.reserved} write, so the reserved bandwidth is enough"
    return f"{start} Where they {how}, {some}."


def figure(design: Design, look: Look) -> Figure:
    """Draw for what share of the time how many jobs write."""
    alt_text = (
        f"Share of the time by the number of jobs that write: up to {most(design)} at once, more than "
        f"{design.reserved} for {f.share(over(design), 2)}."
    )
    return Figure("jobs", "How many checkpoints are written at once?", frame(design), _spec(look), alt_text)
