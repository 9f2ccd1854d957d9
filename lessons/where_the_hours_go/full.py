"""Where the hours go, second picture: utilization of slots, loader workers, and storage."""

from lessons.where_the_hours_go.settings import Center, say
from ui.base import format as f
from ui.base.lesson import Figure, View
from ui.charts import Look, bars, marks, stack

#: End of the axis; a longer bar is cut off there, with an arrow.
END = 1.6
#: From this load on, the label is inside the bar.
INSIDE = 0.4
#: Names of the bars, by the value of `Fleet.binding` that stands for them.
NAMES = {
    "places": "Job slots",
    "loader workers": "Loader workers",
    "metadata servers": "Metadata servers",
    "storage nodes": "Storage nodes",
}


def loads(center: Center) -> dict[str, float]:
    """Return the load of each bar [1]; for the slots, this is the occupied share."""
    return {
        "places": center.now.occupied,
        "loader workers": center.loader,
        "metadata servers": center.now.load_metadata,
        "storage nodes": center.now.load_nodes,
    }


def figure(center: Center, look: Look) -> Figure:
    """Chart of the load of each part of the center, with the bottleneck marked."""
    full = {"shape": bars.TICK, "tone": "ink", "size": 300, "rim_width": 0}
    rows = [marks.point(1, name, **full) for name in NAMES.values()]
    texts = []
    for resource, load in loads(center).items():
        name = NAMES[resource]
        short = f.share(load)
        texts.append(f"{name} {short}")
        words = short
        tone = "accent"
        if resource == center.now.binding:
            words += ", sets the pace"
            tone = "good" if resource == "places" else "bad"
        if load > END:
            words += " →"
        end = min(load, END)
        rows += bars.bar(name, end, tone, words, INSIDE, short)
        rows.append(marks.point(end, name, shape=bars.TICK, tone=tone, rim_width=0, role="here"))
    frame = stack(marks.renamed(rows, "start", "part"))
    spec = bars.loads(look, "part", tuple(NAMES.values()), END, (0, 0.5, 1, 1.5), ".3p")
    text = say("full_chart", center, loads=", ".join(texts))
    return Figure("full", "What is at its limit?", frame, spec, text)


view = View("full", figure=figure)
