"""Storage architecture: how many jobs write checkpoints at the same time."""

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks

MOST = int(k.STORAGE_CROWD_JOBS.high or 1)


@chart(say, "jobs", x=[-0.7, MOST + 0.7])
def figure(design: Design) -> Rows:
    """Chart of the share of time by the number of jobs that write at once."""
    counts = range(design.jobs + 1)
    tones = ["bad" if number > design.reserved else "accent" for number in counts]
    style = {"dx": -6 if design.reserved > MOST / 2 else 6, "tone": "ink", "bold": True}
    return [
        {"kind": "bars", "x": counts, "y": design.crowd, "tone": tones},
        *marks.limit("reserved", design.reserved + 0.5, 1.02, "reserved", **style),
    ]


@verdict_of(say)
def verdict(design: Design) -> Outcome:
    """Return the verdict on how often more jobs write than have reserved bandwidth."""
    enough = design.crowd_over == 0
    return "jobs_never_more" if enough else "jobs_more", enough


view = View("jobs", figure=figure, verdict=verdict)
