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

#: Time of a line in the picture, which is the message's step [ms], and most lines.
LINE = Job().compute_time / MS
LINES = 9
COLUMNS = ("x", "x2", "y", "y2", "does", "read")
#: Most lanes, so that each is high enough to be tapped, and the lower end of the picture.
LANES = 18
BOTTOM = LINES + 2.0
#: Activities by their short names: label and color.
KINDS = {
    "wait": ("waiting for the read", "bad"),
    "bytes": ("moving bytes", "s0"),
    "decode": ("decoding", "s3"),
    "compute": ("GPU computing", "good"),
}
#: Gap between two lanes, and upper and lower edge of the GPU's bar, in heights of a line.
GAP = 0.1
GPU = (-1.45, -0.35)
#: Cause according to each answer of the prediction.
GUESSES = {
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
READING = ("workers", "packing", "latency", "storage_nodes", "node_link", "decode_time", "cores")


def reads(job: Job) -> tuple[tuple[int, str, float, float], ...]:
    """List each worker's activities during one batch: worker, kind, start, and end [s].

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
    for worker in range(job.workers):
        start = worker * read_time / job.workers
        start -= ceil(start / read_time) * read_time
        while start < batch_time * (1 - 1e-9):
            for kind, time in of_read:
                begin = max(start, 0.0)
                end = min(start + time, batch_time)
                if end > begin:
                    activities.append((worker, kind, begin, end))
                start += time
    return tuple(activities)


def lanes(job: Job) -> tuple[int, float]:
    """Return the number of lines that show one batch, and a lane's share of a line's height [1].

    There are at most so many lines that every lane is high enough to be tapped.
    """
    needed = ceil(job.pipeline.io_time / MS / LINE - 1e-9)
    lines = max(1, min(needed, LINES, LANES // job.workers))
    return lines, min(1.0, LINES / (lines * job.workers))


def _bars(job: Job, lines: int, height: float) -> list[marks.Row]:
    """Rows of the GPU's step and of the workers' activities, cut where a line ends.

    The bars of one kind are the columns of a single row: two hundred rows would take a fifth of a
    redraw's time.
    """
    bars = {"step": [(0.0, LINE, *GPU, KINDS["compute"][0], -1)], "bar": [], "wait": []}
    number = 0
    for worker, activity, begin, end in reads(job):
        number += activity == "wait"
        begin = begin / MS
        end = end / MS
        for line in range(floor(begin / LINE), min(ceil(end / LINE), lines)):
            x = max(begin - line * LINE, 0.0)
            x2 = min(end - line * LINE, LINE)
            if x2 - x > 1e-9:
                y = height * (line * job.workers + worker) + GAP / 2
                bar = (x, x2, y, y + height - GAP, KINDS[activity][0], number)
                bars["wait" if activity == "wait" else "bar"].append(bar)
    rows = []
    for kind, cells in bars.items():
        if cells:
            columns = dict(zip(COLUMNS, zip(*cells, strict=True), strict=True))
            rows.append({"kind": kind} | columns)
    return rows


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
    if end > lines * LINE * (1 + 1e-9):
        name = "goes_on"
        tone = "bad"
    rows = [
        *_bars(job, lines, height),
        marks.label(0, sum(GPU) / 2, say("gpu_line", job), **gpu),
        marks.point(x, foot - height / 2, size=0, role="here"),
        marks.label(0, foot + 0.5, say(name, job), dx=2, tone=tone, bold=True),
    ]
    if guess in GUESSES:
        words = f"you said: {GUESSES[guess]}"
        short = f"you: {GUESSES[guess]}"
        rows.append(marks.label(LINE, BOTTOM - 1.5, words, short=short, dx=-2, tone="quiet"))
    if job.waiting:
        short = say("tapped_short", job)
        hint = marks.label(0, BOTTOM - 0.5, say("tap", job), dx=2, tone="quiet")
        answer = marks.label(0, BOTTOM - 0.5, say("tapped", job), short=short, dx=2, tone="bad")
        rows += [hint | {"kind": "hint"}, answer | {"kind": "tapped"}]
    return rows


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
    name = {COMPUTE: "gpus_bind", WORKERS: "workers_bind"}.get(stage, "stage_binds")
    if stage == WORKERS and job.cores_bind:
        name = "cores_bind"
    return name, job.on_target, {"stage": STAGES[stage], "need": job.pipeline.needs[stage]}


def remedies(job: Job) -> str:
    """List the smallest change of each reading setting that alone reaches the target."""
    return search.fix_sentence(say, job, attrgetter("on_target"), READING, coarse=1)


view = View("batch", figure=figure, verdict=verdict, remedies=remedies)
