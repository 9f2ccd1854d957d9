"""Utilization trap, first picture: mean wait against utilization, next to the fleet."""

from functools import lru_cache
from operator import attrgetter
from typing import Any

import altair as alt
import numpy as np

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import TIE, Fleet, knee_of, say
from physics import constants as k
from physics.queueing import Replications, mgc
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Outcome, Reach, View, verdict_of
from ui.charts import NARROW, Look, Rows, axes, box, line, marks, plane, stack, upright
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Top of the chart [h], above the longest target: more than the director's jobs wait at 97%.
TOP = 9.0
#: Job sizes of the challenge [GPUs]; each divides the fleet evenly.
SIZES = (32, 64, 128, 256, 512)
#: The largest of them with which the sliders can meet both goals; a test tries all positions.
LARGEST = 64


def figure(
    fleet: Fleet,
    look: Look,
    guess: str | None = None,
    found: Replications | None = None,
    end: float = TOP,
    playing: bool = False,
) -> Figure:
    """Chart of waits up to `end` [h], with prediction and the challenge's goal."""
    hours = fleet.job_length / k.HOUR
    target = fleet.target / k.HOUR
    x, y = _curve(fleet.servers, fleet.scv, end / hours)
    rows = [
        {"kind": "beyond", "x": 1.0},
        {"kind": "target", "x": [0, 1], "y": [target] * 2},
        {"kind": "curve", "x": x, "y": [wait * hours for wait in y]},
        *_guess_ring(None if playing else guess),
        marks.label(0, target, f"target {f.duration(fleet.target)}", dx=6, dy=-10, tone="good"),
        marks.label(1.2, 0, "overload", dx=-2, dy=-9, tone="bad"),
    ]
    goal = fleet.goal / (fleet.servers * fleet.gpus_per_job)
    if playing and goal <= 1:
        rows += marks.limit("goal", goal, end, f"{fleet.goal} busy", dx=-4, dy=28)
    if fleet.servers > fleet.servers_before:
        before = fleet.before
        ring = {"tone": "paper", "rim": "accent", "rim_width": 2}
        rows += _wait_point(
            before.load, before.wait, "before the purchase", end, 27, ring, {"dx": -12}
        )
    point = {"size": 130, "role": "here"}
    text = {"dx": -6, "dy": -12, "bold": True}
    # Just below the target, the target's line would run through the words.
    if 0 < fleet.target - fleet.wait < 0.08 * end * k.HOUR:
        text["dy"] = -26
    rows += _wait_point(fleet.load, fleet.wait, "you are here", end, 9, point, text)
    if found is not None:
        ends = np.clip(np.array([found.wait_low, found.wait_high]) / k.HOUR, 0.0, end)
        rows.append({"kind": "interval", "x": [fleet.load] * 2, "y": ends.tolist()})
        square = {"size": 40, "shape": "square", "tone": "ink", "rim_width": 1}
        text = {"dx": 12, "bold": True}
        rows += _wait_point(fleet.load, found.mean_wait, "simulated", end, 9, square, text)
    return Figure(
        "wait",
        "Mean wait in the long run",
        stack(marks.renamed(rows, "utilization", "wait")),
        wait_spec(look, end),
        say("wait_chart", fleet),
        ("curve",),
        # The axis has the utilization after a purchase, and the knob the one before.
        Grab("utilization", fleet.servers / fleet.servers_before, says=_busy),
        Reach(max(fleet.wait, fleet.before.wait) / k.HOUR, end),
    )


def beside(page: Any, fleet: Fleet) -> None:
    """Draw the fleet at the current settings next to the chart."""
    page.show_film("trap_film_day", day.sent, fleet, "trap", day.STANDS)


def _busy(utilization: float) -> str:
    """Write a utilization to a tenth of a percent."""
    return f"{round(100 * utilization, 1):g}% busy"


