"""Notebook sharing: overhead, crowding and idle core-hours, and the choice among further charts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from lessons.notebook_sharing import gantt
from lessons.notebook_sharing.heatmap import combination_frame, combination_spec, combination_words
from lessons.notebook_sharing.settings import MOST, SCHEDULERS, Study, crowds, nodes_needed, own_antt, turnaround
from lessons.notebook_sharing.words import WHAT, core_hours, derived_words
from physics import constants as k
from physics.notebooks.study import notebooks_that_fit
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: Tone of each scheduler's name, and where words go, right of a point and below it.
TONES = {"naive": "s1", "partitioned": "ink", "dynamic": "accent"}
HERE = {"baseline": "top", "dx": 8, "dy": 5}


@lru_cache(maxsize=64)
def overhead_frame(study: Study) -> pa.Table:
    """Rows of the overhead chart: ANTT against overhead a cell, the crossing, and “you are here”."""
    limit, now = study.break_even, study.outcomes["dynamic"].antt
    top = float(k.NOTEBOOK_OVERHEAD.high)
    levels = {name: study.outcomes[name].antt for name in ("naive", "partitioned")}
    paths = {name: [(0.0, level), (top, level)] for name, level in levels.items()}
    at = np.linspace(0, top, 31).tolist()
    paths["dynamic"] = [(one, turnaround(replace(study, overhead=one), "dynamic")) for one in at]
    rows = _paths(paths)
    if 0 < limit <= top:
        best, words = min(levels.values()), f.duration(limit)
        # Dynamic scheduling comes from below: there is room above it at the left.
        left = limit > 0.3 * top
        side = {"align": "right", "baseline": "bottom", "dx": -8, "dy": -5} if left else HERE
        rows.append(marks.point(limit, best, shape="diamond", tone="good"))
        rows.append(marks.label(limit, best, f"gain used up at {words}", short=words, bold=True, **side))
    if math.isfinite(now):
        rows.append(marks.point(study.overhead, now, size=120))
        rows.append(marks.label(study.overhead, now, "you are here", bold=True, **HERE))
    return stack(marks.renamed(rows, "overhead", "antt"))


@lru_cache(maxsize=8)
def overhead_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the overhead that only dynamic scheduling pays."""
    x = axes.x("overhead:Q", "overhead a cell (seconds)")
    y = axes.y("antt:Q", "mean slowdown ANTT", zero=False, padding=24)
    return _lines(look, x, y, "overhead", "antt")


def _paths(lines: Mapping[str, Sequence[tuple[float, float]]]) -> list[dict[str, object]]:
    """Rows of the schedulers' lines, and of their names where they end: above, or below where fewer others run.

    Lines that end in one place are named together.
    """
    finite = {name: [place for place in lines[name] if math.isfinite(place[1])] for name in SCHEDULERS}
    paths = {name: np.array(path) for name, path in finite.items() if path}
    rows: list[dict[str, object]] = [{"kind": name, "x": path[:, 0], "y": path[:, 1]} for name, path in paths.items()]
    for name, path in paths.items():
        across, up = path[-1]
        near = [n for n, other in paths.items() if other[-1][0] == across and abs(other[-1][1] - up) <= 0.01 * up]
        if name != near[-1]:
            continue
        every = np.concatenate(list(paths.values()))
        room, wide = 0.11 * np.ptp(every[:, 1]), 0.3 * np.ptp(every[:, 0])
        places = np.linspace(across - wide, across, 9)
        others = [np.interp(places, *other.T, np.nan, np.nan) for n, other in paths.items() if n not in near]
        above = sum(np.sum((line > up) & (line < up + room)) for line in others)
        below = sum(np.sum((line < up) & (line > up - room)) for line in others)
        side = {"baseline": "top", "dy": 6} if above > below else {"baseline": "bottom", "dy": -4}
        words = ", ".join(SCHEDULERS[n].lower() for n in near)
        rows.append(marks.label(across, up, words, align="right", bold=True, tone=TONES[name], **side))
    return rows


