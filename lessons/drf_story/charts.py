"""DRF story: frames and specifications of its charts. Jobs are told apart by color, dash, and a label at each line."""

import math
from functools import lru_cache
from itertools import pairwise

import altair as alt
import pandas as pd

from lessons.drf_story.acts import lies
from lessons.drf_story.jobs import NAMES, RESOURCES, UNITS, Job
from lessons.drf_story.settings import Scenario, run
from ui.base import format as f
from ui.charts.look import Look, only, specification

INDEXES = ["0", "1", "2", "3", "4", "5"]
DASHES = [[1, 0], [7, 3], [3, 2], [9, 3, 2, 3], [1, 2], [12, 4]]
SHARES_HEIGHT, POOL_HEIGHT = 200, 260


def colors(look: Look) -> list[str]:
    """Six colors, one a job, each at least 3 to 1 on the page."""
    return [*look.series, "#e8dc6a" if look.dark else "#7a5c00"]


def shares_frame(scenario: Scenario, which: int, look: Look) -> pd.DataFrame:
    """Dominant shares over the steps of one policy, and the step that is shown."""
    policy = scenario.policies[which]
    where = (scenario.jobs, scenario.pool, policy, scenario.executors, scenario.misfit)
    apart = min(0.26, 0.95 / len(scenario.jobs)) if look.present else 0.1
    lines, shares = _lines(*where, _top(scenario), apart)
    last = len(run(*where).log)
    step, third = min(scenario.step, last), last // 3 + 1
    side = "left" if 2 * step > last else "right"
    reach = (max(0, step - third), step + 1) if side == "left" else (step, min(last, step + third) + 1)
    # Where a line runs along the foot of the chart, the step is named at its head.
    lowest = min(min(line[slice(*reach)]) for line in shares)
    place = "" if lowest > 0.15 * _top(scenario) else " high"
    here = "" if look.present else f"step {scenario.step}"  # in large type it stands above the charts only
    rows = [("here", step, 0.0, "0", ""), (f"here {side}{place}", step, 0.0, "0", here)]
    served = run(*where).log[step - 1] if step == scenario.step > 0 else None
    for i, job in enumerate(scenario.jobs):
        kind = "served" if job.name == served else "now"
        rows.append((kind, step, shares[i][step], str(i), job.name))
    return pd.concat([lines, pd.DataFrame(rows, columns=list(lines.columns))], ignore_index=True)


def _top(scenario: Scenario) -> float:
    """Upper end of the share axis, the same for both policies."""
    return 1.12 * max(max(result.dominant_share.values()) for result in scenario.runs) or 1.0


@lru_cache(maxsize=48)
def _lines(
    jobs: tuple[Job, ...], pool: tuple[float, ...], policy: str, executors: int, misfit: str, top: float, gap: float
) -> tuple[pd.DataFrame, list[list[float]]]:
    """Rows of the lines, and every job's dominant share after each step."""
    result = run(jobs, pool, policy, executors, misfit)
    last = len(result.log)
    shares = [[row["shares"][job.name] for row in result.history] + [result.dominant_share[job.name]] for job in jobs]
    rows: list[tuple[str, float, float, str, str]] = []
    for i, line in enumerate(shares):
        rows += [
            ("line", step, line[step], str(i), jobs[i].name)
            for step in range(last + 1)
            if step in (0, last) or line[step] != line[step - 1]
        ]
    ends = _apart([line[-1] for line in shares], gap * top, 0.96 * top)
    count = list(result.executors.values())
    for i, job in enumerate(jobs):
        rows.append(("end", last, ends[i], str(i), f"{_short(job.name)} +{count[i]}"))
    kinks = [_kink(job, pool, result.log) for job in jobs]
    for i, kink in enumerate(kinks):
        if kink is not None:
            rows.append(("kink", kink[0], shares[i][kink[0]], str(i), f"from here its {kink[1]} leads"))
    rows.append(("frame", max(1, last), top, "0", ""))
    return pd.DataFrame(rows, columns=["kind", "step", "share", "job", "label"]), shares


