"""Notebook sharing, first picture: the node's cores over time under both policies."""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Any

import pyarrow as pa

from lessons.notebook_sharing import timeline
from lessons.notebook_sharing.settings import CORES, TIE, SharedRun, Study, say, seconds
from physics import constants as k
from ui.base.lesson import Figure, Grab, Outcome, View, verdict_of
from ui.charts import Look, Rows, marks, stack
from ui.charts.handle import followed
from ui.knobs import remedies as search
from ui.knobs.declared import knobs_of

#: End of the time axis [s]: no pair takes longer.
END = 210.0
#: Tops of the two nodes and the picture's bottom, in heights of a node from the picture's top.
FIRST = 0.66
SECOND = 2.7
BOTTOM = 4.1
#: Distances of the name and of the marks above a node, and how far a mark reaches into the node.
NAME = 0.5
MARK = 0.19
DEPTH = 0.3
#: Shortest span with room for "notebook 1", even on a projector [s]; a shorter one has a "1".
ROOM = 0.13 * END
#: Starts of the second notebook that its slider offers [s], and the Vega expression of the current.
STEP = int(k.NOTEBOOK_SECOND_START.step)
STARTS = range(int(k.NOTEBOOK_SECOND_START.low), int(k.NOTEBOOK_SECOND_START.high) + 1, STEP)
START_NOW = followed(STEP, STARTS[0], STARTS[-1])
#: The notebooks' names and colors.
NAMES = {"1": "s0", "2": "s1"}
#: Settings of the challenge; only the start of the second notebook may be changed.
START = {
    "second_length": int(k.NOTEBOOK_QUICK_CELL),
    "second_cores": 8,
    "overhead": 0.0,
    "loss": 0.0,
}
#: Causes for which notebook 2 can finish later, with the settings that remove them.
CAUSES = {
    "overhead": {"overhead": 0.0},
    "short": {"second_length": int(k.NOTEBOOK_PAIR_CELL)},
    "narrow": {"second_cores": CORES},
}
#: Settings that the search for a fix changes.
FIXES = ("overhead", "second_start", "second_length", "second_cores")


