"""I/O bottleneck: how random the order is when shards are read in sequence through a shuffle buffer. No Streamlit."""

import math
from functools import lru_cache

import altair as alt

from lessons.io_bottleneck.settings import Job
from physics.dataloading.shuffling import shuffle_randomness
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

POINTS = 40


def held(job: Job) -> int:
    """Samples that the buffer holds: not more than there are."""
    return min(job.shuffle_buffer, job.samples)


def rows(job: Job) -> list[dict[str, object]]:
    """Rows of the chart: share of the samples in the buffer and randomness of the order, a curve and this job."""
    sizes = sorted({max(1, round(job.samples * part / POINTS)) for part in range(POINTS + 1)})
    curve = [shuffle_randomness(size, job.samples) for size in sizes]
    share, mixed = held(job) / job.samples, shuffle_randomness(held(job), job.samples)
    here = f"you are here: {f.share(mixed)}"
    where = {"align": "right", "dx": -10, "dy": -12} if share > 0.5 else {"dx": 12, "dy": -14}
    return marks.renamed(
        [
            {"kind": "curve", "x": [size / job.samples for size in sizes], "y": curve, "label": "shuffle buffer"},
            marks.point(share, mixed, size=130),
            marks.label(share, mixed, here, short=f.share(mixed), bold=True, **where),
        ],
        "held",
        "mixed",
    )


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Randomness of the order against the share of the samples that the buffer holds."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    base = alt.Chart().encode(
        x=axes.x("held:Q", "share of the samples that the buffer holds", [-0.01, 1.02], format=".0%", values=ticks),
        y=axes.y("mixed:Q", "randomness (1 − rank correlation)", [-0.02, 1.15], format=".0%", values=ticks),
    )
    tooltip = [alt.Tooltip("held:Q", format=".3~%"), alt.Tooltip("mixed:Q", format=".3~%")]
    curve = base.transform_filter(only("curve")).mark_line(color=look.accent, strokeWidth=look.stroke)
    layers = [curve.encode(tooltip=tooltip), marks.points(base, look), marks.labels(base, look)]
    return specification(alt.layer(*layers), look, halo=False)


def words(job: Job) -> str:
    """How random the order is, and what that means in places, in words."""
    mixed = shuffle_randomness(held(job), job.samples)
    far = math.sqrt((job.samples**2 - 1) / 6)
    return (
        f"A buffer of {f.count(held(job), 'sample')} out of {f.significant(job.samples)} makes the order "
        f"{f.share(mixed)} random: 0 % is the order in the store, 100 % a full shuffle (1 − rank correlation of the "
        f"two orders). A sample is used {f.rounded(far * math.sqrt(mixed), 3)} places from where it is stored (root "
        f"mean square); after a full shuffle it would be {f.rounded(far, 3)}."
    )


def alt_words(job: Job) -> str:
    """The chart in one sentence."""
    return (
        f"Randomness of the order against the share of the samples in the buffer: {f.count(held(job), 'sample')} out "
        f"of {f.significant(job.samples)} give {f.share(shuffle_randomness(held(job), job.samples))}."
    )


@lru_cache(maxsize=128)
def figure(job: Job, look: Look) -> Figure:
    """Draw the randomness for every size of the buffer."""
    title = "How random is an order that passes through a buffer?"
    return Figure("shuffle", title, stack(rows(job)), spec(look), alt_words(job))
