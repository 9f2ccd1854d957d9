"""Storage architecture: how many jobs write checkpoints at the same time."""

import altair as alt

from lessons.storage_architecture.settings import Design, say
from physics import constants as k
from ui.base.lesson import Verdict
from ui.charts import axes, layer, marks, picture, upright

MOST = int(k.STORAGE_CROWD_JOBS.high or 1)
TIPS = [
    alt.Tooltip("x:Q", title="jobs"),
    alt.Tooltip("y:Q", format=".3~%", title="share of the time"),
]


@picture(
    say,
    "jobs",
    "How many jobs write at the same time?",
    axes.x(
        "x:Q",
        "jobs that write at the same time",
        [-0.7, MOST + 0.7],
        grid=False,
        tickCount=9,
        format="d",
    ),
    axes.y("y:Q", "share of the time", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1.0]),
    layer("bars", "bar", encoded={"tooltip": TIPS}, width=9),
    upright("reserved", "ink", (6, 4)),
)
def figure(design: Design) -> list[marks.Row]:
    """Chart of the share of time by the number of jobs that write at once."""
    tones = ["bad" if number > design.reserved else "accent" for number in range(design.jobs + 1)]
    looks = {"dx": -6 if design.reserved > MOST / 2 else 6, "tone": "ink", "bold": True}
    return [
        {"kind": "bars", "x": range(design.jobs + 1), "y": design.crowd, "tone": tones},
        *marks.limit("reserved", design.reserved + 0.5, 1.02, "reserved", **looks),
    ]


def verdict(design: Design) -> Verdict:
    """Return the verdict on the share of time in which more jobs write than have reserved
    bandwidth.
    """
    enough = design.crowd_over == 0
    return Verdict(say("jobs_never_more" if enough else "jobs_more", design), enough)
