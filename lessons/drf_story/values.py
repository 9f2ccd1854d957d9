"""DRF story: its headline numbers, its tables, and every number that its words need."""

from collections.abc import Mapping
from functools import lru_cache

import pandas as pd

from lessons.drf_story.acts import lie_words
from lessons.drf_story.jobs import Job, amount, story, uses_gpus
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import MEASURES, Scenario, capacity, fairness, measured, run
from lessons.drf_story.verdict import left_at_start
from physics import constants as k
from physics.fairness import divide
from physics.metrics import balance, jain
from ui.base import format as f
from ui.base.lesson import Metric, Result
from ui.knobs.declared import read

STOPS = {
    "max_steps": "all that were asked for",
    "all_at_ceiling": "all jobs are at their ceilings",
    "no_fit": "the next does not fit",
}


def counts_words(counts: list[int]) -> str:
    """Write executors in table order; only their range when there are many jobs."""
    if len(counts) <= 4:
        return " · ".join(f.significant(count, 6) for count in counts)
    return f"{f.significant(min(counts), 6)} to {f.significant(max(counts), 6)}"


def metrics(scenario: Scenario) -> list[Metric]:
    """Executors of both policies, and how fair each is in the chosen measure."""
    found = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        handed, asked = len(result.log), scenario.executors
        found.append(
            Metric(
                f"Executors, {label}",
                counts_words(list(result.executors.values())),
                f"{handed} of {asked}: {STOPS[result.stop]}" if handed < asked else f"{handed} handed out",
                None if handed == asked else False,
                help="New executors of each job, in the order of the table.",
            )
        )
    for which, label in enumerate(scenario.labels):
        found.append(
            Metric(
                f"Jain's index, {label}",
                jain_words(fairness(scenario, which, scenario.measure)),
                f"of {MEASURES[scenario.measure].lower().replace('cpu', 'CPU').replace('gpu', 'GPU')}",
                help="1 when all have the same, 1/n when one of n jobs has everything.",
            )
        )
    return found


def so_far(scenario: Scenario) -> list[Metric]:
    """Executors of both policies up to the shown step, and who got the last one."""
    found = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        log = result.log[: scenario.step]
        if scenario.step > len(result.log):
            note = f"ended after {f.count(len(log), 'executor')}"
        else:
            note = f"step {scenario.step}: {log[-1]}" if log else "before the first step"
        counts = counts_words([log.count(job.name) for job in scenario.jobs])
        found.append(
            Metric(f"So far, {label}", counts, note, help="New executors of each job, in the order of the table.")
        )
    return found


def jain_words(index: float) -> str:
    """Write Jain's index; what is not 1 is not rounded to 1."""
    digits = 3
    while index < 1 and round(index, digits) == 1 and digits < 12:
        digits += 1
    return f"{index:.{digits}f}"


def results(scenario: Scenario) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    found = []
    for which, place in enumerate(("first", "second")):
        result = scenario.runs[which]
        words = ", ".join(f"{name} {count}" for name, count in result.executors.items())
        found.append(
            Result(
                f"Executors, {place} policy",
                len(result.log),
                f"{scenario.labels[which]}: {words}; in all {len(result.log)}",
            )
        )
        index = fairness(scenario, which, scenario.measure)
        found.append(Result(f"Jain's index, {place} policy", index, jain_words(index)))
        least = balance(measured(scenario, which, scenario.measure))
        found.append(Result(f"Balance, {place} policy", least, jain_words(least)))
    return found


def difference_table(scenario: Scenario) -> str:
    """Both outcomes job by job, as a Markdown table."""
    one, two = scenario.runs
    start = run(scenario.jobs, scenario.pool, "drf", 0, "skip").dominant_share
    rows = [f"| Job | Before | {scenario.labels[0]} | {scenario.labels[1]} | Difference |", "|---" * 5 + "|"]
    for job in scenario.jobs:
        name, change = job.name, two.executors[job.name] - one.executors[job.name]
        ends = [f"+{result.executors[name]} → {f.share(result.dominant_share[name])}" for result in (one, two)]
        sign = "+" if change > 0 else ""
        rows.append("| " + " | ".join([name, f.share(start[name]), *ends, f"{sign}{f.significant(change)}"]) + " |")
    return "\n".join(rows)


