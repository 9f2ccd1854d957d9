"""Policy trial, main act: how often the worse policy looks better after so many weeks of each."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.policy_trial import choices
from lessons.policy_trial.settings import WAYS, Trial, weeks
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Grab, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

MOST = int(k.TRIAL_WEEKS.high or 1)
TOP = 0.7
#: What the options of the question mean, as a share of the trials.
SAID = {"a": (0.0, "never"), "b": (0.05, "5 %"), "c": (1 / 3, "a third"), "d": (0.5, "half")}
#: The share that is called rare enough.
RARE = 0.05


def what(trial: Trial) -> str:
    """What goes wrong, for the number of policies."""
    return "the worse looks better" if trial.policies == "two" else "the best is missed"


def figure(trial: Trial, look: Look, guess: str | None = None, told: bool = False) -> Figure:
    """Share of wrong trials against weeks, up to the present ones; all of it once that may be `told`."""
    title = "How often does a trial pick the wrong policy?"
    return Figure("often", title, frame(trial, guess, told), spec(look), alt_text(trial), ("path",), Grab("weeks"))


def frame(trial: Trial, guess: str | None = None, told: bool = False) -> pa.Table:
    """Rows: weeks of each policy and share of wrong trials, by kind."""
    found, upto = choices.share(trial), MOST if told else trial.weeks
    at = np.arange(1, upto + 1)
    guessing = 1 - 1 / len(choices.names(trial))
    words, short = ("tossing a coin between two", "a coin") if guessing == 0.5 else ("guessing among three", "a guess")
    path = [choices.missed(trial.policies, trial.way, int(one)) for one in at]
    side = {"align": "right", "dx": -12} if trial.weeks > MOST / 2 else {"align": "left", "dx": 12}
    parts = [
        {"kind": "path", "x": at, "y": path},
        {"kind": "half", "y": guessing},
        {"kind": "bar", "x": trial.weeks, "y": max(0, found.value - found.half), "y2": found.value + found.half},
        marks.point(trial.weeks, found.value, size=140, role="here"),
        marks.label(trial.weeks, found.value, f"{found.words} of the trials", bold=True, dy=-16, **side),
        marks.label(MOST, guessing, words, align="right", dy=-9, tone="quiet", short=short),
    ]
    if guess in SAID:
        value, said = SAID[guess]
        eight = int(k.TRIAL_WEEKS)
        parts.append(marks.point(eight, value, tone="paper", rim="quiet", rim_width=2))
        parts.append(marks.label(eight, value, f"you said: {said}", align="right", dx=-12, dy=12, tone="quiet"))
    return stack(parts)


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Share against weeks, with the present point and its interval."""
    x = axes.x("x:Q", "weeks of each policy", [0, MOST], values=[1, 4, 8, 12, 16, 20, 26], format="d")
    y = axes.y("y:Q", "wrong trials", [0, TOP], format="%", values=[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    base = alt.Chart().encode(x=x, y=y)
    coin = base.transform_filter(only("half")).mark_rule(color=look.quiet, strokeDash=[4, 4])
    tips = [alt.Tooltip("x:Q", title="weeks"), alt.Tooltip("y:Q", format=".1%", title="wrong trials")]
    path = base.transform_filter(only("path")).mark_line(color=look.accent, strokeWidth=look.stroke)
    layers = [
        coin.encode(x=alt.datum(0), x2=alt.datum(MOST)),
        marks.ghosts(base, look, "x:Q"),
        path.encode(order="x:Q", tooltip=tips),
        base.transform_filter(only("bar")).mark_rule(color=look.ink, strokeWidth=2).encode(y2="y2:Q"),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look)


def alt_text(trial: Trial) -> str:
    """The chart in one sentence with its numbers."""
    return (
        f"Share of wrong trials against weeks, {WAYS[trial.way].lower()}: after {weeks(trial.weeks)} of each policy "
        f"{what(trial)} in {choices.share(trial).words} of the trials."
    )


def metrics(trial: Trial) -> list[Metric]:
    """The share of wrong trials, and what the policies are really like."""
    found = choices.share(trial)
    low, high = found.value - found.half, found.value + found.half
    name = "Worse looks better" if trial.policies == "two" else "Best is missed"
    rows = [
        Metric(
            name,
            found.words,
            f"{f.share(max(low, 0), 2)} to {f.share(high, 2)} (95 %)" if found.half else f"in {choices.RUNS} runs",
            help=f"Share of all trials in the table of {choices.RUNS} runs, with its 95 % interval; ties are shared.",
        )
    ]
    rows += [
        Metric(
            f"{choices.NAMES[one]}, true",
            choices.hours(choices.mean(one)[0]),
            choices.span(choices.mean(one)),
            help="Mean of training's weekly mean waits in long runs under this policy alone.",
        )
        for one in choices.names(trial)
    ]
    if trial.policies == "two":
        r = choices.spread("strict")[1], choices.spread("easy")[1]
        rows.append(
            Metric(
                "Week to week",
                f"{f.significant(r[0], 2)}, {f.significant(r[1], 2)}",
                "correlation: strict, EASY",
                help="Between a week's mean wait and that of the week after, over all runs together.",
            )
        )
    return rows


def verdict(trial: Trial) -> Verdict:
    """Say how often it goes wrong, and what is in the way."""
    found = choices.share(trial)
    said = f"{found.words} of the trials" if found.value else f"none of the trials that {choices.RUNS} runs hold"
    start = f"{WAYS[trial.way]}, {weeks(trial.weeks)} of each: {what(trial)} in {said}."
    good = None if found.half and abs(found.value - RARE) <= found.half else found.value <= RARE
    if good is None:
        start += f" The {choices.RUNS} runs do not tell whether that is at most {f.share(RARE)}."
    apart = choices.hours(choices.mean("strict")[0] - choices.mean("easy")[0])
    if trial.way == "replay":
        return Verdict(f"{start} All policies meet the same jobs, so luck with the jobs is the same for all.", good)
    if trial.way == "turns":
        seen = [choices.mean(name, trial.policies, "turns")[0] for name in ("strict", "easy")]
        return Verdict(
            f"{start} Every week inherits the queue of another policy: strict priority and EASY differ by "
            f"{choices.hours(seen[0] - seen[1], 2)} in turns and by {apart} each by itself.",
            good,
        )
    deviation = choices.hours(choices.spread("strict")[0] ** 0.5, 2)
    return Verdict(
        f"{start} Strict priority and EASY differ by {apart}; a week under strict priority strays from its mean by "
        f"{deviation} (standard deviation), and long queues last for weeks.",
        good,
    )


def remedies(trial: Trial) -> str:
    """Say which way and how many weeks make wrong trials rare."""
    if choices.share(trial).value <= RARE:
        # Not "nothing": the challenge has a budget, and these settings may be beyond it.
        return f"At most {f.share(RARE)} of the trials pick the wrong policy here: for that, nothing needs fixing."
    said = []
    for way, words in WAYS.items():
        enough = [n for n in range(1, MOST + 1) if choices.missed(trial.policies, way, n) <= RARE]
        short = f"more than {MOST} weeks"
        if enough:
            short = f"{weeks(enough[0])} of each ({choices.interval(trial.policies, way, enough[0]).words})"
        said.append(f"{words.lower()}: {short}")
    return f"Wrong in at most {f.share(RARE)} of the trials in {choices.RUNS} runs: {'; '.join(said)}."