def _kink(job: Job, pool: tuple[float, ...], log: list[str]) -> tuple[int, str] | None:
    """Return the step from which another resource is the job's dominant one, and that resource; the first such.

    Shares are lines in the number of executors: the leader gives way where a steeper line crosses it.
    """
    lines = [(held / size, need / size) for held, need, size in zip(job.start, job.need, pool, strict=True)]
    high, slope = max(lines)
    crossings = [((high - a) / (b - slope), -b, NAMES[RESOURCES[r]]) for r, (a, b) in enumerate(lines) if b > slope]
    if not crossings:
        return None
    at, _, name = min(crossings)
    last = math.floor(at + 1e-9)  # executors up to which the first leader is still the largest
    steps = [step for step, served in enumerate(log, 1) if served == job.name]
    if len(steps) <= last:
        return None
    return (steps[last - 1] if last else 0), name


def _apart(values: list[float], gap: float, top: float) -> list[float]:
    """Move label heights until they are a gap apart: up at first, and down again from the top."""
    placed, order = list(values), sorted(range(len(values)), key=lambda i: values[i])
    for below, above in pairwise(order):
        placed[above] = max(placed[above], placed[below] + gap)
    limit = top
    for i in reversed(order):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - gap
    return placed


def _short(name: str, length: int = 17) -> str:
    return name if len(name) <= length else name[: length - 1] + "…"