def fairness_table(scenario: Scenario) -> str:
    """Jain's index of both policies for everything that can be counted, as a Markdown table."""
    skip = {name for r, name in enumerate(("cpu", "mem", "gpu", "gpu_mem")) if r not in scenario.used}
    rows = [f"| Counted | {scenario.labels[0]} | {scenario.labels[1]} |", "|---|---|---|"]
    for measure, words in MEASURES.items():
        if measure not in skip:
            cells = [jain_words(fairness(scenario, which, measure)) for which in (0, 1)]
            words = f"**{words}**" if measure == scenario.measure else words
            rows.append(f"| {words} | {cells[0]} | {cells[1]} |")
    return "\n".join(rows)


def balance_words(scenario: Scenario) -> str:
    """The balance of both policies in the chosen measure, and what Jain's index does not see."""
    least = [jain_words(balance(measured(scenario, which, scenario.measure))) for which in (0, 1)]
    starved = [1.0] * 99 + [0.0]
    return (
        "Jain's index. The knob “Fairness of” chooses what the metrics show; it stands in bold here. The balance, "
        f"least ÷ most, of what is in bold: {scenario.labels[0]} {least[0]}, {scenario.labels[1]} {least[1]}. It sees "
        f"the one who has least; Jain's index hardly does: one starved user of {len(starved)} leaves it at "
        f"{f.significant(jain(starved), 2)}, and the balance at {f.significant(balance(starved))}."
    )


def log_frame(scenario: Scenario, which: int) -> pd.DataFrame:
    """One policy's steps as a table: who, why, share before and after."""
    return _log(scenario.jobs, scenario.pool, scenario.policies[which], scenario.executors, scenario.misfit)


@lru_cache(maxsize=16)
def _log(jobs: tuple[Job, ...], pool: tuple[float, ...], policy: str, executors: int, misfit: str) -> pd.DataFrame:
    rows = [
        {
            "step": row["step"],
            "job": row["name"],
            "why": row["reason"],
            "share before": f.share(row["share_before"]),
            "share after": f.share(row["share_after"]),
            **{f"{name} had": f.share(share) for name, share in row["shares"].items()},
        }
        for row in run(jobs, pool, policy, executors, misfit).history
    ]
    return pd.DataFrame(
        rows, columns=["step", "job", "why", "share before", "share after", *(f"{j.name} had" for j in jobs)]
    )


