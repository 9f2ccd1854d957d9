"""I/O bottleneck, first picture: activities of a GPU's workers during one batch, read by read."""

from functools import lru_cache
from math import ceil, floor
from operator import attrgetter

import altair as alt

from lessons.io_bottleneck.settings import MS, Job, ms, say
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import NARROW, Look, axes, marks, only, specification, stack
from ui.charts.axes import tip
from ui.knobs import remedies as search

#: A line of the picture is the time of the message's step [ms], and so many lines are drawn.
LINE = Job().compute_time / MS
LINES = 9
COLUMNS = ("x", "x2", "y", "y2", "does", "read")
#: Lanes that are drawn at most, so that each is high enough to be tapped, and the picture's foot.
LANES = 18
BOTTOM = LINES + 2.0
#: Activities by their short names: label and color.
KINDS = {
    "wait": ("waiting for the read", "bad"),
    "bytes": ("moving bytes", "s0"),
    "decode": ("decoding", "s3"),
    "compute": ("GPU computing", "good"),
}
#: Parts of a line that a worker's lane leaves free, and where the GPU's own line lies.
GAP = 0.1
GPU = (-1.45, -0.35)
#: What each option of the prediction calls the cause.
SAID = {
    "a": "the storage is overloaded",
    "b": "reads wait too long",
    "c": "the network is saturated",
    "d": "GPUs wait for GPUs",
}
#: What each stage is called.
STAGES = {
    WORKERS: "loader workers",
    NODE_LINK: "node links",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
#: Settings that the search for a fix turns, the mildest first.
READING = (
    "workers",
    "packing",
    "latency",
    "storage_nodes",
    "node_link",
    "decode_time",
    "cores",
)


def reads(job: Job) -> tuple[tuple[int, str, float, float], ...]:
    """List each worker's activities during one batch: worker, kind, start, and end [s].

    It is the steady state of the model, every time at its mean: the workers' reads follow each
    other evenly, and all workers together begin as many reads as bring one batch. What a shared
    stage holds up is drawn as moving bytes.
    """
    whole = job.pipeline.io_time
    wait = job.waiting * job.packing
    decode = job.decode_time
    sample = whole * job.workers / job.batch - job.waiting
    activities = []
    for worker in range(job.workers):
        length = wait + job.packing * sample
        start = worker * length / job.workers
        start -= ceil(start / length) * length
        while start < whole * (1 - 1e-9):
            parts = [
                ("wait", wait),
                *(("bytes", sample - decode), ("decode", decode)) * job.packing,
            ]
            for kind, time in parts:
                begin = max(start, 0.0)
                end = min(start + time, whole)
                if end > begin:
                    activities.append((worker, kind, begin, end))
                start += time
    return tuple(activities)


def lanes(job: Job) -> tuple[int, float]:
    """Return how many rows show one batch [1], and a worker's part of a row's height [1].

    No more lines are drawn than leave every lane high enough to be seen.
    """
    needed = ceil(job.pipeline.io_time / MS / LINE - 1e-9)
    lines = max(1, min(needed, LINES, LANES // job.workers))
    return lines, min(1.0, LINES / (lines * job.workers))


def rows(job: Job, guess: str | None = None) -> list[dict[str, object]]:
    """Rows of the picture: activities by line [ms], and the visitor's prediction.

    The bars are one part of many rows: two hundred parts would take a fifth of a turn's time.
    """
    lines, height = lanes(job)
    bars = {"step": [(0.0, LINE, *GPU, KINDS["compute"][0], -1)], "bar": [], "wait": []}
    number = 0
    for worker, does, begin, end in reads(job):
        number += does == "wait"
        begin = begin / MS
        end = end / MS
        for line in range(floor(begin / LINE), min(ceil(end / LINE), lines)):
            x = max(begin - line * LINE, 0.0)
            x2 = min(end - line * LINE, LINE)
            if x2 - x > 1e-9:
                y = height * (line * job.workers + worker) + GAP / 2
                bar = (x, x2, y, y + height - GAP, KINDS[does][0], number)
                bars["wait" if does == "wait" else "bar"].append(bar)
    drawn: list[dict[str, object]] = []
    for kind, same in bars.items():
        if same:
            columns = zip(COLUMNS, zip(*same, strict=True), strict=True)
            drawn.append({"kind": kind, **dict(columns)})
    gpu = {"short": "GPU: one step", "dx": 6, "tone": "paper", "bold": True}
    drawn.append(marks.label(0, sum(GPU) / 2, say("gpu_line", job), **gpu))
    # Where the batch has been read is what a pin leaves; the bars' own end needs no mark.
    end = job.pipeline.io_time / MS
    foot = height * lines * job.workers
    x = min(end - (lines - 1) * LINE, LINE)
    drawn.append(marks.point(x, foot - height / 2, size=0, role="here"))
    name = "batch_read"
    tone = "ink"
    if end > lines * LINE * (1 + 1e-9):
        name = "goes_on"
        tone = "bad"
    drawn.append(marks.label(0, foot + 0.5, say(name, job), dx=2, tone=tone, bold=True))
    if guess in SAID:
        words = f"you said: {SAID[guess]}"
        short = f"you: {SAID[guess]}"
        drawn.append(marks.label(LINE, BOTTOM - 1.5, words, short=short, dx=-2, tone="quiet"))
    if job.waiting:
        short = say("tapped_short", job)
        hint = marks.label(0, BOTTOM - 0.5, say("tap", job), dx=2, tone="quiet")
        answer = marks.label(0, BOTTOM - 0.5, say("tapped", job), short=short, dx=2, tone="bad")
        drawn += [hint | {"kind": "hint"}, answer | {"kind": "tapped"}]
    return drawn


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Vega specification: one line per GPU step with the workers' activities.

    A click shows one read's wait.
    """
    names, tones = zip(*KINDS.values(), strict=True)
    scale = alt.Scale(domain=list(names), range=[look.color(tone) for tone in tones])
    base = alt.Chart().encode(
        x=axes.x("x:Q", "time within each row (ms)", [0, LINE], tickCount=6),
        y=axes.y("y:Q", f"rows of {LINE:g} ms", [BOTTOM, -1.5], values=[], grid=False),
    )
    columns = alt.ExprRef(f"{NARROW} ? 2 : 4")
    legend = alt.Legend(
        orient="top", title=None, columns=columns, labelLimit=400, symbolStrokeWidth=0
    )
    touched = alt.selection_point(name="read", fields=["read"], on="click", empty=True)
    # The stroke keeps what moves bytes wide enough to be seen.
    bars = base.transform_filter(only("step", "bar", "wait")).mark_rect(strokeWidth=1)
    shown = bars.encode(
        x2="x2:Q",
        y2="y2:Q",
        color=alt.Color("does:N", scale=scale, legend=legend),
        stroke=alt.Stroke("does:N", scale=scale, legend=legend),
        opacity=alt.condition(touched, alt.value(1), alt.value(0.3)),
        tooltip=[tip("does:N"), tip("x:Q", "start (ms)", ".3~f"), tip("x2:Q", "end (ms)", ".3~f")],
    )
    gaps = base.transform_filter(only("wait")).mark_rule(color=look.paper, strokeWidth=1)
    layers = [
        shown.add_params(touched),
        gaps.encode(y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
        marks.labels(base, look, halo=False, kind="hint").transform_filter("!isArray(read.read)"),
        marks.labels(base, look, halo=False, kind="tapped").transform_filter("isArray(read.read)"),
    ]
    return specification(alt.layer(*layers), look, height=400 if look.present else 320)


def figure(job: Job, look: Look, guess: str | None = None) -> Figure:
    """Draw the reads of one batch."""
    reads = f.count(job.batch / job.packing, "read")
    words = say("batch_chart", job, reads=reads, wait=ms(job.waiting * job.packing))
    return Figure("batch", "How is one batch read?", stack(rows(job, guess)), spec(look), words)


@verdict_of(say)
def verdict(job: Job) -> Outcome:
    """Return the verdict that names the bottleneck, and says why it is the bottleneck."""
    stage = job.pipeline.bottleneck
    name = {COMPUTE: "gpus_bind", WORKERS: "workers_bind"}.get(stage, "stage_binds")
    if stage == WORKERS and job.cores_bind:
        name = "cores_bind"
    return name, job.on_target, {"stage": STAGES[stage], "need": job.pipeline.needs[stage]}


def remedies(job: Job) -> str:
    """List the smallest change of each reading setting that alone reaches the target."""
    return search.fix_sentence(say, job, attrgetter("on_target"), READING, coarse=1)


view = View("batch", figure=figure, verdict=verdict, remedies=remedies)
