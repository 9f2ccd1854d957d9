"""Notebook sharing, first picture: the node's cores over time under both policies."""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

import pyarrow as pa

from lessons.notebook_sharing import timeline
from lessons.notebook_sharing.settings import CORES, TIE, SharedRun, Study, say, seconds
from lessons.notebook_sharing.timeline import Row
from physics import constants as k
from ui.base.lesson import Figure, Grab, Outcome, View, verdict_of
from ui.charts import Look, marks, stack
from ui.charts.handle import followed
from ui.knobs import remedies as search
from ui.knobs.declared import knobs_of

#: End of the time axis [s]: no pair takes longer.
END = 210.0
#: Tops of the two nodes and the picture's end, in heights of a node; above each node stand its name
#: and what is marked.
FIRST = 0.66
SECOND = 2.7
TALL = 4.1
NAME = 0.5
MARK = 0.19
#: Shortest span that holds "notebook 1", on a projector, too [s]; a shorter one is called "1".
ROOM = 0.13 * END
#: How far a mark reaches into a node, above the names on it.
TICK = 0.3
#: Starts of the second notebook that its knob can hold [s], and that whose rows are shown.
STEP = int(k.NOTEBOOK_SECOND_START.step)
STARTS = range(int(k.NOTEBOOK_SECOND_START.low), int(k.NOTEBOOK_SECOND_START.high) + 1, STEP)
HELD = followed(STEP, STARTS[0], STARTS[-1])
#: The notebooks' names and colors.
NAMES = {"1": "s0", "2": "s1"}
#: Where the challenge starts; but for the start of the second notebook it must stay so.
START = {
    "second_length": int(k.NOTEBOOK_QUICK_CELL),
    "second_cores": 8,
    "overhead": 0.0,
    "loss": 0.0,
}
#: What can make notebook 2 done later, each with the settings that take it away.
CAUSES = {
    "overhead": {"overhead": 0.0},
    "short": {"second_length": int(k.NOTEBOOK_PAIR_CELL)},
    "narrow": {"second_cores": CORES},
}
#: What may be changed so that nobody loses.
FIXES = ("overhead", "second_start", "second_length", "second_cores")


