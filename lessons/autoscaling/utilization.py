"""Autoscaling, main chart: measured utilization over time, with both thresholds."""

import math
from dataclasses import replace
from functools import lru_cache

import altair as alt

from lessons.autoscaling.following import stepped, steps
from lessons.autoscaling.settings import STRETCH, Fleet, say
from physics import constants as k
from physics.autoscaling.rules import ROUNDING
from ui.base import format as f
from ui.base.lesson import Figure, Level, Outcome, View, verdict_of
from ui.charts import Look, axes, marks, only, specification, stack
from ui.charts.layers import halo_of
from ui.charts.levels import FOLLOWS, PLACES, with_levels

#: End of the lines, and of the axis with room for their names [min]; top of the frame [1].
END = STRETCH / k.MINUTE
RIGHT = 47.0
TOP = 1.12
#: Room for a number of replicas [min].
ROOM = 2.0
#: Fewest changes with which the picture itself shows an oscillation.
MIN_CHANGES = 3


def figure(fleet: Fleet, look: Look, guess: str | None = None) -> Figure:
    """Chart of the measured utilization, with the runs at other positions of either threshold."""
    title = "Measured utilization: drag a threshold"
    lines = thresholds(fleet)
    rows = _guess_rows(guess)
    for number, line in enumerate(lines):
        for low, high, other in outcomes(fleet, line):
            follows = {"line": number, "start": low, "stop": high}
            rows.append({"kind": "run"} | follows | _steps(other))
            rows += [count | follows for count in _counts(other)]
    text = say("chart_moves" if _is_slow(fleet) else f"chart_{fleet.state}", fleet)
    return Figure("utilization", title, stack(rows), _spec(look), text, ("run",), levels=lines)


def pinned(fleet: Fleet, look: Look) -> Figure:
    """Chart of a pinned run: only the line of its replicas."""
    return replace(figure(fleet, look), rows=stack([{"kind": "run"} | _steps(fleet)]))


def thresholds(fleet: Fleet) -> tuple[Level, Level]:
    """Both thresholds as draggable lines that keep a minimum distance."""
    gap = float(k.THRESHOLD_GAP)
    up = k.SCALE_UP_ABOVE
    least_up = max(fleet.lower + gap, up.low)
    least_down = k.SCALE_DOWN_BELOW.low
    return (
        Level("lower", fleet.lower, least_down, fleet.upper - gap, "remove below ", "↓ "),
        Level("upper", fleet.upper, least_up, up.high, "add above ", "↑ "),
    )


@lru_cache(maxsize=64)
def outcomes(fleet: Fleet, line: Level) -> list[tuple[float, float, Fleet]]:
    """Distinct runs over one threshold's range: its lowest and highest value for each, and a fleet.

    A run compares the threshold with the utilizations that it measures, so it is the same for every
    threshold between the same two of these.
    """
    runs = []
    start = round(100 * line.least)  # thresholds in whole percent
    last = round(100 * line.most)
    while start <= last:
        other = replace(fleet, **{line.knob: start / 100})
        measured = 100 * other.run["utilization"].to_numpy()
        next_measured = float(measured[measured >= start - 1e-6].min(initial=last + 1))
        # A utilization that equals a threshold is neither below nor above it.
        if line.knob == "lower":
            end = math.floor(next_measured + 1e-6)
        else:
            end = math.ceil(next_measured - 1e-6) - 1
        end = max(start, min(end, last))
        runs.append(((start - 0.5) / 100, (end + 0.5) / 100, other))
        start = end + 1
    return runs


@lru_cache(maxsize=256)
def _steps(fleet: Fleet) -> dict[str, object]:
    """Utilization over time; cached, so do not modify it."""
    return stepped(fleet.run["utilization"].to_numpy(), k.MINUTE, END)


@lru_cache(maxsize=256)
def _counts(fleet: Fleet) -> list[dict[str, object]]:
    """Numbers of replicas at the times when they are first ready, where there is room.

    Cached, so do not modify the rows.
    """
    counts = []
    end_of_text = 0.0
    for row in fleet.run.drop_duplicates("ready").itertuples():
        time = row.time / k.MINUTE
        if time >= end_of_text:
            label = f.count(row.ready, "replica")
            counts.append({"kind": "count", "x": time, "y": row.utilization, "label": label})
            end_of_text = time + ROOM
    return counts


