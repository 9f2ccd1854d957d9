"""DRF story, laboratory: caps and quotas against a user with several names."""

from dataclasses import replace
from functools import lru_cache

from lessons.drf_story.cheat import honest, share
from lessons.drf_story.settings import Scenario, capacity, say
from physics.fairness import divide
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Outcome, View, verdict_of
from ui.charts import Look, axes, marks, plane, stack, upright

#: Limits of what a user can get, in the order of the picture.
RULES = {
    "none": "No limit",
    "job": "Cap per job",
    "user": "Cap per user",
    "quota": "Equal quotas",
}


@lru_cache(maxsize=128)
def shares(scenario: Scenario, rule: str) -> dict[str, float]:
    """Return each user's dominant share in the full pool under DRF with one limit [1].

    A cap is a largest dominant share. Under quotas each user has an equal part of the pool alone,
    and nothing is lent.
    """
    users = [replace(job, start=(0.0, 0.0)) for job in scenario.table]
    result = {}
    if rule == "quota":
        quota = capacity(tuple(size / len(users) for size in scenario.pool))
        for user in users:
            alone = replace(user, ceiling=None).claimant()
            result[user.name] = share(scenario, user, divide([alone], quota).executors[user.name])
        return result
    claimants = []
    for row, user in enumerate(users, 1):
        jobs = 1
        if str(row) == scenario.liar:
            jobs = scenario.names
        ceiling = user.ceiling
        if rule == "job":
            ceiling = scenario.cap / share(scenario, user, 1.0)
        if rule == "user":
            ceiling = scenario.cap / share(scenario, user, 1.0) / jobs
        for number in range(jobs):
            job = replace(user, name=f"{user.name}#{number}", ceiling=ceiling)
            claimants.append(job.claimant())
    executors = divide(claimants, capacity(scenario.pool)).executors
    for user in users:
        counts = [count for name, count in executors.items() if name.startswith(f"{user.name}#")]
        result[user.name] = share(scenario, user, sum(counts))
    return result


def figure(scenario: Scenario, look: Look) -> Figure:
    """Chart of each user's dominant share under each limit."""
    words = f"cap: {f.share(scenario.cap)}"
    rows = marks.limit("cap", scenario.cap, -0.2, words, tone="bad", dx=6)
    sentences = []
    for y, (rule, title) in enumerate(RULES.items()):
        rows.append(marks.label(0, y, title, bold=True, dx=4))
        texts = []
        for i, (name, value) in enumerate(shares(scenario, rule).items()):
            is_liar = name == scenario.who
            rows.append(marks.point(value, y + 0.45, tone=f"s{i}", size=240 if is_liar else 110))
            text = f"{name} {f.share(value)}"
            texts.append(text)
            if is_liar:
                rows.append(marks.label(value, y + 0.45, text, tone=f"s{i}", dx=12, bold=True))
        sentences.append(f"{title}: {', '.join(texts)}.")
    alt_text = " ".join(["Dominant shares in the full pool.", *sentences])
    title = "Which limit stops a user with several names?"
    return Figure("limits", title, stack(rows), _spec(look), alt_text)


@plane
def _spec(look: Look) -> tuple:
    """Specification: a row of points for each limit, one point per user, and the cap."""
    x = axes.x("x:Q", "dominant share", [0, 1.25], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", ends=[len(RULES), -0.4], axis=None)
    return x, y, upright("cap", "bad", (6, 3))


def metrics(scenario: Scenario) -> list[Metric]:
    """Metrics: dominant share of the user with several names under each limit."""
    return [
        Metric(title, f.share(shares(scenario, rule)[scenario.who]))
        for rule, title in RULES.items()
    ]


@verdict_of(say)
def verdict(scenario: Scenario) -> Outcome:
    """Return the verdict on which limits restrain the user with several names."""
    before = shares(honest(scenario), "none")[scenario.who]
    values = {rule: shares(scenario, rule)[scenario.who] for rule in RULES}
    if scenario.names == 1:
        return "limits_one", None, {"before": before}
    name = "limits_hold"
    if values["job"] > values["user"] + 1e-9:
        name = "limits_differ"
    return name, None, {"before": before, **values}


view = View("limits", figure=figure, metrics=metrics, verdict=verdict)