def overhead_words(study: Study) -> str:
    """Say where the gain is used up."""
    limit = study.break_even
    if limit == 0:
        return "Dynamic scheduling is not ahead of both others at any overhead, not even at none."
    if math.isinf(limit):
        return (
            "Dynamic scheduling is ahead of both others at any overhead up to a minute a cell, tried second by second."
        )
    return (
        f"Dynamic scheduling is ahead of both others as long as a cell's overhead is below {f.duration(limit)} (tried "
        "second by second, the last one by tenths)."
    )


# --- how many fit -----------------------------------------------------------------------------------------------------
def fit_frame(study: Study) -> pa.Table:
    """Rows of the crowding chart: ANTT against notebooks on the node, the bound, and the most that fit."""
    found = {name: [(n, up) for n, up in crowd if math.isfinite(up)] for name, crowd in crowds(study).items()}
    longest = max((crowd[-1][0] for crowd in found.values() if crowd), default=1)
    rows = _paths(found)
    for crowd in found.values():
        if fit := notebooks_that_fit(study.bound, crowd):
            rows.append(marks.point(fit, dict(crowd)[fit], shape="diamond", tone="good", size=90))
    rows.append({"kind": "bound", "x": [1, longest], "y": study.bound})
    # The lines begin low and end high: the bound is named at its end, on the side where the longest line is not.
    high = all(up > study.bound for crowd in found.values() for n, up in crowd if n == longest)
    side = {"baseline": "top", "dy": 5} if high else {"baseline": "bottom", "dy": -3}
    rows.append(
        marks.label(longest, study.bound, f"bound {f.significant(study.bound)}", align="right", tone="good", **side)
    )
    return stack(marks.renamed(rows, "notebooks", "antt"))


