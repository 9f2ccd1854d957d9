"""Utilization trap, main chart: the mean wait against the utilization."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet, knee_of, say
from lessons.utilization_trap.verdict import metrics, remedies, verdict
from physics import constants as k
from physics.queueing import Replications, mgc
from ui import films
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Reach
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack
from ui.page.lesson_page import Page

__all__ = ["beside", "figure", "metrics", "remedies", "verdict"]

#: Top of the chart [h]: the longest target, and more than the director's jobs wait at 97 %.
TOP = float(k.TRAP_TARGET.high) / k.HOUR
#: Where the curve may be named, as shares of the frame's height; the best place first.
NAMED = (0.6, 0.4, 0.75)


def figure(
    fleet: Fleet,
    look: Look,
    guess: str | None = None,
    told: bool = False,
    found: object = None,
    end: float = TOP,
    playing: bool = False,
    small: bool = False,
) -> Figure:
    """The main chart up to a wait [h]: the visitor's guess, what was simulated, and the knee once it may be `told`.

    While the challenge is `playing` its goal is drawn, too; with `small` the curve of 8-GPU jobs.
    """
    title = "Mean wait in the long run"
    rows, words = wait_frame(fleet, guess, told, found, end, playing, small), alt_text(fleet, told)
    # The axis has the present utilization, the knob that before a purchase.
    grab = Grab("utilization", fleet.servers / fleet.servers_before)
    return Figure("wait", title, rows, wait_spec(look, end), words, ("curve",), grab, reach(fleet, end))


def beside(page: Page, fleet: Fleet) -> None:
    """Draw the day beside the chart: it answers the same knobs."""
    sent = day.sent(fleet, page.look)
    clock, at = f"trap/{sent['end']:g}", day.STANDS * sent["end"]
    films.play("trap_film_day", sent, page.look, clock, at, page.earning())


def reach(fleet: Fleet, end: float) -> Reach:
    """The highest wait that the chart speaks of [h]; infinite without a steady state."""
    return Reach(max(fleet.now.mean_wait, fleet.before.mean_wait if fleet.added else 0.0) / k.HOUR, end)


@lru_cache(maxsize=512)
def _curve(servers: int, scv: float) -> tuple[list[float], list[float]]:
    """Mean wait in job lengths over utilization, dense where it rises."""
    utilization = (1 - np.geomspace(1.0, 1e-3, 60)[1:]).tolist()
    return utilization, [mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in utilization]


def wait_frame(
    fleet: Fleet,
    guess: str | None = None,
    told: bool = False,
    found: Replications | None = None,
    top: float = TOP,
    playing: bool = False,
    small: bool = False,
) -> pa.Table:
    """Rows of the wait-against-utilization chart: utilization (fraction) and mean wait (hours), labels and points."""
    target, many = fleet.target / k.HOUR, max(1, (fleet.fleet + fleet.added) // 8)
    # The curve is named where neither “you are here” nor a guess stands, small jobs at the right unless this fleet's
    # are smaller.
    before = [fleet.before.mean_wait / k.HOUR / top] if fleet.added else []
    taken = [
        fleet.now.mean_wait / k.HOUR / top,
        *before,
        *(_guesses()[one][1] / top for one in {guess} & _guesses().keys()),
    ]
    named = next((at for at in NAMED if all(abs(at - other) > 0.12 for other in taken)), NAMED[-1])
    right = {"align": "left", "dx": 6} if many > fleet.servers else {}
    parts: list[Mapping[str, object]] = [
        {"kind": "beyond", "utilization": 1.0, "wait": top},
        {"kind": "target", "wait": target},
        *_line(fleet, "curve", fleet.servers, top),
        _label(fleet, fleet.servers, top, named, tone="accent", bold=True),
    ]
    if fleet.servers != 1:
        parts += [*_line(fleet, "one", 1, top), _label(fleet, 1, top, 0.94, "one job takes all", short="whole fleet")]
    if small and fleet.servers != many:
        parts += [
            *_line(fleet, "small", many, top),
            # In a higher frame the guesses, of a few hours, stand where the name does otherwise.
            _label(fleet, many, top, 0.2 if top == TOP else 0.75, "8-GPU jobs", short="8-GPU", **right),
        ]
    if playing and (goal := fleet.goal / (fleet.servers * fleet.gpus_per_job)) <= 1.2:
        side = {"align": "right", "dx": -4} if goal < 1 else {"dx": 4}
        parts.append({"kind": "goal", "utilization": goal})
        mark = marks.label(goal, top, f"{fleet.goal} GPUs busy", dy=28, tone="good", short=f"{fleet.goal} busy", **side)
        parts += marks.renamed([mark], "utilization", "wait")
    words, below = f"target {f.duration(fleet.target)}", 12 if target > 0.9 * top else -10
    rows = [
        marks.label(0, target, words, dx=6, dy=below, tone="good"),
        marks.label(1.2, 0, "overload", align="right", dx=-2, dy=-9, tone="bad"),
    ]
    if told:
        knee = f.share(fleet.knee)
        met = marks.label(fleet.knee, target, f"met up to {knee}", short=knee, dx=8, dy=below, tone="good")
        side = {"align": "right", "dx": -8} if fleet.knee > 0.4 else {}
        rows += [marks.point(fleet.knee, target, shape="diamond", size=90, tone="good"), met | side]
    rows += _said(guess) + _waits(fleet, top) + _simulated(fleet, found, top)
    if found is not None:
        ends = [min(max(end, 0.0) / k.HOUR, top) for end in (found.wait_low, found.wait_high)]
        parts.append({"kind": "interval", "utilization": [fleet.now.utilization] * 2, "wait": ends})
    if not fleet.now.stable:
        parts.append({"kind": "overload", "utilization": fleet.now.utilization})
    return stack([*parts, *marks.renamed(rows, "utilization", "wait")])


def _line(fleet: Fleet, kind: str, servers: int, highest: float) -> list[dict[str, object]]:
    """Rows of the curve of so many servers, up to where it leaves the frame."""
    top = highest * k.HOUR / fleet.job_length
    utilization, waits = _curve(servers, fleet.scv)
    inside = bisect_right(waits, top)
    x = [*utilization[:inside], knee_of(top, servers, fleet.scv)]
    y = [wait * fleet.job_length / k.HOUR for wait in waits[:inside]] + [highest]
    return [{"kind": [kind] * len(x), "utilization": x, "wait": y}]


def _label(
    fleet: Fleet, servers: int, top: float, height: float, words: str = "", **looks: object
) -> dict[str, object]:
    """The name of a curve, beside the place where it reaches a height."""
    x = knee_of(height * top * k.HOUR / fleet.job_length, servers, fleet.scv)
    looks = {"align": "right", "dx": -8, "tone": "quiet"} | looks
    row = marks.label(x, height * top, words or f"{f.count(fleet.gpus_per_job, 'GPU')} per job", **looks)
    return marks.renamed([row], "utilization", "wait")[0]


def _waits(fleet: Fleet, top: float) -> list[dict[str, object]]:
    """The present wait, and the one before a purchase."""
    rows = []
    if fleet.added and fleet.before.stable:
        ring = {"tone": "paper", "rim": "accent", "rim_width": 2}
        rows += _wait(fleet.before.utilization, fleet.before.mean_wait, "before the purchase", 27, ring, {}, top)
    if fleet.now.stable:
        dot = {"size": 130, "role": "here"}
        # Where the target's line would run through its words they stand above the line.
        near = abs(fleet.now.mean_wait - fleet.target) / k.HOUR < 0.06 * top
        text = {"bold": True} | ({"dy": -16, "dx": 0, "align": "center"} if near else {})
        rows += _wait(fleet.now.utilization, fleet.now.mean_wait, "you are here", 9, dot, text, top)
    else:
        x, words = min(fleet.now.utilization, 1.2), "you are here: no steady state"
        looks = {"align": "right", "dx": -8, "bold": True, "tone": "bad", "short": "you are here"}
        rows.append(marks.label(x, 0.8 * top, words, **looks))
    return rows


def _wait(
    x: float, wait: float, words: str, below: int, point: Mapping, text: Mapping, top: float
) -> list[dict[str, object]]:
    """A wait as a point with its words; one that leaves the frame is an arrow at its edge, with its number."""
    hours, looks = wait / k.HOUR, {"align": "right", "dx": -12} | text
    if hours <= top:
        return [marks.point(x, hours, **point), marks.label(x, hours, words, **looks)]
    tone = {"tone": "bad", "role": "here"} if "bold" in text else {"tone": "quiet"}
    arrow = marks.point(x, top, shape="triangle-up", size=150, **tone)
    return [arrow, marks.label(x, top, f"{words}: {f.duration(wait)} ↑", dy=below, **looks)]


def _simulated(fleet: Fleet, found: Replications | None, top: float) -> list[dict[str, object]]:
    """The simulated mean, at its own utilization, with the words on the other side of the curve's point."""
    if found is None:
        return []
    x, hours, text = fleet.now.utilization, found.mean_wait / k.HOUR, {"align": "left", "dx": 12, "bold": True}
    if hours > top:
        return [marks.label(x, top, f"simulated: {f.duration(found.mean_wait)} ↑", dy=9, **text)]
    square = marks.point(x, hours, shape="square", size=40, tone="ink", rim_width=1)
    return [square, marks.label(x, hours, "simulated", short="sim.", **text)]


