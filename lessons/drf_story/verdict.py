"""DRF story: what binds in a scenario and the smallest change that fixes it, and each step in words."""

from lessons.drf_story.jobs import NAMES, RESOURCES, Job, amount
from lessons.drf_story.settings import Scenario, run
from physics import constants as k
from physics.fairness import Allocation
from ui.base import format as f
from ui.base.lesson import Verdict

MOST = {
    "cpu": k.DRF_CPU.high,
    "mem": k.DRF_MEMORY.high / k.GB,
    "gpu": k.DRF_GPUS.high,
    "gpu_mem": k.DRF_GPU_MEMORY.high / k.GB,
}


def verdict(scenario: Scenario) -> Verdict:
    """One or two sentences: what binds."""
    found = _binding(scenario)
    return Verdict(found[0], False) if found else Verdict(_all_is_well(scenario), True)


def remedies(scenario: Scenario) -> str:
    """The smallest changes that fix what binds."""
    found = _binding(scenario)
    return found[1] if found else ""


def _binding(scenario: Scenario) -> tuple[str, str] | None:
    """What binds, and what fixes it."""
    finders = (_overfull, _too_large, _starved, _ended_early)
    return next((found for find in finders if (found := find(scenario))), None)


def left_at_start(scenario: Scenario) -> list[float]:
    """What the starts leave of each resource."""
    first = run(scenario.jobs, scenario.pool, "drf", 0, "skip").free
    return [first[resource] for resource in RESOURCES]


def _overfull(scenario: Scenario) -> tuple[str, str] | None:
    for r, left in enumerate(left_at_start(scenario)):
        if left < 0:
            held = scenario.pool[r] - left
            return (
                f"The jobs hold {amount(held, r)} of {amount(scenario.pool[r], r)} already: whoever needs more "
                f"{NAMES[RESOURCES[r]]} gets nothing.",
                f"A pool of {amount(held, r)} would just hold what they have.",
            )
    return None


def _too_large(scenario: Scenario) -> tuple[str, str] | None:
    free = left_at_start(scenario)
    for job in scenario.jobs:
        wide = [r for r, need in enumerate(job.need) if need > free[r]]
        if not wide or job.ceiling == 0:
            continue
        r = max(wide, key=lambda r: job.need[r] / scenario.pool[r])
        beyond = job.need[r] > scenario.pool[r]
        there = f"the pool has {amount(scenario.pool[r], r)}" if beyond else f"the starts leave {amount(free[r], r)}"
        mend = f"It fits from the start with executors of at most {_list([amount(free[r], r) for r in wide])}"
        wanted = {r: scenario.pool[r] - free[r] + job.need[r] for r in wide}
        if all(size <= MOST[RESOURCES[r]] for r, size in wanted.items()):
            mend += f", or in a pool of {_list([amount(size, r) for r, size in wanted.items()])}"
        past = any(count for result in scenario.runs for name, count in result.executors.items() if name != job.name)
        waits = "others are served past it" if past else "nobody is served past it"
        waits = waits if scenario.misfit == "skip" else "the hand-out stops at its turn"
        return f"One executor of {job.name} needs {amount(job.need[r], r)} and {there}: {waits}.", f"{mend}."
    return None


def _starved(scenario: Scenario) -> tuple[str, str] | None:
    """Whom a weight leaves with nothing: with equal weights the same policy would have served it."""
    if len({job.weight for job in scenario.jobs}) == 1:
        return None
    equal = tuple(Job(job.name, job.start, job.need, 1.0, job.ceiling) for job in scenario.jobs)
    for policy, label, result in zip(scenario.policies, scenario.labels, scenario.runs, strict=True):
        if policy == "round_robin" or all(result.executors.values()):
            continue
        fair = run(equal, scenario.pool, policy, scenario.executors, scenario.misfit).executors
        starved = [name for name, count in result.executors.items() if not count and fair[name]]
        if starved:
            heavy = max(scenario.jobs, key=lambda job: job.weight)
            return (
                f"{label}: the weights leave {_list(starved)} with nothing. The share of {heavy.name} counts divided "
                f"by {f.significant(heavy.weight)}.",
                f"With equal weights {starved[0]} would get {f.significant(fair[starved[0]])}.",
            )
    return None


def _ended_early(scenario: Scenario) -> tuple[str, str] | None:
    binds, mends = [], []
    ends = [_end(scenario, result) for result in scenario.runs]
    for label, end in zip(scenario.labels, ends, strict=True):
        if not end or (ends[0] == ends[1] and binds):
            continue
        whose = "Both" if ends[0] == ends[1] else label
        binds.append(f"{whose}: {end[0]}")
        mends.append(f"{whose}: {end[1]}")
    return (" ".join(binds), " ".join(mends)) if binds else None


