"""Scheduling policy, first picture: the queue over time under FIFO and under the present policy, on the same jobs."""

from dataclasses import replace

import numpy as np

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.settings import DAY, EASY, FOUR, Scenario, hours, percent, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Reach, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, stack
from ui.charts.plane import line, plane
from ui.knobs import remedies as search
from ui.knobs.declared import moved

#: Top of the frame: somewhat more jobs than wait under FIFO in the run that is drawn.
TOP = 150.0
#: What of the settings is the policy; a challenge asks for these alone.
POLICY = ("order", "backfill", "reserved", "preemption")
#: Changes that are tried where a target is missed, the smallest first.
FIXES = (
    {"backfill": "easy"},
    {"order": "priority"},
    {"reserved": 8},
    {"reserved": 16},
    {"preemption": True},
    EASY,
    {"backfill": "easy", "reserved": 8},
    EASY | {"reserved": 8},
    {"order": "shortest", "backfill": "easy", "reserved": 8},
)
#: Replications on which a change is tried first, and how far from the targets it may then be.
TRIED, SLACK_SHARE, SLACK_WAIT = 4, 0.02, 1.5


def fifo(scenario: Scenario) -> Scenario:
    """Return FIFO on the same fleet and jobs, with as many days simulated as the present policy is given."""
    plain = {"order": "arrival", "backfill": "none", "reserved": 0, "preemption": False, "quotas": "none"}
    return replace(scenario, **plain, max_wait=0.0)


def lines(scenario: Scenario) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return days, jobs waiting under FIFO and jobs waiting under the present policy, in the first replication."""
    first, mine = (runs.queue(one) for one in (fifo(scenario), scenario))
    count = min(len(first), len(mine))
    return runs.MOMENTS[:count] / DAY, first[:count], mine[:count]


def figure(scenario: Scenario, look: Look, guess: str | None = None, end: float = TOP) -> Figure:
    """Both queues of one simulated run; the moment at which most jobs wait under FIFO is marked."""
    days, first, mine = lines(scenario)
    worst = int(np.argmax(first))
    day, both = float(days[worst]), ((first, "FIFO", "quiet"), (mine, "you are here", "accent"))
    same = scenario.effective == fifo(scenario).effective
    words = "your answer" if guess and answered(scenario, guess) else "you are here"
    rows: list[dict[str, object]] = [
        {"kind": name, "x": days, "y": np.minimum(queue, end).astype(float)}
        for (queue, _, _), name in zip(both, ("fifo", "mine"), strict=True)
    ]
    for (queue, name, tone), mark in zip(both, ("FIFO", words), strict=True):
        if same and name == "FIFO":
            continue
        shown, at = int(queue[worst]), min(float(queue[worst]), end)
        mark = f"{mark}, FIFO" if same else mark
        beyond = {"shape": "triangle-up"} if queue[worst] > end else {}
        rows.append(marks.point(day, at, tone=tone, **({"role": "here"} if tone == "accent" else {}), **beyond))
        side = {"align": "right", "dx": -10} if day > days[-1] / 2 else {"align": "left", "dx": 10}
        down = 10 if at > 0.95 * end else -8 if name == "FIFO" else -17
        rows.append(marks.label(day, at, f"{mark}: {shown} waiting", tone=tone, bold=tone == "accent", dy=down, **side))
    title = "How many jobs wait? One simulated run, the same jobs under both policies"
    alt = say(
        "queue_chart",
        scenario,
        fifo=f.significant(int(first[worst])),
        mine=f.significant(int(mine[worst])),
        day=f.significant(day),
        fifo_mean=f.significant(float(first.mean()), 2),
        mean=f.significant(float(mine.mean()), 2),
    )
    reach = Reach(float(max(first.max(), mine.max())), end)
    drawn = stack(marks.renamed(rows, "day", "jobs"))
    return Figure("queue", title, drawn, _spec(look, end), alt, ("mine",), reach=reach)


@plane
def _spec(look: Look, top: float = TOP) -> tuple:
    """Jobs waiting over 60 days: FIFO thin, the present policy thick."""
    x = axes.x("day:Q", "day", [0, 60], values=list(range(0, 61, 10)))
    y = axes.y("jobs:Q", "jobs waiting", [0, top], tickCount=4)
    return x, y, line("fifo", "quiet", width=1.2), line("mine")


def answered(scenario: Scenario, guess: str) -> bool:
    """Return whether the present settings are the policy that an answer means, on the message's jobs."""
    return scenario.effective == replace(Scenario(), **FOUR[guess][1]).effective


