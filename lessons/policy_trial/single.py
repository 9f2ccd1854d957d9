"""Policy trial, second act: one trial week by week, its running means, and what the lead would keep."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.policy_trial import choices
from lessons.policy_trial.settings import WAYS, Trial, weeks
from lessons.policy_trial.weeks import NAMES
from physics import constants as k
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

MOST = int(k.TRIAL_WEEKS.high or 1)
#: Top of the chart [h]; no week is longer.
TOP = 400.0
TONES = {"fifo": "quiet", "strict": "s1", "easy": "accent"}


def weekly(trial: Trial) -> dict[str, np.ndarray]:
    """Weekly means of this trial by policy [s]. One after the other, each policy meets the jobs of another run."""
    found = choices.tables(trial.policies, trial.way)
    apart = choices.RUNS // len(found) if trial.way == "after" else 0
    runs = [(trial.number - 1 + place * apart) % choices.RUNS for place in range(len(found))]
    return {
        name: values[run, : trial.weeks] for name, values, run in zip(choices.names(trial), found, runs, strict=True)
    }


def kept(trial: Trial) -> str:
    """Which policy the lead keeps: the one with the lowest mean; "" where the lowest is shared."""
    means = {name: float(values.sum()) for name, values in weekly(trial).items()}
    lowest = [name for name, value in means.items() if value == min(means.values())]
    return lowest[0] if len(lowest) == 1 else ""


def told(trial: Trial) -> dict[str, str]:
    """The mean of each policy in this trial in words: two that differ never look alike."""
    means, digits = {name: float(values.mean()) for name, values in weekly(trial).items()}, 3
    while len({choices.hours(one, digits) for one in means.values()}) < len(set(means.values())):
        digits += 1
    return {name: choices.hours(one, digits) for name, one in means.items()}


def metrics(trial: Trial) -> list[Metric]:
    """The mean of each policy in this trial, and which one is kept."""
    rows = [
        Metric(NAMES[name], mean, f"long run: {choices.hours(choices.mean(name)[0])}")
        for name, mean in told(trial).items()
    ]
    chosen = kept(trial)
    note = "" if not chosen else "the best" if chosen == choices.BEST else "not the best"
    return [*rows, Metric("Lead keeps", NAMES[chosen] if chosen else "no choice", note or "a tie", good=_good(chosen))]


def _good(chosen: str) -> bool | None:
    return chosen == choices.BEST if chosen else None


def verdict(trial: Trial) -> Verdict:
    """Say what the lead would say, and what is true."""
    said = ", ".join(f"{choices.label(name)} {mean}" for name, mean in told(trial).items())
    start = f"Trial {trial.number}, {WAYS[trial.way].lower()}, {weeks(trial.weeks)} of each: {said}."
    chosen = kept(trial)
    if not chosen:
        return Verdict(f"{start} The lowest mean is shared: the lead cannot tell.", None)
    if chosen == choices.BEST:
        return Verdict(f"{start} The lead keeps {choices.label(chosen)}, and in the long run it is the best.", True)
    return Verdict(
        f"{start} The lead keeps {choices.label(chosen)}. In the long run {choices.label(choices.BEST)} is better: "
        f"{choices.hours(choices.mean(choices.BEST)[0])} against {choices.hours(choices.mean(chosen)[0])}.",
        False,
    )


def figure(trial: Trial, look: Look) -> Figure:
    """Weekly means as points, running means as lines."""
    return Figure("trial", "What does the lead see, week by week?", frame(trial), spec(look), alt_text(trial))


def frame(trial: Trial) -> pa.Table:
    """Rows: week of the trial, mean wait [h], by kind."""
    parts, means = [], told(trial)
    at = np.arange(1, trial.weeks + 1)
    for place, (name, values) in enumerate(weekly(trial).items()):
        hours = values / k.HOUR
        running = np.cumsum(hours) / at
        parts.append({"kind": f"week {name}", "x": at, "y": hours})
        parts.append({"kind": f"mean {name}", "x": at, "y": running})
        words = f"{NAMES[name]}: {means[name]} so far"
        parts.append(marks.label(0.6, (390, 320, 256)[place], words, tone=TONES[name], bold=name == kept(trial)))
    return stack(parts)


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Points and lines for up to three policies; a square-root axis, on which calm and bad weeks can both be read."""
    x = axes.x("x:Q", "week of each policy's trial", [0, MOST + 0.5], values=[1, 4, 8, 12, 16, 20, 26])
    y = axes.y("y:Q", "mean wait of training (h)", [0, TOP], type="sqrt", values=[0, 10, 25, 50, 100, 200, 400])
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("x:Q", title="week"), alt.Tooltip("y:Q", format=".1f", title="hours")]
    colors = {
        "fifo": (look.quiet, "square"),
        "strict": (look.series[1], "triangle-up"),
        "easy": (look.accent, "circle"),
    }
    layers = []
    for name, (color, shape) in colors.items():
        points = base.transform_filter(only(f"week {name}"))
        layers.append(points.mark_point(filled=True, shape=shape, size=55, color=color).encode(tooltip=tips))
    for name, (color, _) in colors.items():
        lines = base.transform_filter(only(f"mean {name}"))
        layers.append(lines.mark_line(color=color, strokeWidth=look.stroke).encode(order="x:Q", tooltip=tips))
    return specification(alt.layer(*layers, marks.labels(base, look)), look)


def alt_text(trial: Trial) -> str:
    """The chart in one sentence with its numbers."""
    said = ", ".join(f"{choices.label(name)} {mean}" for name, mean in told(trial).items())
    return f"Mean wait of training in each of {weeks(trial.weeks)} of trial {trial.number}; means so far: {said}."


def words(trial: Trial) -> str:
    """What the weeks are."""
    if trial.way == "after":
        return (
            "Each policy is shown on weeks of a run of its own, as if its weeks were long after the other's. Straight "
            "after the other policy it would also inherit the other's queue."
        )
    if trial.way == "turns":
        return "One fleet, another policy every Monday: jobs that run go on, jobs that wait stay in the queue."
    return "The same jobs under each policy, week for week: in a simulator a week can be had twice."
