"""DRF story: what stops a hand-out and the smallest change that fixes it, and each step in words."""

from dataclasses import replace

from lessons.drf_story.jobs import NAMES, RESOURCES, Job, amount
from lessons.drf_story.settings import Scenario, listed, run, say
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
COMPARED = {
    "drf": "largest share",
    "asset": "sum of shares",
    "single:cpu": "share of CPU",
    "single:mem": "share of memory",
}


def verdict(scenario: Scenario) -> Verdict:
    """Say what stops the hand-out; before its last step, who is served."""
    if found := _overfull(scenario) or _too_large(scenario) or _starved(scenario):
        return Verdict(found[0], False)
    if not scenario.ended:
        return Verdict(step_words(scenario))
    found = _ended_early(scenario)
    return Verdict(found[0], False) if found else Verdict(_all_is_well(scenario), True)


def remedies(scenario: Scenario) -> str:
    """The smallest changes that fix what stops the hand-out; "" where nothing does."""
    finders = (_overfull, _too_large, _starved, _ended_early)
    return next((found[1] for find in finders if (found := find(scenario))), "")


def left_at_start(scenario: Scenario) -> list[float]:
    """What the jobs leave free of each resource before the first step."""
    first = run(scenario.jobs, scenario.pool, "drf", 0).free
    return [first[resource] for resource in RESOURCES]


def _overfull(scenario: Scenario) -> tuple[str, str] | None:
    for r, left in enumerate(left_at_start(scenario)):
        if left < 0:
            held = amount(scenario.pool[r] - left, r)
            words = {"size": amount(scenario.pool[r], r), "resource": NAMES[RESOURCES[r]]}
            return say("overfull", scenario, held=held, **words), say("fix_overfull", scenario, held=held)
    return None


def _too_large(scenario: Scenario) -> tuple[str, str] | None:
    free = left_at_start(scenario)
    for job in scenario.jobs:
        wide = [r for r, need in enumerate(job.need) if need > free[r]]
        if not wide or job.ceiling == 0:
            continue
        r = max(wide, key=lambda r: job.need[r] / scenario.pool[r])
        beyond = job.need[r] > scenario.pool[r]
        size = amount(scenario.pool[r] if beyond else free[r], r)
        there = say("there_pool" if beyond else "there_left", scenario, size=size)
        past = any(count for result in scenario.runs for name, count in result.executors.items() if name != job.name)
        waits = say("past" if past else "not_past", scenario)
        small = listed([amount(free[r], r) for r in wide])
        wanted = {r: scenario.pool[r] - free[r] + job.need[r] for r in wide}
        large = listed([amount(size, r) for r, size in wanted.items()])
        fits = all(size <= MOST[RESOURCES[r]] for r, size in wanted.items())
        return (
            say("too_large", scenario, job=job.name, need=amount(job.need[r], r), there=there, waits=waits),
            say("fix_smaller_or_pool" if fits else "fix_smaller", scenario, small=small, large=large),
        )
    return None


def _starved(scenario: Scenario) -> tuple[str, str] | None:
    """Whom a weight leaves with nothing: with equal weights the same policy would have served it."""
    if len({job.weight for job in scenario.jobs}) == 1:
        return None
    equal = tuple(replace(job, weight=1.0) for job in scenario.jobs)
    for policy, label, result in zip(scenario.policies, scenario.labels, scenario.runs, strict=True):
        if policy == "round_robin" or all(result.executors.values()):
            continue
        fair = run(equal, scenario.pool, policy, scenario.executors).executors
        starved = [name for name, count in result.executors.items() if not count and fair[name]]
        if starved:
            heavy = max(scenario.jobs, key=lambda job: job.weight)
            words = {"starved": listed(starved), "heavy": heavy.name, "weight": f.significant(heavy.weight)}
            count = f.count(fair[starved[0]], "executor")
            return (
                say("starved", scenario, policy=label, **words),
                say("fix_weight", scenario, job=starved[0], count=count),
            )
    return None


def _ended_early(scenario: Scenario) -> tuple[str, str] | None:
    one, two = scenario.runs
    same = one.executors == two.executors and one.stop == two.stop
    found = [
        _end(scenario, say("both", scenario) if same else label, policy, result)
        for label, policy, result in zip(scenario.labels, scenario.policies, scenario.runs, strict=True)
    ][: 1 if same else 2]
    ends = [end for end in found if end]
    return (" ".join(end[0] for end in ends), " ".join(end[1] for end in ends)) if ends else None


def _end(scenario: Scenario, label: str, policy: str, result: Allocation) -> tuple[str, str] | None:
    """Why a hand-out ended before all that was asked for, and what would let it go on."""
    words = {"policy": label, "handed": f.count(len(result.log), "executor"), "free": free_words(scenario, result)}
    if result.stop == "all_at_ceiling":
        more = any(_fits(result, replace(job, ceiling=None)) for job in scenario.jobs)
        return say("at_limits", scenario, **words), say(
            "fix_limit" if more else "fix_limit_pool", scenario, policy=label
        )
    if result.stop == "no_fit":
        job, lacks = shortage(scenario, result)
        wider = tuple(size + lacks.get(r, 0) for r, size in enumerate(scenario.pool))
        then = run(scenario.jobs, wider, policy, scenario.executors)
        fix = "fix_more"
        if len(then.log) <= len(result.log):
            fix = "fix_closest"  # in a wider pool shares and turns differ, and others may take what was meant for it
        elif then.executors[job.name] <= result.executors[job.name]:
            fix = "fix_more_any"
        more = listed([amount(lack, r) for r, lack in lacks.items()])
        return say("full", scenario, **words), say(fix, scenario, policy=label, job=job.name, more=more)
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
    return listed([amount(result.free[RESOURCES[r]], r) for r in scenario.used])


def _all_is_well(scenario: Scenario) -> str:
    if not scenario.executors:
        return say("none_asked", scenario)
    one, two = (spread(list(result.dominant_share.values())) for result in scenario.runs)
    return say("ended", scenario, handed=f.count(scenario.executors, "executor"), one=one, two=two)


def spread(values: list[float]) -> str:
    """Write shares as a range: one percent sign for both ends.

    >>> spread([0.1, 0.4, 0.4]), spread([0.2, 0.2])
    ('10 to 40 %', '20 %')
    """
    low, high = f.share(min(values)), f.share(max(values))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def step_words(scenario: Scenario) -> str:
    """Who is served at the shown step by each policy, and why."""
    if not scenario.step:
        return say("before", scenario)
    one, two = (_served(scenario, which) for which in (0, 1))
    return say("step", scenario, one=one, two=two)


def _served(scenario: Scenario, which: int) -> str:
    result, label, policy = scenario.runs[which], scenario.labels[which], scenario.policies[which]
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, handed=f.count(len(result.log), "executor"))
    row = result.history[scenario.step - 1]
    if policy == "round_robin":
        return say("step_turn", scenario, policy=label, who=row["name"])
    value = row["compared"][row["name"]]
    lowest = value == min(row["compared"].values())
    measure = COMPARED[policy] + (" ÷ weight" if len({job.weight for job in scenario.jobs}) > 1 else "")
    words = {"policy": label, "who": row["name"], "measure": measure, "value": f.share(value)}
    return say("step_lowest" if lowest else "step_lowest_left", scenario, **words)