def derived_words(scenario: Scenario) -> str:
    """What follows from the knobs and is no knob itself."""
    free = ", ".join(amount(max(left, 0.0), r) for r, left in enumerate(left_at_start(scenario)) if r in scenario.used)
    return (
        f"Free before the first step: {free}. Ties go by name. A dominant share counts what a job holds at the start."
    )


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own pool, whatever the knobs say."""
    base = Scenario()
    drf, turns = base.runs
    light = "Light evaluation"
    rows = drf.history
    to_full = run(base.jobs, base.pool, "drf", 400, "skip")
    memory = run(base.jobs, base.pool, "single:mem", base.executors, "skip")
    one_more = len(to_full.log) + 1
    used = base.pool[1] - left_at_start(base)[1] + one_more * base.jobs[0].need[1]
    overtakes = next(step for step, row in enumerate(rows, 1) if row["name"] != light) - 1
    slow = next(step for step, row in enumerate(rows, 1) if row["share_after"] - row["share_before"] > 0.0101) - 1
    ten = rows[10]["shares"][light]
    small = run(story(float(k.DRF_SMALL_CEILING)), base.pool, "round_robin", 400, "skip")
    big = run(story(float(k.DRF_CEILING)), base.pool, "round_robin", 400, "skip")
    unlike = settings_of("unlike")
    outcomes = {
        policy: run(unlike.jobs, unlike.pool, policy, 60, "skip")
        for policy in ("drf", "round_robin", "single:mem", "single:cpu")
    }
    flood = (*base.jobs, *(Job(f"New {i}", (0.0,) * 4, base.jobs[0].need) for i in range(1, 4)))
    flooded = run(flood, base.pool, "drf", base.executors, "skip")

    def in_order(result) -> str:
        return ", ".join(f.significant(count) for count in result.executors.values())

    return {
        "story_executors": f.significant(base.executors),
        "story_light": f.significant(drf.executors[light]),
        "story_light_start": f.share(rows[0]["shares"][light]),
        "story_others_start": f.share(rows[0]["shares"]["Heaviest"]),
        "story_slow": f.significant(slow),
        "story_slow_gain": f.share(rows[0]["share_after"] - rows[0]["share_before"], 2),
        "story_fast_gain": f.share(rows[slow]["share_after"] - rows[slow]["share_before"], 2),
        "story_ten": f.significant(10),
        "story_ten_share": f.share(ten),
        "story_overtakes": f.significant(overtakes),
        "story_overtaken_share": f.share(rows[overtakes]["shares"][light]),
        "story_kink_share": f.share(rows[slow]["shares"][light]),
        "robin_light_share": f.share(turns.dominant_share[light]),
        "robin_others_share": f.share(turns.dominant_share["Heaviest"]),
        "robin_each": f.significant(turns.executors[light]),
        "robin_jain": jain_words(fairness(base, 1, "dominant_share")),
        "robin_jain_executors": jain_words(fairness(base, 1, "executors")),
        "full_after": f.significant(len(to_full.log)),
        "one_more": f.significant(one_more),
        "one_more_memory": f.significant(used),
        "pool_memory": f.significant(base.pool[1]),
        "big_ceiling": f.significant(k.DRF_CEILING),
        "small_ceiling": f.significant(k.DRF_SMALL_CEILING),
        "big_total": f.significant(k.DRF_CEILING * len(base.jobs) + 1),
        "small_total": f.significant(k.DRF_SMALL_CEILING * len(base.jobs) + 1),
        "small_stops": f.significant(len(small.log)),
        "big_stops": f.significant(len(big.log)),
        "same_as_memory": "the same" if memory.executors == drf.executors else "not the same",
        "unlike_drf": in_order(outcomes["drf"]),
        "unlike_robin": in_order(outcomes["round_robin"]),
        "unlike_memory": in_order(outcomes["single:mem"]),
        "unlike_cpu": in_order(outcomes["single:cpu"]),
        "flood_new": f.significant(sum(count for name, count in flooded.executors.items() if name.startswith("New"))),
        "flood_light": f.significant(flooded.executors[light]),
        "capped_light": f.significant(
            run(story(float(k.DRF_SMALL_CEILING)), base.pool, "drf", base.executors, "skip").executors[light]
        ),
    }


def settings_of(preset: str) -> Scenario:
    """Return the scenario that a preset opens, by its id."""
    return read(Scenario, PRESETS[preset].changes)[0]


@lru_cache(maxsize=32)
def _divided(jobs: tuple[Job, ...], pool: tuple[float, ...]) -> str:
    result = divide([job.claimant() for job in jobs], capacity(pool), "drf")
    return ", ".join(f"{name} {f.significant(tasks)}" for name, tasks in result.executors.items())


def live_values(scenario: Scenario) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    start = run(scenario.jobs, scenario.pool, "drf", 0, "skip").dominant_share
    poorest = min(scenario.jobs, key=lambda job: (start[job.name] / job.weight, job.name))
    shares = [
        f"{amount(held, r)} of {amount(size, r)} is {f.share(held / size)}"
        for r, (held, size) in enumerate(zip(poorest.start, scenario.pool, strict=True))
        if r in scenario.used
    ]
    each = [need / size for need, size in zip(poorest.need, scenario.pool, strict=True)]
    leader = max(range(len(each)), key=lambda r: each[r])
    return _story() | {
        "poorest": poorest.name,
        "poorest_share": f.share(start[poorest.name]),
        "poorest_parts": "; ".join(shares),
        "poorest_gain": f.share(each[leader]),
        "poorest_leader": amount(poorest.need[leader], leader),
        "policy_one": scenario.labels[0],
        "policy_two": scenario.labels[1],
        "divided": _divided(scenario.jobs, scenario.pool),
        "jain_one": jain_words(fairness(scenario, 0, scenario.measure)),
        "jain_two": jain_words(fairness(scenario, 1, scenario.measure)),
        "jain_measure": MEASURES[scenario.measure].lower().replace("cpu", "CPU").replace("gpu", "GPU"),
        "jain_values": ", ".join(f.significant(value) for value in measured(scenario, 0, scenario.measure)),
        "lie_words": lie_words(scenario),
        "gpu_columns": "shown" if scenario.gpus or uses_gpus(scenario.jobs) else "hidden",
    }
