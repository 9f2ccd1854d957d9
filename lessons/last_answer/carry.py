"""The last answer, beyond the message: unfinished answers continue in the next step."""

from dataclasses import replace

from lessons.last_answer.settings import Rollout, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab
from ui.charts import axes, line, marks, picture
from ui.knobs.declared import knobs_of

#: Top of the chart [1].
TOP = 0.5


@picture(
    say,
    "carry",
    "What is lost where unfinished answers are dropped, or continue?",
    axes.x("extra:Q", "answers started beyond those needed (%)", [0, 26], tickCount=6),
    axes.y("share:Q", "share", [0, TOP], format=".0%", tickCount=5),
    line("shorter", "bad"),
    line("stale", "accent"),
    grab=Grab("extra", 0.01),
)
def figure(rollout: Rollout) -> list[marks.Row]:
    """Length that is lost by dropping, and answers from older weights by continuing."""
    shares = knobs_of(Rollout)["extra"].values({})
    rows = []
    names = {"shorter": ("bad", "dropped: shorter by"), "stale": ("accent", "continued: older")}
    for kind, (tone, name) in names.items():
        values = [getattr(replace(rollout, extra=extra), kind) for extra in shares]
        rows.append({"kind": kind, "x": [100 * extra for extra in shares], "y": values})
        value = getattr(rollout, kind)
        side = -12 if rollout.extra > k.LAST_EXTRA.high / 2 else 12
        looks = {"top": TOP, "fill": tone, "dx": side, "dy": 14 if kind == "stale" else -30}
        rows += marks.here(100 * rollout.extra, value, f"{name} {f.share(value)}", **looks)
    return rows
