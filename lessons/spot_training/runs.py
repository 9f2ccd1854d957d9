"""Spot training: eight single runs, interrupted and thrown back to their checkpoints."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training.settings import Plan, say
from physics import constants as k
from physics.checkpointing import Timeline, play_run
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, only, specification, stack
from ui.charts.layers import halo_of

#: The same chances at every setting, so that two settings differ by the settings.
SEED = 20060301
#: Runs side by side, interruptions of one after which it is drawn no further, and the end of the frame [h].
RUNS, MOST, END = 8, 150, 250
#: Parts of a run's time, and the color of the series that each has in every picture.
PARTS = {"work": 0, "checkpoints": 3, "lost time": 1}
WORK, DUMPS, LOST = PARTS
#: Half the height of a run's bar, in runs.
HALF = 0.38


@lru_cache(maxsize=256)
def play(plan: Plan, number: int) -> Timeline:
    """Play the run of this number; the same number meets the same interruptions at every interval."""
    times, rng = (plan.interval, plan.dump, plan.restart, plan.gang_mtbf), np.random.default_rng([SEED, number])
    return play_run(float(k.SPOT_WORK), *times, rng, plan.warning, END * float(k.HOUR), MOST)


def figure(plan: Plan, look: Look) -> Figure:
    """Eight runs, one under the other."""
    played = [play(plan, number) for number in range(RUNS)]
    bills = [plan.price * run.end / k.HOUR for run in played if _within(run)]
    ends = {"ended": str(len(bills)), "least": f.money(min(bills)), "most": f.money(max(bills))} if bills else {}
    words = say("runs_chart" if bills else "runs_chart_none", plan, **ends)
    return Figure("runs", "Eight simulated runs", frame(plan), spec(look), words)


def _within(run: Timeline) -> bool:
    return run.done and run.end <= END * k.HOUR


@lru_cache(maxsize=64)
def frame(plan: Plan) -> pa.Table:
    """Rows of the chart: time [h], the two edges of what is drawn there [runs], and the words at a run's end.

    A run is one bar of work, the time for checkpoints a strip along it, as high as its share of the time in which no
    work is lost. Over both lies one outline for all that is lost: it rises where a loss begins and falls where it ends.
    """
    share, rows = plan.dump / (plan.interval + plan.dump), []
    for number in range(RUNS):
        run, top, foot = play(plan, number), number + 1 - HALF, number + 1 + HALF
        end, lost = min(run.end / k.HOUR, END), _lost(run)
        edges = {"edge": [top, foot] * (len(lost) // 2), "foot": foot}
        rows += [
            {"kind": WORK, "time": end, "edge": top, "foot": foot},
            {"kind": DUMPS, "time": end, "edge": foot - 2 * HALF * share, "foot": foot},
            {"kind": [LOST] * len(lost), "time": lost} | edges,
            {"kind": "end", "edge": number + 1.0} | _ended(plan, run),
        ]
    return stack(rows)


def _lost(run: Timeline) -> list[float]:
    """Begin and end of each stretch of lost work and restarts within the frame [h]; those that touch are one."""
    found: list[float] = []
    for begin, end, kind in zip(*(run.rows[name].tolist() for name in ("begin", "end", "kind")), strict=True):
        if kind not in ("lost", "restart") or begin >= END * k.HOUR:
            continue
        if found and begin / k.HOUR <= found[-1] * (1 + 1e-9):
            found.pop()
        else:
            found.append(begin / k.HOUR)
        found.append(min(end / k.HOUR, END))
    return found


def _ended(plan: Plan, run: Timeline) -> dict[str, str]:
    """What became of a run."""
    if _within(run):
        bill = f.money(plan.price * run.end / k.HOUR)
        return {"label": f"{bill}, {f.count(run.struck, 'interruption')}", "short": bill}
    saved = f.share(min(1.0, run.saved * plan.interval / k.SPOT_WORK), 2)
    cut = f"{saved} done after {MOST} interruptions"
    return {"label": "not done →" if run.end >= END * k.HOUR else cut, "short": f"{saved} →"}


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Bars of eight runs over time."""
    runs = list(range(1, RUNS + 1))
    x = axes.x("time:Q", "time since the start (h)", [0, END], values=[0, 50, 100, 150, 200, 250])
    y = axes.y("edge:Q", "run", [0.4, RUNS + 0.6], reverse=True, values=runs, format="d", grid=False)
    base = alt.Chart().encode(y=y)
    color = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=list(PARTS), range=[look.series[place] for place in PARTS.values()]),
        legend=alt.Legend(orient="top", symbolType="square", columns=3),
    )
    drawn = base.encode(x=x, y2="foot:Q", color=color)
    text = {"align": "right", "dx": -2, "color": look.ink, "fontSize": min(look.text_size, 13)} | halo_of(look.paper)
    words = base.transform_filter(only("end")).mark_text(**text)
    layers = [
        *(drawn.transform_filter(only(part)).mark_rect().encode(x2=alt.datum(0)) for part in (WORK, DUMPS)),
        drawn.transform_filter(only(LOST)).mark_area(interpolate="step-after", line=False).encode(detail="foot:N"),
        words.encode(x=alt.value("width"), text=alt.value({"expr": "width < 640 ? datum.short : datum.label"})),
    ]
    return specification(alt.layer(*layers), look, halo=False)
