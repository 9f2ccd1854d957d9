"""Fair queueing, first act: for how long fair share holds it against A that it ran alone."""

import math
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.fair_queueing import flows
from lessons.fair_queueing.settings import Turns, written
from physics import constants as k
from physics.fair_queueing import catch_up_time
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, specification, stack
from ui.knobs import remedies as search

#: Ends of the axes [days].
RIGHT, TOP = float(k.FAIR_ALONE.high or 0) / k.DAY, 40.0
#: Days that the options of the message's question mean.
GUESSES = {"a": 0.0, "b": 1.0, "c": 7.0, "d": 30.0}
#: How far below its ring each one's label stands [px]: clear of the message's own dot and of what is simulated.
DOWN = {"a": 3, "b": 3, "c": -13, "d": 13}
#: The simulated point is drawn this many px to the right of the curve's own.
AWAY = 14


def days(seconds: float) -> str:
    """Write a time in days, or in hours and minutes where it is short.

    >>> days(6.738 * 86400), days(36000.0), days(0.0), days(86400.0)
    ('6.74 days', '10 h', '0 s', '1 day')
    """
    return f.count(seconds / k.DAY, "day") if k.DAY * 0.9995 <= seconds < math.inf else f.duration(seconds)


@lru_cache(maxsize=64)
def _curve(half_life: float, ratio: float, top: float) -> tuple[list[float], list[float]]:
    """Days alone and days locked out, as far as the frame goes."""
    alone = np.linspace(0, RIGHT, 121).tolist()
    waits = [catch_up_time(day * k.DAY, half_life, ratio) / k.DAY for day in alone]
    inside = [(day, wait) for day, wait in zip(alone, waits, strict=True) if wait <= top]
    return [day for day, _ in inside], [wait for _, wait in inside]


def figure(turns: Turns, look: Look, guess: str | None = None, told: bool = False, end: float = TOP) -> Figure:
    """How long A is passed over against how long it ran alone, up to a number of days."""
    ratio, found = turns.weight_ratio, flows.simulated(turns.alone, turns.remembered, turns.weight_ratio)[0]
    parts = []
    for kind, half_life in (("never", math.inf), ("day", float(k.DAY)), ("curve", turns.remembered)):
        alone, waits = _curve(half_life, ratio, end)
        parts.append({"kind": kind, "alone": alone, "wait": waits})
    rows = _names(turns, end) + _said(guess) + _here(turns, found, end)
    frame = stack([*parts, *marks.renamed(rows, "alone", "wait")])
    title = "How long is A passed over after it ran alone?"
    spec, words, grab = _spec(look, end), alt_text(turns), Grab("alone", float(k.DAY))
    return Figure("memory", title, frame, spec, words, ("curve",), grab, Reach(turns.locked_out / k.DAY, end))


def _names(turns: Turns, top: float) -> list[dict[str, object]]:
    """The names of the curves, at their right ends or where they leave the frame."""
    rows = []
    named = {math.inf: "never forgotten", float(k.DAY): "half-life 1 day"}
    mine = named.get(turns.remembered, f"half-life {written(turns.remembered)}")
    for half_life, words in (named | {turns.remembered: mine}).items():
        alone, waits = _curve(half_life, turns.weight_ratio, top)
        here = half_life == turns.remembered
        if abs(waits[-1] - _curve(turns.remembered, turns.weight_ratio, top)[1][-1]) < 0.06 * top and not here:
            continue  # it would run into the name of the curve that counts
        looks = {"tone": "accent", "bold": True} if here else {"tone": "quiet"}
        leaves = alone[-1] < RIGHT - 12
        side = {"align": "left", "dx": 6, "dy": 9} if leaves else {"align": "right", "dx": -2, "dy": -10}
        rows.append(marks.label(alone[-1], waits[-1], words, short=words.removeprefix("half-life "), **side, **looks))
    return rows


def _here(turns: Turns, found: float, top: float) -> list[dict[str, object]]:
    """The present settings by the formula and on the simulator; what leaves the frame is an arrow at its edge."""
    x, wait, beside = turns.alone / k.DAY, turns.locked_out / k.DAY, found / k.DAY
    left = {"align": "right", "dx": -12} if x > RIGHT / 4 else {"align": "left", "dx": 12, "dy": 12}
    if wait > top:
        arrow = marks.point(x, top, shape="triangle-up", size=150, tone="accent", role="here")
        words = f"you are here: {days(turns.locked_out)} ↑"
        return [arrow, marks.label(x, top, words, bold=True, **(left | {"dy": 11}))]
    rows = [marks.point(x, wait, size=130, role="here")]
    if beside <= top:
        rows.append(marks.point(x, beside, shape="square", size=70, tone="ink", dx=AWAY, rim_width=1))
        if x < RIGHT - 12:
            rows.append(marks.label(x, beside, "simulated", align="left", dx=AWAY + 9, dy=11, short="sim."))
    rows.append(marks.label(x, wait, "you are here", bold=True, short="you", **({"dy": 14} | left)))
    return rows


