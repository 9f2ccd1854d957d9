"""Policy trial, third act: for how many weeks policies have to be tried."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, weeks
from physics import constants as k
from physics.experiments import WEEK, weeks_needed
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, specification, stack

LOW, HIGH = float(k.TRIAL_DIFFERENCE.low or 1) / k.HOUR, float(k.TRIAL_DIFFERENCE.high or 1) / k.HOUR
FLOOR, TOP = 1.0, 1e6
#: Said with every number of weeks.
HALF = "At this number of weeks a true difference of that size is found only half of the time."


def spread(trial: Trial) -> tuple[float, float]:
    """Variance of a week [s²] and correlation of weeks [1] that belong to the way of the trial.

    Replayed, it is the difference of each week that counts; its variance is halved, as the formula doubles it.
    """
    if trial.way == "replay":
        variance, correlation = choices.spread("replay")
        return variance / 2, correlation
    both = [choices.spread(name) for name in ("strict", "easy")]
    return sum(one[0] for one in both) / 2, sum(one[1] for one in both) / 2


def number(trial: Trial, difference: float | None = None, correlation: float | None = None) -> float:
    """Weeks of each policy until the difference is as long as its interval's half width."""
    variance, r = spread(trial)
    r = r if correlation is None else correlation
    return weeks_needed(variance, r, difference or trial.difference, trial.confidence)


def metrics(trial: Trial) -> list[Metric]:
    """The weeks, and what they follow from."""
    variance, r = spread(trial)
    of = "of the difference" if trial.way == "replay" else "mean of both policies"
    return [
        Metric("Weeks of each policy", f.significant(math.ceil(number(trial)), 6), f"{_years(trial)} of each"),
        Metric(
            "If weeks were independent",
            f.significant(math.ceil(number(trial, correlation=0.0)), 6),
            "weeks of each",
            help="The same formula with a correlation of 0.",
        ),
        Metric(
            "A week strays by",
            choices.hours(math.sqrt(variance * (2 if trial.way == "replay" else 1))),
            of,
            help="Standard deviation of one week's mean wait.",
        ),
        Metric("Week to week", f.significant(r, 2), "correlation", help="Of a week with the week after."),
    ]


def _years(trial: Trial) -> str:
    return f.duration(math.ceil(number(trial)) * WEEK)


def verdict(trial: Trial) -> Verdict:
    """Say how many weeks, and what they buy."""
    replayed = "replayed weeks" if trial.way == "replay" else "weeks of each policy"
    return Verdict(
        f"To tell {choices.hours(trial.difference)} from nothing with {f.share(trial.confidence)} confidence takes "
        f"{f.significant(math.ceil(number(trial)), 6)} {replayed}. {HALF}",
        None,
    )


def figure(trial: Trial, look: Look) -> Figure:
    """Weeks against the difference that is to be found."""
    return Figure("needed", "How many weeks does a difference take?", frame(trial), spec(look), alt_text(trial))


def frame(trial: Trial) -> pa.Table:
    """Rows: difference [h], weeks, by kind."""
    at = np.linspace(LOW, HIGH, 59)
    here = number(trial)
    side = {"align": "right", "dx": -12} if trial.difference / k.HOUR > HIGH / 2 else {"align": "left", "dx": 12}
    return stack(
        [
            {"kind": "path", "x": at, "y": [number(trial, float(one * k.HOUR)) for one in at]},
            {"kind": "free", "x": at, "y": [number(trial, float(one * k.HOUR), 0.0) for one in at]},
            marks.label(HIGH, number(trial, HIGH * k.HOUR, 0.0), "if weeks were independent", align="right", dy=14,
                        tone="quiet", short="independent"),
            marks.point(trial.difference / k.HOUR, here, size=140),
            marks.label(trial.difference / k.HOUR, here, weeks(math.ceil(here)), bold=True, dy=-14, **side),
        ]
    )  # fmt: skip


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Weeks on a logarithmic axis."""
    x = axes.x("x:Q", "difference to be found (h)", [0, HIGH])
    y = axes.y(
        "y:Q", "weeks of each policy", [FLOOR, TOP], type="log", values=[1, 10, 100, 1000, 10_000, 100_000], format=","
    )
    base = alt.Chart().encode(x=x, y=y)
    tips = [alt.Tooltip("x:Q", format=".1f", title="hours"), alt.Tooltip("y:Q", format=",.0f", title="weeks")]

    drawn = base.encode(order="x:Q", tooltip=tips)
    free = marks.line(drawn, "free", look.quiet, look.stroke, [5, 4])
    layers = [free, marks.line(drawn, "path", look.accent, look.stroke)]
    return specification(alt.layer(*layers, marks.points(base, look), marks.labels(base, look)), look)


def alt_text(trial: Trial) -> str:
    """The chart in one sentence with its numbers."""
    return (
        f"Weeks of each policy against the difference to be found: {choices.hours(trial.difference)} take "
        f"{f.significant(math.ceil(number(trial)), 6)} weeks."
    )


def words(trial: Trial) -> str:
    """What the number takes for granted."""
    said = (
        "Normal approximation, with weeks as a first-order autoregression; strict priority against EASY. Waits are "
        "skewed, so it is an estimate of the size, not a promise."
    )
    if trial.way == "turns":
        return f"{said} In turns the difference itself is smaller, and no number of weeks mends that."
    return said
