"""Sharing a GPU, three ways: taking turns, running together (MPS), and slices (MIG), for the same pair."""

from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.gpu_sharing.settings import Sharing, multiprocessors
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

WAYS = ("turns (time-slicing)", "together (MPS)", "slices (MIG)")
JOBS = ("your job", "its neighbor")


def speeds(pair: Sharing) -> dict[str, tuple[float, float]]:
    """Speed of your job and of its neighbor, by way of sharing."""
    return dict(zip(WAYS, ((pair.turn_speed,) * 2, (pair.speed,) * 2, pair.slice_speeds), strict=True))


def frame(pair: Sharing) -> pa.Table:
    """Rows of the chart: a bar for each way and job, its speed and what both make together."""
    rows: list[dict[str, object]] = []
    for way, both in speeds(pair).items():
        for job, speed, tone in zip(JOBS, both, ("s0", "s1"), strict=True):
            shared = {"y": way, "job": job}
            rows.append({"kind": "bar", "x": speed, "tone": tone, "label": f.significant(speed)} | shared)
            rows.append(
                marks.label(speed, way, f"{job}: {f.significant(speed)}", dx=6, short=f.significant(speed)) | shared
            )
        total = f.significant(sum(both))
        rows.append(marks.label(1.42, way, f"sum {total}", bold=True, short=total) | {"job": JOBS[0]})
    return stack(marks.renamed(rows, "speed", "way"))


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Speeds by way of sharing and job; 1 is alone."""
    base = alt.Chart().encode(
        x=axes.x("speed:Q", "speed (1 = alone)", [0, 1.7], values=[0, 0.25, 0.5, 0.75, 1], format="~g"),
        y=axes.y(
            "way:N",
            None,
            paddingInner=0.25,
            sort=list(WAYS),
            ticks=False,
            domain=False,
            labelLimit=170,
            labelExpr=axes.BROKEN,
        ),
        yOffset=alt.YOffset("job:N", sort=list(JOBS)),
    )
    bars = (
        base.transform_filter(only("bar"))
        .mark_bar(color=marks.tone(look))
        .encode(x2=alt.datum(0), tooltip=["way:N", "job:N", alt.Tooltip("speed:Q", format=".3f")])
    )
    return specification(
        alt.layer(bars, marks.labels(base, look)), look, height=300 if look.present else 240, halo=False
    )


def figure(pair: Sharing, look: Look) -> Figure:
    """Three ways to share the GPU, side by side."""
    return Figure("ways", "How fast is each, by way of sharing?", frame(pair), spec(look), words(pair))


def words(pair: Sharing) -> str:
    """The three ways in one sentence."""
    said = [f"{way} {f.significant(one)} and {f.significant(other)}" for way, (one, other) in speeds(pair).items()]
    return f"Speed of your job and of its neighbor: {'; '.join(said)}; 1 is alone."


def explained(pair: Sharing) -> str:
    """What each way does, in words with the numbers of the settings."""
    useful, wait = pair.turns
    mine, theirs = pair.instances
    return (
        f"**Turns:** {f.share(useful)} of the time is useful; a job waits {f.duration(wait)} for its next. "
        "**Together:** nothing is set aside; the Multi-Process Service (MPS) lets both compute at once. "
        f"**Slices:** Multi-Instance GPU (MIG) gives your job {multiprocessors(mine)} of the "
        f"{k.SHARE_MULTIPROCESSORS:.0f} multiprocessors and {mine.memory} of 8 memory slices, and its neighbor "
        f"{multiprocessors(theirs)} and {theirs.memory}, whatever the other does."
    )
