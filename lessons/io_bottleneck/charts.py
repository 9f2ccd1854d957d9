"""I/O bottleneck: frames and specifications of its charts. No Streamlit in here."""

import math
from dataclasses import replace
from functools import lru_cache, partial

import altair as alt
import pandas as pd

from lessons.io_bottleneck.field import DEPTHS, jitter_runs
from lessons.io_bottleneck.settings import Job, ms
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STAGES, STORAGE, WORKERS, prefetch_depth_for
from physics.dataloading.prefetching import shallowest, timeline
from ui.base import format as f
from ui.charts.look import NARROW, Look, label, only, shortened, specification

LABELS = {
    WORKERS: "loader workers",
    NODE_LINK: "node link",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
LOCAL_LABELS = LABELS | {STORAGE: "drive bandwidth", IOPS: "drive reads/s"}
#: The jitter chart ends here: smaller shares are too rare in the simulation to be told apart.
LEAST_SHARE = 1e-3
ORDER = list(dict.fromkeys(label for stage in STAGES for label in (LABELS[stage], LOCAL_LABELS[stage])))


# --- the bottleneck bar -----------------------------------------------------------------------------------------------
def load_frame(job: Job) -> pd.DataFrame:
    """Rows of the bottleneck bar: stage, start and end (shares of capacity), label, by kind."""
    pipe, labels = job.pipeline, LOCAL_LABELS if job.local else LABELS
    rows: list[tuple[str, str, float, float, str]] = []
    for stage in STAGES:
        name, load, need = labels[stage], pipe.loads[stage], pipe.needs[stage]
        if stage == NODE_LINK and job.local:
            rows.append(("outside", name, 0.0, 0.0, "not used by local reads"))
            continue
        kind = "load" if stage != pipe.bottleneck else "pace" if stage == COMPUTE else "binding"
        if stage == WORKERS:
            cut = load * pipe.sample_fetch_time / (pipe.sample_fetch_time + pipe.sample_decode_time)
            rows += [(kind, name, 0.0, cut, "fetching"), (kind, name, cut, load, "decoding")]
            for start, end, words in ((0.0, cut, "fetch"), (cut, load, "decode")):
                if end - start > 0.18 and end > 0.6:
                    rows.append(("part", name, end, end, words))
        else:
            rows.append((kind, name, 0.0, load, "in use"))
        text = f.share(load, 3 if stage == COMPUTE else 2) + (", binds" if stage == pipe.bottleneck else "")
        if load <= 0.6 and stage != COMPUTE and need > load * (1 + 1e-9):
            text += f" ({f.share(need, 2)} at full speed)"
        rows.append(("inside" if load > 0.6 else "outside", name, load, load, text))
    return pd.DataFrame(rows, columns=["kind", "stage", "start", "end", "label"])


@lru_cache(maxsize=8)
def load_spec(look: Look) -> dict:
    """Load of every stage as a share of what it can do, the binding one marked."""
    base = alt.Chart().encode(
        y=alt.Y("stage:N", sort=ORDER, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=160)),
    )
    x = alt.X(
        "start:Q",
        title="load ÷ capacity",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(format=".0%", values=alt.ExprRef(f"{NARROW} ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]")),
    )
    tooltip = ["stage:N", "label:N", alt.Tooltip("end:Q", format=".2%", title="up to")]

    def bars(kind: str, color: str) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_bar(color=color, stroke=look.paper, strokeWidth=1.5)
        return mark.encode(x=x, x2="end:Q", tooltip=tooltip)

    def words(kind: str, color: str, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        text = shortened("replace(datum.label, 'at full speed', 'needed')")
        return mark.encode(x=alt.X("end:Q", title="load ÷ capacity"), text=text)

    inside = base.transform_filter(only("inside")).mark_text(
        color=look.paper, fontSize=look.text_size, fontWeight="bold", align="left", dx=6
    )
    layers = [
        bars("load", look.accent),
        bars("binding", look.bad),
        bars("pace", look.good),
        inside.encode(x=alt.datum(0), text="label:N"),
        words("part", look.paper, align="right", dx=-6),
        words("outside", look.ink, align="left", dx=6),
    ]
    return specification(alt.layer(*layers), look, height=245 if look.present else 210, rims=False)


def load_alt(job: Job) -> str:
    """The bottleneck bar in one sentence."""
    pipe, labels = job.pipeline, LOCAL_LABELS if job.local else LABELS
    used = {stage: load for stage, load in pipe.loads.items() if stage != NODE_LINK or not job.local}
    said = [f"{labels[stage]} {f.share(load)}" for stage, load in used.items()]
    return f"Load of every stage as a share of its capacity: {', '.join(said)}; what binds: {labels[pipe.bottleneck]}."


# --- utilization against workers --------------------------------------------------------------------------------------
def workers_frame(job: Job) -> pd.DataFrame:
    """Rows of the utilization-against-workers chart: workers, utilization, label, by kind."""
    counts = range(int(k.IO_WORKERS.low), int(k.IO_WORKERS.high) + 1)
    overlapped = replace(job, prefetch_depth=max(job.prefetch_depth, 1))
    shares = {
        "overlap": [(n, replace(overlapped, workers=n).utilization) for n in counts],
        "turns": [(n, replace(job, workers=n, prefetch_depth=0).utilization) for n in counts],
    }
    mine = "overlap" if job.prefetch_depth else "turns"
    other = "turns" if job.prefetch_depth else "overlap"
    names = {"overlap": "with prefetch", "turns": "without prefetch"}
    rows: list[tuple[str, float, float, str]] = []
    for kind, name in (("other", other), ("curve", mine)):
        rows += [(kind, n, share, names[name]) for n, share in shares[name]]
        rows.append((f"{kind} label", counts[-1], shares[name][-1][1], names[name]))
    # The other line is named above its end, or below it where the main line is near above.
    if 0 <= shares[mine][-1][1] - shares[other][-1][1] < 0.15:
        rows = [("other label below", *row[1:]) if row[0] == "other label" else row for row in rows]
    rows.append(("target", counts[0], float(k.IO_TARGET), f"target {f.share(k.IO_TARGET)}"))
    enough = [n for n, share in shares[mine] if share >= k.IO_TARGET - 1e-12]
    if enough and enough[0] != job.workers:
        share = dict(shares[mine])[enough[0]]
        rows.append(("enough", enough[0], share, ""))
        rows.append(("enough high" if share > 0.95 else "enough low", enough[0], share, f.count(enough[0], "worker")))
    side = "left" if job.workers > 8 else "right"
    for kind in ("here", f"here {side}"):
        rows.append((kind, job.workers, job.utilization, f"you are here: {f.share(job.utilization)}"))
    return pd.DataFrame(rows, columns=["kind", "workers", "utilization", "label"])


@lru_cache(maxsize=8)
def workers_spec(look: Look) -> dict:
    """Utilization against workers per GPU, with target and “you are here”."""
    x = alt.X("workers:Q", title="workers per GPU", scale=alt.Scale(domain=[0.5, 16.5], nice=False))
    y = alt.Y(
        "utilization:Q",
        title="accelerator utilization",
        scale=alt.Scale(domain=[0, 1.15], nice=False),
        axis=alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    base = alt.Chart().encode(x=x.axis(values=list(range(1, 17)), format="d"), y=y)
    tooltip = [alt.Tooltip("workers:Q"), alt.Tooltip("utilization:Q", format=".1%"), "label:N"]

    def line(kind: str, color: str, width: float, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=width, point=False, **options)
        return mark.encode(tooltip=tooltip)

    short = "replace(replace(datum.label, 'you are here: ', ''), 'without', 'no')"
    words = partial(label, base, look=look, short=short)
    layers = [
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0.5), x2=alt.datum(16.5)),
        line("other", look.quiet, 1.5, strokeDash=[6, 3]),
        line("curve", look.accent, look.stroke),
        base.transform_filter(only("enough")).mark_point(
            color=look.good, shape="diamond", size=100, filled=True, opacity=1
        ),
        base.transform_filter(only("here")).mark_point(
            color=look.accent, filled=True, size=130, opacity=1, stroke=look.paper, strokeWidth=1.5
        ),
        words("target", look.good, align="left", baseline="bottom", dx=2, dy=-4),
        words("enough low", look.good, align="left", baseline="top", dx=6, dy=16),
        words("enough high", look.good, align="left", baseline="bottom", dx=-4, dy=-8),
        words("other label", look.quiet, align="right", baseline="bottom", dx=8, dy=-6),
        words("other label below", look.quiet, align="right", baseline="top", dy=14),
        words("curve label", look.accent, align="right", baseline="bottom", dy=-6, fontWeight="bold"),
        words("here right", look.ink, align="left", baseline="top", dx=10, dy=8, fontWeight="bold"),
        words("here left", look.ink, align="right", baseline="top", dx=0, dy=10, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def workers_alt(job: Job) -> str:
    """The workers chart in one sentence."""
    most = int(k.IO_WORKERS.high)
    return (
        f"Accelerator utilization against workers per GPU: {f.share(job.utilization)} with "
        f"{f.count(job.workers, 'worker')}, {f.share(replace(job, workers=most).utilization)} with {most}; the target "
        f"is {f.share(k.IO_TARGET)}."
    )


# --- timeline ---------------------------------------------------------------------------------------------------------
STEPS = 5


@lru_cache(maxsize=256)
def timeline_frame(job: Job) -> pd.DataFrame:
    """Rows of the timeline: lane, activity, start and end (s), label, for this setting and for the other way."""
    mine = "overlapped" if job.prefetch_depth else "in turns"
    ways = {
        "overlapped": replace(job, prefetch_depth=max(job.prefetch_depth, 1)),
        "in turns": replace(job, prefetch_depth=0),
    }
    rows = []
    for way in (mine, *(other for other in ways if other != mine)):
        mark = "yours" if way == mine else way
        lanes = {"workers": f"{mark}: workers", "accelerator": f"{mark}: GPU"}
        drawn = [tuple(row) for row in timeline(ways[way].pipeline, STEPS).to_numpy().tolist()]
        rows += [("bar", lane, *row[:1], *row[2:]) for who, lane in lanes.items() for row in drawn if row[1] == who]
    frame = pd.DataFrame(rows, columns=["kind", "lane", "step", "activity", "start", "end"])
    return frame.assign(length=frame["end"].max())


@lru_cache(maxsize=8)
def timeline_spec(look: Look) -> dict:
    """Five steps from a cold start: who fetches, decodes, computes and idles when."""
    colors = {"fetch": look.accent, "decode": look.series[3], "compute": look.good, "idle": look.faint}
    color = alt.Color(
        "activity:N",
        scale=alt.Scale(domain=list(colors), range=list(colors.values())),
        legend=alt.Legend(orient="top", title=None, columns=2, symbolStrokeWidth=0),
    )
    base = alt.Chart().encode(
        x=alt.X("start:Q", title="time since the start (s)", scale=alt.Scale(nice=False)),
        y=alt.Y("lane:N", sort=None, title=None, axis=alt.Axis(labelLimit=200, ticks=False, domain=False)),
    )
    bars = base.mark_bar(stroke=look.quiet, strokeWidth=0.75).encode(
        x2="end:Q",
        color=color,
        tooltip=[
            "step:Q",
            "activity:N",
            alt.Tooltip("start:Q", format=".4~g", title="from (s)"),
            alt.Tooltip("end:Q", format=".4~g", title="to (s)"),
        ],
    )
    words = (
        base.transform_calculate(middle="(datum.start + datum.end) / 2")
        .mark_text(fontSize=look.text_size - 1)
        .encode(
            x=alt.X("middle:Q", title="time since the start (s)"),
            text="activity:N",
            color=alt.condition("datum.activity === 'idle'", alt.value(look.ink), alt.value(look.paper)),
            opacity=alt.condition(_fits(look), alt.value(1), alt.value(0)),
        )
    )
    return specification(alt.layer(bars, words), look, height=330 if look.present else 230, rims=False)


def _fits(look: Look) -> str:
    """Vega expression: a bar is wide enough on this screen for the name of its activity."""
    return f"(datum.end - datum.start) / datum.length * width > {0.62 * look.text_size} * length(datum.activity) + 4"


def timeline_alt(job: Job) -> str:
    """The timeline in one sentence."""
    frame = timeline_frame(job)
    mine = frame["lane"].str.startswith("yours")
    ends = frame["end"][mine].max(), frame["end"][~mine].max()
    ways = ("overlapped", "in turns") if job.prefetch_depth else ("in turns", "overlapped")
    return (
        f"Five steps from a cold start, every time at its mean: reading and computing {ways[0]} take {ms(ends[0])}, "
        f"{ways[1]} they would take {ms(ends[1])}."
    )


# --- jitter -----------------------------------------------------------------------------------------------------------
def jitter_frame(job: Job) -> pd.DataFrame:
    """Rows of the jitter chart: depth, share of steps that wait, its interval, label, by kind."""
    load, stall = job.reader_load, float(k.IO_STALL)
    runs = jitter_runs(load, job.scv, job.compute_scv)
    rows: list[tuple[str, float, float, float, float, str]] = []

    def add(kind: str, depth: float, share: float, half: float = 0.0, label: str = "") -> None:
        bounds = (max(value, LEAST_SHARE) for value in (share, share - half, min(share + half, 1.0)))
        rows.append((kind, depth, *bounds, label))

    for run in (run for run in runs if run.stalled >= LEAST_SHARE):
        add("simulated", run.depth, run.stalled, run.stalled_half_width, f"{waiting(run.stalled)} simulated")
    add("target", 1, stall, label=f"target {f.share(stall)}")
    if load < 1 and (jitter := load * job.compute_scv + job.scv) > 0:
        for run in runs:
            share = math.exp(-2 * (1 - load) * run.depth / jitter)
            if share >= LEAST_SHARE:
                add("rule", run.depth, share, label="rule")
        rule, need = prefetch_depth_for(load, job.scv, job.compute_scv, stall), shallowest(runs, stall)
        if 1 <= rule <= DEPTHS[-1]:
            add("rule needs", rule, stall, label=f"rule: {rule}")
        if need <= DEPTHS[-1]:
            add("simulation needs", need, runs[int(need) - 1].stalled, label=f"simulated: {need}")
    if job.prefetch_depth:
        here = runs[job.prefetch_depth - 1]
        side = "left" if here.depth > 8 else "right"
        for kind in ("here", f"here {side}"):
            add(kind, here.depth, here.stalled, label=f"you are here: {waiting(here.stalled)}")
    return pd.DataFrame(rows, columns=["kind", "depth", "share", "low", "high", "label"])


@lru_cache(maxsize=8)
def jitter_spec(look: Look) -> dict:
    """Share of steps that wait against the depth of the buffer: simulation with interval, and the rule."""
    ticks = [1, 2, 4, 8, 16, 32, 64]
    base = alt.Chart().encode(
        x=alt.X(
            "depth:Q",
            title="prefetch depth (batches, log scale)",
            scale=alt.Scale(type="log", base=2, domain=[0.9, 72], nice=False),
            axis=alt.Axis(values=ticks, format="d"),
        ),
        y=alt.Y(
            "share:Q",
            title="steps that wait (log scale)",
            scale=alt.Scale(type="log", domain=[LEAST_SHARE, 2.5], nice=False),
            axis=alt.Axis(values=[0.001, 0.01, 0.1, 1], format="~%"),
        ),
    )
    tooltip = ["depth:Q", alt.Tooltip("share:Q", format=".2%"), "label:N"]

    def points(kind: str, color: str, **options: object) -> alt.Chart:
        return base.transform_filter(only(kind)).mark_point(color=color, opacity=1, **options).encode(tooltip=tooltip)

    words = partial(label, base, look=look, short="replace(datum.label, 'you are here: ', '')")
    layers = [
        base.transform_filter(only("target"))
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0.9), x2=alt.datum(72)),
        base.transform_filter(only("rule")).mark_line(color=look.quiet, strokeWidth=1.5, strokeDash=[6, 3]),
        base.transform_filter(only("simulated")).mark_rule(color=look.accent).encode(y="low:Q", y2="high:Q"),
        points("simulated", look.accent, filled=True, size=28),
        points("rule needs", look.quiet, filled=True, shape="diamond", size=110),
        points("simulation needs", look.good, filled=True, shape="diamond", size=110),
        points("here", look.accent, filled=True, size=130, stroke=look.paper, strokeWidth=1.5),
        words("target", look.good, align="left", baseline="bottom", dy=-4),
        words("rule needs", look.ink, align="left", baseline="bottom", dx=8, dy=-4),
        words("simulation needs", look.good, align="right", baseline="top", dx=-6, dy=8),
        words("here right", look.ink, align="left", baseline="bottom", dx=10, dy=-4, fontWeight="bold"),
        words("here left", look.ink, align="right", baseline="bottom", dx=-4, dy=-8, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look)


def waiting(share: float) -> str:
    """Write a simulated share of waiting steps; what is hardly ever seen is not given a number."""
    return f.share(share, 2) if share >= LEAST_SHARE else f"less than {f.share(LEAST_SHARE)}"


def jitter_alt(job: Job) -> str:
    """The jitter chart in one sentence."""
    runs = jitter_runs(job.reader_load, job.scv, job.compute_scv)
    first, last = runs[0], runs[-1]
    return (
        f"Share of steps that wait for their batch, simulated: {waiting(first.stalled)} at a depth of "
        f"{first.depth}, {waiting(last.stalled)} at {last.depth}."
    )


#: Title, frame, specification and words of each chart.
_FIGURES = {
    "load": ("Which stage is full?", load_frame, load_spec, load_alt),
    "workers": ("How many workers does it take?", workers_frame, workers_spec, workers_alt),
    "timeline": ("Who works and who waits in the first five steps?", timeline_frame, timeline_spec, timeline_alt),
    "jitter": ("How deep a buffer absorbs the jitter?", jitter_frame, jitter_spec, jitter_alt),
}


def figure(name: str, job: Job, look: Look) -> tuple[str, str, pd.DataFrame, dict, str]:
    """What `Page.figure` draws: name, title, frame, specification and alternative text."""
    title, frame, spec, words = _FIGURES[name]
    return name, title, frame(job), spec(look), words(job)
