"""DRF story, laboratory: caps per job, caps per user, and quotas against a user with several
names.
"""

from dataclasses import replace
from functools import lru_cache

from lessons.drf_story.cheat import honest, share
from lessons.drf_story.settings import Scenario, capacity, say
from physics.fairness import divide
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, marks, plane, stack, upright

#: What may hold a user back, in the order of the picture.
RULES = {
    "none": "No limit",
    "job": "Cap per job",
    "user": "Cap per user",
    "quota": "Quotas, equal parts",
}


@lru_cache(maxsize=128)
def shares(scenario: Scenario, rule: str) -> dict[str, float]:
    """Return each user's dominant share in the full pool under DRF with one limit [1].

    A cap is a largest dominant share. Under quotas each user has an equal part of the pool alone,
    and nothing is lent.
    """
    result = {}
    if rule == "quota":
        part = tuple(size / len(scenario.table) for size in scenario.pool)
        for job in scenario.table:
            alone = replace(job, start=(0.0, 0.0), ceiling=None)
            count = divide([alone.claimant()], capacity(part)).executors[job.name]
            result[job.name] = share(scenario, alone, count)
        return result
    jobs = []
    counts = {}
    for row, job in enumerate(scenario.table, 1):
        count = 1
        if str(row) == scenario.liar:
            count = scenario.names
        counts[job.name] = count
        unit = share(scenario, replace(job, start=(0.0, 0.0)), 1.0)
        ceiling = job.ceiling
        if rule == "job":
            ceiling = scenario.cap / unit
        if rule == "user":
            ceiling = scenario.cap / unit / count
        for number in range(count):
            name = f"{job.name}#{number}"
            jobs.append(replace(job, name=name, start=(0.0, 0.0), ceiling=ceiling))
    served = divide([job.claimant() for job in jobs], capacity(scenario.pool)).executors
    for job in scenario.table:
        total = 0.0
        for number in range(counts[job.name]):
            total += served[f"{job.name}#{number}"]
        result[job.name] = share(scenario, replace(job, start=(0.0, 0.0)), total)
    return result


def figure(scenario: Scenario, look: Look) -> Figure:
    """Chart of each user's dominant share under each limit."""
    words = f"cap: {f.share(scenario.cap)}"
    rows = marks.limit("cap", scenario.cap, -0.2, words, tone="bad", dx=6)
    said = []
    for y, (rule, title) in enumerate(RULES.items()):
        rows.append(marks.label(0, y, title, bold=True, dx=4))
        found = shares(scenario, rule)
        for i, job in enumerate(scenario.table):
            value = found[job.name]
            is_liar = str(i + 1) == scenario.liar
            rows.append(marks.point(value, y + 0.45, tone=f"s{i}", size=240 if is_liar else 110))
            if is_liar:
                words = f"{job.name} {f.share(value)}"
                rows.append(marks.label(value, y + 0.45, words, tone=f"s{i}", dx=12, bold=True))
        said.append(f"{title}: {', '.join(f'{n} {f.share(x)}' for n, x in found.items())}.")
    text = f"Dominant shares in the full pool. {' '.join(said)}"
    title = "Which limit holds a user with several names?"
    return Figure("limits", title, stack(rows), _spec(look), text)


@plane
def _spec(look: Look) -> tuple:
    """A row for each rule, a point for each user, and the cap."""
    x = axes.x("x:Q", "dominant share", [0, 1.25], format=".0%", values=[0, 0.25, 0.5, 0.75, 1])
    y = axes.y("y:Q", ends=[len(RULES), -0.4], axis=None)
    return x, y, upright("cap", "bad", (6, 3))


def metrics(scenario: Scenario) -> list[Metric]:
    """Metrics: dominant share of the user with several names under each limit."""
    return [
        Metric(title, f.share(shares(scenario, rule)[scenario.who]))
        for rule, title in RULES.items()
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Return the verdict on which limits restrain the user with several names."""
    before = shares(honest(scenario), "none")[scenario.who]
    values = {rule: shares(scenario, rule)[scenario.who] for rule in RULES}
    if scenario.names == 1:
        return Verdict(say("limits_one", scenario, before=before))
    name = "limits_hold"
    if values["job"] > values["user"] + 1e-9:
        name = "limits_differ"
    return Verdict(say(name, scenario, before=before, **values))
