"""DRF story: frames and specifications of its charts. Jobs are told apart by color, dash, and a label at each line."""

import math
from functools import lru_cache
from itertools import groupby, pairwise

import altair as alt
import pandas as pd
import pyarrow as pa

from lessons.drf_story.acts import liar, lie_words, lies
from lessons.drf_story.jobs import NAMES, RESOURCES, Job, amount, story
from lessons.drf_story.settings import Scenario, run
from ui.base import format as f
from ui.base.lesson import Figure, Reach
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

INDEXES = ["0", "1", "2", "3", "4", "5"]
DASHES = [[1, 0], [7, 3], [3, 2], [9, 3, 2, 3], [1, 2], [12, 4]]
#: Height of the lines' charts at a desk and on a projector [px].
SHARES_HEIGHT = {False: 290, True: 400}
#: What each answer of the prediction gives to Light evaluation.
GUESSES = {"a": 5, "b": 10, "c": 13, "d": 15}


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


def _fitting(name: str, length: int) -> str:
    """Return a name, its first word or its letter: the longest that fits, and nothing of it cut.

    >>> [_fitting("Light evaluation", length) for length in (16, 8, 4)]
    ['Light evaluation', 'Light', 'L']
    """
    return next((one for one in (name, name.partition(" ")[0]) if len(one) <= length), name[:1])


