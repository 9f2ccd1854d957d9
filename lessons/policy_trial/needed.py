"""Policy trial, third act: for how many weeks policies have to be tried."""

import math
from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.policy_trial import choices
from lessons.policy_trial.settings import Trial, weeks
from lessons.policy_trial.weeks import LENGTH, table
from physics import constants as k
from physics.experiments import WEEK, weeks_needed
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, specification, stack

LOW, HIGH = float(k.TRIAL_DIFFERENCE.low or 1) / k.HOUR, float(k.TRIAL_DIFFERENCE.high or 1) / k.HOUR
FLOOR, TOP = 0.5, 1e6
#: Said with every number of weeks.
HALF = "At this number of weeks a true difference of that size is found only half of the time."


def spread(trial: Trial) -> tuple[float, float]:
    """Variance of a week [s²] and correlation of weeks [1] that belong to the way of the trial.

    In turns it is the difference of adjacent weeks that counts, since they share the queue; its variance is halved, as
    the formula doubles it.
    """
    if trial.way == "turns":
        variance, correlation = choices.spread("turns")
        return variance / 2, correlation
    both = [choices.spread(name) for name in ("strict", "easy")]
    return sum(one[0] for one in both) / 2, sum(one[1] for one in both) / 2


def number(trial: Trial, difference: float | None = None, correlation: float | None = None) -> float:
    """Weeks of each policy until the difference is as long as its interval's half width; replayed weeks are counted."""
    if trial.way == "replay":
        return counted(trial.confidence)
    variance, r = spread(trial)
    r = r if correlation is None else correlation
    return max(1.0, weeks_needed(variance, r, difference or trial.difference, trial.confidence))


@lru_cache(maxsize=8)
def counted(confidence: float) -> int:
    """Replayed weeks from which at least this share of the trials in the table shows the better policy as better.

    Their difference is skewed and hardly ever negative, so its variance does not say how many weeks it takes.
    """
    return next(n for n in range(1, LENGTH) if choices.missed("two", "replay", n) <= 1 - confidence + 1e-12)


def written(number: float) -> str:
    """Write a number of weeks to three digits."""
    return f.rounded(math.ceil(number), 3)


def meant(trial: Trial) -> str:
    """Say in the derivation whose variance and correlation the formula takes."""
    if trial.way == "turns":
        return (
            "In turns 2 σ² is the variance of the difference of adjacent weeks (they share a queue), r its correlation."
        )
    said = "One after the other, σ² and r are means of both policies."
    if trial.way == "replay":
        said += " Replayed weeks are counted in the table instead, because their difference is skewed: "
        said += f"{weeks(number(trial))} for this confidence."
    return said


def metrics(trial: Trial) -> list[Metric]:
    """The weeks, and what they follow from."""
    if trial.way == "replay":
        n, apart = counted(trial.confidence), _apart()
        return [
            Metric("Replayed weeks", f"{n}", f"at least {f.share(trial.confidence)} right"),
            Metric("Worse looks better", f.share(choices.missed("two", "replay", n), 2), f"after {weeks(n)}"),
            Metric("Median difference", choices.hours(float(np.median(apart)), 2), "of one replayed week"),
            Metric("Mean difference", choices.hours(float(apart.mean())), "a quarter of the weeks make most"),
        ]
    variance, r = spread(trial)
    of = "difference of adjacent weeks" if trial.way == "turns" else "mean of both policies"
    return [
        Metric("Weeks of each policy", written(number(trial)), f"{_years(trial)} of each"),
        Metric(
            "If weeks were independent",
            written(number(trial, correlation=0.0)),
            "weeks of each",
            help="The same formula with a correlation of 0.",
        ),
        Metric(
            "A week strays by",
            choices.hours(math.sqrt(variance * (2 if trial.way == "turns" else 1))),
            of,
            help="Standard deviation of one week's mean wait.",
        ),
        Metric("Week to week", f.significant(r, 2), "correlation", help="Of a week with the week after."),
    ]


def _years(trial: Trial) -> str:
    return f.duration(math.ceil(number(trial)) * WEEK)


def _apart() -> np.ndarray:
    """Differences of strict priority and EASY on the same replayed week [s]."""
    return table()["strict"] - table()["easy"]


def verdict(trial: Trial) -> Verdict:
    """Say how many weeks, and what they buy."""
    if trial.way == "replay":
        n = counted(trial.confidence)
        return Verdict(
            f"{weeks(n).capitalize()} replayed under both show EASY as the better one in at least "
            f"{f.share(trial.confidence)} of the trials, counted in the table: the worse looks better in "
            f"{f.share(choices.missed('two', 'replay', n), 2)}.",
            None,
        )
    n = written(number(trial))
    return Verdict(
        f"To tell {choices.hours(trial.difference)} from nothing with {f.share(trial.confidence)} confidence takes "
        f"{n} {'week' if n == '1' else 'weeks'} of each policy. {HALF}",
        None,
    )


def figure(trial: Trial, look: Look) -> Figure:
    """Weeks against the difference that is to be found."""
    return Figure("needed", "How many weeks does a difference take?", frame(trial), spec(look), alt_text(trial))


def frame(trial: Trial) -> pa.Table:
    """Rows: difference [h], weeks, by kind."""
    at = np.linspace(LOW, HIGH, 59)
    here = number(trial)
    if trial.way == "replay":
        apart = float(_apart().mean()) / k.HOUR
        label = f"{weeks(here)}, at the table's own difference"
        place = {"bold": True, "align": "left", "dx": 12, "short": weeks(here)}
        return stack([marks.point(apart, here, size=140), marks.label(apart, here, label, **place)])
    side = {"align": "right", "dx": -12} if trial.difference / k.HOUR > HIGH / 2 else {"align": "left", "dx": 12}
    return stack(
        [
            {"kind": "path", "x": at, "y": [number(trial, float(one * k.HOUR)) for one in at]},
            {"kind": "free", "x": at, "y": [number(trial, float(one * k.HOUR), 0.0) for one in at]},
            marks.label(HIGH, number(trial, HIGH * k.HOUR, 0.0), "if weeks were independent", align="right", dy=14,
                        tone="quiet", short="independent"),
            marks.point(trial.difference / k.HOUR, here, size=140),
            marks.label(trial.difference / k.HOUR, here, f"{written(here)} weeks", bold=True, dy=-14, **side),
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
    if trial.way == "replay":
        return f"Replayed weeks are counted at the table's own difference: {weeks(number(trial))}."
    return (
        f"Weeks of each policy against the difference to be found: {choices.hours(trial.difference)} take "
        f"{written(number(trial))} weeks."
    )


def words(trial: Trial) -> str:
    """What the number takes for granted."""
    if trial.way == "replay":
        return (
            "Counted over all replayed weeks of the table, not by a formula: the difference of a replayed week is "
            f"skewed, and the worse policy is strictly better in {f.share(choices.ties()[1], 2)} of the weeks."
        )
    said = (
        "Normal approximation, with weeks as a first-order autoregression; strict priority against EASY. Waits are "
        "skewed, so it is an estimate of the size, not a promise."
    )
    if trial.way == "turns":
        return f"{said} In turns the difference itself is smaller, and no number of weeks changes that."
    return said
