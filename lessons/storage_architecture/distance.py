"""Storage architecture, third act: what moving the data costs, and what moving the job costs."""

import math
from functools import lru_cache

import altair as alt
import pandas as pd

from lessons.storage_architecture.settings import Design
from lessons.storage_architecture.values import distance_words
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import Look, specification

#: The frame stands still: hours of the run, and dollars; what is beyond stands at its edge.
LONGEST, DEAREST = 72.0, 150e3


def figure(design: Design, look: Look) -> Figure:
    """Draw the cost over the length of the run for both ways."""
    title = "From what length of run on does moving the data pay?"
    return Figure("distance", title, distance_frame(design), _spec(look), distance_alt(design))


def words(design: Design) -> str:
    """What the chart shows, in words."""
    return distance_words(design)


def distance_frame(design: Design) -> pd.DataFrame:
    """Rows over the length of the run [h] and cost [$]: a line for each way, this run, and where both cost the same."""
    choice, hours = design.relocation, design.hours
    far, near = design.price_far * design.job_gpus, design.price_near * design.job_gpus
    lines = {"data": (choice.transfer_cost, far), "job": (0.0, near)}
    rows: list[dict[str, object]] = [{"kind": "run", "x": min(hours, LONGEST), "y": 0.0}]
    costs = {kind: start + hourly * min(hours, LONGEST) for kind, (start, hourly) in lines.items()}
    ends = {kind: start + hourly * LONGEST for kind, (start, hourly) in lines.items()}
    for number, (kind, (start, hourly)) in enumerate(lines.items()):
        tone, name = f"s{number}", f"move the {kind}"
        rows += [{"kind": kind, "x": x, "y": start + hourly * x, "label": name} for x in (0.0, LONGEST)]
        above = ends[kind] >= max(ends.values())
        # The line is named where it leaves the frame: the upper one at its left, the lower one at its right, below.
        x = min(LONGEST, (0.9 * DEAREST - start) / hourly) if start < 0.9 * DEAREST else 0.0
        x = x if above else 0.62 * x
        looks = {"align": "right", "dx": -9, "dy": -4} if above and x > 15 else {"align": "left", "dx": 9, "dy": 10}
        rows.append(marks.label(x, min(start + hourly * x, DEAREST), name, bold=True, tone=tone, **looks))
        beyond = hours > LONGEST or costs[kind] > DEAREST
        dot = {"shape": "triangle-up"} if beyond else {}
        rows.append(marks.point(min(hours, LONGEST), min(costs[kind], DEAREST), tone=tone, **dot))
    even = choice.break_even_hours
    if 0 < even <= LONGEST and near * even <= DEAREST:
        rows.append(marks.point(even, near * even, shape="diamond", size=120, tone="good"))
        rows.append(marks.label(even, near * even, f"equal at {f.duration(even * k.HOUR)}", dx=9, dy=12, tone="good"))
    arrow = " →" if hours > LONGEST else ""
    side = {"align": "right", "dx": -5} if hours > LONGEST / 2 else {"align": "left", "dx": 5}
    rows.append(marks.label(min(hours, LONGEST), 0.0, f"your run: {f.duration(hours * k.HOUR)}{arrow}", dy=-9, **side))
    return pd.DataFrame(rows)


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Two straight lines that cross where moving the data begins to pay."""
    x = axes.x("x:Q", "length of the run (h)", [0, LONGEST], grid=False, values=[0, 12, 24, 36, 48, 60, 72])
    y = axes.y("y:Q", "cost (dollars)", [0, DEAREST], format="$,.0f", values=[0, 50e3, 100e3, 150e3])
    base = alt.Chart().encode(x=x, y=y)
    tooltip = [
        alt.Tooltip("label:N"),
        alt.Tooltip("x:Q", format=",.3~g", title="hours"),
        alt.Tooltip("y:Q", format="$,.0f", title="cost"),
    ]

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(f"datum.kind === '{kind}'")

    layers = [
        marks.upright(base, "run", color=look.quiet, strokeDash=[2, 3]),
        *(
            of(kind).mark_line(color=color, strokeWidth=look.stroke, strokeDash=dash, clip=True).encode(tooltip=tooltip)
            for kind, color, dash in (("data", look.series[0], [1, 0]), ("job", look.series[1], [8, 3]))
        ),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, halo=False)


def distance_alt(design: Design) -> str:
    """The cost chart in one sentence with its numbers."""
    choice = design.relocation
    even = (
        "they cost the same at every length"
        if choice.transfer_cost == 0 and design.price_far == design.price_near
        else "they cost the same at no length above 0"
        if math.isinf(choice.break_even_hours) or choice.break_even_hours == 0
        else f"they cost the same at {f.duration(choice.break_even_hours * k.HOUR)}"
    )
    return (
        f"Cost against the length of the run: at {f.duration(design.hours * k.HOUR)} moving the data costs "
        f"{f.money(choice.cost_moving_data)} and moving the job {f.money(choice.cost_moving_job)}; {even}."
    )
