"""Spot training: eight simulated runs, set back to their last checkpoints by interruptions."""

from functools import lru_cache

import altair as alt
import numpy as np

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import Timeline, play_run
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, marks, only, plane, stack

#: The random numbers are the same at every setting, so that results differ by the settings alone.
SEED = 20060301
#: Number of runs, and of interruptions after which a run is shown no further.
RUNS = 8
MAX_INTERRUPTIONS = 150
#: Right end of the bars and of the frame, which leaves room for the labels [h].
END = 250
RIGHT = 330
#: Parts of a run's time, and their colors by number in `Look.series`.
PARTS = {"work": 0, "checkpoints": 3, "lost time": 1}
WORK, DUMPS, LOST = PARTS
#: Half the height of a run's bar, in runs.
HALF = 0.38


@lru_cache(maxsize=256)
def play(plan: Plan, number: int) -> Timeline:
    """Simulate one run; its interruptions do not depend on the checkpoint interval."""
    times = (plan.interval, plan.dump, plan.restart, plan.gang_mtbf)
    rng = np.random.default_rng([SEED, number])
    return play_run(k.SPOT_WORK, *times, rng, plan.warning, END * k.HOUR, MAX_INTERRUPTIONS)


@lru_cache(maxsize=64)
def figure(plan: Plan, look: Look) -> Figure:
    """Chart of eight runs, one bar below the other, against time [h].

    The bar shows work, and a strip along its foot the checkpoints: its height is their share of the
    time in which no work is lost. Above both is one step line, filled down to the foot, for all
    losses: it goes up where a loss begins and down where it ends.
    """
    share = plan.dump / (plan.interval + plan.dump)
    rows = []
    ended = 0
    for number in range(1, RUNS + 1):
        run = play(plan, number - 1)
        top = number - HALF
        foot = number + HALF
        lost = _lost(run)
        edges = [top, foot] * (len(lost) // 2)
        bar = {"x": min(run.end / k.HOUR, END), "foot": foot}
        if run.done:
            text = f.money(plan.price * run.end / k.HOUR)
        else:
            text = f"{f.share(run.saved * plan.interval / k.SPOT_WORK, 2)} done"
        if run.done and run.end <= END * k.HOUR:
            ended += 1
        else:
            text += " →"
        rows += [
            {"kind": WORK, "y": top} | bar,
            {"kind": DUMPS, "y": foot - 2 * HALF * share} | bar,
            {"kind": [LOST] * len(lost), "x": lost, "y": edges, "foot": foot},
            marks.label(RIGHT, number, text, short=text.replace(" done", ""), dx=-2),
        ]
    words = say("runs_chart", plan, ended=str(ended))
    return Figure("runs", "Eight simulated runs", stack(rows), _spec(look), words)


def _lost(run: Timeline) -> np.ndarray:
    """Return the start and end of each stretch of lost work or restarts, one after another [h]."""
    losing = run.rows["kind"].isin(("lost", "restart")).to_numpy()
    changes = np.flatnonzero(np.diff(losing, prepend=False, append=False))
    return np.minimum(np.append(run.rows["begin"], run.end)[changes] / k.HOUR, END)


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
        """Draw the work and the checkpoints."""
        return base.transform_filter(only(WORK, DUMPS)).mark_rect().encode(x2=alt.datum(0), **style)

    def losses(base: alt.Chart, look: Look) -> alt.Chart:
        """Draw the losses of each run as one stepped area."""
        areas = base.transform_filter(only(LOST)).mark_area(interpolate="step-after", line=False)
        return areas.encode(detail="foot:N", **style)

    return x, y, bars, losses
