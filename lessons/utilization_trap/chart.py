"""Utilization trap, main chart: the mean wait against the utilization."""

from bisect import bisect_right
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet, knee_of, say
from lessons.utilization_trap.verdict import metrics, remedies, verdict
from physics import constants as k
from physics.queueing import Replications, mgc
from ui import films
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import NARROW, Look, axes, box, line, marks, only, plane, stack, upright

__all__ = ["beside", "figure", "metrics", "remedies", "verdict"]

#: Top of the chart [h]: the longest target, and more than the director's jobs wait at 97 %.
TOP = float(k.TRAP_TARGET.high) / k.HOUR
#: Where the curve may be named, as shares of the frame's height; the best place first.
NAMED = (0.6, 0.4, 0.75)
#: Looks of words at the left of a point.
LEFT = {"align": "right", "dx": -12}
Rows = list[dict[str, object]]


def figure(
    fleet: Fleet,
    look: Look,
    guess: str | None = None,
    told: bool = False,
    found: Replications | None = None,
    end: float = TOP,
    playing: bool = False,
) -> Figure:
    """The main chart up to a wait [h]: the visitor's guess, what was simulated, and the knee once it may be `told`.

    While the challenge is `playing` its goal is drawn, too.
    """
    met = "knee_told" if told else "target_is_met" if fleet.on_target else "target_is_missed"
    state = say("chart_wait" if fleet.now.stable else "chart_no_steady_state", fleet)
    words = say("wait_chart", fleet, state=state, met=say(met, fleet))
    rows = stack(_rows(fleet, guess, told, found, end, playing))
    # The axis has the present utilization, the knob that before a purchase.
    grab = Grab("utilization", fleet.servers / fleet.servers_before)
    reach = Reach(max(fleet.wait, fleet.before.mean_wait if fleet.added else 0.0) / k.HOUR, end)
    return Figure("wait", "Mean wait in the long run", rows, wait_spec(look, end), words, ("curve",), grab, reach)


def beside(page: object, fleet: Fleet) -> None:
    """Draw the day beside the chart: it answers the same knobs."""
    sent = day.sent(fleet, page.look)
    films.play("trap_film_day", sent, page.look, f"trap/{sent['end']:g}", day.STANDS * sent["end"], page.earning())


def _rows(fleet: Fleet, guess: str | None, told: bool, found: Replications | None, top: float, playing: bool) -> Rows:
    """Utilization (fraction) and mean wait (hours), labels and points."""
    target, (here, points) = fleet.target / k.HOUR, _waits(fleet, top)
    said, rows = _said(guess)
    below = 12 if target > 0.9 * top else -10
    rows += [
        marks.label(0, target, f"target {f.duration(fleet.target)}", dx=6, dy=below, tone="good"),
        marks.label(1.2, 0, "overload", align="right", dx=-2, dy=-9, tone="bad"),
    ]
    parts: Rows = [{"kind": "beyond", "utilization": 1.0}]
    parts.append({"kind": "target", "utilization": [0, 1], "wait": [target] * 2})
    if fleet.servers != 1:
        parts.append(_curve(fleet, "one", 1, top))
        rows.append(_name(fleet, 1, 0.94 * top, "one job takes all", tone="quiet", short="whole fleet"))
    # The curve is named where neither “you are here” nor a guess stands.
    free = (at for at in NAMED if all(abs(at - other / top) > 0.12 for other in (*here, said)))
    parts.append(_curve(fleet, "curve", fleet.servers, top))
    words = f"{f.count(fleet.gpus_per_job, 'GPU')} per job"
    rows.append(_name(fleet, fleet.servers, next(free, NAMED[-1]) * top, words, tone="accent", bold=True))
    if playing and (goal := fleet.goal / (fleet.servers * fleet.gpus_per_job)) <= 1.2:
        side = {"align": "right", "dx": -4} if goal < 1 else {"dx": 4}
        parts.append({"kind": "goal", "utilization": goal})
        words, short = f"{fleet.goal} GPUs busy", f"{fleet.goal} busy"
        rows.append(marks.label(goal, top, words, dy=28, tone="good", short=short, **side))
    if told:
        met, side = f.share(fleet.knee), {"align": "right", "dx": -8} if fleet.knee > 0.4 else {"dx": 8}
        rows.append(marks.point(fleet.knee, target, shape="diamond", size=90, tone="good"))
        rows.append(marks.label(fleet.knee, target, f"met up to {met}", short=met, dy=below, tone="good", **side))
    if not fleet.now.stable:
        parts.append({"kind": "overload", "utilization": fleet.load})
    if found is not None:
        ends = [min(max(end, 0.0) / k.HOUR, top) for end in (found.wait_low, found.wait_high)]
        parts.append({"kind": "interval", "utilization": [fleet.load] * 2, "wait": ends})
        looks = {"size": 40, "shape": "square", "tone": "ink", "rim_width": 1}
        points += _wait(fleet.load, found.mean_wait, "simulated", top, 9, looks, {"dx": 12, "bold": True})
    return [*parts, *marks.renamed([*rows, *points], "utilization", "wait")]


