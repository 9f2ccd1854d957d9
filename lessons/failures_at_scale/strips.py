"""Eight times the GPUs: half a day of today's run and of the current one, failure by failure."""

from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from lessons.failures_at_scale.settings import Run, say
from physics import constants as k
from physics.checkpointing import play_run
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, plane, stack

#: The random numbers are the same at every setting, so that results differ by the settings alone.
#: With this seed, runs of several sizes keep about as much work in half a day as on average.
SEED = 20240742
#: Right end of the frame [h].
END = 12
#: Work that no run finishes in this time [s], and failures after which a run is shown no further.
WORK = 1e8
MAX_FAILURES = 1000
#: Names in the legend of the model's kinds of stretches, and colors by number in `Look.series`.
KINDS = {"kept": "work that is kept", "lost": "lost work", "restart": "recovery"}
COLORS = {"kept": 0, "lost": 1, "restart": 3}
#: Middles of the strips on the y axis, and half their height.
LANES = {"today": 3.0, "now": 1.0}
HALF = 0.5


@lru_cache(maxsize=64)
def play(run: Run) -> pd.DataFrame:
    """Simulate a run; return the start and end [s] and kind of each stretch."""
    rng = np.random.default_rng(SEED)
    times = (run.interval, run.stall, run.recovery + run.write, run.mtbf)
    spans = play_run(WORK, *times, rng, until=END * k.HOUR, most=MAX_FAILURES).rows
    stretch = (spans["kind"] != spans["kind"].shift()).cumsum()
    joined = spans.groupby(stretch).agg({"begin": "first", "end": "last", "kind": "first"})
    return joined[joined["begin"] < END * k.HOUR]


@lru_cache(maxsize=64)
def figure(run: Run, look: Look) -> Figure:
    """Chart of half a day of two runs as strips of kept work, lost work, and recoveries."""
    rows = []
    for name, case in {"today": Run(), "now": run}.items():
        middle = LANES[name]
        spans = play(case)
        ends = spans["end"].clip(upper=END * k.HOUR) / k.HOUR
        starts = spans["begin"] / k.HOUR
        saved = float((ends - starts)[spans["kind"] == "kept"].sum())
        row = {"kind": spans["kind"].map(KINDS), "x": starts, "x2": ends}
        rows.append(row | {"y": middle - HALF, "y2": middle + HALF})
        title = f"{case.gpus:,} GPUs keep {f.significant(saved, 2)} of {END} h"
        if name == "today":
            title = f"today: {title}"
        rows.append(marks.label(0, middle + HALF + 0.35, title, bold=True))
    words = say("strips_chart", run)
    return Figure("strips", "Half a day of the run", stack(rows), _spec(look), words)


@plane
def _spec(look: Look) -> tuple:
    """Axes and stretches of two runs over time, with a legend."""
    x = axes.x("x:Q", "time (h)", [0, END], values=[0, 3, 6, 9, 12])
    y = axes.y("y:Q", None, [0, 4.3], axis=None)
    colors = [look.series[COLORS[kind]] for kind in KINDS]
    scale = alt.Scale(domain=list(KINDS.values()), range=colors)
    legend = alt.Legend(orient="top", symbolType="square", columns=3)

    def stretches(base: alt.Chart, look: Look) -> alt.Chart:
        """Draw a rectangle per stretch."""
        rows = base.transform_filter(alt.FieldOneOfPredicate("kind", list(KINDS.values())))
        color = alt.Color("kind:N", title=None, scale=scale, legend=legend)
        return rows.mark_rect().encode(x2="x2:Q", y2="y2:Q", color=color)

    return x, y, stretches