def _end(scenario: Scenario, result: Allocation) -> tuple[str, str] | None:
    """Why a hand-out ended before all that was asked for, and what would go on."""
    handed = f.count(len(result.log), "executor")
    if result.stop == "all_at_ceiling":
        start = f"all jobs are at their ceilings after {handed}, with {free_words(scenario, result)} idle."
        open_jobs = [Job(job.name, job.start, job.need, job.weight) for job in scenario.jobs]
        if any(_fits(result, job) for job in open_jobs):
            return start, "raise a ceiling to go on."
        return f"{start} No executor fits into that.", "a higher ceiling alone does not go on; the pool is too small."
    if result.stop == "no_fit":
        if scenario.misfit == "stop" and any(_fits(result, job) for job in scenario.jobs):
            return f"stopped after {handed}, because the next in line does not fit.", "skip it to serve those that do."
        job, lacks = shortage(scenario, result)
        more = _list([amount(lack, r) for r, lack in lacks.items()])
        wider = tuple(size + lacks.get(r, 0) for r, size in enumerate(scenario.pool))
        policy = next(p for p, each in zip(scenario.policies, scenario.runs, strict=True) if each == result)
        then = run(scenario.jobs, wider, policy, scenario.executors, scenario.misfit)
        said = f"one more, for {job.name}, needs {more} more"
        if len(then.log) > len(result.log) and then.executors[job.name] <= result.executors[job.name]:
            said = f"one more executor needs {more} more"
        elif len(then.log) <= len(result.log):
            # In a wider pool shares and turns differ, and others may take what was meant for this one.
            said = f"the next executor of {job.name} comes closest and lacks {more}"
        ask = f", or ask for {f.significant(len(result.log))}" if result.log else ""
        return f"pool full after {handed}, {free_words(scenario, result)} left.", f"{said}{ask}."
    return None


def shortage(scenario: Scenario, result: Allocation) -> tuple[Job, dict[int, float]]:
    """Return the job whose next executor is closest to fitting, and what it lacks: amount by resource."""
    found = []
    for job in scenario.jobs:
        if job.ceiling is not None and result.executors[job.name] + 1 > job.ceiling:
            continue
        lacks = {
            r: round(need - result.free[RESOURCES[r]], 9)
            for r, need in enumerate(job.need)
            if need and need > result.free[RESOURCES[r]]
        }
        worst = max((lack / scenario.pool[r] for r, lack in lacks.items()), default=0.0)
        found.append((worst, job.name, job, lacks))
    return min(found, key=lambda row: row[:2])[2:]


def _fits(result: Allocation, job: Job) -> bool:
    below = job.ceiling is None or result.executors[job.name] + 1 <= job.ceiling
    return below and all(need <= result.free[name] for name, need in zip(RESOURCES, job.need, strict=True) if need)


def free_words(scenario: Scenario, result: Allocation) -> str:
    """What is left, of the resources in use."""
    return _list([amount(result.free[RESOURCES[r]], r) for r in scenario.used])


def _all_is_well(scenario: Scenario) -> str:
    if not scenario.executors:
        return "Nothing is handed out yet: ask for at least one executor."
    ends = [
        f"{spread(list(result.dominant_share.values()))} ({label})"
        for label, result in zip(scenario.labels, scenario.runs, strict=True)
    ]
    fullest = max(scenario.used, key=lambda r: 1 - scenario.runs[0].free[RESOURCES[r]] / scenario.pool[r])
    left = amount(scenario.runs[0].free[RESOURCES[fullest]], fullest)
    handed = f"All {scenario.executors}" if scenario.executors > 1 else "The executor is"
    return f"{handed} handed out. Dominant shares end at {ends[0]}, {ends[1]}. Left under {scenario.labels[0]}: {left}."


def spread(values: list[float]) -> str:
    """Write shares as a range: one percent sign for both ends."""
    low, high = f.share(min(values)), f.share(max(values))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def step_words(scenario: Scenario, which: int) -> str:
    """The shown step of one policy: who, why, all shares with the lowest marked, share before and after."""
    result, step = scenario.runs[which], scenario.step
    order = [job.name for job in scenario.jobs]
    if not step:
        return f"Before the first step: {shares_words(_shares_at(result, 0), order)}."
    if step > len(result.log):
        why = {
            "all_at_ceiling": "Every job is at its ceiling",
            "no_fit": "The next executor does not fit",
            "max_steps": "All that were asked for are handed out",
        }[result.stop]
        return f"Step {step}: **nobody**. {why}; the hand-out ended after {f.count(len(result.log), 'executor')}."
    row = result.history[step - 1]
    policy, reason = scenario.policies[which], str(row["reason"])
    if policy.startswith("single:"):
        resource = policy.removeprefix("single:")
        reason = reason.replace(f"share of {resource}", f"share of {NAMES[resource]}")
    what = "" if policy == "drf" else "dominant share "
    grown = f"{what}{f.share(row['share_before'])} → {f.share(row['share_after'])}"
    return f"Step {step}: **{reason}**, {grown}. {_compared(scenario, which, row)}."


def _compared(scenario: Scenario, which: int, row: dict) -> str:
    """What the policy compared before the step, the lowest marked; dominant shares where it compares none."""
    order = [job.name for job in scenario.jobs]
    if scenario.policies[which] == "round_robin":
        return f"Dominant shares before: {shares_words(row['shares'], order)}"
    return f"Before: {shares_words(row['compared'], order)}"


def shares_words(shares: dict[str, float], order: list[str]) -> str:
    """All dominant shares, the lowest marked."""
    lowest = min(shares.values())
    return ", ".join(
        f"{name} {f.share(shares[name])} **(lowest)**" if shares[name] == lowest else f"{name} {f.share(shares[name])}"
        for name in order
    )


def _shares_at(result: Allocation, step: int) -> dict[str, float]:
    """Dominant shares after a number of steps."""
    return result.history[step]["shares"] if step < len(result.history) else result.dominant_share


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
