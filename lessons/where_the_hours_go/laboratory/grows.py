"""Where the hours go, laboratory: the time to a result as more jobs arrive."""

from dataclasses import replace

from lessons.where_the_hours_go.settings import Center, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, curve, marks

#: Top of the chart [h], and ends of its axis [% of today's jobs].
TOP = 20.0
LOW = round(100 * k.HOURS_DEMAND.low)
HIGH = round(100 * k.HOURS_DEMAND.high)


def with_all_gpus(center: Center) -> Center:
    """Return the center with as many GPUs as in the message."""
    return replace(center, gpus=int(k.HOURS_GPUS))


def totals(center: Center) -> dict[float, float]:
    """Return the time to the result [h] by the number of arriving jobs relative to today."""
    shares = [percent / 100 for percent in range(LOW, HIGH + 1)]
    return {share: replace(center, demand=share).now.total / k.HOUR for share in shares}


@chart(say, "grows", x=[LOW / 100, HIGH / 100], y=[0, TOP])
def figure(center: Center) -> Rows:
    """Chart of the time to the result by arriving jobs, with these GPUs and with the message's."""
    total = center.now.total
    words = f"{center.gpus:,} GPUs: {f.duration(total)}"
    return [
        *curve("total", totals(center), TOP),
        *curve("kept", totals(with_all_gpus(center)), TOP),
        *marks.here(center.demand, total / k.HOUR, words, top=TOP, dx=-10, dy=-14),
    ]


@verdict_of(say)
def verdict(center: Center) -> Outcome:
    """Return the verdict that compares this center with the message's GPUs."""
    if not center.now.stable:
        return "overload", False
    with_all = with_all_gpus(center).now
    if center.now.total > 1.01 * with_all.total:
        return "grows_fewer", None, {"kept": with_all}
    return "grows_alone", None


view = View("grows", figure=figure, verdict=verdict)