def words(scenario: Scenario) -> str:
    """Return what is drawn."""
    days, first, mine = lines(scenario)
    sentence = say(
        "queue_words",
        scenario,
        fifo=f.significant(float(first.mean()), 2),
        mine=f.significant(float(mine.mean()), 2),
        span=f.count(len(days) // 4, "day"),
    )
    return f"{sentence} {runs.less_than_asked(scenario)}".strip()


def metrics(scenario: Scenario) -> list[Metric]:
    """Return the four headline numbers."""
    share, wait = scenario.in_time, scenario.training_wait
    in_time = None if np.isnan(share) else bool(share >= k.POLICY_INTERACTIVE_SHARE)
    note = {True: "in_time_met", False: "in_time_missed", None: "in_time_none"}[in_time]
    done = f"mean of {f.count(scenario.runs_done, 'run')}"
    written = f.apart(share, float(k.POLICY_INTERACTIVE_SHARE), f.share) if in_time is not None else percent(share)
    return [
        Metric("Interactive in 5 min", written, say(note, scenario), in_time),
        Metric("Training wait", hours(wait), done),
        Metric("Interactive wait", hours(scenario.interactive_wait), done),
        Metric("Offered load", f.share(scenario.load), None, None if scenario.load < 1 else False),
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say what the bottleneck is."""
    if scenario.never > 1e-6:
        return Verdict(say("some_never_start", scenario), False)
    if scenario.load >= 1:
        return Verdict(say("overload", scenario), False)
    if scenario.load > scenario.limit:
        return Verdict(say("above_limit", scenario), False)
    if np.isnan(scenario.in_time):
        return Verdict(say("no_interactive", scenario))
    if scenario.in_time < k.POLICY_INTERACTIVE_SHARE:
        return Verdict(say(_why_late(scenario), scenario), False)
    if scenario.training_wait > k.POLICY_TRAINING_WAIT:
        return Verdict(say("training_pays", scenario))
    return Verdict(say("both_met", scenario), True)


def _why_late(scenario: Scenario) -> str:
    """Return the name of the sentence that says why interactive jobs start late."""
    if scenario.quotas in ("own", "reclaimed"):
        return "quota_too_small"
    if scenario.order == "arrival" and scenario.backfill == "none" and scenario.quotas == "none":
        return "head_blocks"
    return "few_are_stopped" if scenario.preemption and scenario.quotas == "none" else "nothing_is_stopped"


def judge(scenario: Scenario) -> Verdict:
    """Say how far a policy has come, on the message's jobs."""
    scenario = scenario.effective
    if labels := moved(scenario, POLICY):
        return Verdict(say("challenge_moved", scenario, found=", ".join(labels)))
    if not scenario.in_time >= k.POLICY_INTERACTIVE_SHARE:
        return Verdict(say("challenge_late", scenario), False)
    if not scenario.training_wait <= k.POLICY_TRAINING_WAIT:
        return Verdict(say("challenge_training", scenario), False)
    return Verdict(say("won", scenario), True)


def remedies(scenario: Scenario) -> str:
    """Return the smallest change found that meets both targets, or the load that would fit."""
    if scenario.startable_rate >= scenario.fleet:
        return say("feasible" if scenario.feasible > 0 else "others_fill", scenario)
    if np.isnan(scenario.in_time) or scenario.met:
        return ""
    for changes in FIXES:
        tried = replace(scenario, **{name: value for name, value in changes.items()})
        if tried.quotas == "none" and _near(tried) and tried.met:
            found = [
                search.worded(scenario, name, value)
                for name, value in changes.items()
                if getattr(scenario, name) != value
            ]
            return say("remedies", tried, found=" and ".join(found))
    return say("no_remedy", scenario)


def _near(scenario: Scenario) -> bool:
    """Return whether a few replications leave it open that all of them meet both targets."""
    few = replace(scenario, replications=TRIED)
    late = few.in_time < k.POLICY_INTERACTIVE_SHARE - SLACK_SHARE
    return not late and few.training_wait <= SLACK_WAIT * k.POLICY_TRAINING_WAIT
