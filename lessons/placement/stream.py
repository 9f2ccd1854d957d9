"""Placement, a stream of jobs: which policy leaves whole nodes free, over all streams."""

from lessons.placement.settings import POLICIES, Training, say
from ui.base import format as f
from ui.base.lesson import Verdict, View
from ui.charts import Rows, chart, marks
from ui.knobs.declared import knobs_of

#: Color of each policy's row.
TONES = {"best": "accent", "worst": "s1", "first": "quiet"}


def name(policy: str) -> str:
    """Return a policy's name as the settings show it."""
    return knobs_of(Training)["rule"].words(policy)


@chart(say, "stream")
def figure(training: Training) -> Rows:
    """Chart of how often a whole node is free: a point per stream, and the mean."""
    rows = []
    for top, (policy, tone) in enumerate(TONES.items()):
        middle = top + 0.65
        mean = training.averages[policy]["chance"]
        half = mean.half_width
        for run in training.streams[policy]:
            rows.append(marks.point(run.chance, middle, tone=tone, size=60, rim_width=1))
        short = f"{name(policy)}: {f.share(mean)}"
        style = {"short": short, "tone": tone, "bold": True}
        rows += [
            {"kind": "mean", "x": mean, "y": top + 0.45, "y2": top + 0.85},
            {"kind": "interval", "x": mean - half, "x2": mean + half, "y": middle},
            marks.label(0, top + 0.25, f"{short} on average", **style),
        ]
    return rows


def verdict(training: Training) -> Verdict:
    """Return the verdict on which policy leaves whole nodes free."""
    return Verdict(" ".join([say("best_keeps", training), *backlog(training)]))


def backlog(training: Training) -> list[str]:
    """Return the sentence on policies without a steady state, if there are any."""
    if not training.overloaded:
        return []
    policies = " and ".join(name(policy).lower() for policy in training.overloaded)
    if len(training.overloaded) == len(POLICIES):
        policies = "any policy"
    cause = say("cause_whole" if training.whole else "cause_scattered", training)
    return [say("backlog", training, under=policies, cause=cause)]


view = View("stream", figure=figure, verdict=verdict)
