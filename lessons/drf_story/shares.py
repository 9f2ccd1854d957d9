"""DRF story: every job's dominant share over the steps of both hand-outs."""

import math
from functools import lru_cache
from itertools import pairwise

import altair as alt
import pandas as pd

from lessons.drf_story import pool
from lessons.drf_story.jobs import NAMES, RESOURCES, Job
from lessons.drf_story.presets import challenge_jobs
from lessons.drf_story.settings import Scenario, run, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification

DASHES = [[1, 0], [7, 3], [3, 2], [9, 3, 2, 3], [1, 2], [12, 4]]
#: Height of the charts at a desk and on a projector [px].
HEIGHT = {False: 235, True: 400}
words, draw = pool.words, pool.draw


def figures(scenario: Scenario, look: Look) -> list[Figure]:
    """Dominant shares over the steps of both policies."""
    return [_figure(scenario, which, look) for which in (0, 1)]


def shares_frame(scenario: Scenario, which: int, look: Look) -> pd.DataFrame:
    """Dominant shares over the steps of one policy, and the step that is shown."""
    policy = scenario.policies[which]
    where = (scenario.jobs, scenario.pool, policy, scenario.executors)
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
    if scenario.jobs == challenge_jobs() and policy == "round_robin":
        most = max(line[-1] for line in shares)
        low = most / k.DRF_ALIKE
        rows += [("goal", at, y, i, "") for i, y in (("0", most), ("1", low)) for at in (0, last)]
        rows.append(("aim", 0, most, "0", say("goal", scenario)))
    return pd.concat([lines, pd.DataFrame(rows, columns=list(lines.columns))], ignore_index=True)


def _top(scenario: Scenario) -> float:
    """Upper end of the share axis, the same for both policies."""
    return 1.12 * max(max(result.dominant_share.values()) for result in scenario.runs) or 1.0


@lru_cache(maxsize=48)
def _lines(
    jobs: tuple[Job, ...], size: tuple[float, ...], policy: str, executors: int, top: float, gap: float
) -> tuple[pd.DataFrame, list[list[float]]]:
    """Rows of the lines, and every job's dominant share after each step."""
    result = run(jobs, size, policy, executors)
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
        rows.append(("end", last, ends[i], str(i), f"{pool.short(job.name)} +{count[i]}"))
    kinks = [_kink(job, size, result.log) for job in jobs]
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


@lru_cache(maxsize=8)
def shares_spec(look: Look) -> dict:
    """Dominant share over the steps: a line a job, the kinks, and the step that is shown."""
    # The labels at the ends of the lines stand beside the plot.
    edges = [0, alt.ExprRef(f"max(120, width - {12.2 * look.text_size:.0f})")]
    x = axes.x("step:Q", "executors handed out", zero=True, range=edges, format="d", tickMinStep=1, tickCount=6)
    title = "share" if look.present else "dominant share"  # the heading says which
    y = axes.y("share:Q", title, zero=True, format=".0%")
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=pool.INDEXES, range=pool.colors(look)), legend=None)
    dash = alt.StrokeDash("job:N", scale=alt.Scale(domain=pool.INDEXES, range=DASHES), legend=None)
    tips = [alt.Tooltip("label:N", title="job"), alt.Tooltip("step:Q"), alt.Tooltip("share:Q", format=".1%")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    layers = [
        part("frame").mark_point(opacity=0),
        part("goal").mark_line(color=look.good, strokeDash=[8, 4], strokeWidth=1.5).encode(detail="job:N"),
        part("aim")
        .mark_text(color=look.good, align="left", baseline="bottom", dx=4, dy=-4, fontSize=look.text_size)
        .encode(text="label:N"),
        marks.upright(base, "here", color=look.quiet, strokeWidth=1.5),
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
    return specification(alt.layer(*layers), look, HEIGHT[look.present])


def shares_alt(scenario: Scenario, which: int) -> str:
    """One policy's dominant shares in one sentence with their numbers."""
    result, label = scenario.runs[which], scenario.labels[which]
    parts = [
        f"{name} ends at {f.share(result.dominant_share[name])} with {f.significant(count)} more"
        for name, count in result.executors.items()
    ]
    return f"Dominant share of each job over {f.count(len(result.log), 'step')} of {label}: {'; '.join(parts)}."


def _figure(scenario: Scenario, which: int, look: Look) -> Figure:
    """Dominant shares over the steps of one policy."""
    title = f"{scenario.labels[which]}: whose dominant share grows?"
    frame = shares_frame(scenario, which, look)
    return Figure(("one", "two")[which], title, frame, shares_spec(look), shares_alt(scenario, which))
