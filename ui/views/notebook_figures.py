"""Notebook sharing: the charts' frames, specifications and descriptions."""

import math
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from physics import constants as k
from physics.notebook_study import COMBINATIONS, notebooks_that_fit
from physics.notebooks import CellRun, ThinkTime, least_idle_share
from ui import format as f
from ui.charts import Look, only, specification
from ui.views.notebook_sharing import LABELED, MOST, SCHEDULERS, Study, core_hours, crowds, seconds, table, turnaround

HEAD, BAND = 0.34, 1.44  # height of a scheduler's headline and of all of it, in heights of its notebooks


# --- Gantt ------------------------------------------------------------------------------------------------------------
def in_hours(study: Study) -> bool:
    """Whether the chart's time axis is in hours."""
    return _horizon(study) > 3 * k.HOUR


def _horizon(study: Study) -> float:
    ends = [row.end for outcome in study.outcomes.values() for row in outcome.run.cells if math.isfinite(row.end)]
    return max(ends, default=max(study.alone))


@lru_cache(maxsize=64)
def gantt_frame(study: Study) -> pd.DataFrame:
    """Rows of the Gantt chart: bars, waits, pauses and headlines of the three schedulers, one above another."""
    unit = float(k.HOUR if in_hours(study) else k.MINUTE)
    ends = any(outcome.stuck for outcome in study.outcomes.values())
    horizon = _horizon(study) * (1.15 if ends else 1.0)
    lane, count = 1 / len(study.names), len(study.names)
    rows: list[tuple] = [("edge", "", "", 0, -0.045 * horizon, horizon, 0, 3 * BAND, "")]
    for band, (scheduler, words) in enumerate(SCHEDULERS.items()):
        outcome, top = study.outcomes[scheduler], band * BAND
        last = f"last one ends {f.duration(outcome.run.makespan)}" if not outcome.stuck else "never comes to an end"
        head = f"{words}: ANTT {f.significant(outcome.antt)}, STP {f.significant(outcome.stp)}, {last}"
        chosen = scheduler == study.scheduler
        kind = "chosen" if chosen else "head"
        rows.append((kind, words, "", 0, 0, 0, top + 0.2, top, head + (" (you are here)" if chosen else "")))
        for place, label in enumerate(study.labels if count <= LABELED else []):
            middle = top + HEAD + (place + 0.5) * lane
            rows.append(("row", words, label, 0, -0.006 * horizon, 0, middle, middle, label))
        before: dict[int, float] = {}
        said = False
        for row in outcome.run.cells:
            label, middle = study.labels[row.notebook], top + HEAD + (row.notebook + 0.5) * lane
            if row.notebook in before and math.isfinite(before[row.notebook]):
                until = min(row.ready, horizon)
                rows.append(("pause", words, label, 0, before[row.notebook], until, middle, middle, ""))
            if row.start > row.ready and math.isfinite(row.ready):
                wait = ("wait", words, label, 0, row.ready, min(row.start, horizon), middle, middle)
                rows.append((*wait, "" if math.isfinite(row.start) or said else "for ever"))
                said = said or not math.isfinite(row.start)
            overhead = study.overhead if scheduler == "dynamic" else 0.0
            for kind, start, stop, cores in _bars(row, overhead, min(row.end, horizon), count <= LABELED):
                half = 0.45 * lane * (0.25 + 0.75 * min(1.0, cores / study.cores))
                rows.append((kind, words, label, cores, start, stop, middle - half, middle + half, ""))
            before[row.notebook] = row.end
    frame = pd.DataFrame(
        rows, columns=["kind", "scheduler", "notebook", "cores", "start", "stop", "top", "bottom", "label"]
    )
    frame[["start", "stop"]] /= unit
    return frame


def _bars(row: CellRun, overhead: float, stop: float, each: bool) -> list[tuple[str, float, float, float]]:
    """(kind, start, stop, cores) of one cell: its overhead, and its work by steps or on average."""
    if not row.steps:
        return []
    steps = list(row.steps) if each else [(row.start, row.held / (row.end - row.start))]
    works = min(row.start + overhead, stop)
    bars = [("overhead", row.start, works, steps[0][1])] if overhead else []
    ends = [moment for moment, _ in steps[1:]] + [stop]
    for (since, cores), until in zip(steps, ends, strict=True):
        if until > max(since, works):
            bars.append(("cell", max(since, works), until, cores))
    return bars


