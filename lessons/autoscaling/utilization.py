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

#: End of what is drawn, and of the axis with room for the names of the lines [min]; top of the
#: frame [1].
END = STRETCH / k.MINUTE
RIGHT = 47.0
TOP = 1.12
#: Room that the name of a number of replicas needs [min].
ROOM = 2.0
#: Changes from which the picture itself shows the fleet going back and forth.
SEEN = 3


def figure(fleet: Fleet, look: Look, guess: str | None = None) -> Figure:
    """Chart of the measured utilization, with the runs at other positions of either threshold."""
    title = "Measured utilization: drag a threshold"
    lines = thresholds(fleet)
    parts = _guessed(guess)
    for at, line in enumerate(lines):
        for low, high, other in outcomes(fleet, line):
            follows = {"line": at, "start": low, "stop": high}
            parts.append({"kind": "run"} | follows | _steps(other))
            parts += [count | follows for count in _counts(other)]
    text = say("chart_moves" if _is_slow(fleet) else f"chart_{fleet.state}", fleet)
    return Figure("utilization", title, stack(parts), _spec(look), text, ("run",), levels=lines)


def pinned(fleet: Fleet, look: Look) -> Figure:
    """Chart of a pinned run: only the line of its replicas."""
    return replace(figure(fleet, look), rows=stack([{"kind": "run"} | _steps(fleet)]))


def thresholds(fleet: Fleet) -> tuple[Level, Level]:
    """Both thresholds as draggable lines that keep a minimum distance."""
    gap = float(k.THRESHOLD_GAP)
    up = k.SCALE_UP_ABOVE
    down = k.SCALE_DOWN_BELOW
    return (
        Level("lower", fleet.lower, down.low, fleet.upper - gap, "remove below ", "↓ "),
        Level(
            "upper",
            fleet.upper,
            max(fleet.lower + gap, up.low),
            up.high,
            "add above ",
            "↑ ",
        ),
    )


@lru_cache(maxsize=64)
def outcomes(fleet: Fleet, line: Level) -> list[tuple[float, float, Fleet]]:
    """Distinct runs over one threshold's range: its lowest and highest value for each, and a fleet.

    A run compares the threshold with the utilizations that it measures, so it is the same for every
    threshold between the same two of these.
    """
    runs = []
    at = round(100 * line.least)
    last = round(100 * line.most)
    while at <= last:
        other = replace(fleet, **{line.knob: at / 100})
        seen = 100 * other.run["utilization"].to_numpy()
        beyond = float(seen[seen >= at - 1e-6].min(initial=last + 1))
        # What is as high as a threshold is neither below nor above it.
        if line.knob == "lower":
            end = math.floor(beyond + 1e-6)
        else:
            end = math.ceil(beyond - 1e-6) - 1
        end = max(at, min(end, last))
        runs.append(((at - 0.5) / 100, (end + 0.5) / 100, other))
        at = end + 1
    return runs


@lru_cache(maxsize=256)
def _steps(fleet: Fleet) -> dict[str, object]:
    """Utilization over time; shared, not to be changed."""
    return stepped(fleet.run["utilization"].to_numpy(), k.MINUTE, END)


@lru_cache(maxsize=256)
def _counts(fleet: Fleet) -> list[dict[str, object]]:
    """How many replicas there are, named where they are ready for the first time, as far as there
    is room; shared.
    """
    counts = []
    free = 0.0
    for row in fleet.run.drop_duplicates("ready").itertuples():
        time = row.time / k.MINUTE
        if time >= free:
            label = f.count(row.ready, "replica")
            counts.append({"kind": "count", "x": time, "y": row.utilization, "label": label})
            free = time + ROOM
    return counts


def _guessed(guess: str | None) -> list[dict[str, object]]:
    """What an answer says of the message's case, as a broad line."""
    story = Fleet()
    start = (k.HPA_SYNC + story.cold_start) / k.MINUTE
    load = story.base
    # Beside each line where no other answer of a class has its words.
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
    """Utilization over time; of all runs the browser draws that of where the lines are."""
    x = axes.x("x:Q", "time (minutes)", [0, RIGHT], values=[0, 5, 10, 15, 20, 25, 30])
    y = axes.y(
        "y:Q", "measured utilization", [0, TOP], format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]
    )
    base = alt.Chart().encode(x=x, y=y)
    # Away from the nearer line: outside of both farther out, between them farther in.
    lower, upper = PLACES
    between = f"({lower} <= datum.y && datum.y <= {upper})"
    away = {"expr": f"(datum.y < ({lower} + {upper}) / 2) === {between} ? -9 : 13"}
    text = {"align": "left", "dx": 5, "dy": away, "fontWeight": "bold", "fontSize": look.text_size}
    text |= {"color": look.accent} | halo_of(look.paper)
    counts = base.transform_filter(only("count")).transform_filter(FOLLOWS)
    layers = [
        # In a class there may be several.
        steps("guess", "quiet", width=9, opacity=0.35)(base, look).encode(detail="said:N"),
        marks.ghosts(base, look, "x:Q", interpolate="step-after", clip=True),
        steps("run", "accent", width=look.stroke)(base, look).transform_filter(FOLLOWS),
        counts.mark_text(**text).encode(text="label:N"),
        marks.labels(base, look),
    ]
    return with_levels(specification(alt.layer(*layers), look, 300), look, END)


def _is_slow(fleet: Fleet) -> bool:
    """Whether the fleet oscillates, but too slowly to be seen in half an hour."""
    return fleet.state == "swings" and fleet.changes < SEEN


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
