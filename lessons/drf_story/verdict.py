"""DRF story: each step in words, what stops a hand-out, and what the next executor would need."""

from lessons.drf_story.jobs import Job, amounts
from lessons.drf_story.settings import Scenario, say
from physics.fairness import Allocation
from ui.base import format as f
from ui.base.lesson import Verdict

COMPARED = {
    "drf": "largest share",
    "asset": "sum of shares",
    "single:cpu": "share of CPU",
    "single:mem": "share of memory",
}


def verdict(scenario: Scenario) -> Verdict:
    """Say what stops the hand-outs; before their last step, who is served."""
    if scenario.step < scenario.last:
        if not scenario.step:
            return Verdict(say("before", scenario))
        one, two = (_served(scenario, which) for which in (0, 1))
        return Verdict(say("step", scenario, one=one, two=two))
    stopped = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        if result.stop != "max_steps":
            free = amounts(result.free.values()) or "nothing"
            handed = f.count(len(result.log), "executor")
            stopped.append(say(result.stop, scenario, policy=label, handed=handed, free=free))
    if stopped:
        return Verdict(" ".join(stopped), False)
    one, two = (spread(list(result.dominant_share.values())) for result in scenario.runs)
    return Verdict(say("ended", scenario, one=one, two=two), True)


def _served(scenario: Scenario, which: int) -> str:
    """Who is served at the shown step by one policy, and why."""
    result, label = scenario.runs[which], scenario.labels[which]
    policy = (scenario.policy_one, scenario.policy_two)[which]
    if scenario.step > len(result.log):
        return say("step_over", scenario, policy=label, handed=f.count(len(result.log), "executor"))
    row = result.history[scenario.step - 1]
    if policy == "round_robin":
        return say("step_turn", scenario, policy=label, who=row["name"])
    value = row["compared"][row["name"]]
    measure = COMPARED[policy] + (" ÷ weight" if len({job.weight for job in scenario.table}) > 1 else "")
    name = "step_lowest" if value == min(row["compared"].values()) else "step_lowest_left"
    return say(name, scenario, policy=label, who=row["name"], measure=measure, value=f.share(value))


def remedies(scenario: Scenario) -> str:
    """What would let a hand-out go on that has stopped early; "" where none has."""
    found = []
    for label, result in zip(scenario.labels, scenario.runs, strict=True):
        if result.stop == "no_fit":
            job, lacks = shortage(scenario, result)
            found.append(say("fix_pool", scenario, policy=label, job=job.name, more=lacks))
        elif result.stop == "all_at_ceiling":
            found.append(say("fix_cap", scenario, policy=label))
    return " ".join(found)


def shortage(scenario: Scenario, result: Allocation) -> tuple[Job, str]:
    """Return the job below its cap whose next executor is closest to fitting, and what it lacks."""
    found = []
    for job in scenario.table:
        if job.ceiling is None or result.executors[job.name] + 1 <= job.ceiling:
            lacks = [max(0.0, round(need - free, 9)) for need, free in zip(job.need, result.free.values(), strict=True)]
            worst = max(lack / size for lack, size in zip(lacks, scenario.pool, strict=True))
            found.append((worst, job.name, job, amounts(lacks)))
    return min(found)[2:]


def spread(values: list[float]) -> str:
    """Write shares as a range: one percent sign for both ends.

    >>> spread([0.1, 0.4, 0.4]), spread([0.2, 0.2])
    ('10 to 40 %', '20 %')
    """
    low, high = f.share(min(values)), f.share(max(values))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"