def figure(study: Study, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the pair under both policies, with the prediction or the challenge's goal.

    The rows have the picture for every start of the second notebook. The browser shows that of the
    current start (`held`), or of the pointer's position after a newer press than `told`.
    """
    # A link may have a start between two positions of the slider.
    starts = tuple(sorted({*STARTS, study.second_start}))
    rows = _rows(replace(study, second_start=0), starts, guess, playing)
    for name, value in (("held", float(study.second_start)), ("told", -1.0)):
        rows = rows.append_column(name, pa.array([value] * rows.num_rows))
    height = 360 if look.present else 300
    spec = timeline.spec(look, "seconds", END, BOTTOM, height, START_NOW)
    words = say("pair_chart", study)
    return Figure("gantt", timeline.TITLE, rows, spec, words, grab=Grab("second_start"))


@lru_cache(maxsize=32)
def _rows(study: Study, starts: tuple[int, ...], guess: str | None, playing: bool) -> pa.Table:
    """Return the rows for every start, which is their column `at`; rows for all starts have -1."""
    rows: Rows = [{"kind": "dot", "x": 0.0, "y": FIRST - MARK}]
    for name, top in (("Equal shares", FIRST), ("One after the other", SECOND)):
        rows += [marks.label(0, top - NAME, name, bold=True), timeline.edge(top)]
    rows = [row | {"at": -1} for row in rows]
    for start in starts:
        moved = replace(study, second_start=start)
        moved_rows = [
            *_band(moved.equal, FIRST),
            *_band(moved.ordered, SECOND, moved.overhead),
            *_second(moved),
        ]
        if playing:
            earlier, later = sorted(zip(goals_of(moved), NAMES, strict=True))
            for dx, (goal, name) in ((-5, earlier), (5, later)):
                moved_rows += _mark(goal, "good", f"goal for {name}", bold=True, dx=dx)
        elif guess:
            moved_rows += _guess(moved, guess)
        rows += [row | {"at": start} for row in moved_rows]
    return stack(rows)


def _band(outcome: SharedRun, top: float, overhead: float = 0.0) -> Rows:
    """Return the rows of a node under one policy: the cells, and when each notebook is done."""
    spans = list(timeline.spans(outcome.run.cells, CORES, NAMES, top, 1.0, overhead))
    names = timeline.named(spans, 0.05 * END, 0.05 * END, "notebook {}", ROOM)
    return [*spans, *names, *_ends(outcome, top + 1.25)]


def _ends(outcome: SharedRun, top: float) -> Rows:
    """Return the labels of the finish times: the earlier to the left of its time, if it fits."""
    ends = (outcome.one, outcome.two)
    if abs(ends[0] - ends[1]) < 1e-6:
        words = f"both done: {seconds(ends[0])}"
        return [marks.label(ends[0], top, words, align="center", bold=True)]
    rows = []
    for time, (number, tone) in zip(ends, NAMES.items(), strict=True):
        style = {"align": "left", "dx": -2, "tone": tone, "bold": True}
        if time > 0.85 * END or 0.15 * END < time == min(ends):
            style |= {"align": "right", "dx": 2}
        done = seconds(time)
        words = f"{number} done: {done}"
        rows.append(marks.label(time, top, words, short=f"{number}: {done}", **style))
    return rows


def _second(study: Study) -> Rows:
    """Return the rows of the second notebook's start, which can be dragged, and of its wait."""
    start = study.second_start
    served = study.ordered.run.cells[1].start
    style = {"dx": 26, "tone": "s1", "short": "2 starts: drag"}
    rows = [
        *timeline.upright(start, FIRST - MARK, FIRST + 1, "s1"),
        marks.point(start, FIRST - MARK, shape="triangle-down", tone="s1", size=120),
        marks.label(start, FIRST - MARK, "notebook 2 starts: drag", **style),
    ]
    if served > start + TIE:
        y = SECOND + 1.08
        line = {"kind": "mark", "role": "waits", "tone": "s1"}
        rows.append(line | {"x": start, "x2": served, "y": y, "y2": y})
    if served - start >= END / 6:
        label = marks.label(start, SECOND + 1.25, "2 waits", tone="s1", short="")
        rows.append(label | {"role": "waits"})
    return rows


def _guess(study: Study, guess: str) -> Rows:
    """Mark the end of notebook 2 at an equal mean slowdown; the answer names a side of it."""
    time = min(study.unchanged, END)
    words = f"you said: {say(f'said_{guess}', study)}"
    return _mark(time, "ink", words, dx=-5 if time > END / 2 else 5, short="you said")


def _mark(time: float, tone: str, words: str, **style: Any) -> Rows:
    """Return the rows of a labeled line at the top of the second node at a time [s]."""
    line = timeline.upright(time, SECOND - 0.32, SECOND + DEPTH, tone)
    return [*line, marks.label(time, SECOND - MARK, words, tone=tone, **style)]


def goals_of(study: Study) -> tuple[float, float]:
    """Return the challenge's latest finish time for each notebook [s]."""
    return study.equal.one - k.NOTEBOOK_SOONER, study.equal.two + k.NOTEBOOK_LATER


@verdict_of(say)
def verdict(study: Study) -> Outcome:
    """Return the verdict: which user finishes sooner and which later with scheduling by cell."""
    if study.gain <= 0:
        if study.delay > 0:
            return "nobody_sooner", False
        return "no_difference", None
    if study.delay <= 0:
        name = "first_sooner"
        if study.delay:
            name = "both_sooner"
        return name, True, {"sooner": seconds(-study.delay)}
    causes = [say(f"cause_{cause}", study) for cause in _causes(study)]
    return "later", False, {"causes": " and ".join(causes)}


def _causes(study: Study) -> tuple[str, ...]:
    """Return the fewest of the `CAUSES` without which notebook 2 would not finish later."""
    for number in range(1, len(CAUSES)):
        for causes in combinations(CAUSES, number):
            without: dict[str, Any] = {}
            for cause in causes:
                without |= CAUSES[cause]
            if replace(study, **without).delay <= 0:
                return causes
    return tuple(CAUSES)


@verdict_of(say)
def judge(study: Study) -> Outcome:
    """Return the verdict on the challenge, which depends on both users' finish times."""
    labels = [knobs_of(Study)[name].label for name in START if getattr(study, name) != START[name]]
    if labels:
        return "reset", None, {"labels": ", ".join(labels)}
    goal_one, goal_two = goals_of(study)
    if study.ordered.one > goal_one + TIE:
        return "too_little", False
    if study.ordered.two > goal_two + TIE:
        return "too_late", False
    if study.delay > 0:
        return "won", True
    return "won_even", True


def remedies(study: Study) -> str:
    """List the smallest change of each setting with which neither notebook finishes later."""
    return search.fix_sentence(say, study, attrgetter("nobody_loses"), FIXES)


view = View("gantt", figure=figure, verdict=verdict, remedies=remedies)