@lru_cache(maxsize=8)
def gantt_spec(look: Look, hours: bool) -> dict:
    """Cells over time, a lane for each notebook, the three schedulers one above another."""
    axis = alt.Axis(grid=True, tickCount=8, labelExpr="datum.value < 0 ? '' : datum.label")
    x = alt.X("start:Q", title="hours" if hours else "minutes", scale=alt.Scale(nice=False, zero=False), axis=axis)
    scale = alt.Scale(domain=[3 * BAND, 0], nice=False)
    base = alt.Chart().encode(x=x, x2="stop:Q", y=alt.Y("top:Q", axis=None, scale=scale))
    tips = [
        alt.Tooltip("notebook:N"),
        alt.Tooltip("scheduler:N"),
        alt.Tooltip("cores:Q", format=".3~g", title="cores held"),
        alt.Tooltip("start:Q", format=".4~g"),
        alt.Tooltip("stop:Q", format=".4~g", title="end"),
    ]

    def text(kind: str, color: str, x: str = "start:Q", **options: object) -> alt.Chart:
        mark = alt.Chart().transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return mark.encode(x=x, y="top:Q", text="label:N")

    bar = {"cornerRadius": 1, "tooltip": True}
    layers = [
        base.transform_filter(only("edge")).mark_rule(opacity=0),
        base.transform_filter(only("pause")).mark_rule(color=look.quiet, strokeWidth=1),
        base.transform_filter(only("wait")).mark_rule(color=look.bad, strokeWidth=2, strokeDash=[2, 3]),
        base.transform_filter(only("cell"))
        .mark_rect(color=look.accent, stroke=look.accent if hours else look.paper, strokeWidth=0.5, **bar)
        .encode(y2="bottom:Q", tooltip=tips),
        base.transform_filter(only("overhead"))
        .mark_rect(filled=False, fill=look.paper, stroke=look.bad, strokeWidth=1.2, **bar)
        .encode(y2="bottom:Q", tooltip=tips),
        text("head", look.ink, align="left"),
        text("chosen", look.accent, align="left", fontWeight="bold"),
        text("row", look.ink, align="right"),
        text("wait", look.bad, x="stop:Q", align="right", dy=-7, fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look, 310)


def gantt_alt(study: Study) -> str:
    """The main chart in one sentence with its numbers."""
    each = "; ".join(
        f"{words}: ANTT {f.significant(outcome.antt)}, last one ends {f.duration(outcome.run.makespan)}"
        for words, outcome in ((SCHEDULERS[name], outcome) for name, outcome in study.outcomes.items())
    )
    return f"Gantt chart of {f.count(len(study.names), 'notebook')} on {study.cores} cores. {each}."


# --- all combinations -------------------------------------------------------------------------------------------------
def combination_frame(study: Study) -> pd.DataFrame:
    """Rows of the heat map: ANTT and STP of every combination and scheduler, and how far each is behind the best."""
    return _combination_frame(replace(study, combination="ABCD", scheduler="dynamic", bound=1.5))


@lru_cache(maxsize=64)
def _combination_frame(study: Study) -> pd.DataFrame:
    rows: list[tuple] = []
    for block, measure in enumerate(("ANTT", "STP")):
        left = 0.8 + block * 3.4
        rows.append(("measure", "", "", measure, math.nan, 0.0, left + 1.5, -1.55, _measure_words(measure)))
        for column, words in enumerate(SCHEDULERS.values()):
            rows.append(("head", "", words, measure, math.nan, 0.0, left + column + 0.5, -0.6, words))
        for place, (names, found) in enumerate(table(study).items()):
            values = {name: measures[measure.lower()] for name, measures in found.items()}
            best = min(values.values()) if measure == "ANTT" else max(values.values())
            if not block:
                rows.append(("row", names, "", "", math.nan, 0.0, 0.7, place + 0.5, names))
            for column, (name, value) in enumerate(values.items()):
                behind = _behind(value, best) if measure == "ANTT" else _behind(best, value)
                kind = "best" if behind < 1e-9 else "value"
                at = (left + column + 0.5, place + 0.5)
                rows.append((kind, names, SCHEDULERS[name], measure, value, min(behind, 1.0), *at, f"{value:.2f}"))
    columns = ["kind", "combination", "scheduler", "measure", "value", "behind", "x", "y", "label"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["label"] = frame["label"].str.replace("inf", "∞")
    return frame


def _behind(worse: float, better: float) -> float:
    return 0.0 if worse == better else worse / better - 1 if better > 0 else math.inf


def _measure_words(measure: str) -> str:
    return "ANTT, lower is better" if measure == "ANTT" else "STP, higher is better"


@lru_cache(maxsize=8)
def combination_spec(look: Look) -> dict:
    """A heat map with its numbers; the best scheduler of each combination is framed and bold."""
    rows = len(COMBINATIONS)
    across = {"axis": None, "scale": alt.Scale(domain=[0, 7.3], nice=False)}
    down = {"axis": None, "scale": alt.Scale(domain=[rows, -2], nice=False)}
    base = alt.Chart().encode(x=alt.X("x:Q", **across), y=alt.Y("y:Q", **down))
    tips = [alt.Tooltip(f"{name}:N") for name in ("combination", "scheduler", "measure", "label")]
    shade = alt.Opacity("behind:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None)

    def text(kind: str, **options: object) -> alt.Chart:
        size = look.text_size if kind in ("measure", "head", "row") else look.text_size - 1
        mark = base.transform_filter(only(kind)).mark_text(color=look.ink, fontSize=size, **options)
        return mark.encode(text="label:N")

    box = base.transform_calculate(x1="datum.x - 0.48", x9="datum.x + 0.48", y1="datum.y - 0.46", y9="datum.y + 0.46")
    area = {"x": alt.X("x1:Q", **across), "x2": "x9:Q", "y": alt.Y("y1:Q", **down), "y2": "y9:Q"}
    layers = [
        box.transform_filter(only("value"))
        .mark_rect(color=look.bad, tooltip=True)
        .encode(**area, opacity=shade, tooltip=tips),
        box.transform_filter(only("best"))
        .mark_rect(fill=look.paper, stroke=look.good, strokeWidth=2, tooltip=True)
        .encode(**area, tooltip=tips),
        text("value"),
        text("best", fontWeight="bold"),
        text("row", align="right"),
        text("head"),
        text("measure", fontWeight="bold"),
    ]
    return specification(alt.layer(*layers), look, 380)


def combination_words(study: Study) -> str:
    """Say in how many combinations each scheduler is best."""
    rows = combination_frame(study)
    many = rows[rows["combination"].str.len() > 1]
    parts = []
    for measure in ("ANTT", "STP"):
        best = many[(many["kind"] == "best") & (many["measure"] == measure)]["scheduler"].value_counts()
        said = ", ".join(f"{words.lower()} in {best.get(words, 0)}" for words in SCHEDULERS.values())
        parts.append(f"{measure} is best under {said}")
    count = many["combination"].nunique()
    return (
        f"Of the {count} combinations of more than one notebook, {'; '.join(parts)} (ties count for each). "
        f"The oversubscription loss, {f.share(study.loss)}, acts on naive sharing only."
    )


# --- overhead ---------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def overhead_frame(study: Study) -> pd.DataFrame:
    """Rows of the overhead chart: ANTT against overhead a cell, the crossing, and “you are here”."""
    limit = study.break_even
    top = float(k.NOTEBOOK_OVERHEAD.high)
    rows: list[tuple] = []
    for overhead in np.linspace(0, top, 31):
        rows.append(("dynamic", overhead, turnaround(replace(study, overhead=float(overhead)), "dynamic"), ""))
    for name in ("naive", "partitioned"):
        level = study.outcomes[name].antt
        rows += [(name, 0.0, level, ""), (name, top, level, "")]
    last = rows[30][2]
    rows.append(("dynamic label", top, last, "dynamic"))
    for name in ("naive", "partitioned"):
        rows.append((f"{name} label", top, study.outcomes[name].antt, name))
    if 0 < limit <= top:
        best = min(study.outcomes[name].antt for name in ("naive", "partitioned"))
        rows.append(("crossing", limit, best, f"gain used up at {f.duration(limit)}"))
    rows.append(("here", study.overhead, study.outcomes["dynamic"].antt, "you are here"))
    frame = pd.DataFrame(rows, columns=["kind", "overhead", "antt", "label"])
    return frame[np.isfinite(frame["antt"])]


@lru_cache(maxsize=8)
def overhead_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the overhead that only dynamic scheduling pays."""
    x = alt.X("overhead:Q", title="overhead a cell (seconds)", scale=alt.Scale(nice=False))
    y = alt.Y("antt:Q", title="mean slowdown ANTT", scale=alt.Scale(zero=False, nice=True))
    return _lines(look, x, y, "overhead", "antt")


def overhead_words(study: Study) -> str:
    """Say where the gain is used up."""
    limit = study.break_even
    if limit == 0:
        return "Dynamic scheduling is not ahead of both others at any overhead, not even at none."
    if math.isinf(limit):
        return "Dynamic scheduling is ahead of both others at any overhead up to a minute a cell."
    return f"Dynamic scheduling is ahead of both others as long as a cell's overhead is below {f.duration(limit)}."


# --- how many fit -----------------------------------------------------------------------------------------------------
def fit_frame(study: Study) -> pd.DataFrame:
    """Rows of the crowding chart: ANTT against notebooks on the node, the bound, and the most that fit."""
    rows: list[tuple] = []
    longest = 1
    for name, crowd in crowds(study).items():
        crowd = [(number, value) for number, value in crowd if math.isfinite(value)]
        rows += [(name, number, value, "") for number, value in crowd]
        fit = notebooks_that_fit(study.bound, crowd)
        if crowd:
            longest = max(longest, crowd[-1][0])
            rows.append((f"{name} label", *crowd[-1], SCHEDULERS[name].lower()))
        if fit:
            rows.append(("fit", fit, dict(crowd)[fit], ""))
    rows.append(("bound", 1, study.bound, f"bound {f.significant(study.bound)}"))
    rows.append(("bound", longest, study.bound, ""))
    return pd.DataFrame(rows, columns=["kind", "notebooks", "antt", "label"])


@lru_cache(maxsize=8)
def fit_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the number of notebooks on the node."""
    x = alt.X("notebooks:Q", title="notebooks on the node", scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1))
    y = alt.Y("antt:Q", title="mean slowdown ANTT", scale=alt.Scale(zero=False, nice=True))
    return _lines(look, x, y, "notebooks", "antt")


def fits(study: Study) -> dict[str, int]:
    """The most notebooks that each scheduler keeps within the bound."""
    return {name: notebooks_that_fit(study.bound, crowd) for name, crowd in crowds(study).items()}


def fit_words(study: Study) -> str:
    """Say how many fit under each scheduler, and from how many on dynamic scheduling is ahead."""
    found = fits(study)
    said = ", ".join(f"{SCHEDULERS[name].lower()} {'all ' if fit == MOST else ''}{fit}" for name, fit in found.items())
    repeated = "The combination is repeated in order" + ("" if study.combination == "pair" else ", A to D")
    return (
        f"Most notebooks on one node with ANTT within {f.significant(study.bound)}: {said}. {repeated}. {_ahead(study)}"
    )


def _ahead(study: Study) -> str:
    crowd = {name: dict(pairs) for name, pairs in crowds(study).items()}
    common = sorted(set.intersection(*(set(pairs) for pairs in crowd.values())))
    wins = [n for n in common if crowd["dynamic"][n] < min(crowd["naive"][n], crowd["partitioned"][n]) * (1 - 1e-9)]
    if not wins:
        return "At none of the numbers that all three reach here is dynamic scheduling ahead."
    ahead = ", ".join(str(n) for n in wins[:6]) + (", …" if len(wins) > 6 else "")
    return f"Dynamic scheduling has the lowest ANTT at {ahead} notebooks, of those numbers that all three reach here."


def _lines(look: Look, x: alt.X, y: alt.Y, across: str, up: str) -> dict:
    """Three schedulers as labeled lines of their own dash, with marks shared by both charts."""
    base = alt.Chart().encode(x=x, y=y)
    styles = {
        "naive": (look.series[1], [6, 3]),
        "partitioned": (look.quiet, [2, 2]),
        "dynamic": (look.accent, [1, 0]),
    }
    layers = [
        base.transform_filter(only("bound")).mark_line(color=look.good, strokeWidth=1.5, strokeDash=[8, 4]),
        base.transform_filter(only("bound"))
        .mark_text(color=look.good, align="left", baseline="bottom", dx=4, dy=-3, fontSize=look.text_size)
        .encode(text="label:N"),
    ]
    for name, (color, dash) in styles.items():
        mark = base.transform_filter(only(name)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        tips = [alt.Tooltip(f"{across}:Q", format=".3~g"), alt.Tooltip(f"{up}:Q", format=".3~g", title="ANTT")]
        layers.append(mark.encode(tooltip=tips))
        label = base.transform_filter(only(f"{name} label")).mark_text(
            color=color, align="right", baseline="bottom", dy=-4, fontWeight="bold", fontSize=look.text_size
        )
        layers.append(label.encode(text="label:N"))
    for kind, shape, color, size in (
        ("fit", "diamond", look.good, 90),
        ("crossing", "diamond", look.good, 110),
        ("here", "circle", look.accent, 120),
    ):
        point = base.transform_filter(only(kind)).mark_point(
            shape=shape, color=color, filled=True, size=size, opacity=1, stroke=look.paper
        )
        text = base.transform_filter(only(kind)).mark_text(
            color=look.ink, align="left", baseline="top", dx=8, dy=5, fontWeight="bold", fontSize=look.text_size
        )
        layers += [point, text.encode(text="label:N")]
    return specification(alt.layer(*layers), look)


# --- idle core-hours --------------------------------------------------------------------------------------------------
def idle_frame(study: Study) -> pd.DataFrame:
    """Rows of the idle chart: core-hours without work, a node each and on one node."""
    rows = [("value", "a node each", study.own.idle)]
    rows += [
        ("value", f"one node, {words.lower()}", study.outcomes[name].run.idle) for name, words in SCHEDULERS.items()
    ]
    frame = pd.DataFrame(rows, columns=["kind", "arrangement", "idle"])
    frame["label"] = [core_hours(idle) for idle in frame["idle"]]
    frame["idle"] /= float(k.HOUR)
    frame.loc[~np.isfinite(frame["idle"]), "idle"] = 0.0
    frame["order"] = range(len(frame))
    return frame


@lru_cache(maxsize=8)
def idle_spec(look: Look) -> dict:
    """Idle core-hours as bars with their numbers."""
    y = alt.Y("arrangement:N", title=None, sort=alt.SortField("order"), axis=alt.Axis(labelLimit=220, ticks=False))
    x = alt.X("idle:Q", title="idle core-hours", scale=alt.Scale(zero=True))
    base = alt.Chart().encode(x=x, y=y)
    text = base.mark_text(align="left", dx=5, color=look.ink, fontSize=look.text_size).encode(text="label:N")
    return specification(alt.layer(base.mark_bar(color=look.accent, size=22), text), look, 220)


def idle_words(study: Study) -> str:
    """Say what one node for all saves, and what users pay."""
    now, own = study.now.run.idle, study.own.idle
    if math.isinf(now):
        return "The node never becomes free, so its idle core-hours grow without limit."
    start = f"With a node each the {f.count(len(study.names), 'notebook')} leave {core_hours(own)} core-hours idle"
    culls = " (nodes are taken back after the time-out)" if study.own.culls else ""
    return (
        f"{start}{culls}; on one node, {SCHEDULERS[study.scheduler].lower()}, {core_hours(now)}. The price is the "
        f"slowdown: ANTT {f.significant(study.now.antt)} instead of 1."
    )


def further(chosen: str, study: Study, look: Look) -> tuple[tuple, str]:
    """Return the chosen further chart as `Page.figure` takes it, and what is to be said under it."""
    said = {"combinations": combination_words, "overhead": overhead_words, "fit": fit_words, "idle": idle_words}
    title, frame, spec = {
        "combinations": ("Which scheduler is best for which notebooks?", combination_frame, combination_spec),
        "overhead": ("How much overhead eats the gain?", overhead_frame, overhead_spec),
        "fit": ("How many notebooks fit on the node?", fit_frame, fit_spec),
        "idle": ("How many core-hours are idle?", idle_frame, idle_spec),
    }[chosen]
    words = said[chosen](study)
    return (chosen, title, frame(study), spec(look), words), words


# --- think time -------------------------------------------------------------------------------------------------------
def think_frame(study: Study) -> pd.DataFrame:
    """Rows of the think-time chart: shares of pauses and of idle time in pauses longer than t."""
    return _think_frame(study.cull)


@lru_cache(maxsize=128)
def _think_frame(cull: float) -> pd.DataFrame:
    law = ThinkTime()
    rows: list[tuple] = []
    times = np.geomspace(0.1, float(k.THINK_MAXIMUM), 80)
    for time in times:
        rows.append(("pauses", time, law.pause_share(time), ""))
        rows.append(("mixture", time, law.idle_share(time), ""))
        rows.append(("least", time, least_idle_share(time), ""))
    hour = float(k.HOUR)
    rows.append(("hour", hour, least_idle_share(hour), f"1 h: at least {f.share(least_idle_share(hour))}"))
    rows.append(("median", law.median, 0.5, f"median {seconds(law.median)} (assumed)"))
    rows.append(("mixture label", 14.0, law.idle_share(14.0), "idle time, assumed mixture"))
    rows.append(("least label", 14.0, least_idle_share(14.0), "idle time, any law: at least"))
    rows.append(("pauses label", 9.0, law.pause_share(9.0), "pauses, assumed mixture"))
    if cull < k.THINK_MAXIMUM:
        rows.append(("cull", cull, 0.0, "culling time-out"))
    return pd.DataFrame(rows, columns=["kind", "time", "share", "label"])


@lru_cache(maxsize=8)
def think_spec(look: Look) -> dict:
    """Where pauses are and where idle time is, over the length of a pause."""
    values = [0.1, 1, 10, 60, 600, 3600, 36000]
    names = "{'0.1': '0.1 s', '1': '1 s', '10': '10 s', '60': '1 min', '600': '10 min', '3600': '1 h', '36000': '10 h'}"
    x = alt.X(
        "time:Q",
        title="pause longer than",
        scale=alt.Scale(type="log", nice=False, domain=[0.1, float(k.THINK_MAXIMUM)]),
        axis=alt.Axis(values=values, labelExpr=f"({names})[datum.value]"),
    )
    y = alt.Y("share:Q", title="share", scale=alt.Scale(domain=[0, 1.06], nice=False), axis=alt.Axis(format=".0%"))
    base = alt.Chart().encode(x=x, y=y)

    def text(kind: str, color: str, **options: object) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_text(color=color, fontSize=look.text_size, **options)
        return mark.encode(text="label:N")

    def line(kind: str, color: str, dash: list[int]) -> alt.Chart:
        mark = base.transform_filter(only(kind)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        return mark.encode(
            tooltip=[alt.Tooltip("time:Q", format=".3~s", title="s"), alt.Tooltip("share:Q", format=".1%")]
        )

    layers = [
        base.transform_filter(only("cull"))
        .mark_rule(color=look.ink, strokeDash=[3, 3])
        .encode(y=alt.value(0), y2=alt.value("height")),
        line("pauses", look.quiet, [2, 2]),
        line("least", look.series[1], [6, 3]),
        line("mixture", look.accent, [1, 0]),
        base.transform_filter(only("hour")).mark_point(color=look.series[1], filled=True, size=110, opacity=1),
        base.transform_filter(only("median")).mark_point(color=look.quiet, filled=True, size=90, opacity=1),
        text("hour", look.ink, align="right", baseline="top", dx=-8, dy=8, fontWeight="bold"),
        text("median", look.ink, align="left", dx=9),
        text("mixture label", look.accent, align="left", baseline="bottom", dy=-5, fontWeight="bold"),
        text("least label", look.series[1], align="right", baseline="top", dy=7, fontWeight="bold"),
        text("pauses label", look.ink, align="left", baseline="bottom", dx=8, dy=-4),
        text("cull", look.ink, align="right", baseline="bottom", dx=-5, dy=-8),
    ]
    return specification(alt.layer(*layers), look)


def think_words(study: Study) -> str:
    """Say what a time-out gets back and whom it hits, in the assumed mixture."""
    law, timeout = ThinkTime(), study.cull
    if timeout >= law.maximum:
        return "The culling time-out is longer than any pause: it gets nothing back and costs nobody anything."
    return (
        f"In the assumed mixture a time-out of {f.duration(timeout)} gets back {f.share(law.recovered(timeout))} of "
        f"the idle time, and 1 pause in {f.significant(1 / law.pause_share(timeout), 2)} costs its notebook's state."
    )


def think_alt() -> str:
    """The think-time chart in one sentence with its numbers."""
    law = ThinkTime()
    return (
        f"Share of idle time in pauses longer than a given length: over an hour at least "
        f"{f.share(least_idle_share(k.HOUR))} for any law with these figures, {f.share(law.idle_share(k.HOUR))} in the "
        f"assumed mixture, whose median pause is {seconds(law.median)}."
    )
