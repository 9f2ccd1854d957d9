"""Sentences of DRF story that were once not true, each against a computation of its own."""

import random
from dataclasses import replace

import pytest
from drf_scenarios import scenario_of

from lessons.drf_story.jobs import Job
from lessons.drf_story.pool import remedies, shortage, verdict

POLICIES = ("drf", "round_robin", "asset", "single:cpu", "single:mem")


def drf_at_random(dice):
    jobs = tuple(
        Job(
            name,
            (float(dice.choice((1, 2, 3, 8))), float(dice.choice((0, 1, 4, 16)))),
            (float(dice.choice((0, 0, 1, 4))), float(dice.choice((0, 0, 1, 4)))),
            dice.choice((1.0, 1.0, 2.0)),
            dice.choice((None, None, 1.0, 2.0, 6.0)),
        )
        for name in "ABC"[: dice.randint(1, 3)]
    )
    pool = (float(dice.randint(12, 40)), float(dice.randint(12, 60)))
    return scenario_of(jobs, pool, dice.randint(1, 30), dice.randint(0, 20), *dice.choices(POLICIES, k=2))


@pytest.mark.parametrize("seed", range(3))
def test_at_random_tables_what_is_said_of_each_step_and_of_the_end_is_so(seed):
    dice = random.Random(seed)
    for _ in range(60):
        check(drf_at_random(dice))


def check(scenario):
    said, words = remedies(scenario), verdict(scenario).text
    for label, policy, result in zip(
        [label for label, _ in scenario.both],
        (scenario.policy_one, scenario.policy_two),
        (scenario.one, scenario.two),
        strict=True,
    ):
        free = list(result.free.values())
        open_ones = [job for job in scenario.table if result.executors[job.name] < (job.ceiling or 1e9)]
        if result.stop == "max_steps":
            assert f"{label}: " not in said or scenario.policy_one == scenario.policy_two, scenario
        elif not open_ones:
            assert f"{label}: only a higher cap lets it go on" in said, scenario
        else:
            job, _ = shortage(scenario, result)
            assert f"{label}: the next executor of {job.name} comes closest to fitting" in said
            lacks = {
                one.name: max(
                    (need - has) / size for need, has, size in zip(one.need, free, scenario.pool, strict=True)
                )
                for one in open_ones
            }
            assert lacks[job.name] == pytest.approx(min(lacks.values())) and lacks[job.name] > 0, scenario
        if 0 < scenario.step <= len(result.log) and scenario.step < scenario.last:
            row = result.history[scenario.step - 1]
            lower = any(value < row["compared"][row["name"]] for value in row["compared"].values())
            served = words.partition(f"{label} serves {row['name']}")[2].partition(". ")[0]
            assert policy == "round_robin" or lower == ("of the jobs that can take one more" in served), scenario


def test_a_pool_that_is_lacked_for_fits_the_next_executor_of_that_job():
    scenario = scenario_of((Job("A", (2.0, 16.0)),), (60.0, 72.0), 20)
    assert "lacks 8 GB" in remedies(scenario) and len(replace(scenario, mem=80e9).one.log) == len(scenario.one.log) + 1
