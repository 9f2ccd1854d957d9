"""DRF story: every job's dominant share over the steps of both hand-outs."""

import altair as alt

from lessons.drf_story import pool
from lessons.drf_story.jobs import MOST_JOBS, Job, write
from lessons.drf_story.settings import Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Challenge, Figure, Preset, Verdict
from ui.charts import Look, axes, line, marks, plane, stack, upright

EXECUTORS = int(k.DRF_EXECUTORS)
#: Turns are fair to these two where the pool has 6 GB for each vCPU.
JOBS = (Job("Simulation", (16.0, 16.0)), Job("Indexing", (4.0, 96.0)))
START = Preset(changes={"table": write(JOBS), "step": EXECUTORS}, view="shares")
DASHES = ((), (7, 3), (3, 2), (9, 3, 2, 3), (1, 2))
words, draw = pool.words, pool.draw


def figures(scenario: Scenario, look: Look) -> list[Figure]:
    """Dominant shares over the steps of both policies, on the same axes."""
    return [_figure(scenario, which, look) for which in (0, 1)]


def _figure(scenario: Scenario, which: int, look: Look) -> Figure:
    label, result = scenario.both[which]
    history = [*(row["shares"] for row in result.history), result.dominant_share]
    top = 1.12 * max(max(one.dominant_share.values()) for _, one in scenario.both) or 1.0
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
        goals = {"goal high": most, "goal low": most / k.DRF_ALIKE}
        rows += [{"kind": kind, "x": [0, end], "y": [high] * 2} for kind, high in goals.items()]
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
    return x, y, *(line(f"goal {end}", "good", (8, 4)) for end in ("low", "high")), upright("here", "quiet", ()), *lines


def judge(scenario: Scenario) -> Verdict:
    """Say how far the two largest shares are apart."""
    if (scenario.table, scenario.executors, scenario.policy_two) != (JOBS, EXECUTORS, "round_robin"):
        return Verdict(say("start", scenario))
    if set(scenario.two.executors.values()) != {EXECUTORS // 2}:
        return Verdict(say("unfit", scenario), False)
    (low, least), (high, most) = sorted(scenario.two.dominant_share.items(), key=lambda one: one[1])
    ratio = most / least
    if ratio > k.DRF_ALIKE * (1 + 1e-9):
        # What misses the goal is not rounded to it.
        times = f.times(ratio) if round(ratio, 2) > k.DRF_ALIKE else f.times(ratio, 5)
        return Verdict(say("uneven", scenario, high=high, low=low, most=f.share(most), times=times), False)
    return Verdict(say("won", scenario), True)


CHALLENGE = Challenge(lambda: say("task", Scenario()), judge, START)