@lru_cache(maxsize=512)
def _curve(servers: int, scv: float, top: float) -> tuple[list[float], list[float]]:
    """Utilization and mean wait in job lengths up to a wait, dense where it rises."""
    edge = knee_of(top, servers, scv)
    below = (edge * (1 - np.geomspace(1.0, 1e-3, 60)[1:])).tolist()
    waits = [mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in below]
    return [*below, edge], [*waits, top]


def _wait_point(
    x: float, wait: float, words: str, top: float, below: int, point: dict, text: dict
) -> Rows:
    """Rows of a wait's point with its label.

    A wait [s] above the `top` [h] is an arrow at the upper edge, and its label with the number is
    `below` it [pixels].
    """
    hours = min(wait / k.HOUR, top)
    if wait > top * k.HOUR:
        words = f"{words}: {f.duration(wait)} ↑"
        text = text | {"dx": -12, "dy": below}
        tone = "bad" if "role" in point else "quiet"
        point = point | {"shape": "triangle-up", "size": 150, "tone": tone}
    return [marks.point(x, hours, **point), marks.label(x, hours, words, **text)]


def _guess_ring(guess: str | None) -> Rows:
    """Rows of a ring at the visitor's answer, if the answer names a wait."""
    story = Fleet()
    bought = Fleet(**say.cases["bought"])
    eighty = Fleet(**say.cases["eighty"])
    answers = {
        "a": (bought.load, story.a_quarter_less, "25% shorter", 0),
        "b": (story.load, 1.1 * eighty.wait, "little more than at 80%", 0),
        # The label is below "you are here" or "before the purchase".
        "c": (story.load, story.wait, "several job lengths", 15),
    }
    if guess not in answers:
        return []
    x, wait, words, dy = answers[guess]
    return marks.guess(x, wait / k.HOUR, f"you said: {words}", dx=-14, dy=dy)


@plane
def wait_spec(look: Look, top: float = TOP) -> tuple:
    """Axes and layers of the chart of mean wait against utilization."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    across = alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 1.2]}")
    x = axes.x(
        "utilization:Q",
        "utilization (busy share of the slots for jobs)",
        [0, 1.2],
        format=".0%",
        values=across,
    )
    y = axes.y("wait:Q", "mean wait (hours)", [0, top], tickCount=5)
    tips = [axes.tip("utilization:Q", form=".1%"), axes.tip("wait:Q", "wait (h)", ".3~g")]
    beyond = {"x2": alt.datum(1.2), "y": alt.value(0), "y2": alt.value("height")}
    return (
        x,
        y,
        box("beyond", "bad", opacity=0.1, **beyond),
        line("target", "good", (8, 4)),
        line("curve", tooltip=tips),
        upright("goal", "good", (8, 4)),
        line("interval", "ink", width=2),
    )


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict that names the bottleneck, or the effect of a purchase."""
    if not fleet.now.stable:
        return "overload" if fleet.load > 1 + TIE else "full", False
    if fleet.servers > fleet.servers_before:
        return "bought_some", fleet.on_target
    if fleet.added:
        return "bought_none", fleet.on_target
    return "on_target" if fleet.on_target else "off_target", fleet.on_target


def remedies(fleet: Fleet) -> str:
    """List the smallest change of load, purchase, and job size that meets the target by itself."""
    knobs = ("utilization", "added", "gpus_per_job")
    return search.fix_sentence(say, fleet, attrgetter("on_target"), knobs)


@verdict_of(say)
def judge(fleet: Fleet) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that the fleet misses."""
    labels = moved(fleet, ("gpus_per_job", "utilization"))
    if labels:
        return "reset_first", None, {"labels": labels}
    if fleet.gpus_per_job not in SIZES:
        return "other_size", False, {"sizes": ", ".join(map(str, SIZES))}
    if fleet.busy_gpus < fleet.goal:
        return "too_few_busy", False
    if not fleet.on_target:
        return "too_long", False
    if fleet.gpus_per_job != LARGEST:
        return "larger_jobs_can", None
    return "won", True


view = View("wait", figure=figure, beside=beside, verdict=verdict, remedies=remedies)
