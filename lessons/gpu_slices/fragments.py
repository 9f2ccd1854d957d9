"""GPU slices, second act: free GPUs that the next job cannot use."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.gpu_slices.settings import Slices
from physics import constants as k
from physics.slicing.gangs import Fragmentation, expected_fragmentation, fragmentation
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes
from ui.charts.look import Look, label, only, specification


def spread(wish: Slices, free: float | None = None) -> Fragmentation:
    """Free GPUs that are scattered: each is free by itself."""
    return expected_fragmentation(wish.free if free is None else free, wish.nodes, int(k.SLICES_NODE_GPUS), wish.job)


def packed(wish: Slices, free: float | None = None) -> Fragmentation:
    """As many free GPUs, but node by node: the scheduler has filled up the others."""
    size = int(k.SLICES_NODE_GPUS)
    whole, rest = divmod(round((wish.free if free is None else free) * wish.nodes * size), size)
    return fragmentation([size] * whole + [rest], wish.job)


@lru_cache(maxsize=64)
def _curves(nodes: int, job: int) -> list[tuple[str, float, float, str]]:
    """Stranded share of the free GPUs over the free share, scattered and node by node."""
    wish = Slices(nodes=nodes, job=job)
    shares = [float(p) for p in np.linspace(0.01, 1.0, 100)]
    rows = [("spread", p, _scattered_share(p, job), "") for p in shares]
    return rows + [("packed", p, packed(wish, p).share, "") for p in shares]


@lru_cache(maxsize=1024)
def _scattered_share(free: float, job: int) -> float:
    """Stranded share of scattered free GPUs; the number of nodes does not matter."""
    return expected_fragmentation(free, 1, int(k.SLICES_NODE_GPUS), job).share


def free_frame(wish: Slices) -> pd.DataFrame:
    """Rows of the chart of stranded GPUs: free share, stranded share of the free GPUs, by kind."""
    rows = list(_curves(wish.nodes, wish.job))
    now = spread(wish).share
    side = "left" if wish.free > 0.6 else "right"
    rows.append(("here", wish.free, now, ""))
    rows.append((f"here {side}", wish.free, now, f"scattered: {f.share(now)} stranded"))
    rows.append(("full", wish.free, packed(wish).share, ""))
    rows.append((f"full {side}", wish.free, packed(wish).share, f"node by node: {f.share(packed(wish).share)}"))
    return pd.DataFrame(rows, columns=["kind", "free", "stranded", "label"])


@lru_cache(maxsize=8)
def free_spec(look: Look) -> dict:
    """Stranded share of the free GPUs against the free share: scattered, and node by node."""
    x = axes.x("free:Q", "free share of the GPUs", [0, 1], format=".0%")
    y = axes.y("stranded:Q", "stranded share of them", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("free:Q", format=".0%"), alt.Tooltip("stranded:Q", format=".1%")]

    def line(kind: str, color: str, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=look.stroke, **options)
        return mark.encode(order="free:Q", tooltip=tips)

    point = dict(filled=True, opacity=1, stroke=look.paper, strokeWidth=1.5, size=120)
    layers = [
        line("spread", look.accent),
        line("packed", look.good, strokeDash=[8, 3]),
        base.transform_filter(only("here")).mark_point(color=look.accent, **point),
        base.transform_filter(only("full")).mark_point(color=look.good, shape="diamond", **point),
    ]
    for side, align, dx in (("left", "right", -12), ("right", "left", 12)):
        for kind, color in (("here", look.accent), ("full", look.good)):
            layers.append(label(base, f"{kind} {side}", color, look, align=align, dx=dx, dy=-10, fontWeight="bold"))
    return specification(alt.layer(*layers), look, 280)


def free_alt(wish: Slices) -> str:
    """The chart of stranded GPUs in one sentence with its numbers."""
    return f"Free GPUs that the next job cannot use, against the free share. {free_words(wish)}"


def free_words(wish: Slices) -> str:
    """How many GPUs are free, and of use, at these settings."""
    scattered, filled = spread(wish), packed(wish)
    job = f.count(wish.job, "GPU")
    return (
        f"Of {f.significant(wish.nodes * k.SLICES_NODE_GPUS, 4)} GPUs {f.significant(scattered.free)} are free on "
        f"average. For a job that needs {job} on one node {f.share(scattered.share)} of them are stranded if they are "
        f"scattered ({f.significant(scattered.jobs)} such jobs can start on average), and {f.share(filled.share)} if "
        f"whole nodes are kept free ({f.count(filled.jobs, 'job')})."
    )


def metrics(wish: Slices) -> list[Metric]:
    """The headline numbers of scattered GPUs and of whole nodes."""
    scattered, filled, job = spread(wish), packed(wish), f.count(wish.job, "GPU")
    return [
        Metric("Free GPUs", f.significant(scattered.free), f"of {f.significant(wish.nodes * k.SLICES_NODE_GPUS, 4)}"),
        Metric("Stranded, scattered", f.share(scattered.share), f"for a job of {job}", scattered.share == 0),
        Metric("Jobs that can start", f.significant(scattered.jobs), "scattered, on average"),
        Metric("Stranded, node by node", f.share(filled.share), f"room for {f.count(filled.jobs, 'job')}"),
    ]


def verdict(wish: Slices) -> Verdict:
    """How many GPUs are free, and of use."""
    return Verdict(free_words(wish))


def figures(wish: Slices, look: Look) -> list[Figure]:
    """The stranded share against the free share."""
    title = "How many of the free GPUs can the next job not use?"
    return [Figure("free", title, free_frame(wish), free_spec(look), free_alt(wish))]


def values(wish: Slices) -> dict[str, str]:
    """Numbers of fragmentation that the lesson's words need."""
    scattered = spread(wish)
    return {
        "free_job": f.count(wish.job, "GPU"),
        "free_free": f.significant(scattered.free),
        "free_jobs": f.significant(scattered.jobs),
        "free_stranded": f.share(scattered.share),
        "free_packed": f.share(packed(wish).share),
    }