@lru_cache(maxsize=512)
def _shape(servers: int, scv: float) -> tuple[list[float], list[float]]:
    """Mean wait in job lengths over utilization, dense where it rises."""
    utilization = (1 - np.geomspace(1.0, 1e-3, 60)[1:]).tolist()
    return utilization, [mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in utilization]


def _curve(fleet: Fleet, kind: str, servers: int, top: float) -> dict[str, object]:
    """The curve of so many servers, up to where it leaves the frame."""
    hours, (utilization, waits) = fleet.job_length / k.HOUR, _shape(servers, fleet.scv)
    inside = bisect_right(waits, top / hours)
    x = [*utilization[:inside], knee_of(top / hours, servers, fleet.scv)]
    return {"kind": kind, "utilization": x, "wait": [*(wait * hours for wait in waits[:inside]), top]}


def _name(fleet: Fleet, servers: int, height: float, words: str, **looks: object) -> dict[str, object]:
    """The name of a curve, beside the place where it reaches a height."""
    x = knee_of(height * k.HOUR / fleet.job_length, servers, fleet.scv)
    return marks.label(x, height, words, align="right", dx=-8, **looks)


def _waits(fleet: Fleet, top: float) -> tuple[list[float], Rows]:
    """The present wait, and the one before a purchase: their heights, and their rows."""
    rows, heights = [], [one.mean_wait / k.HOUR for one in (fleet.now, *[fleet.before] * bool(fleet.added))]
    if fleet.added and fleet.before.stable:
        ring = {"tone": "paper", "rim": "accent", "rim_width": 2}
        rows += _wait(fleet.before.utilization, fleet.before.mean_wait, "before the purchase", top, 27, ring, LEFT)
    if fleet.now.stable:
        # Where the target's line would run through its words they stand above the line.
        near = abs(fleet.wait - fleet.target) / k.HOUR < 0.06 * top
        text = {"bold": True} | ({"dy": -16, "align": "center"} if near else LEFT)
        rows += _wait(fleet.load, fleet.wait, "you are here", top, 9, {"size": 130, "role": "here"}, text)
    else:
        looks = LEFT | {"bold": True, "tone": "bad", "short": "you are here"}
        rows.append(marks.label(min(fleet.load, 1.2), 0.8 * top, "you are here: no steady state", **looks))
    return heights, rows


def _wait(x: float, wait: float, words: str, top: float, below: int, point: dict, text: dict) -> Rows:
    """A wait as a point with its words; one that leaves the frame is an arrow at its edge, with its number."""
    hours = wait / k.HOUR
    if hours <= top:
        return [marks.point(x, hours, **point), marks.label(x, hours, words, **text)]
    tone = {"tone": "bad", "role": "here"} if "role" in point else {"tone": "quiet"}
    arrow = marks.point(x, top, shape="triangle-up", size=150, **tone)
    return [arrow, marks.label(x, top, f"{words}: {f.duration(wait)} ↑", **LEFT | text | {"dy": below})]


def _said(guess: str | None) -> tuple[float, Rows]:
    """The visitor's answer, if it means a place: its hours, and its ring with words."""
    story, bought, eighty = (replace(Fleet(), **change) for change in ({}, say.cases["bought"], say.cases["eighty"]))
    wait = story.wait / k.HOUR
    # Beside the last two there is no room, at the left for “you are here” and the target, at the right for any words.
    places = {
        "a": (bought.load, 0.75 * wait, "25 % shorter", {"dx": -13}),
        "b": (story.load, 1.1 * eighty.wait / k.HOUR, "little more than at 80 %", {"dx": -4, "dy": -17}),
        "c": (story.load, wait, "several lengths", {"dx": -4, "dy": -17}),
    }
    if guess not in places:
        return -TOP, []
    x, hours, words, side = places[guess]
    ring = marks.point(x, hours, size=260, tone="paper", rim="quiet", rim_width=2)
    name = marks.label(x, hours, f"you said: {words}", align="right", tone="quiet", short="you said", **side)
    return hours, [ring, name]


@plane
def wait_spec(look: Look, top: float = TOP) -> tuple:
    """Mean wait against utilization: this fleet, the whole fleet as one server, target, and what rows say."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    across = alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 1.2]}")
    x = axes.x("utilization:Q", "utilization (busy share of the fleet)", [0, 1.2], format=".0%", values=across)
    y = axes.y("wait:Q", "mean wait (hours)", [0, top], tickCount=5)
    tips = [alt.Tooltip("utilization:Q", format=".1%"), alt.Tooltip("wait:Q", format=".3~g", title="wait (h)")]
    ends = {"orient": "horizontal", "size": 14, "thickness": 2, "opacity": 1}
    return (
        x,
        y,
        box("beyond", "bad", x2=alt.datum(1.2), y=alt.value(0), y2=alt.value("height"), opacity=0.1),
        line("target", "good", (8, 4)),
        line("one", "quiet", (6, 3), tooltip=tips),
        line("curve", tooltip=tips),
        upright("goal", "good", (8, 4)),
        upright("overload", "bad", ()),
        line("interval", "ink", width=2),
        lambda base, look: base.transform_filter(only("interval")).mark_tick(color=look.ink, **ends),
    )
