"""DRF story: what a job gains by claiming other executors than it needs, under DRF and under CEEI."""

from dataclasses import dataclass, replace
from functools import lru_cache

from lessons.drf_story import bars
from lessons.drf_story.jobs import NAMES, RESOURCES, Job
from lessons.drf_story.settings import Scenario, capacity, listed, say
from physics.fairness import divide
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts.look import Look

TIE = 1e-6


@dataclass(frozen=True)
class Told:
    """What one job's false claim does under one policy, in divisible executors; true ones for that job."""

    honest: tuple[float, ...]
    lying: tuple[float, ...]


@lru_cache(maxsize=64)
def told(jobs: tuple[Job, ...], pool: tuple[float, ...], liar: int, claims: tuple[float, ...], policy: str) -> Told:
    """Divide the pool twice, with the truth and with the false claim."""
    truth = jobs[liar]
    claimed = replace(truth, need=tuple(need * claim for need, claim in zip(truth.need, claims, strict=True)))
    said = (*jobs[:liar], claimed, *jobs[liar + 1 :])
    honest, lying = (
        list(divide([job.claimant() for job in each], capacity(pool), policy).executors.values())
        for each in (jobs, said)
    )
    # True executors that one claimed executor has room for.
    lying[liar] *= min(has / needs for has, needs in zip(claimed.need, truth.need, strict=True) if needs)
    if truth.ceiling is not None:
        lying[liar] = min(lying[liar], truth.ceiling)
    return Told(tuple(honest), tuple(lying))


def outcomes(scenario: Scenario) -> dict[str, Told]:
    """Return what the claim does under DRF and CEEI, or round-robin if that is shown and the claim pays only there."""
    where = (scenario.jobs, scenario.pool, scenario.liar_row, scenario.claims)

    def pays(policy: str) -> bool:
        found = told(*where, policy)
        return found.lying[scenario.liar_row] > found.honest[scenario.liar_row] * (1 + TIE)

    other = ("ceei", "CEEI")
    if "round_robin" in scenario.policies and not pays("ceei") and pays("round_robin"):
        other = ("round_robin", "Round-robin")
    return {label: told(*where, policy) for policy, label in (("drf", "DRF"), other)}


def misreports(scenario: Scenario) -> list[str]:
    """What the job claims that is not true, in words."""
    need = scenario.jobs[scenario.liar_row].need
    named = zip(scenario.claims, RESOURCES, need, strict=True)
    return [f"{f.times(claim)} the {NAMES[name]} that it needs" for claim, name, size in named if claim != 1 and size]


def figure(scenario: Scenario, look: Look) -> Figure:
    """Executors of each job with the truth and with the false claim."""
    found, lying = outcomes(scenario), bool(misreports(scenario))
    rows = []
    for i, job in enumerate(scenario.jobs):
        name = f"{job.name} (misreports)" if lying and i == scenario.liar_row else job.name
        ends = (
            (each.honest[i], each.lying[i], f"{label} {f.significant(each.lying[i])}") for label, each in found.items()
        )
        rows.append((name, tuple(ends)))
    spec = bars.spec(look, "true executors, truth (hollow) and claim", percent=False)
    each = "; ".join(f"{name}: {', '.join(text for *_, text in ends)}" for name, ends in rows)
    return Figure("lie", "Which job gains by the claim?", bars.rows(rows), spec, f"True executors. {each}.")


def metrics(scenario: Scenario) -> list[Metric]:
    """True executors of the job that misreports."""
    i, who = scenario.liar_row, scenario.jobs[scenario.liar_row].name
    return [
        Metric(f"{who}, {label}", f.significant(each.lying[i]), f"{f.significant(each.honest[i])} with the truth")
        for label, each in outcomes(scenario).items()
    ]


def verdict(scenario: Scenario) -> Verdict:
    """Say whether the false claim pays."""
    who, i = scenario.jobs[scenario.liar_row].name, scenario.liar_row
    if not (claims := misreports(scenario)):
        return Verdict(say("truth", scenario, who=who))
    said = []
    for label, each in outcomes(scenario).items():
        before, after = each.honest[i], each.lying[i]
        name = "gains" if after > before * (1 + TIE) else "loses" if after < before * (1 - TIE) else "same"
        numbers = {"before": f.significant(before), "after": f.significant(after)}
        said.append(say(name, scenario, policy=label, who=who, **numbers))
    return Verdict(say("misreport", scenario, who=who, claims=listed(claims), outcomes=" ".join(said)))


def words(scenario: Scenario) -> str:
    """What the picture shows."""
    return say("lie_words", scenario)