def _guess_rows(guess: str | None) -> list[dict[str, object]]:
    """Draw the run that an answer predicts in the message's case as a broad line."""
    story = Fleet()
    start = (k.HPA_SYNC + story.cold_start) / k.MINUTE
    load = story.base
    # A line, and the position of its words where a class's other answers have none: the share of
    # the time, the height, and the distance from it [pixels].
    lines = {
        "a": ({"x": [0.0, start, END], "y": [load, load / 2, load / 2]}, 0.74, load / 2, 18),
        "b": (_steps(story), 0.45, load, -16),
        "c": (_steps(replace(story, cool_down_down=0.0)), 0.74, load, -16),
        "d": ({"x": [0.0, END], "y": [load, load]}, 0.74, load, 18),
    }
    if guess not in lines:
        return []
    line, along, height, dy = lines[guess]
    style = {"dy": dy, "tone": "quiet", "bold": True, "short": "you said", "align": "center"}
    words = f"you said: {say(f'guess_{guess}', story)}"
    return [{"kind": "guess"} | line, marks.label(along * END, height, words, **style)]


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Specification: of all runs, the browser draws the one for the current thresholds."""
    x = axes.x("x:Q", "time (minutes)", [0, RIGHT], values=[0, 5, 10, 15, 20, 25, 30])
    y = axes.y(
        "y:Q", "measured utilization", [0, TOP], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]
    )
    base = alt.Chart().encode(x=x, y=y)
    # A label moves away from the nearer threshold.
    lower, upper = PLACES
    between = f"({lower} <= datum.y && datum.y <= {upper})"
    away = {"expr": f"(datum.y < ({lower} + {upper}) / 2) === {between} ? -9 : 13"}
    text = {"align": "left", "dx": 5, "dy": away, "fontWeight": "bold", "fontSize": look.text_size}
    text |= {"color": look.accent} | halo_of(look.paper)
    counts = base.transform_filter(only("count")).transform_filter(FOLLOWS)
    layers = [
        # A class's votes may draw several of these lines.
        steps("guess", "quiet", width=9, opacity=0.35)(base, look).encode(detail="said:N"),
        marks.ghosts(base, look, "x:Q", interpolate="step-after", clip=True),
        steps("run", "accent", width=look.stroke)(base, look).transform_filter(FOLLOWS),
        counts.mark_text(**text).encode(text="label:N"),
        marks.labels(base, look),
    ]
    return with_levels(specification(alt.layer(*layers), look, 300), look, END)


def _is_slow(fleet: Fleet) -> bool:
    """Whether the fleet oscillates, but too slowly to be seen in half an hour."""
    return fleet.state == "swings" and fleet.changes < MIN_CHANGES


@verdict_of(say)
def verdict(fleet: Fleet) -> Outcome:
    """Return the verdict on whether the fleet settles."""
    if _is_slow(fleet):
        return "swings_slowly", False
    if fleet.state == "rests" and not fleet.changes:
        return "stays", True
    return fleet.state, {"swings": False, "rests": True, "moves": None}[fleet.state]


@verdict_of(say)
def judge(fleet: Fleet) -> Outcome:
    """Return the verdict on the challenge: won, or the first of three goals that is missed."""
    if fleet.upper > k.SCALE_UP_ABOVE * (1 + ROUNDING):
        return "too_busy", False
    if fleet.counterexample is not None:
        return "still_swings", False
    if fleet.lower < k.SCALE_UP_ABOVE / 2 * (1 - ROUNDING):
        return "too_idle", False
    return "won", True


def remedies(fleet: Fleet) -> str:
    """Return a sentence: below which lower threshold this load settles, and below which all do."""
    if not fleet.swing:
        return ""
    # In whole percent, as the knob has them.
    return say("remedies", fleet, enough=f"{math.floor(100 * fleet.fleets['larger_busy'] + 1e-9)}%")


view = View("utilization", figure=figure, verdict=verdict, remedies=remedies, pinned=pinned)
