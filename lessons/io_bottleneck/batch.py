"""I/O bottleneck, first picture: what a GPU's workers do while they read one batch, read by read."""

from functools import lru_cache
from math import ceil, floor
from operator import attrgetter

import altair as alt

from lessons.io_bottleneck.settings import MS, Job, ms, say
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Figure, Verdict
from ui.charts import NARROW, Look, axes, marks, only, specification, stack
from ui.knobs import remedies as search

#: A line of the picture is the time of the message's step [ms], and so many lines are drawn.
LINE = Job().compute_time / MS
LINES = 9
KINDS = {
    "wait": "waiting for the read",
    "bytes": "moving bytes",
    "decode": "decoding",
    "compute": "GPU computing",
}
#: Parts of a line that a worker's lane leaves free, and where the GPU's own line lies.
GAP = 0.12
GPU = (-1.45, -0.35)
#: What each stage is called.
STAGES = {
    WORKERS: "loader workers",
    NODE_LINK: "node links",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
#: Settings that the search for a fix turns, the mildest first.
READING = ("workers", "packing", "latency", "storage_nodes", "node_link", "decode_time")


def reads(job: Job) -> tuple[tuple[int, str, float, float], ...]:
    """List what each worker does while one batch is read: worker, kind, from when until when [s].

    It is the steady state of the model, every time at its mean: the workers' reads follow each
    other evenly, and all workers together begin as many reads as bring one batch. What a shared
    stage holds up is drawn as moving bytes.
    """
    whole = job.pipeline.io_time
    wait = job.waiting * job.packing
    decode = job.decode_time
    sample = whole * job.workers / job.batch - job.waiting
    found = []
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
                    found.append((worker, kind, begin, end))
                start += time
    return tuple(found)


def rows(job: Job) -> list[dict[str, object]]:
    """Rows of the picture: what begins and ends when within which line [ms], one line for each step
    of the GPU.

    The bars are one part of many rows: two hundred parts would take a fifth of a turn's time.
    """
    bars = [(0.0, LINE, *GPU, KINDS["compute"])]
    for worker, kind, begin, end in reads(job):
        begin = begin / MS
        end = end / MS
        for line in range(floor(begin / LINE), min(ceil(end / LINE), LINES)):
            x = max(begin - line * LINE, 0.0)
            x2 = min(end - line * LINE, LINE)
            if x2 - x > 1e-9:
                y = line + GAP / 2 + (1 - GAP) * worker / job.workers
                low = y + (1 - GAP) / job.workers * (0.92 if job.workers > 1 else 1)
                bars.append((x, x2, y, low, KINDS[kind]))
    columns = zip(("x", "x2", "y", "y2", "does"), zip(*bars, strict=True), strict=True)
    found: list[dict[str, object]] = [{"kind": "bar", **dict(columns)}]
    found.append(
        marks.label(
            0,
            sum(GPU) / 2,
            say("gpu_line", job),
            short="GPU: one step",
            dx=6,
            tone="paper",
            bold=True,
        )
    )
    # Where the batch has been read is what a pin leaves; the bars' own end needs no mark.
    end = job.pipeline.io_time / MS
    beyond = end > LINES * LINE * (1 + 1e-9)
    lines = min(max(ceil(end / LINE - 1e-9), 1), LINES)
    found.append(marks.point(min(end - (lines - 1) * LINE, LINE), lines - 0.5, size=0, role="here"))
    if beyond:
        words = "goes_on"
        tone = "bad"
    else:
        words = "batch_read"
        tone = "ink"
    found.append(marks.label(0, lines + 0.5, say(words, job), dx=2, tone=tone, bold=True))
    return found


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """One line for each step of the GPU: what the workers do in it."""
    colors = {
        "wait": look.bad,
        "bytes": look.series[0],
        "decode": look.series[3],
        "compute": look.good,
    }
    scale = alt.Scale(domain=list(KINDS.values()), range=[colors[kind] for kind in KINDS])
    y = axes.y(
        "y:Q",
        "time (ms)",
        [LINES + 1, -1.5],
        values=list(range(LINES)),
        labelExpr=f"datum.value * {LINE:g}",
        grid=False,
    )
    base = alt.Chart().encode(
        x=axes.x("x:Q", "time within a line (ms)", [0, LINE], tickCount=6), y=y
    )
    legend = alt.Legend(
        orient="top",
        title=None,
        columns=alt.ExprRef(f"{NARROW} ? 2 : 4"),
        labelLimit=400,
        symbolStrokeWidth=0,
    )
    # The stroke keeps what moves bytes wide enough to be seen.
    bars = base.transform_filter(only("bar")).mark_rect(strokeWidth=1)
    color = alt.Color("does:N", scale=scale, legend=legend)
    stroke = alt.Stroke("does:N", scale=scale, legend=legend)
    tooltip = ["does:N", alt.Tooltip("x:Q", format=".3~f"), alt.Tooltip("x2:Q", format=".3~f")]
    drawn = bars.encode(x2="x2:Q", y2="y2:Q", color=color, stroke=stroke, tooltip=tooltip)
    gaps = base.transform_filter(
        f"datum.kind === 'bar' && datum.does === '{KINDS['wait']}'"
    ).mark_rule(color=look.paper, strokeWidth=1)
    layers = [
        drawn,
        gaps.encode(y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
    ]
    return specification(alt.layer(*layers), look, height=380 if look.present else 300)


def figure(job: Job, look: Look) -> Figure:
    """Draw one batch as its reads."""
    words = say(
        "batch_chart",
        job,
        reads=f.count(job.batch / job.packing, "read"),
        wait=ms(job.waiting * job.packing),
    )
    return Figure("batch", "How is one batch read?", stack(rows(job)), spec(look), words)


def verdict(job: Job) -> Verdict:
    """Say what the bottleneck is, and why."""
    stage = job.pipeline.bottleneck
    name = {COMPUTE: "gpus_bind", WORKERS: "workers_bind"}.get(stage, "stage_binds")
    return Verdict(
        say(name, job, stage=STAGES[stage], need=job.pipeline.needs[stage]), job.on_target
    )


def remedies(job: Job) -> str:
    """List the smallest change of each setting of reading that reaches the target by itself."""
    return search.told(say, job, attrgetter("on_target"), READING, coarse=1)
