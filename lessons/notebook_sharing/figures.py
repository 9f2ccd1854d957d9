"""Notebook sharing: overhead, crowding and idle core-hours, and the choice among further charts."""

import math
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.notebook_sharing import gantt
from lessons.notebook_sharing.heatmap import combination_frame, combination_spec, combination_words, headline
from lessons.notebook_sharing.settings import MOST, SCHEDULERS, Study, crowds, nodes_needed, own_antt, turnaround
from lessons.notebook_sharing.words import WHAT, core_hours, derived_words
from physics import constants as k
from physics.notebooks.study import notebooks_that_fit
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts.look import Look, only, shortened, specification


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
    rows += _names(rows)
    if 0 < limit <= top:
        best = min(study.outcomes[name].antt for name in ("naive", "partitioned"))
        rows.append(("crossing", limit, best, ""))
        # Dynamic scheduling comes from below: there is room above it at the left.
        side = "left" if limit > 0.3 * top else "right"
        rows.append((f"crossing {side}", limit, best, f"gain used up at {f.duration(limit)}"))
    rows.append(("here", study.overhead, study.outcomes["dynamic"].antt, "you are here"))
    frame = pd.DataFrame(rows, columns=["kind", "overhead", "antt", "label"])
    return frame[np.isfinite(frame["antt"])]


@lru_cache(maxsize=8)
def overhead_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the overhead that only dynamic scheduling pays."""
    x = alt.X("overhead:Q", title="overhead a cell (seconds)", scale=alt.Scale(nice=False))
    y = alt.Y("antt:Q", title="mean slowdown ANTT", scale=alt.Scale(zero=False, nice=False, padding=24))
    return _lines(look, x, y, "overhead", "antt")


def _names(lines: list[tuple]) -> list[tuple]:
    """Rows that name the lines where they end: above them, or below where fewer other lines run.

    Lines that end in one place are named together.
    """
    paths = {name: [row[1:3] for row in lines if row[0] == name and math.isfinite(row[2])] for name in SCHEDULERS}
    paths = {name: np.array(path) for name, path in paths.items() if path}
    rows = []
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
        side = "below" if above > below else "label"
        rows.append((f"{name} {side}", across, up, ", ".join(SCHEDULERS[n].lower() for n in near)))
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
        if fit:
            rows.append(("fit", fit, dict(crowd)[fit], ""))
    rows += _names(rows)
    rows += [("bound", at, study.bound, "") for at in (1, longest)]
    # The lines begin low and end high: the bound is named at its end, on the side where the longest line is not.
    high = all(row[2] > study.bound for row in rows if row[0] in SCHEDULERS and row[1] == longest)
    words = f"bound {f.significant(study.bound)}"
    rows.append(("bound below" if high else "bound above", longest, study.bound, words))
    return pd.DataFrame(rows, columns=["kind", "notebooks", "antt", "label"])


@lru_cache(maxsize=8)
def fit_spec(look: Look) -> dict:
    """ANTT of the three schedulers against the number of notebooks on the node."""
    x = alt.X("notebooks:Q", title="notebooks on the node", scale=alt.Scale(nice=False), axis=alt.Axis(tickMinStep=1))
    y = alt.Y("antt:Q", title="mean slowdown ANTT", scale=alt.Scale(zero=False, nice=False, padding=24))
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
    layers = [
        base.transform_filter(only("bound")).mark_line(color=look.good, strokeWidth=1.5, strokeDash=[8, 4]),
    ]
    for side, baseline, dy in (("above", "bottom", -3), ("below", "top", 5)):
        text = base.transform_filter(only(f"bound {side}"))
        text = text.mark_text(color=look.good, align="right", baseline=baseline, dy=dy, fontSize=look.text_size)
        layers.append(text.encode(text="label:N"))
    for name, (color, dash) in styles.items():
        mark = base.transform_filter(only(name)).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash)
        tips = [alt.Tooltip(f"{across}:Q", format=".3~g"), alt.Tooltip(f"{up}:Q", format=".3~g", title="ANTT")]
        layers.append(mark.encode(tooltip=tips))
        shade = look.ink if color == look.quiet else color
        for side, baseline, dy in (("label", "bottom", -4), ("below", "top", 6)):
            text = base.transform_filter(only(f"{name} {side}"))
            looks = {"baseline": baseline, "dy": dy, "fontWeight": "bold", "fontSize": look.text_size}
            layers.append(text.mark_text(color=shade, align="right", **looks).encode(text="label:N"))
    for kind, shape, color, size in (
        ("fit", "diamond", look.good, 90),
        ("crossing", "diamond", look.good, 110),
        ("here", "circle", look.accent, 120),
    ):
        point = base.transform_filter(only(kind)).mark_point(
            shape=shape, color=color, filled=True, size=size, opacity=1, stroke=look.paper
        )
        layers.append(point)
    for kind, align, baseline, dx, dy in (
        ("crossing left", "right", "bottom", -8, -5),
        ("crossing right", "left", "top", 8, 5),
        ("here", "left", "top", 8, 5),
    ):
        looks = {"align": align, "baseline": baseline, "dx": dx, "dy": dy, "fontWeight": "bold"}
        text = base.transform_filter(only(kind)).mark_text(color=look.ink, fontSize=look.text_size, **looks)
        layers.append(text.encode(text=shortened("replace(datum.label, 'gain used up at ', '')")))
    return specification(alt.layer(*layers), look)


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
    y = alt.Y(
        "arrangement:N",
        title=None,
        sort=alt.EncodingSortField("order", op="min"),
        axis=alt.Axis(labelLimit=220, ticks=False),
    )
    # The numbers stand beyond the bars.
    scale = alt.Scale(zero=True, range=[0, alt.ExprRef(f"width - {4 * look.text_size}")])
    x = alt.X("idle:Q", title="idle core-hours", scale=scale, axis=alt.Axis(tickCount=4, format="~g"))
    base = alt.Chart().encode(x=x, y=y)
    # With no idle core-hours at all the axis still has a length.
    room = alt.Chart().mark_point(opacity=0).encode(x=alt.datum(0.01), y=y)
    text = base.mark_text(align="left", dx=5, color=look.ink, fontSize=look.text_size).encode(text="label:N")
    return specification(alt.layer(base.mark_bar(color=look.accent, size=22), text, room), look, 220, rims=False)


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
    lead = f"{headline()} {WHAT}  \n" if view == "combinations" else ""
    return lead + (said | {"fit": fit_words, "idle": idle_words})[view](study)
