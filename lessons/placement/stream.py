"""Placement, a stream of jobs: which policy leaves whole nodes free, over all streams."""

from lessons.placement.settings import POLICIES, Training, say
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.charts import axes, marks, picture, span
from ui.knobs.declared import knobs_of

TONES = {"best": "accent", "worst": "s1", "first": "quiet"}


def name(policy: str) -> str:
    """Return a policy's name as the knob writes it."""
    return knobs_of(Training)["rule"].words(policy)


@picture(
    say,
    "stream",
    "How often would a job of 8 GPUs find a whole node free?",
    axes.x("x:Q", "share of all arrivals", [0, 1], format=".0%", tickCount=5),
    axes.y("y:Q", ends=[len(POLICIES), 0], axis=None),
    span("mean", "ink", y2="y2:Q"),
)
def figure(training: Training) -> list[marks.Row]:
    """How often a whole node is free, a point for each stream and a line for their mean, under each
    policy.
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
        words = f"{name(policy)}: {f.share(mean)} on average"
        rows.append(
            marks.label(
                0,
                lane + 0.25,
                words,
                short=f"{name(policy)}: {f.share(mean)}",
                tone=tone,
                bold=True,
            )
        )
    return rows


def verdict(training: Training) -> Verdict:
    """Say which policy leaves whole nodes free."""
    return Verdict(" ".join([say("best_keeps", training), *backlog(training)]))


def backlog(training: Training) -> list[str]:
    """Say where a longer stream has no steady state: its jobs ask for more GPUs than can ever serve
    them.
    """
    if not training.whole:
        if training.asked > 1:
            return [say("backlog_scattered", training)]
        return []
    if training.crowded:
        return [say("backlog_whole", training)]
    return []
