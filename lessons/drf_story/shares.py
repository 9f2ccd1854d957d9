"""DRF story: every job's dominant share over the steps of both hand-outs."""

import altair as alt

from lessons.drf_story import pool
from lessons.drf_story.challenge import JOBS
from lessons.drf_story.jobs import MOST_JOBS
from lessons.drf_story.settings import Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import Look, axes, level, line, marks, plane, stack, upright

DASHES = ((), (7, 3), (3, 2), (9, 3, 2, 3), (1, 2))
words, draw = pool.words, pool.draw


def figures(scenario: Scenario, look: Look) -> list[Figure]:
    """Dominant shares over the steps of both policies, on the same axes."""
    return [_figure(scenario, which, look) for which in (0, 1)]


def _figure(scenario: Scenario, which: int, look: Look) -> Figure:
    result, label = scenario.runs[which], scenario.labels[which]
    history = [*(row["shares"] for row in result.history), result.dominant_share]
    top = 1.12 * max(max(one.dominant_share.values()) for one in scenario.runs) or 1.0
    end, step, names = max(1, scenario.last), min(scenario.step, len(result.log)), [job.name for job in scenario.table]
    rows = [
        {"kind": f"job {i}", "x": at, "y": shares[name], "label": name}
        for i, name in enumerate(names)
        for at, shares in enumerate(history)
    ]
    rows += [{"kind": "here", "x": step, "y": 0}, marks.point(end, top, size=0)]
    rows += [marks.point(step, history[step][name], tone=f"s{i}", size=60) for i, name in enumerate(names)]
    gap = (0.26 if look.present else 0.1) * top
    for i, high in enumerate(marks.apart([result.dominant_share[name] for name in names], gap, 0.96 * top)):
        text = f"{names[i]} +{result.executors[names[i]]}"
        rows.append(marks.label(end, high, text, tone=f"s{i}", bold=True, dx=8))
    if scenario.table == JOBS and label == "Round-robin":
        most = max(result.dominant_share.values())
        rows += [{"kind": "goal", "x": 0, "y": high} for high in (most, most / k.DRF_ALIKE)]
        rows.append(marks.label(0, most, say("goal", scenario), tone="good", dx=4, dy=-9))
    ends = [f"{name} ends at {f.share(share)}" for name, share in result.dominant_share.items()]
    alt_text = f"Dominant share of each job over {f.count(len(result.log), 'step')} of {label}: {'; '.join(ends)}."
    spec = _spec(look) | {"height": 400 if look.present else 235}
    return Figure(("one", "two")[which], f"{label}: whose dominant share grows?", stack(rows), spec, alt_text)


@plane
def _spec(look: Look) -> tuple:
    """Dominant share over the steps: a line a job, and the step that is shown."""
    # The labels at the ends of the lines stand beside the plot.
    edges = [0, alt.ExprRef(f"max(120, width - {12.2 * look.text_size:.0f})")]
    x = axes.x("x:Q", "executors handed out", zero=True, range=edges, format="d", tickMinStep=1, tickCount=6)
    y = axes.y("y:Q", "share" if look.present else "dominant share", zero=True, format=".0%")
    lines = (line(f"job {i}", f"s{i}", DASHES[i], look.stroke) for i in range(MOST_JOBS))
    return x, y, level("goal", "good"), upright("here", "quiet", ()), *lines
