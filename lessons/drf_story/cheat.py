"""DRF story, challenge: a user's gain from cheating, and the check that removes it."""

from dataclasses import replace
from functools import lru_cache

from lessons.drf_story.jobs import NAMES, STORY, Job
from lessons.drf_story.settings import Scenario, capacity, say, signed
from physics import constants as k
from physics.fairness.cheating import true_tasks
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Outcome, Verdict, View, verdict_of
from ui.charts import Look, axes, marks, plane, span, stack, upright

#: Relative difference below which two numbers count as equal.
EQUAL = 1e-6


def claimed(scenario: Scenario) -> tuple[float, float]:
    """Return the cheating user's accepted claim ÷ true need, for each resource [1].

    A check of use removes the part of the claim that the executors leave idle.
    """
    if scenario.check == "use":
        return min(1.0, scenario.claim_cpu), min(1.0, scenario.claim_mem)
    return scenario.claim_cpu, scenario.claim_mem


def names(scenario: Scenario) -> int:
    """Return how many jobs the platform counts for the user who cheats [1]."""
    if scenario.check == "users":
        return 1
    return scenario.names


@lru_cache(maxsize=128)
def executors(scenario: Scenario) -> dict[str, float]:
    """Return each user's usable executors in the full pool under DRF, fractions allowed [1]."""
    jobs = [job.claimant() for job in scenario.table]
    claims = dict(zip(NAMES, claimed(scenario), strict=False))
    return true_tasks(jobs, capacity(scenario.pool), scenario.who, claims, names(scenario))


def honest(scenario: Scenario) -> Scenario:
    """Return the scenario with true claims and one name, and without checks."""
    return replace(scenario, claim_cpu=1, claim_mem=1, names=1, check="none")


def share(scenario: Scenario, job: Job, count: float) -> float:
    """Dominant share of a job that has this number of true executors [1]."""
    amounts = zip(job.holds, job.takes, scenario.pool, strict=False)
    return max((start + count * need) / size for start, need, size in amounts)


def gain(scenario: Scenario) -> float:
    """Cheating user's true executors ÷ those without cheating [1]; 1 if both are zero."""
    before = executors(honest(scenario))[scenario.who]
    if before == 0:
        return 1.0
    return executors(scenario)[scenario.who] / before


def figure(scenario: Scenario, look: Look, playing: bool = False) -> Figure:
    """Chart of each user's dominant share, with honest claims and with the user's cheating."""
    lanes = len(scenario.table)
    check = say(f"check_{scenario.check}", scenario)
    rows = [marks.label(1.12, lanes - 0.22, check, tone="quiet", dx=-1)]
    changes = []
    before = executors(honest(scenario))
    after = executors(scenario)
    for i, job in enumerate(scenario.table):
        start = share(scenario, job, before[job.name])
        end = share(scenario, job, after[job.name])
        tone = f"s{i}"
        words = f"{f.share(start)} → {f.share(end)}"
        if abs(end - start) < EQUAL:
            words = f.share(end)
        rows.append(marks.label(0, i, job.name, bold=True, dx=4, tone=tone))
        rows += move(start, end, i + 0.45, words, tone, 12, "here", size=150)
        changes.append(f"{job.name} {words}")
    if playing:
        goal = share(scenario, scenario.liar_job, k.DRF_GAIN * before[scenario.who])
        rows += marks.limit("goal", min(goal, 1.0), -0.25, say("goal", scenario), dx=-6)
    text = f"Dominant shares in the full pool: {', '.join(changes)}."
    return Figure("cheat", "Who gains, and who loses?", stack(rows), _spec(look, lanes), text)


def move(
    start: float,
    end: float,
    y: float,
    words: str,
    tone: str,
    dx: int,
    role: str | None = None,
    **style: object,
) -> list[marks.Row]:
    """Rows that show a move from a hollow mark to a filled one, with a label on the right."""
    return [
        {"kind": "moved", "x": start, "y": y, "to": end, "tone": tone},
        marks.point(start, y, tone="paper", rim=tone, **style),
        marks.point(end, y, tone=tone, rim=tone, role=role, **style),
        marks.label(max(start, end), y, words, tone=tone, dx=dx),
    ]


@plane
def _spec(look: Look, jobs: int) -> tuple:
    """Specification: one row per user, the honest share hollow and the current one filled."""
    shares = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}
    x = axes.x("x:Q", "dominant share: honest (hollow) and now (filled)", [0, 1.12], **shares)
    y = axes.y("y:Q", ends=[jobs - 0.1, -0.5], axis=None)
    return x, y, upright("goal", "good", (6, 3)), span("moved", width=look.stroke, x2="to:Q")


def metrics(scenario: Scenario) -> list[Metric]:
    """Return three metrics on the cheating user's true executors: honest, now, and difference."""
    before = executors(honest(scenario))[scenario.who]
    after = executors(scenario)[scenario.who]
    change = signed(round(after - before, 6), f.significant)
    help = say("true_help", scenario)
    return [
        Metric(f"{scenario.who}, honest", f.significant(before), "executors", help=help),
        Metric(f"{scenario.who}, now", f.significant(after), "executors", help=help),
        Metric("Change", change, "executors"),
    ]


def is_honest(scenario: Scenario) -> bool:
    """Return whether the user states true needs under one name."""
    return (scenario.claim_cpu, scenario.claim_mem, scenario.names) == (1, 1, 1)


def verdict(scenario: Scenario) -> Verdict:
    """Return the verdict on the user's cheating: how it is done, what it gains, and why."""
    if is_honest(scenario):
        return Verdict(say("cheat_truth", scenario))
    accepted = claimed(scenario)
    change = gain(scenario) - 1
    reasons = []
    if (*accepted, names(scenario)) != (scenario.claim_cpu, scenario.claim_mem, scenario.names):
        reasons.append("cheat_caught")
    if names(scenario) > 1:
        reasons.append("cheat_names")
    if max(accepted) > 1:
        reasons.append("cheat_more")
    if min(accepted) < 1:
        reasons.append("cheat_less")
    if change > EQUAL:
        reasons.append("brings_more")
    elif change < -EQUAL:
        reasons.append("brings_less")
    else:
        reasons.append("brings_nothing")
    return Verdict(" ".join(say(reason, scenario, change=abs(change)) for reason in reasons))


@verdict_of(say)
def judge(scenario: Scenario) -> Outcome:
    """Return the verdict on the challenge: cheating must pay without the check and fail with it."""
    if scenario.table != STORY:
        return "start", None
    if is_honest(scenario):
        return "honest_yet", None
    unchecked = gain(replace(scenario, check="none"))
    if unchecked < k.DRF_GAIN * (1 - EQUAL):
        return "too_little", False, {"gain": unchecked}
    if gain(scenario) > 1 + EQUAL:
        name = "pays" if scenario.check == "none" else "uncaught"
        return name, False, {"gain": gain(scenario)}
    return "won", True, {"gain": unchecked}


view = View("cheat", figure=figure, metrics=metrics, verdict=verdict)
