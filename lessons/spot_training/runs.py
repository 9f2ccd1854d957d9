"""Spot training: eight single runs, set back to their last checkpoints by interruptions."""

from functools import lru_cache

import altair as alt
import numpy as np

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import Timeline, play_run
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, only, plane, stack

#: The same chances at every setting, so that two settings differ by the settings.
SEED = 20060301
#: Runs side by side, interruptions of one after which it is drawn no further, the end of what is
#: drawn of it, and of the frame, with room for what it cost [h].
RUNS = 8
MOST = 150
END = 250
RIGHT = 330
#: Parts of a run's time, and the color of the series that each has in every picture.
PARTS = {"work": 0, "checkpoints": 3, "lost time": 1}
WORK, DUMPS, LOST = PARTS
#: Half the height of a run's bar, in runs.
HALF = 0.38


@lru_cache(maxsize=256)
def play(plan: Plan, number: int) -> Timeline:
    """Simulate a numbered run; its interruptions are the same at every checkpoint interval."""
    times = (plan.interval, plan.dump, plan.restart, plan.gang_mtbf)
    rng = np.random.default_rng([SEED, number])
    return play_run(k.SPOT_WORK, *times, rng, plan.warning, END * k.HOUR, MOST)


@lru_cache(maxsize=64)
def figure(plan: Plan, look: Look) -> Figure:
    """Chart of eight runs, one below the other: time [h], marks, and labels.

    A run is one bar of work, the time for checkpoints a strip along it, as high as its share of the
    time in which no work is lost. Over both lies one outline for all that is lost: it rises where a
    loss begins and falls where it ends.
    """
    share = plan.dump / (plan.interval + plan.dump)
    rows = []
    played = [play(plan, number) for number in range(RUNS)]
    ended = 0
    for number, run in enumerate(played, 1):
        top = number - HALF
        foot = number + HALF
        lost = _lost(run)
        edges = [top, foot] * (len(lost) // 2)
        bar = {"x": min(run.end / k.HOUR, END), "foot": foot}
        if run.done:
            at_end = f.money(plan.price * run.end / k.HOUR)
        else:
            at_end = f"{f.share(run.saved * plan.interval / k.SPOT_WORK, 2)} done"
        if run.done and run.end <= END * k.HOUR:
            ended += 1
        else:
            at_end += " →"
        rows += [
            {"kind": WORK, "y": top} | bar,
            {"kind": DUMPS, "y": foot - 2 * HALF * share} | bar,
            {"kind": [LOST] * len(lost), "x": lost, "y": edges, "foot": foot},
            marks.label(RIGHT, number, at_end, short=at_end.replace(" done", ""), dx=-2),
        ]
    words = say("runs_chart", plan, ended=str(ended))
    return Figure("runs", "Eight simulated runs", stack(rows), _spec(look), words)


def _lost(run: Timeline) -> np.ndarray:
    """Begin and end of each stretch of lost work and restarts within the frame [h]."""
    losing = run.rows["kind"].isin(("lost", "restart")).to_numpy()
    turns = np.flatnonzero(np.diff(losing, prepend=False, append=False))
    return np.minimum(np.append(run.rows["begin"], run.end)[turns] / k.HOUR, END)


@plane
def _spec(look: Look) -> tuple:
    """Bars of eight runs over time."""
    runs = list(range(1, RUNS + 1))
    x = axes.x("x:Q", "time since the start (h)", [0, RIGHT], values=[0, 50, 100, 150, 200, 250])
    y = axes.y("y:Q", "run", [0.4, RUNS + 0.6], reverse=True, values=runs, format="d", grid=False)
    scale = alt.Scale(domain=list(PARTS), range=[look.series[color] for color in PARTS.values()])
    legend = alt.Legend(orient="top", symbolType="square", symbolOpacity=1, columns=3)
    style = {"y2": "foot:Q", "color": alt.Color("kind:N", title=None, scale=scale, legend=legend)}

    def bars(base: alt.Chart, look: Look) -> alt.Chart:
        return base.transform_filter(only(WORK, DUMPS)).mark_rect().encode(x2=alt.datum(0), **style)

    def losses(base: alt.Chart, look: Look) -> alt.Chart:
        drawn = base.transform_filter(only(LOST)).mark_area(interpolate="step-after", line=False)
        return drawn.encode(detail="foot:N", **style)

    return x, y, bars, losses
