"""Placement, a stream of jobs: which policy leaves whole nodes free, over all streams."""

from lessons.placement.settings import POLICIES, Training, say
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, marks, picture, span
from ui.knobs.declared import knobs_of

TONES = {"best": "accent", "worst": "s1", "first": "quiet"}


def name(policy: str) -> str:
    """Return a policy's name as in the settings."""
    return knobs_of(Training)["rule"].words(policy)


@picture(
    say,
    "stream",
    "How often would a job of 8 GPUs find a whole node free?",
    axes.x("x:Q", "share of all arrivals", [0, 1], format=".0%", tickCount=5),
    axes.y("y:Q", ends=[len(POLICIES), 0], axis=None),
    span("interval", "ink", width=3, x2="x2:Q"),
    span("mean", "ink", y2="y2:Q"),
)
def figure(training: Training) -> list[marks.Row]:
    """Chart of how often a whole node is free under each policy: a point per stream, and the mean
    with its interval.
    """
    rows = []
    for lane, policy in enumerate(POLICIES):
        found = training.streams[policy]
        tone = TONES[policy]
        mean = training.averages[policy]["chance"]
        rows += [
            marks.point(run.chance, lane + 0.65, tone=tone, size=60, rim_width=1) for run in found
        ]
        rows.append({"kind": "mean", "x": mean, "y": lane + 0.45, "y2": lane + 0.85})
        rows.append(
            {
                "kind": "interval",
                "x": mean - mean.half_width,
                "x2": mean + mean.half_width,
                "y": lane + 0.65,
            }
        )
        share = f.share(mean)
        words = f"{name(policy)}: {share} on average"
        rows.append(
            marks.label(
                0,
                lane + 0.25,
                words,
                short=f"{name(policy)}: {share}",
                tone=tone,
                bold=True,
            )
        )
    return rows


def verdict(training: Training) -> Verdict:
    """Return the verdict on which policy leaves whole nodes free."""
    return Verdict(" ".join([say("best_keeps", training), *backlog(training)]))


def backlog(training: Training) -> list[str]:
    """Return the sentence on policies without a steady state, if there are any."""
    if not training.overloaded:
        return []
    if len(training.overloaded) == len(POLICIES):
        under = "any policy"
    else:
        under = " and ".join(name(policy).lower() for policy in training.overloaded)
    if training.whole:
        cause = say("cause_whole", training)
    else:
        cause = say("cause_scattered", training)
    return [say("backlog", training, under=under, cause=cause)]
