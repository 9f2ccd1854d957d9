"""Scheduling policy, going further: policies against both targets."""

from collections.abc import Mapping
from dataclasses import replace

from lessons.scheduling_policy.settings import FOUR, HOUR, Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Reach
from ui.charts import Look, axes, level, marks, plane, stack, upright
from ui.page import shell

#: Ends of the axis of training's wait [h].
LEFT, RIGHT = 5.0, 300.0
TICKS = [5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000]
#: Where a name stands: px beside and below its point.
NAMED = {
    **{"Priority, EASY": (-11, 12), "Partitions": (-11, 0), "50 to 1": (11, 12), "200 to 1": (-11, 12)},
    **{"No quotas": (-11, 12), "Lent, reclaimed": (11, 0), "Own GPUs": (4, 24)},
}


def figure(scenario: Scenario, look: Look, end: float = RIGHT) -> Figure:
    """Return where the question's four policies lie on the message's jobs, and the present settings."""
    points = {name: replace(Scenario(), **changes) for name, changes in FOUR.values()}
    return plane_of("four", "Which policy meets both targets?", points, scenario, look, end)


def plane_of(
    name: str, title: str, points: Mapping[str, Scenario], scenario: Scenario, look: Look, end: float
) -> Figure:
    """Return the plane of both targets with some settings by name, and the present ones."""
    target, most = float(k.POLICY_INTERACTIVE_SHARE), float(k.POLICY_TRAINING_WAIT) / HOUR
    rows: list[dict[str, object]] = [
        {"kind": "target", "y": target},
        {"kind": "most", "x": most},
        marks.label(end, target, "95 % wanted", dx=-4, dy=9, tone="good"),
        marks.label(most, 0.02, "18 h", dx=4, tone="good"),
    ]
    for words, one in points.items():
        wait, (dx, dy) = one.training_wait / HOUR, NAMED.get(words, (11, 12))
        if wait <= end:
            rows.append(marks.point(max(wait, LEFT), one.in_time, size=90, tone="quiet"))
            rows.append(marks.label(max(wait, LEFT), one.in_time, words, tone="quiet", dx=dx, dy=dy))
    wait, at, words, shape = f.duration(scenario.training_wait), scenario.training_wait / HOUR, "you are here", "circle"
    reach = Reach(at, end)
    if at > end:
        at, words, shape = end, f"{words}: {wait} →", "triangle-right"
    elif at < LEFT:
        at, words, shape = LEFT, f"← {words}: {wait}", "triangle-left"
    align = "left" if at < 9 else "right" if at > 60 else "center"
    rows.append(marks.point(at, scenario.in_time, size=150, shape=shape, role="here"))
    above = -22 if 0 < target - scenario.in_time < 0.1 else -15  # over the target's line
    rows.append(marks.label(at, scenario.in_time, words, align=align, dy=above, bold=True, tone="accent"))
    drawn = stack(marks.renamed(rows, "wait", "share"))
    told = (f"{words} {f.share(one.in_time)} and {f.duration(one.training_wait)}" for words, one in points.items())
    alt = say("plane_chart", scenario, found="; ".join(told))
    return Figure(name, title, drawn, _spec(look, end), alt, reach=reach)


@plane
def _spec(look: Look, end: float) -> tuple:
    """Share of interactive jobs in time against training's mean wait."""
    ticks = {"values": [tick for tick in TICKS if tick <= end], "labelExpr": "datum.value + ' h'"}
    x = axes.x("wait:Q", "mean training wait (log scale)", [LEFT, end], type="log", **ticks)
    y = axes.y("share:Q", "interactive within 5 min", [0, 1.08], format="%", values=[0, 0.25, 0.5, 0.75, 1])
    return x, y, level("target", "good"), upright("most", "good")


def below(page: object, scenario: Scenario) -> None:
    """Draw the way to a log of one's own."""
    shell.link("pages/your_cluster.py", "Replay a log on Your cluster", ":material/history:")
