"""DRF story, beyond the hand-out: the third act's lie, and the properties that each policy has or lacks."""

from dataclasses import dataclass, replace
from functools import lru_cache

from lessons.drf_story.jobs import RESOURCES, Job
from lessons.drf_story.settings import Scenario, capacity
from physics.fairness import check_properties, divide
from ui.base import format as f

CHECKED = {"drf": "DRF", "asset": "Asset fairness", "ceei": "CEEI", "round_robin": "Round-robin"}
#: What the literature and the tests of `physics.fairness` say of divisible tasks without starts and ceilings.
PROPERTIES = {
    "DRF": (True, True, True, True),
    "Asset fairness": (False, True, True, True),
    "CEEI": (True, True, True, False),
    "One resource only": (False, True, True, True),
    "Round-robin": (False, False, True, False),
}
HEADS = ("its slice", "no envy", "no waste", "no lie pays")


@dataclass(frozen=True)
class Lie:
    """What one job's lie does under one policy, in divisible tasks; true ones for the liar."""

    honest: tuple[float, ...]
    lying: tuple[float, ...]


@lru_cache(maxsize=64)
def lie(jobs: tuple[Job, ...], pool: tuple[float, ...], liar: int, claims: tuple[float, ...], policy: str) -> Lie:
    """Divide the pool twice, with the truth and with the lie."""
    truth = jobs[liar]
    claimed = replace(truth, need=tuple(need * claim for need, claim in zip(truth.need, claims, strict=True)))
    told = (*jobs[:liar], claimed, *jobs[liar + 1 :])
    honest, lying = (
        list(divide([job.claimant() for job in each], capacity(pool), policy).executors.values())
        for each in (jobs, told)
    )
    true_part = min(
        has / needs for has, needs in zip(claimed.need, truth.need, strict=True) if needs
    )  # tasks that one claimed executor can run
    lying[liar] *= true_part
    if truth.ceiling is not None:
        lying[liar] = min(lying[liar], truth.ceiling)
    return Lie(tuple(honest), tuple(lying))


def lies(scenario: Scenario) -> dict[str, Lie]:
    """The lie under DRF and CEEI; under round-robin instead of CEEI where it is shown and the lie pays there alone."""
    where = (scenario.jobs, scenario.pool, scenario.liar_row, scenario.claims)

    def pays(policy: str) -> bool:
        told = lie(*where, policy)
        return told.lying[scenario.liar_row] > told.honest[scenario.liar_row] * (1 + 1e-6)

    other = ("ceei", "CEEI")
    if "round_robin" in scenario.policies and not pays("ceei") and pays("round_robin"):
        other = ("round_robin", "Round-robin")
    return {label: lie(*where, policy) for policy, label in (("drf", "DRF"), other)}


def liar(scenario: Scenario) -> int | None:
    """Row of the job that claims something else than it needs [1]; None while it tells the truth."""
    need = scenario.jobs[scenario.liar_row].need
    lying = any(claim != 1 and size for claim, size in zip(scenario.claims, need, strict=True))
    return scenario.liar_row if lying else None


def lie_words(scenario: Scenario) -> str:
    """Who gains and who loses by the lie."""
    who = scenario.jobs[scenario.liar_row].name
    claimed = [
        f"{f.significant(claim)} times its {name}"
        for claim, name, need in zip(
            scenario.claims,
            ("vCPU", "memory", "GPUs", "GPU memory"),
            scenario.jobs[scenario.liar_row].need,
            strict=True,
        )
        if claim != 1 and need
    ]
    if not claimed:
        return f"{who} tells the truth. Let it claim more or less than it needs with the settings for part 3."
    parts = []
    for label, told in lies(scenario).items():
        before, after = told.honest[scenario.liar_row], told.lying[scenario.liar_row]
        change = (
            "gains" if after > before * (1 + 1e-6) else "loses" if after < before * (1 - 1e-6) else "changes nothing"
        )
        if change == "changes nothing":
            parts.append(f"under {label} it changes nothing for itself ({f.significant(before)} tasks)")
        else:
            parts.append(f"under {label} it {change}: {f.significant(before)} true tasks become {f.significant(after)}")
    return f"{who} claims {' and '.join(claimed)}: {'; '.join(parts)}."


def lie_table(scenario: Scenario) -> str:
    """Tasks of every job with the truth and with the lie, as a Markdown table."""
    told = lies(scenario)
    head = "| Job | " + " | ".join(f"{label}, truth | {label}, lie" for label in told) + " |"
    rows = [head, "|---" * (1 + 2 * len(told)) + "|"]
    for i, job in enumerate(scenario.jobs):
        cells = [f.significant(value) for each in told.values() for value in (each.honest[i], each.lying[i])]
        name = f"{job.name} (lies)" if i == liar(scenario) else job.name
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def property_table() -> str:
    """Which policy has which property, as a Markdown table."""
    rows = ["| Policy | " + " | ".join(HEADS) + " |", "|---" * (1 + len(HEADS)) + "|"]
    for policy, holds in PROPERTIES.items():
        rows.append(f"| {policy} | " + " | ".join(_mark(each) for each in holds) + " |")
    return "\n".join(rows)


@lru_cache(maxsize=32)
def checked(jobs: tuple[Job, ...], pool: tuple[float, ...]) -> str:
    """Check the properties on these very jobs, tasks divisible, as a Markdown table. Takes a second or two."""
    rows = ["| Policy | " + " | ".join(HEADS) + " |", "|---" * (1 + len(HEADS)) + "|"]
    for policy, label in CHECKED.items():
        found = check_properties([job.claimant() for job in jobs], capacity(pool), policy)
        slice_words = "" if found.sharing_incentive else f": {', '.join(found.short_of_slice)} gets less"
        envy = "" if found.envy_freeness else f": {found.envious[0][0]} envies {found.envious[0][1]}"
        gain = "no, as far as searched"
        if found.best_lie is not None:
            asked = dict(zip(RESOURCES, ("vCPU", "GB", "GPUs", "GPU GB"), strict=True))
            said = ", ".join(f"{f.significant(d)} {asked[r]}" for r, d in found.best_lie.items() if d)
            gain = f"{found.best_liar} gains {f.significant(found.best_lie_gain)} tasks claiming {said}"
        cells = [
            _mark(found.sharing_incentive) + slice_words,
            _mark(found.envy_freeness) + envy,
            _mark(found.pareto_efficiency),
            f"{_mark(found.best_lie is None)}: {gain}" if found.best_lie is not None else _mark(True),
        ]
        rows.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _mark(holds: bool) -> str:
    return ":green[:material/check: yes]" if holds else ":red[:material/close: no]"