@lru_cache(maxsize=8)
def shares_spec(look: Look) -> dict:
    """Dominant share over the steps: a line a job, the kinks, and the step that is shown."""
    x = alt.X(
        "step:Q",
        title="executors handed out",
        # The labels at the ends of the lines stand beside the plot.
        scale=alt.Scale(
            zero=True, nice=False, range=[0, alt.ExprRef(f"max(120, width - {12.2 * look.text_size:.0f})")]
        ),
        axis=alt.Axis(format="d", tickMinStep=1, tickCount=6),
    )
    title = "share" if look.present else "dominant share"  # the heading says which
    y = alt.Y("share:Q", title=title, scale=alt.Scale(zero=True, nice=False), axis=alt.Axis(format=".0%"))
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=INDEXES, range=colors(look)), legend=None)
    dash = alt.StrokeDash("job:N", scale=alt.Scale(domain=INDEXES, range=DASHES), legend=None)
    tips = [alt.Tooltip("label:N", title="job"), alt.Tooltip("step:Q"), alt.Tooltip("share:Q", format=".1%")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    layers = [
        part("frame").mark_point(opacity=0),
        part("here").mark_rule(color=look.quiet, strokeWidth=1.5).encode(y=alt.value(0), y2=alt.value("height")),
        *(
            part(f"here {side}{place}")
            .mark_text(color=look.ink, align=away, baseline=foot, dx=dx, dy=dy, fontSize=look.text_size)
            .encode(y=alt.value(y), text="label:N")
            for side, away, dx in (("left", "right", -4), ("right", "left", 4))
            for place, foot, dy, y in (("", "bottom", -3, "height"), (" high", "top", 3, 0))
        ),
        part("line")
        .mark_line(interpolate="step-after", strokeWidth=look.stroke)
        .encode(color=hue, strokeDash=dash, order="step:Q", tooltip=tips),
        part("now").mark_point(filled=True, size=60, opacity=1).encode(color=hue, tooltip=tips),
        part("served")
        .mark_point(shape="triangle-up", filled=True, size=170, opacity=1, stroke=look.paper, strokeWidth=1)
        .encode(color=hue, tooltip=tips),
        part("kink").mark_point(shape="diamond", size=80, strokeWidth=2, opacity=1, color=look.ink),
        part("kink")
        .mark_text(
            color=look.ink, align="left", baseline="top", dx=8, dy=6, fontSize=look.text_size, fontStyle="italic"
        )
        .encode(text="label:N"),
        part("end")
        .mark_text(align="left", dx=8, fontSize=look.text_size, fontWeight="bold")
        .encode(text="label:N", color=hue),
    ]
    return specification(alt.layer(*layers), look, SHARES_HEIGHT)


def shares_alt(scenario: Scenario, which: int) -> str:
    """One policy's dominant shares in one sentence with their numbers."""
    result, label = scenario.runs[which], scenario.labels[which]
    parts = [
        f"{name} ends at {f.share(result.dominant_share[name])} with {f.significant(count)} more"
        for name, count in result.executors.items()
    ]
    return f"Dominant share of each job over {f.count(len(result.log), 'step')} of {label}: {'; '.join(parts)}."


def ends_frame(scenario: Scenario) -> pd.DataFrame:
    """Dominant shares before and after, both policies: a bar of change for each job and policy."""
    rows = []
    start = run(scenario.jobs, scenario.pool, "drf", 0, "skip").dominant_share
    for i, job in enumerate(scenario.jobs):
        rows.append(("name", i - 0.36, 0.0, 0.0, job.name))
        for kind, offset, label, result in zip(
            ("one", "two"), (-0.06, 0.26), scenario.labels, scenario.runs, strict=True
        ):
            after = result.dominant_share[job.name]
            rows.append((kind, i + offset, start[job.name], after, f"{label} {f.share(after)}"))
    return _bars(rows, len(scenario.jobs))


def lie_frame(scenario: Scenario) -> pd.DataFrame:
    """Tasks with the truth and with the lie, under DRF and CEEI: a bar of change for each job and rule."""
    rows = []
    for i, job in enumerate(scenario.jobs):
        words = f"{job.name} (lies, true tasks)" if i == scenario.liar else job.name
        rows.append(("name", i - 0.36, 0.0, 0.0, words))
        for kind, offset, (label, told) in zip(("one", "two"), (-0.06, 0.26), lies(scenario).items(), strict=True):
            rows.append((kind, i + offset, told.honest[i], told.lying[i], f"{label} {f.significant(told.lying[i])}"))
    return _bars(rows, len(scenario.jobs))


def _bars(rows: list[tuple[str, float, float, float, str]], count: int) -> pd.DataFrame:
    widest = max(row[3] for row in rows) or 1.0
    rows = [
        *rows,
        ("frame", -0.6, 0.0, max(widest, *(row[2] for row in rows)), ""),
        ("frame", count - 0.4, 0.0, 0.0, ""),
    ]
    return pd.DataFrame(rows, columns=["kind", "row", "before", "after", "label"])


@lru_cache(maxsize=16)
def bars_spec(look: Look, title: str, percent: bool) -> dict:
    """Before (hollow) and after (filled) of two rules a job: a circle for the first, a square for the second."""
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(reverse=True, nice=False, zero=False))
    x = alt.X(
        "after:Q",
        title=title,
        scale=alt.Scale(zero=True, nice=False, range=[0, alt.ExprRef(f"width - {10.5 * look.text_size:.0f}")]),
        axis=alt.Axis(titleAnchor="start", **({"format": ".0%"} if percent else {})),
    )
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("label:N"), alt.Tooltip("before:Q", format=".3~f"), alt.Tooltip("after:Q", format=".3~f")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    layers = [part("frame").mark_point(opacity=0)]
    for kind, color, shape in (("one", look.accent, "circle"), ("two", look.bad, "square")):
        layers += [
            part(kind).mark_rule(color=color, strokeWidth=look.stroke).encode(x="before:Q", x2="after:Q"),
            part(kind).mark_point(color=color, shape=shape, size=70, opacity=1, fill=look.paper).encode(x="before:Q"),
            part(kind).mark_point(color=color, shape=shape, size=90, filled=True, opacity=1).encode(tooltip=tips),
            part(kind)
            .mark_text(color=color, align="left", dx=9, fontSize=look.text_size)
            .encode(x=alt.X("right:Q"), text="label:N")
            .transform_calculate(right="max(datum.before, datum.after)"),
        ]
    layers.append(
        part("name")
        .mark_text(color=look.ink, align="left", dx=4, fontWeight="bold", fontSize=look.text_size)
        .encode(x=alt.value(0), text="label:N")
    )
    return specification(alt.layer(*layers), look, 300)


