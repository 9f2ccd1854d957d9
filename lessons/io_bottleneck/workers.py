"""I/O bottleneck: utilization against the number of workers. No Streamlit in here."""

from dataclasses import replace
from functools import lru_cache

import altair as alt

from lessons.io_bottleneck.settings import TIE, Job
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

COUNTS = range(int(k.IO_WORKERS.low), int(k.IO_WORKERS.high) + 1)
NAMES = {True: "with prefetch", False: "without prefetch"}


@lru_cache(maxsize=256)
def _shares(job: Job) -> tuple[float, ...]:
    """Utilization at each number of workers, whatever the job's own is."""
    return tuple(replace(job, workers=n).utilization for n in COUNTS)


def rows(job: Job, answered: bool = False) -> list[dict[str, object]]:
    """Rows of the chart: workers, utilization and label, by kind; the fewest workers that do once it is `answered`."""
    ahead = job.prefetch_depth > 0
    any_number = replace(job, workers=COUNTS[0])
    mine = _shares(any_number)
    other = _shares(replace(any_number, prefetch_depth=0 if ahead else 1))
    found: list[dict[str, object]] = [
        {"kind": "other", "x": list(COUNTS), "y": list(other), "label": NAMES[not ahead]},
        {"kind": "curve", "x": list(COUNTS), "y": list(mine), "label": NAMES[ahead]},
        {"kind": "target", "x": COUNTS[0], "y": float(k.IO_TARGET)},
        marks.label(COUNTS[0], float(k.IO_TARGET), f"target {f.share(k.IO_TARGET)}", dy=-10, dx=-12, tone="good"),
    ]
    # The other line is named above its end, or below it where the main line is near above.
    below = 0 <= mine[-1] - other[-1] < 0.15
    for name, end, looks in (
        (NAMES[not ahead], other[-1], {"dy": 14 if below else -10, "tone": "quiet"}),
        (NAMES[ahead], mine[-1], {"dy": -10, "tone": "accent", "bold": True}),
    ):
        short = name.replace("without", "no")
        found.append(marks.label(COUNTS[-1], end, name, short=short, align="right", dx=8, **looks))
    enough = next((n for n, share in zip(COUNTS, mine, strict=True) if share >= k.IO_TARGET - TIE), None)
    if answered and enough is not None and enough != job.workers:
        share = mine[enough - COUNTS[0]]
        found.append(marks.point(enough, share, shape="diamond", tone="good", size=100))
        where = {"dx": -4, "dy": -14} if share > 0.95 else {"dx": 6, "dy": 20}
        found.append(marks.label(enough, share, f.count(enough, "worker"), tone="good", **where))
    left = job.workers > 8
    here = f.share(job.utilization)
    found.append(marks.point(job.workers, job.utilization, size=130, role="here"))
    where = {"align": "right", "dx": 0, "dy": 18} if left else {"dx": 10, "dy": 14}
    found.append(marks.label(job.workers, job.utilization, f"you are here: {here}", short=here, bold=True, **where))
    return marks.renamed(found, "workers", "utilization")


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Utilization against workers per GPU, with target and “you are here”."""
    base = alt.Chart().encode(
        x=axes.x("workers:Q", "workers per GPU", [0.5, 16.5], values=list(COUNTS), format="d"),
        y=axes.y(
            "utilization:Q", "accelerator utilization", [0, 1.15], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]
        ),
    )
    tooltip = [alt.Tooltip("workers:Q"), alt.Tooltip("utilization:Q", format=".1%"), "label:N"]

    def line(kind: str, color: str, width: float, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=width, **options)
        return mark.encode(tooltip=tooltip)

    target = base.transform_filter(only("target")).mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
    layers = [
        target.encode(x=alt.datum(0.5), x2=alt.datum(16.5)),
        marks.ghosts(base, look, "workers:Q"),
        line("other", look.quiet, 1.5, strokeDash=[6, 3]),
        line("curve", look.accent, look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def words(job: Job) -> str:
    """Say the chart in one sentence."""
    return (
        f"Accelerator utilization against workers per GPU: {f.share(job.utilization)} with "
        f"{f.count(job.workers, 'worker')}, {f.share(replace(job, workers=COUNTS[-1]).utilization)} with {COUNTS[-1]}; "
        f"the target is {f.share(k.IO_TARGET)}."
    )


@lru_cache(maxsize=128)
def figure(job: Job, look: Look, answered: bool = False) -> Figure:
    """Draw the utilization for every number of workers."""
    title = "How many workers does it take?"
    return Figure("workers", title, stack(rows(job, answered)), spec(look), words(job), ("curve",), Grab("workers"))
