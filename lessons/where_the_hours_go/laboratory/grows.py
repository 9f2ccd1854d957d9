"""Where the hours go, laboratory: the time to a result as more jobs arrive."""

from dataclasses import replace

from lessons.where_the_hours_go.hours import verdict as of_center
from lessons.where_the_hours_go.settings import Center, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Grab, Verdict
from ui.charts import axes, line, marks, picture

#: Top of the chart [h].
TOP = 20.0
LOW = round(100 * k.HOURS_DEMAND.low)
HIGH = round(100 * k.HOURS_DEMAND.high)
#: Shares of today's jobs at which the lines are computed [%].
SHARES = range(LOW, HIGH + 1)


def kept(center: Center) -> Center:
    """Return the center with the message's GPUs."""
    return replace(center, gpus=int(k.HOURS_GPUS))


def totals(center: Center) -> dict[float, float]:
    """Time to the result [h] by arriving jobs relative to today, up to the chart's limit."""
    curve = {}
    for share in SHARES:
        total = replace(center, demand=share / 100).now.total / k.HOUR
        if total <= TOP:
            curve[share / 100] = total
    return curve


@picture(
    say,
    "grows",
    "How long does a result take when more jobs come?",
    axes.x("demand:Q", "arriving jobs ÷ today's", [LOW / 100, HIGH / 100], format=".0%"),
    axes.y("hours:Q", "hours from submission to result", [0, TOP], tickCount=5),
    line("total", "accent"),
    line("kept", "quiet", (6, 4)),
    grab=Grab("demand"),
)
def figure(center: Center) -> list[marks.Row]:
    """Chart of the time to the result by arriving jobs, with these GPUs and with the message's."""
    rows = []
    for kind, fleet in (("total", center), ("kept", kept(center))):
        curve = totals(fleet)
        rows.append({"kind": kind, "x": list(curve), "y": list(curve.values())})
    total = center.now.total
    words = f"{center.gpus:,} GPUs: {f.duration(total)}"
    side = {"dx": -10, "dy": -14}
    return [*rows, *marks.here(center.demand, total / k.HOUR, words, top=TOP, **side)]


def verdict(center: Center) -> Verdict:
    """Return the verdict that compares this center with the message's GPUs, if there is a steady
    state.
    """
    if not center.now.stable:
        return of_center(center)
    with_all = kept(center).now
    if center.now.total > 1.01 * with_all.total:
        return Verdict(say("grows_fewer", center, kept=with_all))
    return Verdict(say("grows_alone", center))
