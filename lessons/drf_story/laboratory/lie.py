"""DRF story: a job's gain from misreporting its needs, under DRF and under CEEI."""

import math
from functools import lru_cache

import altair as alt

from lessons.drf_story.cheat import move
from lessons.drf_story.settings import Scenario, capacity, say
from physics.fairness import divide
from physics.fairness.cheating import true_tasks
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict, View
from ui.charts import Look, axes, marks, plane, span, stack

#: Policies by name: id, tone and shape of the marks, and their height below the job's name.
POLICIES = {"DRF": ("drf", "accent", "circle", 0.3), "CEEI": ("ceei", "bad", "square", 0.62)}


@lru_cache(maxsize=64)
def compare(scenario: Scenario, policy: str) -> list[tuple[float, float]]:
    """Return each job's true executors with honest claims and with the false one."""
    jobs = [job.claimant() for job in scenario.table]
    claims = {"CPU": scenario.claim_cpu, "memory": scenario.claim_mem}
    pool = capacity(scenario.pool)
    honest = divide(jobs, pool, policy).executors
    lying = true_tasks(jobs, pool, scenario.who, claims, policy=policy)
    return [(honest[name], lying[name]) for name in honest]


def figure(scenario: Scenario, look: Look) -> Figure:
    """Chart of each job's executors with honest claims and with the false one."""
    rows = [marks.label(0, i, job.name, bold=True, dx=4) for i, job in enumerate(scenario.table)]
    counts = []
    for label, (policy, tone, shape, below) in POLICIES.items():
        for i, (honest, lying) in enumerate(compare(scenario, policy)):
            words = f"{label} {f.significant(lying)}"
            rows += move(honest, lying, i + below, words, tone, 9, shape=shape)
            counts.append(f"{scenario.table[i].name} {words}")
    text = f"Usable executors: {', '.join(counts)}."
    spec = _spec(look, len(scenario.table))
    return Figure("lie", "Which job gains from the claim?", stack(rows), spec, text)


@plane
def _spec(look: Look, jobs: int) -> tuple:
    """Specification: one row per job, honest executors hollow and those with the claim filled."""
    edges = [0, alt.ExprRef(f"width - {10.5 * look.text_size:.0f}")]
    scale = {"zero": True, "range": edges, "tickCount": 10}
    x = axes.x("x:Q", "usable executors, truth (hollow) and claim", **scale)
    y = axes.y("y:Q", ends=[jobs, -0.4], axis=None)
    return x, y, span("moved", width=look.stroke, x2="to:Q")


def of_liar(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """True executors of the misreporting job by policy, honest and with the false claim [1]."""
    pairs = {}
    for label, (policy, *_) in POLICIES.items():
        pairs[label] = compare(scenario, policy)[int(scenario.liar) - 1]
    return pairs


def metrics(scenario: Scenario) -> list[Metric]:
    """Metrics: true executors of the job that misreports."""
    numbers = []
    for label, (honest, lying) in of_liar(scenario).items():
        note = f"{f.significant(honest)} with the truth"
        numbers.append(Metric(f"{scenario.who}, {label}", f.significant(lying), note))
    return numbers


def verdict(scenario: Scenario) -> Verdict:
    """Return the verdict on whether the false claim pays."""
    claims = []
    for name, claim in {"CPU": scenario.claim_cpu, "memory": scenario.claim_mem}.items():
        if claim != 1:
            claims.append(say("claim", scenario, claim=claim, resource=name))
    if not claims:
        return Verdict(say("truth", scenario))
    sentences = [say("misreport", scenario, claims=f.listed(claims))]
    for label, (before, after) in of_liar(scenario).items():
        name = "loses"
        if math.isclose(before, after, rel_tol=1e-6):
            name = "same"
        elif after > before:
            name = "gains"
        sentences.append(say(name, scenario, policy=label, before=before, after=after))
    return Verdict(" ".join(sentences))


view = View("lie", figure=figure, metrics=metrics, verdict=verdict)
