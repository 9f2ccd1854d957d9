"""Scheduling policy, going further: policies against both targets."""

import math
from collections.abc import Mapping
from dataclasses import replace

from lessons.scheduling_policy.settings import FOUR, HOUR, Scenario, hours, percent, say
from physics import constants as k
from ui.base.lesson import Figure, Reach
from ui.charts import axes, marks
from ui.charts.look import Look, stack
from ui.charts.plane import level, plane, upright
from ui.page import shell

#: Ends of the axis of training's wait [h].
LEFT, RIGHT = 5.0, 300.0
TICKS = [5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000]
#: Where a name stands: side, and px below its point.
NAMED = {"a": ("left", 0), "b": ("left", 12), "c": ("right", 12), "d": ("right", 0)}


def figure(scenario: Scenario, look: Look, guess: str | None = None, end: float = RIGHT) -> Figure:
    """Return where the question's four policies lie on the message's jobs, and the present settings."""
    points = {answer: (name, replace(Scenario(), **changes)) for answer, (name, changes) in FOUR.items()}
    return plane_of("four", points, scenario, look, guess, end, "Which policy meets both targets?")


def plane_of(
    name: str,
    points: Mapping[str, tuple[str, Scenario]],
    scenario: Scenario,
    look: Look,
    guess: str | None,
    end: float,
    title: str,
) -> Figure:
    """Return the plane of both targets with some settings by name, the guess among them, and the present ones."""
    target, most = float(k.POLICY_INTERACTIVE_SHARE), float(k.POLICY_TRAINING_WAIT) / HOUR
    rows: list[dict[str, object]] = [
        {"kind": "target", "y": target},
        {"kind": "most", "x": most},
        marks.label(LEFT, target, "95 % wanted", dx=4, dy=9, tone="good"),
        marks.label(most, 0.02, "18 h", dx=4, tone="good"),
    ]
    told = []
    for answer, (words, one) in points.items():
        wait, share, mine = one.training_wait / HOUR, one.in_time, answer == guess
        told.append(f"{words} {percent(share)} and {hours(one.training_wait)}")
        if not (wait <= end and share >= 0):
            continue
        shape = "diamond" if mine else "circle"
        rows.append(marks.point(max(wait, LEFT), share, size=170 if mine else 90, shape=shape, tone="quiet"))
        side, below = NAMED.get(answer, ("left", 0))
        looks = {"align": side, "dx": 11 if side == "left" else -11, "dy": below, "bold": mine, "tone": "quiet"}
        rows.append(marks.label(max(wait, LEFT), share, f"{words}: you said" if mine else words, **looks))
    rows += _here(scenario, end)
    words = say("plane_chart", scenario, found="; ".join(told))
    reach = Reach(scenario.training_wait / HOUR, end)
    rows = marks.renamed(rows, "wait", "share")
    return Figure(name, title, stack(rows), _spec(look, end), words, reach=reach)


def _here(scenario: Scenario, end: float) -> list[dict[str, object]]:
    """Return the point of the present settings; beyond the frame it is an arrow at the edge, with its number."""
    wait, share = scenario.training_wait / HOUR, scenario.in_time
    words, shape, at = "you are here", "circle", wait
    if math.isnan(share):
        share, words = 0.0, f"{words}: no interactive jobs"
    if math.isnan(wait):
        at, words, shape = end, f"{words}: no training job starts", "triangle-right"
    elif wait > end:
        at, words, shape = end, f"{words}: {hours(scenario.training_wait)} →", "triangle-right"
    elif wait < LEFT:
        at, words, shape = LEFT, f"← {words}: {hours(scenario.training_wait)}", "triangle-left"
    align = "left" if at < 9 else "right" if at > 60 else "center"
    return [
        marks.point(at, share, size=150, shape=shape, role="here"),
        marks.label(at, share, words, align=align, dy=-15, bold=True, tone="accent"),
    ]


@plane
def _spec(look: Look, end: float) -> tuple:
    """Share of interactive jobs in time against training's mean wait."""
    ticks = [tick for tick in TICKS if tick <= end]
    x = axes.x(
        "wait:Q", "mean training wait (log scale)", [LEFT, end], type="log", values=ticks,
        labelExpr="datum.value + ' h'",
    )  # fmt: skip
    y = axes.y("share:Q", "interactive within 5 min", [0, 1.08], format="%", values=[0, 0.25, 0.5, 0.75, 1])
    return x, y, level("target", "good"), upright("most", "good")


def words(scenario: Scenario) -> str:
    """Return what is drawn."""
    return say("four_words", scenario)


def below(page: object, scenario: Scenario) -> None:
    """Draw the way to a log of one's own."""
    shell.link("pages/your_cluster.py", "Replay a log on Your cluster", ":material/history:")