@lru_cache(maxsize=8)
def fit_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the number of notebooks on the node."""
    x = axes.x("notebooks:Q", "notebooks on the node", tickMinStep=1)
    y = axes.y("antt:Q", "mean slowdown ANTT", zero=False, padding=24)
    return _lines(look, x, y, "notebooks", "antt")


def fits(study: Study) -> dict[str, int]:
    """The most notebooks that each scheduler keeps within the bound."""
    return {name: notebooks_that_fit(study.bound, crowd) for name, crowd in crowds(study).items()}


def fit_words(study: Study) -> str:
    """Say how many fit under each scheduler, and from how many on dynamic scheduling is ahead."""
    found = fits(study)
    said = ", ".join(f"{SCHEDULERS[name].lower()} {'all ' if fit == MOST else ''}{fit}" for name, fit in found.items())
    most = found[study.scheduler]
    if most and (nodes := nodes_needed(study)):
        placed = f"{MOST} such users, placed in order, need {f.count(nodes, 'node')}"
        said += f"; {placed} instead of {MOST}, {SCHEDULERS[study.scheduler].lower()}"
    return (
        f"ANTT stays within {f.significant(study.bound)} up to so many notebooks on one node: {said}. The "
        f"combination is repeated in order. {_ahead(study)}"
    )


def _ahead(study: Study) -> str:
    crowd = {name: dict(pairs) for name, pairs in crowds(study).items()}
    common = sorted(set.intersection(*(set(pairs) for pairs in crowd.values())))
    wins = [n for n in common if crowd["dynamic"][n] < min(crowd["naive"][n], crowd["partitioned"][n]) * (1 - 1e-9)]
    if not wins:
        return "At none of the numbers that all three reach here is dynamic scheduling ahead."
    ahead = ", ".join(str(n) for n in wins[:6]) + (", …" if len(wins) > 6 else "")
    notebooks = "notebook" if wins == [1] else "notebooks"
    return f"Dynamic scheduling has the lowest ANTT at {ahead} {notebooks}, of those numbers that all three reach here."


def _lines(look: Look, x: alt.X, y: alt.Y, across: str, up: str) -> dict:
    """Three schedulers as labeled lines of their own dash, with marks shared by both charts."""
    base = alt.Chart().encode(x=x, y=y)
    styles = {
        "naive": (look.series[1], [6, 3]),
        "partitioned": (look.quiet, [2, 2]),
        "dynamic": (look.accent, [1, 0]),
    }
    layers = [base.transform_filter(only("bound")).mark_line(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])]
    tips = [alt.Tooltip(f"{across}:Q", format=".3~g"), alt.Tooltip(f"{up}:Q", format=".3~g", title="ANTT")]
    for name, (color, dash) in styles.items():
        mark = base.transform_filter(only(name)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        layers.append(mark.encode(tooltip=tips))
    return specification(alt.layer(*layers, marks.points(base, look), marks.labels(base, look)), look, halo=False)


# --- idle core-hours --------------------------------------------------------------------------------------------------
def idle_frame(study: Study) -> pd.DataFrame:
    """Rows of the idle chart: core-hours without work, a node each and on one node."""
    rows = [("value", "a node each", study.own_kept.idle)]
    if study.own.culls:
        rows.append(("value", "a node each, culled", study.own.idle))
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
    y = axes.y("arrangement:N", None, sort=alt.EncodingSortField("order", op="min"), labelLimit=220, ticks=False)
    # The numbers stand beyond the bars.
    x = axes.x(
        "idle:Q",
        "idle core-hours",
        zero=True,
        nice=True,
        range=[0, alt.ExprRef(f"width - {4 * look.text_size}")],
        tickCount=4,
        format=",.3~r",
    )
    base = alt.Chart().encode(x=x, y=y)
    # With no idle core-hours at all the axis still has a length.
    room = alt.Chart().mark_point(opacity=0).encode(x=alt.datum(0.01), y=y)
    text = base.mark_text(align="left", dx=5, color=look.ink, fontSize=look.text_size).encode(text="label:N")
    return specification(alt.layer(base.mark_bar(color=look.accent, size=22), text, room), look, 220, halo=False)


def idle_words(study: Study) -> str:
    """Say what one node for all saves, and what users pay."""
    now, own = study.now.run.idle, study.own.idle
    if math.isinf(now):
        return "The node never becomes free, so its idle core-hours grow without limit."
    leave = "leaves" if len(study.names) == 1 else "leave"
    start = f"With a node each {f.count(len(study.names), 'notebook')} {leave} {core_hours(own)} core-hours idle"
    culls = " (a node is given back after the time-out)" if study.own.culls else ""
    start = f"{start}{culls}; on one node, {SCHEDULERS[study.scheduler].lower()}, {core_hours(now)}."
    slow = f"ANTT {f.significant(study.now.antt)} instead of {f.significant(own_antt(study))}"
    if now > own * (1 + 1e-9):
        given = " The shared node is not given back while anybody is away." if study.own.culls else ""
        return f"{start} Here sharing leaves more idle, not less.{given} Slowdown: {slow}."
    if now >= own * (1 - 1e-9):
        return f"{start} Here sharing saves none. Slowdown: {slow}."
    return f"{start} The price is the slowdown: {slow}."


def figure(view: str, study: Study, look: Look, guess: str | None = None) -> Figure:
    """The chosen chart."""
    if view == "gantt":
        return gantt.figure(study, look, guess)
    title, frame, spec, say = {
        "combinations": (
            "Which scheduler is best for which notebooks?",
            combination_frame,
            combination_spec,
            combination_words,
        ),
        "overhead": ("How much overhead eats the gain?", overhead_frame, overhead_spec, overhead_words),
        "fit": ("How many notebooks fit on the node?", fit_frame, fit_spec, fit_words),
        "idle": ("How many core-hours are idle?", idle_frame, idle_spec, idle_words),
    }[view]
    return Figure(view, title, frame(study), spec(look), say(study))


def words(view: str, study: Study) -> str:
    """What is said under the chosen chart."""
    said = {"gantt": derived_words, "combinations": combination_words, "overhead": overhead_words}
    lead = f"{WHAT}  \n" if view == "combinations" else ""
    return lead + (said | {"fit": fit_words, "idle": idle_words})[view](study)