def _said(guess: str | None) -> list[dict[str, object]]:
    """The visitor's own answer as a ring, at the message's 30 days."""
    if guess not in GUESSES:
        return []
    x, y = float(k.FAIR_ALONE) / k.DAY, GUESSES[guess]
    ring = marks.point(x, y, size=260, tone="paper", rim="quiet", rim_width=2)
    words = f"you said: {f.count(y, 'day') if y else 'at once'}"
    return [ring, marks.label(x, y, words, short="you said", tone="quiet", align="left", dx=13, dy=DOWN[guess])]


@lru_cache(maxsize=32)
def _spec(look: Look, top: float = TOP) -> dict:
    """Time passed over against time alone: these settings, and two half-lives for comparison."""
    x = axes.x("alone:Q", "days that A ran alone", [0, RIGHT], tickCount=6)
    y = axes.y("wait:Q", "A's next job (days)", [0, top], tickCount=5)
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("alone:Q", title="alone (days)"), alt.Tooltip("wait:Q", format=".3~g", title="wait (days)")]

    drawn = base.encode(order="alone:Q", tooltip=tips)
    layers = [
        marks.ghosts(base, look, "alone:Q"),
        marks.line(drawn, "never", look.quiet, 1.5, [6, 3]),
        marks.line(drawn, "day", look.quiet, 1.5, [2, 2]),
        marks.line(drawn, "curve", look.accent, look.stroke),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(turns: Turns) -> str:
    """The chart in one sentence with its numbers."""
    found = flows.simulated(turns.alone, turns.remembered, turns.weight_ratio)[0]
    return (
        f"Days until A's next job starts against days that A ran alone: after {days(turns.alone)} it is "
        f"{days(turns.locked_out)} by the formula and {days(found)} on the simulator."
    )


def words(turns: Turns) -> str:
    """What the simulator was given, and how far it can be off."""
    if turns.alone == 0:
        return "A has not run alone, so there is nothing to simulate: both teams start even."
    found, length = flows.simulated(turns.alone, turns.remembered, turns.weight_ratio)
    return (
        f"Simulated: the cluster simulator with fair-share order, one server, and jobs of {days(length)} from B's "
        f"return on. A's next job starts after {days(found)}. The formula assumes short jobs, so the simulator is "
        "later by at most one job. A's last job ends when B returns: jobs that still ran would count until they end."
    )


def metrics(turns: Turns) -> list[Metric]:
    """The headline numbers of the first act."""
    found, length = flows.simulated(turns.alone, turns.remembered, turns.weight_ratio)
    good = turns.locked_out <= k.FAIR_WANTED
    return [
        Metric("A's next job starts", days(turns.locked_out), "after B's return", good),
        Metric("On the simulator", days(found), f"jobs of {days(length)}" if length else "nothing to simulate"),
        Metric("However long alone", days(turns.longest), "at most, with short jobs"),
        Metric("If never forgotten", days(turns.unforgotten), "weights' ratio × time alone"),
    ]


def verdict(turns: Turns) -> Verdict:
    """Say what binds: the time alone, or what is remembered of it."""
    good = turns.locked_out <= k.FAIR_WANTED
    if turns.alone == 0:
        return Verdict("A has not run alone: nothing is held against it, and B does not go first.", good)
    start = f"A's next job starts {days(turns.locked_out)} after B's return."
    if turns.half_life == "never":
        return Verdict(f"{start} Every day alone is remembered in full, so the time alone binds.", good)
    if turns.locked_out > 0.75 * turns.longest:
        return Verdict(
            f"{start} The half-life binds: with short jobs it would be {days(turns.longest)} at most, however long A "
            "had run alone.",
            good,
        )
    if turns.alone < turns.remembered:
        why = "The time alone binds: most of it is still remembered, and"
    else:
        why = "Time alone and half-life both count:"
    return Verdict(f"{start} {why} with short jobs it could come to {days(turns.longest)} at most.", good)


def remedies(turns: Turns) -> str:
    """The smallest change of each knob by which A's next job starts in time."""
    wanted = days(float(k.FAIR_WANTED))
    if turns.locked_out <= k.FAIR_WANTED:
        return ""
    found = search.remedies(
        turns, lambda tried: tried.locked_out <= k.FAIR_WANTED, ("half_life", "weight_ratio", "alone")
    )
    if not found:
        return f"No single knob was found by which A's next job starts within {wanted}."
    return f"A's next job starts within {wanted}: {search.listed(found)}."
