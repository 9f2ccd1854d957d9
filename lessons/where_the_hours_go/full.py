"""Where the hours go, second picture: utilization of slots, loader workers, and storage."""

from functools import lru_cache

import altair as alt

from lessons.where_the_hours_go.settings import Center, say
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, only, specification, stack

#: End of the axis; what is fuller is cut there, with an arrow.
END = 1.6
#: A load beyond this has its label inside the bar.
INSIDE = 0.4
#: An upright stroke, as high as a bar.
TICK = "M-0.12,-1.4H0.12V1.4H-0.12Z"
#: Bars by what `binding` of the model calls them.
NAMES = {
    "places": "Places for jobs",
    "loader workers": "Loader workers",
    "metadata servers": "Metadata servers",
    "storage nodes": "Storage nodes",
}


def loads(center: Center) -> dict[str, float]:
    """Load of each part [1]; for the slots, the occupied share."""
    return {
        "places": center.now.occupied,
        "loader workers": center.loader,
        "metadata servers": center.now.load_metadata,
        "storage nodes": center.now.load_nodes,
    }


def figure(center: Center, look: Look) -> Figure:
    """Chart of the load of each part, with the bottleneck marked."""
    rows = [
        marks.point(1, name, shape=TICK, tone="ink", size=300, rim_width=0)
        for name in NAMES.values()
    ]
    spoken = []
    for part, load in loads(center).items():
        name = NAMES[part]
        words = f.share(load)
        short = words
        spoken.append(f"{name} {words}")
        tone = "accent"
        if part == center.now.binding:
            words += ", sets the pace"
            tone = "good" if part == "places" else "bad"
        if load > END:
            words += " →"
        rows.append({"kind": "bar", "x": 0.0, "end": min(load, END), "y": name, "tone": tone})
        if load > INSIDE:
            rows.append(marks.label(0, name, words, short=short, dx=6, tone="paper", bold=True))
        else:
            rows.append(marks.label(load, name, words, short=short, dx=6))
        end = marks.point(min(load, END), name, shape=TICK, tone=tone, rim_width=0, role="here")
        rows.append(end)
    alt_text = say("full_chart", center, loads=", ".join(spoken))
    return Figure(
        "full", "What is full?", stack(marks.renamed(rows, "start", "part")), _spec(look), alt_text
    )


@lru_cache(maxsize=8)
def _spec(look: Look) -> dict:
    """Load of every part as a share of what it can do."""
    base = alt.Chart().encode(
        x=axes.x("start:Q", "load ÷ capacity", [0, END], format=".0%", values=[0, 0.5, 1, 1.5]),
        y=axes.y("part:N", None, list(NAMES.values()), ticks=False, domain=False, labelLimit=160),
    )
    bars = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), height={"band": 0.7})
    tooltip = ["part:N", alt.Tooltip("end:Q", format=".3p", title="load")]
    layers = [
        bars.encode(x2="end:Q", tooltip=tooltip),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
    ]
    return specification(alt.layer(*layers), look, height=320 if look.present else 250)
