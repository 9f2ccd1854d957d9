"""Utilization trap, first picture: the mean wait against the utilization beside one stretch of the fleet."""

from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

import altair as alt
import numpy as np

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import TIE, Fleet, knee_of, say
from physics import constants as k
from physics.queueing import Replications, mgc
from ui import films
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Reach, Verdict
from ui.charts import NARROW, Look, axes, box, line, marks, only, plane, stack, upright
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Top of the chart [h]: the longest target, and more than the director's jobs wait at 97 %.
TOP = float(k.TRAP_TARGET.high) / k.HOUR
#: Looks of words at the left of a point.
LEFT = {"dx": -12}
#: Knobs that are tried first, and those that are tried where none of them helps.
NEAREST, FARTHER = ("utilization", "added", "gpus_per_job"), ("fleet", "job_length", "scv")
#: GPUs of the largest job for which a position of the sliders meets both goals of the challenge; a test tries all.
LARGEST = 73
#: So many GPUs from it at most the challenge says that it is near.
NEAR = 5
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
    target, below = fleet.target / k.HOUR, 12 if fleet.target > 0.9 * end * k.HOUR else -10
    hours = fleet.job_length / k.HOUR
    x, y = _curve(fleet.servers, fleet.scv, end / hours)
    parts: Rows = [
        {"kind": "beyond", "utilization": 1.0},
        {"kind": "target", "utilization": [0, 1], "wait": [target] * 2},
        {"kind": "curve", "utilization": x, "wait": [wait * hours for wait in y]},
    ]
    rows = [
        *_said(guess),
        marks.label(0, target, f"target {f.duration(fleet.target)}", dx=6, dy=below, tone="good"),
        marks.label(1.2, 0, "overload", dx=-2, dy=-9, tone="bad"),
    ]
    if playing and (goal := fleet.goal / (fleet.servers * fleet.gpus_per_job)) <= 1.2:
        parts.append({"kind": "goal", "utilization": goal})
        text, short = f"{fleet.goal} GPUs busy", f"{fleet.goal} busy"
        rows.append(marks.label(goal, end, text, dx=-4 if goal < 1 else 4, dy=28, tone="good", short=short))
    if told:
        met, dx = f.share(fleet.knee), -8 if fleet.knee > 0.4 else 8
        rows.append(marks.point(fleet.knee, target, shape="diamond", size=90, tone="good"))
        rows.append(marks.label(fleet.knee, target, f"met up to {met}", short=met, dx=dx, dy=below, tone="good"))
    rows += _waits(fleet, end)
    if not fleet.now.stable:
        parts.append({"kind": "overload", "utilization": fleet.load})
    if found is not None:
        ends = [min(max(one, 0.0) / k.HOUR, end) for one in (found.wait_low, found.wait_high)]
        parts.append({"kind": "interval", "utilization": [fleet.load] * 2, "wait": ends})
        looks = {"size": 40, "shape": "square", "tone": "ink", "rim_width": 1}
        rows += _wait(fleet.load, found.mean_wait, "simulated", end, 9, looks, {"dx": 12, "bold": True})
    # The axis has the present utilization, the knob that before a purchase.
    grab = Grab("utilization", fleet.servers / fleet.servers_before)
    reach = Reach(max(fleet.wait, fleet.before.mean_wait if fleet.added else 0.0) / k.HOUR, end)
    drawn = stack([*parts, *marks.renamed(rows, "utilization", "wait")])
    return Figure("wait", "Mean wait in the long run", drawn, wait_spec(look, end), words, ("curve",), grab, reach)


def beside(page: object, fleet: Fleet) -> None:
    """Draw the fleet beside the chart: it answers the same knobs."""
    sent = day.sent(fleet)
    films.play("trap_film_day", sent, page.look, f"trap/{sent['end']:g}", day.STANDS * sent["end"], page.earning())


@lru_cache(maxsize=512)
def _curve(servers: int, scv: float, top: float) -> tuple[list[float], list[float]]:
    """Utilization and mean wait in job lengths up to a wait, dense where it rises."""
    edge = knee_of(top, servers, scv)
    utilization = (edge * (1 - np.geomspace(1.0, 1e-3, 60)[1:])).tolist()
    return [*utilization, edge], [*(mgc(rho * servers, 1.0, servers, scv).mean_wait for rho in utilization), top]


def _waits(fleet: Fleet, top: float) -> Rows:
    """The present wait, and the one before a purchase."""
    rows: Rows = []
    if fleet.servers > fleet.servers_before and fleet.before.stable:
        ring = {"tone": "paper", "rim": "accent", "rim_width": 2}
        rows += _wait(fleet.before.utilization, fleet.before.mean_wait, "before the purchase", top, 27, ring, LEFT)
    if not fleet.now.stable:
        looks = LEFT | {"bold": True, "tone": "bad", "short": "you are here"}
        return [*rows, marks.label(min(fleet.load, 1.2), 0.8 * top, "you are here: no steady state", **looks)]
    # Where the target's line would run through its words they stand above the line.
    near = abs(fleet.wait - fleet.target) / k.HOUR < 0.06 * top
    text = {"bold": True} | LEFT | ({"dx": -6, "dy": -12} if near else {})
    here = {"size": 130, "role": "here"}
    return rows + _wait(fleet.load, fleet.wait, "you are here", top, 9, here, text, fleet.target * near)


