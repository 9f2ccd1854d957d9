"""Scheduling policy, first picture: the queue over time under FIFO and under the present policy, on
the same jobs.
"""

from dataclasses import replace

import numpy as np

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.settings import DAY, EASY, HOUR, Scenario, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Reach, Verdict
from ui.charts import Look, axes, level, line, marks, picture, plane, stack, upright
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Top of the frame: somewhat more jobs than wait under FIFO in the run that is drawn.
TOP = 150.0
#: Where the challenge's picture ends: the longest training wait that it shows [h].
LONGEST = 48.0
#: What of the settings is the policy; a challenge asks for these alone.
POLICY = ("order", "backfill", "reserved", "preemption")
#: Changes that are tried where a target is missed, without quotas, the smallest first.
FIXES = [
    {"backfill": "easy"},
    {"order": "priority"},
    {"reserved": 8},
    EASY,
    {"backfill": "easy", "reserved": 8},
]
FIXES += [{"preemption": True}, EASY | {"reserved": 8}]


def fifo(scenario: Scenario) -> Scenario:
    """Return FIFO on the same jobs."""
    arrivals = ("interactive_rate", "training_rate", "training_gpus", "seed")
    return replace(Scenario(), **{name: getattr(scenario.effective, name) for name in arrivals})


def lines(scenario: Scenario) -> tuple[np.ndarray, np.ndarray]:
    """Return the jobs waiting under FIFO and under the present policy at each moment of the first
    replication.
    """
    return tuple(
        runs.first(plain).queue_at(runs.MOMENTS) for plain in (fifo(scenario), scenario.effective)
    )


def figure(scenario: Scenario, look: Look, end: float = TOP, playing: bool = False) -> Figure:
    """Both queues of one simulated run, with FIFO's worst moment; of a challenge in play its two
    targets.
    """
    if playing:
        return _targets(scenario, look)
    (first, mine) = lines(scenario)
    days = runs.MOMENTS / DAY
    worst = int(np.argmax(first))
    told = {"fifo": f.significant(int(first[worst])), "mine": f.significant(int(mine[worst]))}
    rows: list[dict[str, object]] = [{"kind": "worst", "x": days[worst]}]
    drawn = {
        "fifo": (first, "FIFO's worst hour", "quiet", None),
        "mine": (mine, "you are here", "accent", "here"),
    }
    for place, (kind, (queue, name, tone, role)) in enumerate(drawn.items()):
        at = min(float(queue[worst]), end)
        if queue[worst] > end:
            shape = "triangle-up"
        else:
            shape = "circle"
        rows.append({"kind": kind, "x": days, "y": np.minimum(queue, end).astype(float)})
        rows.append(marks.point(days[worst], at, tone=tone, role=role, shape=shape))
        short = f"{name}: {told[kind]}"
        looks = {"tone": tone, "bold": bool(role), "dy": 9 + 16 * place}
        if days[worst] < 30:
            dx = 10
        else:
            dx = -10
        rows.append(marks.label(days[worst], end, f"{short} waiting", short=short, dx=dx, **looks))
    title = "How many jobs wait in one simulated run?"
    table = stack(marks.renamed(rows, "day", "jobs"))
    reach = Reach(float(max(first.max(), mine.max())), end)
    return Figure(
        "queue",
        title,
        table,
        _spec(look, end),
        say("queue_chart", scenario, day=f.significant(days[worst]), **told),
        ("mine",),
        reach=reach,
    )


@plane
def _spec(look: Look, top: float = TOP) -> tuple:
    """Jobs waiting over 60 days: FIFO thin, the present policy thick."""
    x = axes.x("day:Q", "day", [0, 60], values=list(range(0, 61, 10)))
    y = axes.y("jobs:Q", "jobs waiting", [0, top], tickCount=4)
    return x, y, upright("worst", "quiet"), line("fifo", "quiet", width=1.2), line("mine")


@picture(
    say,
    "targets",
    "Does the policy meet both targets?",
    axes.x("wait:Q", "mean training wait (hours)", [0, LONGEST], values=list(range(0, 49, 6))),
    axes.y(
        "in_time:Q", "interactive in 5 min", [0, 1.1], format=".0%", values=[0, 0.25, 0.5, 0.75, 1]
    ),
    level("share", "good"),
    upright("wait", "good", (8, 4)),
)
def _targets(scenario: Scenario) -> list[marks.Row]:
    """Both quantities of the challenge with their targets; a wait beyond the frame is an arrow at
    its edge.
    """
    share = scenario.in_time
    wait = scenario.training_wait / HOUR
    here = {"tone": "accent", "bold": True}
    wanted = float(k.POLICY_INTERACTIVE_SHARE)
    most = float(k.POLICY_TRAINING_WAIT)
    if wait <= LONGEST:
        shape = "circle"
        words = "you are here"
    else:
        shape = "triangle-right"
        words = "you are here →"
    x = min(wait, LONGEST)
    # not through the target's line, nor outside
    left = most / 2 < scenario.training_wait <= most or x > 0.6 * LONGEST
    return [
        *marks.limit(
            "share", 0, wanted, f"goal: at least {f.share(wanted)}", short="goal", dx=6, dy=-9
        ),
        *marks.limit(
            "wait", most / HOUR, 0, f"goal: at most {f.duration(most)}", short="goal", dx=6, dy=-9
        ),
        marks.point(x, share, shape=shape, size=130),
        marks.label(x, share, words, dx=-10 if left else 10, dy=24 if share > 0.5 else -26, **here),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say what the bottleneck is."""
    if not scenario.steady:
        return overload(scenario)
    if not scenario.enough:
        return Verdict(say(_why_late(scenario), scenario), False)
    if scenario.training_wait > k.POLICY_TRAINING_WAIT:
        return Verdict(say("training_pays", scenario))
    return Verdict(say("both_met", scenario), True)


def overload(scenario: Scenario) -> Verdict:
    """Say that there is no steady state: with any policy, or with this one."""
    return Verdict(say("overload" if scenario.load >= 1 else "above_limit", scenario), False)


def _why_late(scenario: Scenario) -> str:
    """Return the name of the sentence that says why interactive jobs start late."""
    if scenario.quotas in ("own", "reclaimed"):
        return "quota_too_small"
    if scenario.order == "arrival" and scenario.backfill == "none" and scenario.quotas == "none":
        return "head_blocks"
    if scenario.preemption and scenario.quotas == "none":
        return "few_are_stopped"
    return "nothing_is_stopped"


def judge(scenario: Scenario) -> Verdict:
    """Say how far a policy has come, on the message's jobs."""
    labels = moved(scenario.effective, POLICY)
    if labels:
        return Verdict(say("challenge_moved", scenario, found=", ".join(labels)))
    if not scenario.enough:
        return Verdict(say("challenge_late", scenario), False)
    return Verdict(say("won" if scenario.met else "challenge_training", scenario), scenario.met)


def remedies(scenario: Scenario) -> str:
    """Return the smallest change found that meets both targets, or the load that would fit."""
    if scenario.load >= 1:
        return say("feasible", scenario)
    if scenario.met:
        return ""
    for changes in FIXES:
        tried = replace(scenario, quotas="none", **changes)
        # Four replications tell what is far from the target.
        if replace(tried, replications=4).in_time > k.POLICY_INTERACTIVE_SHARE - 0.02 and tried.met:
            turned = [
                one for one in ("quotas", *changes) if getattr(scenario, one) != getattr(tried, one)
            ]
            found = " and ".join(
                search.worded(scenario, one, getattr(tried, one)) for one in turned
            )
            return say("remedies", tried, found=found)
    return say("no_remedy", scenario)