def _said(guess: str | None) -> list[dict[str, object]]:
    """The visitor's own answer as a ring: the wait of the director's jobs that it means."""
    if guess not in _guesses():
        return []
    x, hours, words, above = _guesses()[guess]
    side = {"align": "right", "dx": -4, "dy": -17} if above else {"align": "right", "dx": -13}
    ring = marks.point(x, hours, size=260, tone="paper", rim="quiet", rim_width=2)
    return [ring, marks.label(x, hours, f"you said: {words}", tone="quiet", short="you said", **side)]


@lru_cache(maxsize=8)
def _guesses() -> dict[str, tuple[float, float, str, bool]]:
    """Utilization, hours and words of the options that mean a place, all of the director's own case.

    Beside the last two there is no room, at the left for “you are here” and the target, at the right for any words:
    they are named above.
    """
    director = Fleet()
    bought = replace(director, added=int(k.TRAP_REQUESTED)).now.utilization
    wait, eighty = director.now.mean_wait / k.HOUR, replace(director, utilization=0.8).now.mean_wait / k.HOUR
    return {
        "a": (bought, 0.75 * wait, "25 % shorter", False),
        "b": (director.utilization, 1.1 * eighty, "little more than at 80 %", True),
        "c": (director.utilization, wait, "several lengths", True),
    }


