"""DRF story: a job's gain from misreporting its needs, under DRF and under CEEI."""

import math
from functools import lru_cache

import altair as alt

from lessons.drf_story.jobs import NAMES
from lessons.drf_story.settings import Scenario, capacity, listed, say
from physics.fairness import divide
from physics.fairness.cheating import true_tasks
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import Look, axes, marks, plane, span, stack

#: Of each policy its id, and the look and place of its bars.
POLICIES = {"DRF": ("drf", "accent", "circle", 0.3), "CEEI": ("ceei", "bad", "square", 0.62)}


@lru_cache(maxsize=64)
def told(scenario: Scenario, policy: str) -> list[tuple[float, float]]:
    """Return each job's true executors with honest claims and with the false one."""
    jobs = [job.claimant() for job in scenario.table]
    claims = dict(zip(NAMES, (scenario.claim_cpu, scenario.claim_mem), strict=False))
    pool = capacity(scenario.pool)
    honest = divide(jobs, pool, policy).executors
    lying = true_tasks(jobs, pool, scenario.who, claims, policy=policy)
    return [(honest[name], lying[name]) for name in honest]


def figure(scenario: Scenario, look: Look) -> Figure:
    """Chart of each job's executors with honest claims and with the false one."""
    rows = [marks.label(0, i, job.name, bold=True, dx=4) for i, job in enumerate(scenario.table)]
    said = []
    for label, (policy, tone, shape, below) in POLICIES.items():
        for i, (honest, lying) in enumerate(told(scenario, policy)):
            y = i + below
            words = f"{label} {f.significant(lying)}"
            looks = {"shape": shape, "rim": tone}
            rows += [
                {"kind": "moved", "x": honest, "y": y, "to": lying, "tone": tone},
                marks.point(honest, y, tone="paper", **looks),
                marks.point(lying, y, tone=tone, **looks),
                marks.label(max(honest, lying), y, words, tone=tone, dx=9),
            ]
            said.append(f"{scenario.table[i].name} {words}")
    alt_text = f"True executors: {', '.join(said)}."
    return Figure(
        "lie",
        "Which job gains from the claim?",
        stack(rows),
        _spec(look, len(scenario.table)),
        alt_text,
    )


@plane
def _spec(look: Look, jobs: int) -> tuple:
    """Before (hollow) and after (filled) for each job: a circle for the first policy, a square for
    the second.
    """
    edges = [0, alt.ExprRef(f"width - {10.5 * look.text_size:.0f}")]
    x = axes.x(
        "x:Q", "true executors, truth (hollow) and claim", zero=True, range=edges, tickCount=10
    )
    return (
        x,
        axes.y("y:Q", ends=[jobs, -0.4], axis=None),
        span("moved", width=look.stroke, x2="to:Q"),
    )


def of_liar(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """True executors of the misreporting job by policy, with the honest and with the false
    claim.
    """
    pairs = {}
    for label, (policy, *_) in POLICIES.items():
        pairs[label] = told(scenario, policy)[int(scenario.liar) - 1]
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
    named = zip((scenario.claim_cpu, scenario.claim_mem), NAMES[:2], strict=True)
    claims = []
    for claim, name in named:
        if claim != 1:
            claims.append(say("claim", scenario, claim=claim, resource=name))
    if not claims:
        return Verdict(say("truth", scenario))
    said = [say("misreport", scenario, claims=listed(claims))]
    for label, (before, after) in of_liar(scenario).items():
        if math.isclose(before, after, rel_tol=1e-6):
            name = "same"
        elif after > before:
            name = "gains"
        else:
            name = "loses"
        said.append(say(name, scenario, policy=label, before=before, after=after))
    return Verdict(" ".join(said))