@lru_cache(maxsize=8)
def shares_spec(look: Look) -> dict:
    """Dominant share over the steps: a line a job, the kinks, and the step that is shown."""
    # The labels at the ends of the lines stand beside the plot.
    edges = [0, alt.ExprRef(f"max(120, width - {12.2 * look.text_size:.0f})")]
    x = axes.x("step:Q", "executors handed out", zero=True, range=edges, format="d", tickMinStep=1, tickCount=6)
    title = "share" if look.present else "dominant share"  # the heading says which
    y = axes.y("share:Q", title, zero=True, format=".0%")
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=INDEXES, range=colors(look)), legend=None)
    dash = alt.StrokeDash("job:N", scale=alt.Scale(domain=INDEXES, range=DASHES), legend=None)
    tips = [alt.Tooltip("label:N", title="job"), alt.Tooltip("step:Q"), alt.Tooltip("share:Q", format=".1%")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    layers = [
        part("frame").mark_point(opacity=0),
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
    return specification(alt.layer(*layers), look, SHARES_HEIGHT[look.present])


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
        words = f"{job.name} (lies, true tasks)" if i == liar(scenario) else job.name
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
    y = axes.y("row:Q", reverse=True, zero=False, axis=None)
    x = axes.x(
        "after:Q",
        title,
        zero=True,
        range=[0, alt.ExprRef(f"width - {10.5 * look.text_size:.0f}")],
        tickCount=10,
        **{"format": ".0%"} if percent else {},
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


HEAD = 0.8  #: height of a policy's headline, in heights of a bar's lane
ROOM = 0.72  #: share of the pool up to which there is room for a label behind a bar
TOP = 1.06  #: share of the pool at which the chart ends; what is held beyond it is said at its edge


def pool_figure(scenario: Scenario, look: Look, guess: str | None = None, end: float = TOP) -> Figure:
    """The main chart: how full the pool is at the shown step, under both policies, up to a share of it."""
    title, spec = "How full is the pool, and who got the executors?", pool_spec(look, len(scenario.used), end)
    alt_text = " ".join(pool_alt(scenario, which) for which in (0, 1))
    reach = Reach(max(_taken(scenario, which, r) for which in (0, 1) for r in scenario.used), end)
    return Figure("pool", title, pool_frame(scenario, guess, end), spec, alt_text, reach=reach)


def _taken(scenario: Scenario, which: int, r: int) -> float:
    """What is taken of a resource at the shown step under one policy, as a share of the pool."""
    log = scenario.runs[which].log[: scenario.step]
    return sum(job.start[r] + log.count(job.name) * job.need[r] for job in scenario.jobs) / scenario.pool[r]


def pool_frame(scenario: Scenario, guess: str | None = None, end: float = TOP) -> pa.Table:
    """Rows of the pool: a bar a resource and policy, what is held pale, then each new executor in its order."""
    rows: list[dict] = []
    labels: list[dict] = []
    block = HEAD + len(scenario.used)
    for which, result in enumerate(scenario.runs):
        log, top = result.log[: scenario.step], which * block
        counts = [f"+{log.count(job.name)}" for job in scenario.jobs]
        each = ", ".join(f"{_short(job.name)} {count}" for job, count in zip(scenario.jobs, counts, strict=True))
        words = f"{scenario.labels[which]}, {_after(len(log))}"
        headline = f"{words}: {each}" if len(counts) < 5 else f"{words}: {', '.join(counts)}"
        labels.append(
            marks.label(0, top + HEAD / 2, headline, bold=True, short=f"{scenario.labels[which]}: {' · '.join(counts)}")
        )
        for place, r in enumerate(scenario.used):
            at, middle = _pieces(scenario, log, r, top + HEAD + place, rows, labels, end)
            labels.append(_free(scenario, r, at, top + HEAD + place, middle, end))
            name = _title(NAMES[RESOURCES[r]])
            labels.append(marks.label(0, middle, name, align="right", dx=-6, short=name.replace("memory", "mem.")))
    return stack([*rows, *_guessed(scenario, guess), *marks.renamed(labels, "low", "top")])


def _free(scenario: Scenario, r: int, at: float, lane: float, middle: float, end: float) -> dict:
    """The label of what is left: behind the bar, or under the end of the pool where there is no room."""
    free = round((1 - at) * scenario.pool[r], 6)
    said = f"{amount(free, r)} free" if free >= 0 else f"{amount(-free, r)} too many{' →' if at > end else ''}"
    if at * TOP / end < ROOM:
        return marks.label(at, middle, said, dx=6)
    return marks.label(1.0, lane + 0.8, said, dx=-5, align="right")


def _after(steps: int) -> str:
    return f"after {f.count(steps, 'step')}" if steps else "before the first step"


def _pieces(
    scenario: Scenario, log: list[str], r: int, lane: float, rows: list[dict], labels: list[dict], end: float
) -> tuple[float, float]:
    """Add the pieces of one bar; return where it ends, as a share of the pool, and its middle."""
    names = [job.name for job in scenario.jobs]
    size, at, ends = scenario.pool[r], 0.0, (lane + 0.06, lane + 0.62)
    middle = sum(ends) / 2

    def piece(i: int, wide: float, held: bool, words: str, latest: bool = False) -> None:
        nonlocal at
        if wide and at < end:
            looks = {"job": str(i), "opacity": 0.35 if held else 1.0, "rim": "ink" if latest else "paper"}
            place = {"low": at, "high": min(at + wide, end), "top": ends[0], "bottom": ends[1]}
            rows.append({"kind": "bar", "label": words} | place | looks)
        at += wide

    for i, job in enumerate(scenario.jobs):
        wide = job.start[r] / size
        room = wide * TOP / end
        if room >= 0.04 and at + wide < end:
            short = job.name[:1] if room < 0.3 else _fitting(job.name, 9)
            words = _fitting(job.name, int(room * 80))
            labels.append(marks.label(at + wide / 2, middle, words, align="center", short=short))
        piece(i, wide, True, f"{job.name} holds")
    # Of a long hand-out neighbors of one job are drawn as one piece.
    runs = [(name, len(list(group))) for name, group in groupby(log)] if len(log) > 60 else [(n, 1) for n in log]
    for place, (name, count) in enumerate(runs, 1):
        i = names.index(name)
        wide = count * scenario.jobs[i].need[r] / size
        piece(i, wide, False, f"{name} +{count}", place == len(runs) and len(log) == scenario.step)
    return at, middle


def _guessed(scenario: Scenario, guess: str | None) -> list[dict]:
    """What the visitor said that Light evaluation gets: a bracket as long as so many executors, in the story's pool."""
    told = GUESSES.get(guess or "")
    if told is None or scenario.jobs != story() or "drf" not in scenario.policies:
        return []
    lane = scenario.policies.index("drf") * (HEAD + len(scenario.used)) + HEAD + 1  # memory
    start = sum(job.start[1] for job in scenario.jobs) / scenario.pool[1]
    stop = start + told * scenario.jobs[0].need[1] / scenario.pool[1]
    if stop > TOP:
        return []
    bracket = {"kind": "guess", "low": start, "high": stop, "top": lane + 0.72, "bottom": lane + 0.72}
    said, looks = f"you said: {told} to Light", {"align": "right", "dx": -6, "tone": "quiet"}
    words = marks.label(start, lane + 0.85, f"{said} evaluation", short=said, **looks)
    return [bracket, *marks.renamed([words], "low", "top")]


def _title(words: str) -> str:
    return words[:1].upper() + words[1:]


@lru_cache(maxsize=32)
def pool_spec(look: Look, resources: int, end: float = TOP) -> dict:
    """Stacked bars of the pool: what is held from the start pale, each new executor full, and the capacity line."""
    size = look.text_size
    y = axes.y("top:Q", ends=[2 * (HEAD + resources), 0], zero=False, axis=None)
    names = 6.8 * size if resources > 2 else 4.6 * size
    edges = [names, alt.ExprRef("width - 8")]
    ticks = {"values": [0, 0.25, 0.5, 0.75, 1]} if end == TOP else {}
    x = axes.x("low:Q", "share of the pool", [0, end], range=edges, format=".0%", **ticks)
    base = alt.Chart().encode(x=x, y=y)
    hue = alt.Color("job:N", scale=alt.Scale(domain=INDEXES, range=colors(look)), legend=None)
    tips = [
        alt.Tooltip("label:N", title="job"),
        alt.Tooltip("low:Q", format=".1%"),
        alt.Tooltip("high:Q", format=".1%"),
    ]
    bars = base.transform_filter(only("bar")).mark_rect(
        opacity={"expr": "datum.opacity"},
        stroke=marks.tone(look, "rim"),
        strokeWidth={"expr": "datum.rim === 'ink' ? 2.5 : 1"},
        tooltip=True,
    )
    guess = base.transform_filter(only("guess")).mark_rule(color=look.quiet, strokeWidth=2, strokeDash=[5, 3])
    full = alt.Chart().mark_rule(color=look.bad, strokeWidth=2, strokeDash=[6, 3])
    layers = [
        bars.encode(x2="high:Q", y2="bottom:Q", color=hue, tooltip=tips),
        full.encode(x=alt.datum(1.0)),
        guess.encode(x2="high:Q", y2="bottom:Q"),
        marks.labels(base, look),
    ]
    lane = 36 if resources > 2 else 40 if look.present else 33
    height = round(lane * 2 * (HEAD + resources) + 6 * size)
    return specification(alt.layer(*layers), look, height, halo=False)


def pool_alt(scenario: Scenario, which: int) -> str:
    """How full the pool is at the shown step under one policy, in one sentence with its numbers."""
    log = scenario.runs[which].log[: scenario.step]
    parts = []
    for r in scenario.used:
        taken = _taken(scenario, which, r)
        free = round((1 - taken) * scenario.pool[r], 6)
        left = f"{amount(free, r)} free" if free >= 0 else f"{amount(-free, r)} too many"
        parts.append(f"{NAMES[RESOURCES[r]]} {f.share(taken)} taken, {left}")
    return f"The pool after {f.count(len(log), 'step')} of {scenario.labels[which]}: {'; '.join(parts)}."


def shares_figure(scenario: Scenario, which: int, look: Look) -> Figure:
    """Dominant shares over the steps of one policy."""
    title = f"{scenario.labels[which]}: whose dominant share grows?"
    frame = shares_frame(scenario, which, look)
    return Figure(("one", "two")[which], title, frame, shares_spec(look), shares_alt(scenario, which))


def ends_figure(scenario: Scenario, look: Look) -> Figure:
    """Dominant shares before and after."""
    spec = bars_spec(look, "dominant share, before (hollow) and after", percent=True)
    return Figure("ends", "Who ends where?", ends_frame(scenario), spec, ends_alt(scenario))


def lie_figure(scenario: Scenario, look: Look) -> Figure:
    """Tasks with the truth and with the lie."""
    spec = bars_spec(look, "tasks, truth (hollow) and lie", percent=False)
    return Figure("lie", "Who gains by the lie?", lie_frame(scenario), spec, lie_words(scenario))


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
