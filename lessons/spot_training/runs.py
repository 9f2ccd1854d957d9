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
#: Right end of the bars, and of the frame, which leaves room for the labels [h].
MAX_HOURS = 250
FRAME_HOURS = 330
#: Parts of a run's time.
WORK = "work"
DUMPS = "checkpoints"
LOST = "lost time"
#: Index of each part's color in `Look.series`.
COLOR_INDEX = {WORK: 0, DUMPS: 3, LOST: 1}
#: Half the height of a run's bar, in runs.
HALF_BAR = 0.38


@lru_cache(maxsize=256)
def play(plan: Plan, number: int) -> Timeline:
    """Simulate one run; its interruptions do not depend on the checkpoint interval."""
    return play_run(
        k.SPOT_WORK,
        interval=plan.interval,
        dump=plan.dump,
        restart=plan.restart,
        mtbf=plan.gang_mtbf,
        rng=np.random.default_rng([SEED, number]),
        notice=plan.warning,
        until=MAX_HOURS * k.HOUR,
        most=MAX_INTERRUPTIONS,
    )


@lru_cache(maxsize=64)
def figure(plan: Plan, look: Look) -> Figure:
    """Chart of eight runs, one bar below the other, against time [h].

    Each bar shows the work. A strip at its bottom shows the checkpoints; the height of the strip is
    the share of the time without losses that is spent on them. A stepped area over both is as high
    as the bar during a loss, and has no height otherwise.
    """
    dump_share = plan.dump / (plan.interval + plan.dump)
    rows = []
    finished = 0
    for number in range(1, RUNS + 1):
        run = play(plan, number - 1)
        top = number - HALF_BAR
        foot = number + HALF_BAR
        lost = _lost(run)
        edges = [top, foot] * (len(lost) // 2)
        bar = {"x": min(run.end / k.HOUR, MAX_HOURS), "foot": foot}
        if run.done:
            text = f.money(plan.price * run.end / k.HOUR)
        else:
            text = f"{f.share(run.saved * plan.interval / k.SPOT_WORK, 2)} done"
        is_finished = run.done and run.end <= MAX_HOURS * k.HOUR
        if is_finished:
            finished += 1
        else:
            text += " →"
        rows += [
            {"kind": WORK, "y": top} | bar,
            {"kind": DUMPS, "y": foot - 2 * HALF_BAR * dump_share} | bar,
            {"kind": LOST, "x": lost, "y": edges, "foot": foot},
            marks.label(FRAME_HOURS, number, text, short=text.replace(" done", ""), dx=-2),
        ]
    words = say("runs_chart", plan, ended=str(finished))
    return Figure("runs", "Eight simulated runs", stack(rows), _spec(look), words)


def _lost(run: Timeline) -> np.ndarray:
    """Return the start and end of each stretch of lost work or restarts, in order of time [h]."""
    is_losing = run.rows["kind"].isin(("lost", "restart")).to_numpy()
    changes = np.flatnonzero(np.diff(is_losing, prepend=False, append=False))
    return np.minimum(np.append(run.rows["begin"], run.end)[changes] / k.HOUR, MAX_HOURS)


@plane
def _spec(look: Look) -> tuple:
    """Bars of eight runs over time."""
    runs = list(range(1, RUNS + 1))
    x = axes.x(
        "x:Q", "time since the start (h)", [0, FRAME_HOURS], values=[0, 50, 100, 150, 200, 250]
    )
    y = axes.y("y:Q", "run", [0.4, RUNS + 0.6], reverse=True, values=runs, format="d", grid=False)
    return x, y, _bars, _losses


def _bars(base: alt.Chart, look: Look) -> alt.Chart:
    """Draw the work and the checkpoints."""
    bars = base.transform_filter(only(WORK, DUMPS)).mark_rect()
    return bars.encode(x2=alt.datum(0), **_style(look))


def _losses(base: alt.Chart, look: Look) -> alt.Chart:
    """Draw the losses of each run as one stepped area."""
    areas = base.transform_filter(only(LOST)).mark_area(interpolate="step-after", line=False)
    return areas.encode(detail="foot:N", **_style(look))


def _style(look: Look) -> dict[str, alt.SchemaBase | str]:
    """Return the bottom and the color of every part."""
    colors = [look.series[index] for index in COLOR_INDEX.values()]
    scale = alt.Scale(domain=list(COLOR_INDEX), range=colors)
    legend = alt.Legend(orient="top", symbolType="square", symbolOpacity=1, columns=3)
    return {"y2": "foot:Q", "color": alt.Color("kind:N", title=None, scale=scale, legend=legend)}