def _wait(x: float, wait: float, words: str, top: float, below: int, point: dict, text: dict, least: float = 0) -> Rows:
    """A wait as a point with its words; one that leaves the frame is an arrow at its edge, with its number."""
    hours = wait / k.HOUR
    if hours <= top:
        return [marks.point(x, hours, **point), marks.label(x, max(wait, least) / k.HOUR, words, **text)]
    tone = {"tone": "bad", "role": "here"} if "role" in point else {"tone": "quiet"}
    arrow = marks.point(x, top, shape="triangle-up", size=150, **tone)
    return [arrow, marks.label(x, top, f"{words}: {f.duration(wait)} ↑", **LEFT | text | {"dy": below})]


def _said(guess: str | None) -> Rows:
    """The visitor's answer, if it means a place: its ring with words."""
    story, bought, eighty = (replace(Fleet(), **change) for change in ({}, say.cases["bought"], say.cases["eighty"]))
    wait = story.wait / k.HOUR
    places = {
        "a": (bought.load, 0.75 * wait, "25 % shorter"),
        "b": (story.load, 1.1 * eighty.wait / k.HOUR, "little more than at 80 %"),
        "c": (story.load, wait, "several lengths"),
    }
    if guess not in places:
        return []
    x, hours, words = places[guess]
    ring = marks.point(x, hours, size=260, tone="paper", rim="quiet", rim_width=2)
    # Above: at the left is no room beside “you are here” and the target.
    return [ring, marks.label(x, hours, f"you said: {words}", dx=-4, dy=-17, tone="quiet", short="you said")]


@plane
def wait_spec(look: Look, top: float = TOP) -> tuple:
    """Mean wait against utilization: this fleet, target, and what rows say."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    across = alt.ExprRef(f"{NARROW} ? {ticks} : {[*ticks, 1.2]}")
    x = axes.x(
        "utilization:Q", "utilization (busy share of the places for jobs)", [0, 1.2], format=".0%", values=across
    )
    y = axes.y("wait:Q", "mean wait (hours)", [0, top], tickCount=5)
    tips = [alt.Tooltip("utilization:Q", format=".1%"), alt.Tooltip("wait:Q", format=".3~g", title="wait (h)")]
    ends = {"orient": "horizontal", "size": 14, "thickness": 2, "opacity": 1}
    return (
        x,
        y,
        box("beyond", "bad", x2=alt.datum(1.2), y=alt.value(0), y2=alt.value("height"), opacity=0.1),
        line("target", "good", (8, 4)),
        line("curve", tooltip=tips),
        upright("goal", "good", (8, 4)),
        upright("overload", "bad", ()),
        line("interval", "ink", width=2),
        lambda base, look: base.transform_filter(only("interval")).mark_tick(color=look.ink, **ends),
    )


def metrics(fleet: Fleet) -> list[Metric]:
    """The four headline numbers: of the long run, with the chosen stretch's own beside one."""
    gpus, jobs = "of_gpus_left" if fleet.left_over else "of_gpus", "bought_room" if fleet.added else "of_each"
    return [
        Metric("Mean wait, long run", f.duration(fleet.wait), say("against_target", fleet), fleet.on_target),
        Metric(
            "Jobs waiting, long run", f.significant(fleet.now.mean_in_queue), say("in_day", fleet, **day.told(fleet))
        ),
        Metric("GPUs busy", f.significant(fleet.busy_gpus, 4), say(gpus, fleet)),
        Metric("Jobs at once", f.significant(fleet.servers, 4), say(jobs, fleet)),
    ]


def verdict(fleet: Fleet) -> Verdict:
    """Name the bottleneck, or what a purchase has changed."""
    if not fleet.now.stable:
        return Verdict(say("overload" if fleet.load > 1 + TIE else "full", fleet), False)
    more = "bought_some" if fleet.servers > fleet.servers_before else "bought_none"
    name = more if fleet.added else "on_target" if fleet.on_target else "off_target"
    return Verdict(say(name, fleet), fleet.on_target)


def remedies(fleet: Fleet) -> str:
    """List the smallest change of each knob that meets the target by itself: load, purchase and job size first."""
    if fleet.on_target:
        return ""
    meets = attrgetter("on_target")
    found = search.remedies(fleet, meets, NEAREST) or search.remedies(fleet, meets, FARTHER)
    return say("remedies", fleet, found=search.listed(found)) if found else say("no_remedy", fleet)


def judge(fleet: Fleet) -> Verdict:
    """Say how far a fleet has come in the challenge."""
    if labels := moved(fleet, ("gpus_per_job", "utilization")):
        return Verdict(say("reset_first", fleet, labels=", ".join(labels)))
    if fleet.busy < fleet.goal - TIE:
        return Verdict(say("too_few_busy", fleet), False)
    if not fleet.on_target:
        return Verdict(say("too_long", fleet), False)
    won = fleet.gpus_per_job == LARGEST
    larger = "slightly larger" if LARGEST - fleet.gpus_per_job <= NEAR else "larger"
    return Verdict(say("won" if won else "larger_jobs_can", fleet, larger=larger), won or None)