def figure(study: Study, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the pair under both policies, with the prediction or the challenge's goal.

    The rows hold the picture for every start of the second notebook, and the browser shows the one
    at which the chart is held; what the server has heard of last is in `told`.
    """
    rows = _rows(replace(study, second_start=0), guess, playing)
    for name, value in (("held", float(study.second_start)), ("told", -1.0)):
        rows = rows.append_column(name, pa.array([value] * rows.num_rows))
    drawn = timeline.spec(look, "seconds", END, TALL, 360 if look.present else 300, HELD)
    grab = Grab("second_start")
    return Figure(
        "gantt", "Who holds the cores, and when?", rows, drawn, say("pair_chart", study), grab=grab
    )


@lru_cache(maxsize=32)
def _rows(study: Study, guess: str | None, playing: bool) -> pa.Table:
    """Rows for every start; those that hold for all are at -1."""
    rows: list[Row] = [{"kind": "dot", "x": 0.0, "y": FIRST - MARK}]
    for name, top in (("Equal shares", FIRST), ("One after the other", SECOND)):
        edge = {"kind": "edge", "x": 0, "y": top, "x2": 0, "y2": top + 1}
        rows += [marks.label(0, top - NAME, name, bold=True), edge]
    rows = [row | {"at": -1} for row in rows]
    for at in STARTS:
        here = replace(study, second_start=at)
        now = [
            *_band(here.equal, FIRST),
            *_band(here.ordered, SECOND, here.overhead),
            *_second(here),
        ]
        if playing:
            earlier, later = sorted(zip(goals_of(here), NAMES, strict=True))
            for dx, (goal, name) in ((-5, earlier), (5, later)):
                now += _marked(goal, "good", f"goal for {name}", bold=True, dx=dx)
        elif guess:
            now += _said(here, guess)
        rows += [row | {"at": at} for row in now]
    return stack(rows)


def _band(outcome: SharedRun, top: float, overhead: float = 0.0) -> list[Row]:
    """Draw what each notebook holds under one policy, and when it is done."""
    spans = list(timeline.spans(outcome.run.cells, CORES, NAMES, top, 1.0, overhead))
    names = timeline.named(spans, 0.05 * END, 0.05 * END, "notebook {}", ROOM)
    return [*spans, *names, *_ends(outcome, top + 1.25)]


def _ends(outcome: SharedRun, top: float) -> list[Row]:
    """Name when each notebook is done; the earlier name ends at its place, the later one begins
    there.
    """
    one = outcome.one
    two = outcome.two
    if abs(one - two) < 1e-6:
        return [marks.label(one, top, f"both done: {seconds(one)}", align="center", bold=True)]
    rows = []
    for time, (number, tone) in zip((one, two), NAMES.items(), strict=True):
        style = {"align": "left", "dx": -2, "tone": tone, "bold": True}
        if time > 0.85 * END or 0.15 * END < time == min(one, two):
            style |= {"align": "right", "dx": 2}
        done = seconds(time)
        words = f"{number} done: {done}"
        rows.append(marks.label(time, top, words, short=f"{number}: {done}", **style))
    return rows


def _second(study: Study) -> list[Row]:
    """Draw where the second notebook starts, the line that can be dragged, and how long it waits
    for its cores.
    """
    at = study.second_start
    begins = study.ordered.run.cells[1].start
    start = {"dx": 26, "tone": "s1", "short": "2 starts: drag"}
    rows = [
        *timeline.upright(at, FIRST - MARK, FIRST + 1, "s1"),
        marks.point(at, FIRST - MARK, shape="triangle-down", tone="s1", size=120),
        marks.label(at, FIRST - MARK, "notebook 2 starts: drag", **start),
    ]
    if begins > at + TIE:
        y = SECOND + 1.08
        mark = {"kind": "mark", "role": "waits", "tone": "s1"}
        rows.append(mark | {"x": at, "x2": begins, "y": y, "y2": y})
    if begins - at >= END / 6:
        label = marks.label(at, SECOND + 1.25, "2 waits", tone="s1", short="")
        rows.append(label | {"role": "waits"})
    return rows


def _said(study: Study, guess: str) -> list[Row]:
    """Mark when notebook 2 would be done at the same mean slowdown, and on which side the visitor's
    answer lies.
    """
    at = min(study.unchanged, END)
    words = f"you said: {say(f'said_{guess}', study)}"
    return _marked(at, "ink", words, dx=-5 if at > END / 2 else 5, short="you said")


def _marked(at: float, tone: str, words: str, **style: object) -> list[Row]:
    """Mark a moment of the second node, above it."""
    line = timeline.upright(at, SECOND - 0.32, SECOND + TICK, tone)
    return [*line, marks.label(at, SECOND - MARK, words, tone=tone, **style)]


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
    causes = [say(f"cause_{cause}", study) for cause in _why_later(study)]
    return "later", False, {"causes": " and ".join(causes)}


def _why_later(study: Study) -> tuple[str, ...]:
    """Return the fewest causes that make notebook 2 done later: without them it would not be."""
    for number in range(1, len(CAUSES)):
        for causes in combinations(CAUSES, number):
            without = {name: value for cause in causes for name, value in CAUSES[cause].items()}
            if replace(study, **without).delay <= 0:
                return causes
    return tuple(CAUSES)


@verdict_of(say)
def judge(study: Study) -> Outcome:
    """Return the verdict on the challenge, which depends on both users' finish times."""
    labels = [knobs_of(Study)[name].label for name in START if getattr(study, name) != START[name]]
    if labels:
        return "reset", None, {"labels": ", ".join(labels)}
    first, second = goals_of(study)
    if study.ordered.one > first + TIE:
        return "too_little", False
    if study.ordered.two > second + TIE:
        return "too_late", False
    if study.delay > 0:
        return "won", True
    return "won_even", True


def remedies(study: Study) -> str:
    """List the smallest change of each setting with which neither notebook finishes later.

    The result is "" if none is needed.
    """
    return search.fix_sentence(say, study, attrgetter("nobody_loses"), FIXES)


view = View("gantt", figure=figure, verdict=verdict, remedies=remedies)