def pool_frame(scenario: Scenario, which: int) -> pd.DataFrame:
    """How full the pool is at the shown step under one policy: for each resource in use, a piece a job."""
    result = scenario.runs[which]
    log = result.log[: scenario.step]
    count = [log.count(job.name) for job in scenario.jobs]
    rows: list[tuple[str, float, float, float, str, str]] = []
    for place, r in enumerate(scenario.used):
        size, at = scenario.pool[r], 0.0
        rows.append(("resource", place - 0.36, 0.0, 0.0, "0", f"{_title(NAMES[RESOURCES[r]])} ({UNITS[RESOURCES[r]]})"))
        for kind in ("start", "new"):
            for i, job in enumerate(scenario.jobs):
                width = (job.start[r] if kind == "start" else count[i] * job.need[r]) / size
                if width:
                    rows.append((kind, place, at, at + width, str(i), job.name))
                    rows.append(
                        (f"{kind} label", place, at, at + width / 2, str(i), _fitting(job.name, width, count[i], kind))
                    )
                at += width
        free = (1 - at) * size
        words = f"{f.significant(round(free, 6))} free" if free >= 0 else f"{f.significant(round(-free, 6))} too many"
        rows.append(("free", place, at, max(1.0, at), "0", words))
        rows.append(("full", place, 1.0, 1.0, "0", "the pool"))
    rows.append(("frame", -0.6, 0.0, max(1.28, at + 0.25), "0", ""))
    rows.append(("frame", len(scenario.used) - 0.4, 0.0, 0.0, "0", ""))
    return pd.DataFrame(rows, columns=["kind", "row", "low", "high", "job", "label"])


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]


def _fitting(name: str, width: float, count: int, kind: str) -> str:
    """A label that fits into its piece of the bar: about 32 letters span the whole pool."""
    words = name if kind == "start" else f"+{count}"
    room = int(width * 32)
    return words if len(words) <= room else words[:1] if kind == "start" and room >= 2 else words if room >= 2 else ""


@lru_cache(maxsize=8)
def pool_spec(look: Look) -> dict:
    """Stacked bars of the pool: what is held from the start pale, what was handed out full, and the capacity line."""
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(reverse=True, nice=False, zero=False))
    x = alt.X("high:Q", title="share of the pool", scale=alt.Scale(zero=True, nice=False), axis=alt.Axis(format=".0%"))
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=INDEXES, range=colors(look)), legend=None)
    tips = [
        alt.Tooltip("label:N", title="job"),
        alt.Tooltip("low:Q", format=".1%"),
        alt.Tooltip("high:Q", format=".1%"),
    ]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    def bar(kind: str, opacity: float) -> alt.Chart:
        mark = part(kind).mark_bar(height=30, opacity=opacity, stroke=look.paper, strokeWidth=1)
        return mark.encode(x="low:Q", x2="high:Q", color=hue, tooltip=tips)

    layers = [
        part("frame").mark_point(opacity=0),
        bar("start", 0.35),
        bar("new", 1.0),
        part("full")
        .mark_rule(color=look.bad, strokeWidth=2, strokeDash=[6, 3])
        .encode(y=alt.value(0), y2=alt.value("height")),
        part("start label").mark_text(color=look.ink, fontSize=look.text_size).encode(text="label:N"),
        part("new label")
        .mark_text(color=look.paper, fontSize=look.text_size, fontWeight="bold")
        .encode(text="label:N"),
        part("free")
        .mark_text(color=look.ink, align="right", dx=-6, dy=24, fontSize=look.text_size)
        .encode(text="label:N"),
        part("resource")
        .mark_text(color=look.ink, align="left", dx=4, fontWeight="bold", fontSize=look.text_size)
        .encode(x=alt.value(0), text="label:N"),
    ]
    return specification(alt.layer(*layers), look, POOL_HEIGHT, rims=False)


def pool_alt(scenario: Scenario, which: int) -> str:
    """How full the pool is at the shown step, in one sentence with its numbers."""
    frame = pool_frame(scenario, which)
    names = frame[frame["kind"] == "resource"]["label"]
    ends = frame[frame["kind"] == "free"]
    parts = [
        f"{name}: {f.share(end)} taken, {left}"
        for name, end, left in zip(names, ends["low"], ends["label"], strict=True)
    ]
    step = min(scenario.step, len(scenario.runs[which].log))
    return f"The pool after {f.count(step, 'step')} of {scenario.labels[which]}: {'; '.join(parts)}."


def ends_alt(scenario: Scenario) -> str:
    """Before and after in one sentence with its numbers."""
    parts = []
    start = run(scenario.jobs, scenario.pool, "drf", 0, "skip").dominant_share
    for job in scenario.jobs:
        after = " and ".join(
            f"{f.share(result.dominant_share[job.name])} under {label}"
            for label, result in zip(scenario.labels, scenario.runs, strict=True)
        )
        parts.append(f"{job.name} from {f.share(start[job.name])} to {after}")
    return f"Dominant shares before and after: {'; '.join(parts)}."
