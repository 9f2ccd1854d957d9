"""I/O bottleneck, main chart: the load of every stage as a share of what it can do. No Streamlit in here."""

from functools import lru_cache

import altair as alt

from lessons.io_bottleneck.settings import Job, parts
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STAGES, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

LABELS = {
    WORKERS: "loader workers",
    NODE_LINK: "node link",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
LOCAL_LABELS = LABELS | {STORAGE: "drive bandwidth", IOPS: "drive reads/s"}
ORDER = list(dict.fromkeys(label for stage in STAGES for label in (LABELS[stage], LOCAL_LABELS[stage])))
#: The stage that each option of the prediction calls full; "nothing is wrong" calls none.
SAID = {"a": STORAGE, "b": WORKERS, "c": NODE_LINK}
#: What a worker does, as on the bar: short, because the pieces are.
PIECES = ("waiting", "moving bytes", "decoding")
#: An upright stroke, as high as a bar.
TICK = "M-0.12,-1.4H0.12V1.4H-0.12Z"
#: A load beyond this share has its label inside the bar, a piece longer than this one its name.
INSIDE, NAMED = 0.6, 0.18
#: End of the axis: beside what is full a phone has room for “you said”.
END = 1.34


def rows(job: Job, guess: str | None = None) -> list[dict[str, object]]:
    """Rows of the chart: bars by stage, from start to end (shares of capacity), labels and the guess."""
    pipe, labels = job.pipeline, LOCAL_LABELS if job.local else LABELS
    found: list[dict[str, object]] = []
    for stage in STAGES:
        name, load, need = labels[stage], pipe.loads[stage], pipe.needs[stage]
        if stage == NODE_LINK and job.local:
            found.append(marks.label(0, name, "not used by local reads", dx=6))
            continue
        binds = stage == pipe.bottleneck
        tone = "accent" if not binds else "good" if stage == COMPUTE else "bad"
        ends, start = [load], 0.0
        if stage == WORKERS:
            times = list(parts(job).values())
            ends = [load * sum(times[: number + 1]) / job.sample_time for number in range(3)]
        for end, piece in zip(ends, PIECES if stage == WORKERS else ["in use"], strict=True):
            found.append({"kind": "bar", "x": start, "end": end, "y": name, "label": piece, "tone": tone})
            if stage == WORKERS and end - start > NAMED and end > INSIDE:
                found.append(marks.label(end, name, piece, align="right", dx=-6, tone="paper"))
            start = end
        text = f.share(load, 3 if stage == COMPUTE else 2) + (", binds" if binds else "")
        inside = load > INSIDE
        more = ""
        if not inside and stage != COMPUTE and need > load * (1 + 1e-9):
            more = f" ({f.share(need, 2)} {{}})"
        looks = {"tone": "paper", "bold": True} if inside else {}
        short = (text + more).format("needed")
        place = 0 if inside else load
        found.append(marks.label(place, name, (text + more).format("at full speed"), short=short, dx=6, **looks))
    if guess in SAID and not (SAID[guess] == NODE_LINK and job.local):
        name = labels[SAID[guess]]
        found.append(marks.point(1, name, shape="diamond", tone="quiet"))
        found.append(marks.label(1, name, "you said: full", short="you said", dx=7, tone="quiet"))
    return marks.renamed(
        [{{"x2": "end"}.get(key, key): value for key, value in row.items()} for row in found], "start", "stage"
    )


def pinned(job: Job, look: Look) -> Figure:
    """What a pin leaves: where each bar ended."""
    labels = LOCAL_LABELS if job.local else LABELS
    used = {stage: load for stage, load in job.pipeline.loads.items() if stage != NODE_LINK or not job.local}
    rows = [marks.point(load, labels[stage], shape=TICK, role="here") for stage, load in used.items()]
    return Figure("load", "", stack(marks.renamed(rows, "start", "stage")), spec(look), words(job))


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Load of every stage as a share of what it can do, the binding one marked."""
    ticks = f"{NARROW} ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]"
    base = alt.Chart().encode(
        x=axes.x("start:Q", "load ÷ capacity", [0, END], format=".0%", values=alt.ExprRef(ticks)),
        y=axes.y("stage:N", None, sort=ORDER, ticks=False, domain=False, labelLimit=160),
    )
    bars = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), stroke=look.paper, strokeWidth=1.5)
    tooltip = ["stage:N", "label:N", alt.Tooltip("end:Q", format=".2%", title="up to")]
    layers = [bars.encode(x2="end:Q", tooltip=tooltip), marks.points(base, look), marks.labels(base, look, halo=False)]
    return specification(alt.layer(*layers), look, height=245 if look.present else 210, halo=False)


def words(job: Job) -> str:
    """Say the chart in one sentence."""
    pipe, labels = job.pipeline, LOCAL_LABELS if job.local else LABELS
    used = {stage: load for stage, load in pipe.loads.items() if stage != NODE_LINK or not job.local}
    said = [f"{labels[stage]} {f.share(load)}" for stage, load in used.items()]
    return f"Load of every stage as a share of its capacity: {', '.join(said)}; what binds: {labels[pipe.bottleneck]}."


@lru_cache(maxsize=128)
def figure(job: Job, look: Look, guess: str | None = None) -> Figure:
    """Draw the main chart, with the stage that the visitor said is full."""
    return Figure("load", "Which stage is full?", stack(rows(job, guess)), spec(look), words(job))