@lru_cache(maxsize=32)
def wait_spec(look: Look, top: float = TOP) -> dict:
    """Mean wait against utilization: this fleet, two others faintly, target, and what rows of marks say."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    x = axes.x(
        "utilization:Q",
        "utilization (busy share of the fleet)",
        [0, 1.2],
        format=".0%",
        values=alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 1.2]}"),
    )
    y = axes.y("wait:Q", "mean wait (hours)", [0, top], tickCount=5)
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("utilization:Q", format=".1%"), alt.Tooltip("wait:Q", format=".3~g", title="wait (h)")]

    def part(kind: str) -> alt.Chart:
        return base.transform_filter(only(kind))

    drawn = base.encode(order="utilization:Q", tooltip=tips)
    ends = {"orient": "horizontal", "size": 14, "thickness": 2, "opacity": 1}
    layers = [
        part("beyond").mark_rect(color=look.bad, opacity=0.1).encode(x2=alt.datum(1.2), y2=alt.datum(0)),
        part("target")
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x=alt.datum(0), x2=alt.datum(1)),
        marks.ghosts(base, look, "utilization:Q"),
        marks.line(drawn, "one", look.quiet, 1.5, [6, 3]),
        marks.line(drawn, "small", look.quiet, 1.5, [2, 2]),
        marks.line(drawn, "curve", look.accent, look.stroke),
        part("goal")
        .mark_rule(color=look.good, strokeWidth=1.5, strokeDash=[8, 4])
        .encode(x="utilization:Q", y=alt.value(0), y2=alt.value("height")),
        part("overload")
        .mark_rule(color=look.bad, strokeWidth=3)
        .encode(x="utilization:Q", y=alt.value(0), y2=alt.value("height")),
        part("interval").mark_line(color=look.ink, strokeWidth=2),
        part("interval").mark_tick(color=look.ink, **ends),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def alt_text(fleet: Fleet, told: bool = False) -> str:
    """The main chart in one sentence with its numbers."""
    met = "knee_told" if told else "target_is_met" if fleet.on_target else "target_is_missed"
    state = say("chart_wait" if fleet.now.stable else "chart_no_steady_state", fleet)
    return say("wait_chart", fleet, state=state, met=say(met, fleet))
