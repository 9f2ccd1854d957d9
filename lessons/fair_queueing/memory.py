"""Fair queueing, first act: for how long fair share holds it against A that it ran alone."""

import math
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.fair_queueing.settings import Teams, days, half_life, say
from physics import constants as k
from physics.fair_queueing import catch_up_time
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, stack
from ui.charts.plane import line, plane
from ui.knobs import remedies as search

#: Ends of the axes [days].
RIGHT, TOP = float(k.FAIR_ALONE.high or 0) / k.DAY, 40.0
#: Days that the options of the message's question mean, and how far below its ring each one's label stands [px].
GUESSES = {"a": (0.0, 3), "b": (1.0, 3), "c": (7.0, -13), "d": (30.0, 13)}


@lru_cache(maxsize=64)
def _curve(remembered: float, ratio: float, top: float) -> tuple[list[float], list[float]]:
    """Days alone and days locked out, as far as the frame goes."""
    alone = np.linspace(0, RIGHT, 121).tolist()
    waits = [catch_up_time(day * k.DAY, remembered, ratio) / k.DAY for day in alone]
    inside = [(day, wait) for day, wait in zip(alone, waits, strict=True) if wait <= top]
    return [day for day, _ in inside], [wait for _, wait in inside]


def figure(teams: Teams, look: Look, guess: str | None = None, told: bool = False, end: float = TOP) -> Figure:
    """How long A is passed over against how long it ran alone, up to a number of days."""
    curves = {"never": math.inf, "day": float(k.DAY), "curve": teams.remembered}
    found = {kind: _curve(one, teams.weight_ratio, end) for kind, one in curves.items()}
    parts = [{"kind": kind, "alone": alone, "wait": waits} for kind, (alone, waits) in found.items()]
    rows = marks.renamed(_names(teams, end) + _said(guess) + _here(teams, end), "alone", "wait")
    title, grab, reach = "How long is A passed over after it ran alone?", Grab("alone", float(k.DAY)), teams.locked_out
    words = say("memory_chart", teams)
    return Figure(
        "memory", title, stack([*parts, *rows]), _spec(look, end), words, ("curve",), grab, Reach(reach / k.DAY, end)
    )


def _names(teams: Teams, top: float) -> list[dict[str, object]]:
    """The names of the curves, at their right ends or where they leave the frame."""
    rows = []
    named = {math.inf: "never forgotten", float(k.DAY): "half-life 1 day"}
    mine = named.get(teams.remembered, f"half-life {half_life(teams.remembered)}")
    for one, words in (named | {teams.remembered: mine}).items():
        alone, waits = _curve(one, teams.weight_ratio, top)
        here = one == teams.remembered
        if abs(waits[-1] - _curve(teams.remembered, teams.weight_ratio, top)[1][-1]) < 0.06 * top and not here:
            continue  # it would run into the name of the curve that counts
        looks = {"tone": "accent", "bold": True} if here else {"tone": "quiet"}
        leaves = alone[-1] < RIGHT - 12
        side = {"align": "left", "dx": 6, "dy": 9} if leaves else {"align": "right", "dx": -2, "dy": -10}
        rows.append(marks.label(alone[-1], waits[-1], words, short=words.removeprefix("half-life "), **side, **looks))
    return rows


def _here(teams: Teams, top: float) -> list[dict[str, object]]:
    """The present settings by the formula and on the simulator; what leaves the frame is an arrow at its edge."""
    x, wait, beside = teams.alone / k.DAY, teams.locked_out / k.DAY, teams.simulated / k.DAY
    left = {"align": "right", "dx": -12} if x > RIGHT / 4 else {"align": "left", "dx": 12, "dy": 12}
    if wait > top:
        arrow = marks.point(x, top, shape="triangle-up", size=150, tone="accent", role="here")
        words = f"you are here: {days(teams.locked_out)} ↑"
        return [arrow, marks.label(x, top, words, bold=True, **(left | {"dy": 11}))]
    rows = [marks.point(x, wait, size=130, role="here")]
    if beside <= top:
        rows.append(marks.point(x, beside, shape="square", size=40, tone="ink", rim_width=1))
        if x < RIGHT - 12:
            below = 11 if x > RIGHT / 4 else -11
            rows.append(marks.label(x, beside, "simulated", align="left", dx=12, dy=below, short="sim."))
    rows.append(marks.label(x, wait, "you are here", bold=True, short="you", **({"dy": 14} | left)))
    return rows


def _said(guess: str | None) -> list[dict[str, object]]:
    """The visitor's own answer as a ring, at the message's 30 days."""
    if guess not in GUESSES:
        return []
    x, (y, down) = float(k.FAIR_ALONE) / k.DAY, GUESSES[guess]
    ring = marks.point(x, y, size=260, tone="paper", rim="quiet", rim_width=2)
    words = f"you said: {f.count(y, 'day') if y else 'at once'}"
    return [ring, marks.label(x, y, words, short="you said", tone="quiet", align="left", dx=13, dy=down)]


@plane
def _spec(look: Look, top: float = TOP) -> tuple:
    """Time passed over against time alone: these settings, and two half-lives for comparison."""
    x = axes.x("alone:Q", "days that A ran alone", [0, RIGHT], tickCount=6)
    y = axes.y("wait:Q", "A's next job (days)", [0, top], tickCount=5)
    tips = [alt.Tooltip("alone:Q", title="alone (days)"), alt.Tooltip("wait:Q", format=".3~g", title="wait (days)")]
    kinds = {"never": ("quiet", (6, 3)), "day": ("quiet", (2, 2)), "curve": ()}
    return x, y, *(line(kind, *drawn, tooltip=tips) for kind, drawn in kinds.items())


def words(teams: Teams) -> str:
    """What the simulator was given, and how far it can be off."""
    return say("simulated" if teams.alone else "nothing_to_simulate", teams)


def metrics(teams: Teams) -> list[Metric]:
    """The headline numbers of the first act."""
    good = teams.locked_out <= k.FAIR_WANTED
    jobs = f"jobs of {days(teams.job_length)}" if teams.job_length else "nothing to simulate"
    return [
        Metric("A's next job starts", days(teams.locked_out), "after B's return", good),
        Metric("On the simulator", days(teams.simulated), jobs),
        Metric("However long alone", days(teams.longest), "at most, with short jobs"),
        Metric("If never forgotten", days(teams.unforgotten), "weights' ratio × time alone"),
    ]


def verdict(teams: Teams) -> Verdict:
    """Name the bottleneck: the time alone, or what is remembered of it."""
    if teams.alone == 0:
        which = "not_alone"
    elif teams.half_life == "never":
        which = "never_forgotten"
    elif teams.locked_out > 0.75 * teams.longest:
        which = "half_life_binds"
    else:
        which = "time_alone_binds" if teams.alone < teams.remembered else "both_count"
    return Verdict(say(which, teams), teams.locked_out <= k.FAIR_WANTED)


def remedies(teams: Teams) -> str:
    """The smallest change of each knob by which A's next job starts in time."""
    if teams.locked_out <= k.FAIR_WANTED:
        return ""
    found = search.remedies(
        teams, lambda tried: tried.locked_out <= k.FAIR_WANTED, ("half_life", "weight_ratio", "alone")
    )
    return say("remedies", teams, found=search.listed(found)) if found else say("no_remedy", teams)
