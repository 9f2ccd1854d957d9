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
from ui.knobs import remedies as search

#: Time of a line in the picture, which is the message's step [ms].
LINE = Job().compute_time / MS
#: Maximum number of lines.
LINES = 9
#: Maximum number of lanes, so that each is high enough to be tapped.
LANES = 18
#: Lower end of the y axis: below the lines there are texts.
BOTTOM = LINES + 2.0
#: Columns of a bar in the rows of the picture.
COLUMNS = ("x", "x2", "y", "y2", "does", "read")
#: Activities by their short names: label and color.
KINDS = {
    "wait": ("waiting for the read", "bad"),
    "bytes": ("moving bytes", "s0"),
    "decode": ("decoding", "s3"),
    "compute": ("GPU computing", "good"),
}
#: Gap between two lanes, in units of the y axis.
GAP = 0.1
#: Upper and lower edge of the GPU's bar on the y axis.
GPU = (-1.45, -0.35)
#: Differences up to this share or number of milliseconds are rounding errors.
ROUNDING = 1e-9
#: Cause according to each answer of the prediction.
CAUSES = {
    "a": "the storage is overloaded",
    "b": "reads wait too long",
    "c": "the network is saturated",
    "d": "GPUs wait for GPUs",
}
#: Names of the stages.
STAGES = {
    WORKERS: "loader workers",
    NODE_LINK: "node links",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
#: Settings that the search for a fix changes, the mildest first.
FIX_SETTINGS = (
    "workers",
    "packing",
    "latency",
    "storage_nodes",
    "node_link",
    "decode_time",
    "cores",
)


def reads(job: Job) -> tuple[tuple[int, int, str, float, float], ...]:
    """List each worker's activities during one batch: worker, read, kind, start, and end [s].

    The reads are numbered from 1 on; the first and the last of a worker may be cut.

    This is the model's steady state with all times at their means: the workers' reads are evenly
    staggered, and all workers together begin the reads of one batch. Time that a shared stage adds
    is drawn as moving bytes.
    """
    batch_time = job.pipeline.io_time
    wait = job.waiting * job.packing
    sample_time = batch_time * job.workers / job.batch - job.waiting
    of_sample = (("bytes", sample_time - job.decode_time), ("decode", job.decode_time))
    of_read = (("wait", wait), *of_sample * job.packing)
    read_time = wait + job.packing * sample_time
    activities = []
    read = 0
    for worker in range(job.workers):
        start = worker * read_time / job.workers
        if worker > 0:
            start -= read_time  # this read began before the batch
        while start < batch_time * (1 - ROUNDING):
            read += 1
            for kind, time in of_read:
                begin = max(start, 0.0)
                end = min(start + time, batch_time)
                if end > begin:
                    activities.append((worker, read, kind, begin, end))
                start += time
    return tuple(activities)


def lanes(job: Job) -> tuple[int, float]:
    """Return the number of lines that show one batch, and the height of a lane [1].

    The height is in units of the y axis, of which the lines fill at most `LINES`. There are at most
    so many lines that every lane is high enough to be tapped.
    """
    needed = ceil(job.pipeline.io_time / MS / LINE - ROUNDING)
    lines = max(1, min(needed, LINES, LANES // job.workers))
    return lines, min(1.0, LINES / (lines * job.workers))


def _bars(job: Job, lines: int, height: float) -> list[marks.Row]:
    """Rows of the GPU's step and of the workers' activities, cut where a line ends.

    The bars of one kind are the columns of a single row: two hundred rows would take a fifth of a
    redraw's time.
    """
    bars = {"step": [(0.0, LINE, *GPU, KINDS["compute"][0], -1)], "bar": [], "wait": []}
    for worker, read, activity, begin, end in reads(job):
        begin = begin / MS
        end = end / MS
        for line in range(floor(begin / LINE), min(ceil(end / LINE), lines)):
            x = max(begin - line * LINE, 0.0)
            x2 = min(end - line * LINE, LINE)
            if x2 - x > ROUNDING:
                y = height * (line * job.workers + worker) + GAP / 2
                bar = (x, x2, y, y + height - GAP, KINDS[activity][0], read)
                bars["wait" if activity == "wait" else "bar"].append(bar)
    bar_rows = []
    for kind, cells in bars.items():
        if cells:
            columns = dict(zip(COLUMNS, zip(*cells, strict=True), strict=True))
            bar_rows.append({"kind": kind} | columns)
    return bar_rows


def rows(job: Job, guess: str | None = None) -> list[marks.Row]:
    """Rows of the picture: activities by line [ms], and the visitor's prediction."""
    lines, height = lanes(job)
    gpu = {"short": "GPU: one step", "dx": 6, "tone": "paper", "bold": True}
    # The invisible point where the batch has been read is for pins.
    end = job.pipeline.io_time / MS
    foot = height * lines * job.workers
    x = min(end - (lines - 1) * LINE, LINE)
    name = "batch_read"
    tone = "ink"
    if end > lines * LINE * (1 + ROUNDING):
        name = "goes_on"
        tone = "bad"
    picture = [
        *_bars(job, lines, height),
        marks.label(0, sum(GPU) / 2, say("gpu_line", job), **gpu),
        marks.point(x, foot - height / 2, size=0, role="here"),
        marks.label(0, foot + 0.5, say(name, job), dx=2, tone=tone, bold=True),
    ]
    if guess in CAUSES:
        words = f"you said: {CAUSES[guess]}"
        short = f"you: {CAUSES[guess]}"
        picture.append(marks.label(LINE, BOTTOM - 1.5, words, short=short, dx=-2, tone="quiet"))
    if job.waiting:
        short = say("tapped_short", job)
        hint = marks.label(0, BOTTOM - 0.5, say("tap", job), dx=2, tone="quiet")
        answer = marks.label(0, BOTTOM - 0.5, say("tapped", job), short=short, dx=2, tone="bad")
        picture += [hint | {"kind": "hint"}, answer | {"kind": "tapped"}]
    return picture


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Specification: one line per GPU step with the workers' activities; a click marks one read."""
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
    clicked = alt.selection_point(name="read", fields=["read"], on="click", empty=True)
    # With a stroke, even the shortest bars are wide enough to be seen.
    rectangles = base.transform_filter(only("step", "bar", "wait")).mark_rect(strokeWidth=1)
    bars = rectangles.encode(
        x2="x2:Q",
        y2="y2:Q",
        color=alt.Color("does:N", scale=scale, legend=legend),
        stroke=alt.Stroke("does:N", scale=scale, legend=legend),
        opacity=alt.condition(clicked, alt.value(1), alt.value(0.3)),
        tooltip=[
            axes.tip("does:N"),
            axes.tip("x:Q", "start (ms)", ".3~f"),
            axes.tip("x2:Q", "end (ms)", ".3~f"),
        ],
    )
    gaps = base.transform_filter(only("wait")).mark_rule(color=look.paper, strokeWidth=1)
    layers = [
        bars.add_params(clicked),
        gaps.encode(y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
        marks.labels(base, look, halo=False, kind="hint").transform_filter("!isArray(read.read)"),
        marks.labels(base, look, halo=False, kind="tapped").transform_filter("isArray(read.read)"),
    ]
    return specification(alt.layer(*layers), look, height=400 if look.present else 320)


def figure(job: Job, look: Look, guess: str | None = None) -> Figure:
    """Chart of the reads of one batch."""
    count = f.count(job.batch / job.packing, "read")
    text = say("batch_chart", job, reads=count, wait=ms(job.waiting * job.packing))
    return Figure("batch", "How is one batch read?", stack(rows(job, guess)), spec(look), text)


@verdict_of(say)
def verdict(job: Job) -> Outcome:
    """Return the verdict that names the bottleneck and its cause."""
    stage = job.pipeline.bottleneck
    if stage == COMPUTE:
        name = "gpus_bind"
    elif stage != WORKERS:
        name = "stage_binds"
    elif job.cores_bind:
        name = "cores_bind"
    else:
        name = "workers_bind"
    return name, job.on_target, {"stage": STAGES[stage], "need": job.pipeline.needs[stage]}


def remedies(job: Job) -> str:
    """List the smallest change of each reading setting that alone reaches the target."""
    return search.fix_sentence(say, job, attrgetter("on_target"), FIX_SETTINGS, coarse=1)


view = View("batch", figure=figure, verdict=verdict, remedies=remedies)
