"""Sentences of DRF story that were once not true, each against a computation of its own."""

import random
from dataclasses import replace

import pytest
from drf_scenarios import scenario_of

from lessons import DRF_STORY
from lessons.drf_story import lie
from lessons.drf_story import settings as given
from lessons.drf_story.jobs import Job
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import Scenario
from lessons.drf_story.verdict import amount, remedies, shortage, step_words, verdict
from ui.knobs.declared import read
from ui.record.compare import table

NONE = (0.0, 0.0, 0.0, 0.0)


def drf_at_random(dice):
    jobs = tuple(
        Job(
            name,
            (*(float(dice.choice((0, 0, 1, 4))) for _ in range(2)), 0.0, 0.0),
            (float(dice.choice((1, 2, 3, 8))), float(dice.choice((0, 1, 4, 16))), 0.0, 0.0),
            dice.choice((1.0, 1.0, 2.0)),
            dice.choice((None, None, 1.0, 2.0, 6.0)),
        )
        for name in "ABC"[: dice.randint(1, 3)]
    )
    policies = tuple(dice.choice(("drf", "round_robin", "asset", "single:cpu", "single:mem")) for _ in range(2))
    pool = (float(dice.randint(4, 40)), float(dice.randint(4, 60)), 1.0, 1.0)
    return scenario_of(jobs, pool, dice.randint(0, 30), dice.randint(0, 20), policies)


@pytest.mark.parametrize("seed", range(3))
def test_at_random_tables_what_the_verdict_promises_happens(seed):
    dice = random.Random(seed)
    for _ in range(60):
        check(drf_at_random(dice))


def check(scenario):
    said = f"{verdict(scenario.at_end).text} {remedies(scenario)}"
    if "raise a cap to go on" in said:
        longer = False
        for i, job in enumerate(scenario.jobs):
            higher = replace(job, ceiling=None if job.ceiling is None else job.ceiling + 1)
            raised = replace(scenario, table=(*scenario.jobs[:i], higher, *scenario.jobs[i + 1 :]))
            longer |= any(len(new.log) > len(old.log) for new, old in zip(raised.runs, scenario.runs, strict=True))
        assert longer, scenario
    if "The others are served without it" in said:
        assert len(scenario.jobs) > 1 and any(result.log for result in scenario.runs), scenario
    if "one more executor" in said:
        wider = []
        for policy, result in zip(scenario.policies, scenario.runs, strict=True):
            if result.stop == "no_fit":
                _, lacks = shortage(scenario, result)
                pool = tuple(size + lacks.get(r, 0) for r, size in enumerate(scenario.pool))
                then = given.run(scenario.jobs, pool, policy, scenario.executors)
                wider.append(len(then.log) > len(result.log))
        assert any(wider), scenario
    one, two = scenario.runs
    if not 0 < scenario.step <= min(len(one.log), len(two.log)):
        return
    words = step_words(scenario)
    for policy, label, result in zip(scenario.policies, scenario.labels, scenario.runs, strict=True):
        row = result.history[scenario.step - 1]
        lower = [name for name, value in row["compared"].items() if value < row["compared"][row["name"]]]
        served = next(part for part in words.split(". ") if part.startswith(f"{label} serves {row['name']}"))
        assert policy == "round_robin" or bool(lower) == ("of the jobs that can take one more" in served), scenario


def test_ceilings_are_not_to_be_raised_where_no_executor_fits_anyway():
    jobs = tuple(Job(name, NONE, (2.0, 16.0, 0.0, 0.0), 1.0, 2.0) for name in "AB")
    scenario = scenario_of(jobs, (60.0, 72.0, 1.0, 1.0), 20)
    said = verdict(scenario.at_end)
    assert "all jobs are at their caps" in said.text and not said.good
    assert "raise" not in remedies(scenario) and "changes nothing, because no further executor fits" in remedies(
        scenario
    )


def test_one_gpu_is_one_gpu_and_nobody_is_served_past_a_job_that_is_alone():
    assert amount(1.0, 2) == "1 GPU" and amount(2.0, 2) == "2 GPUs"
    said = verdict(scenario_of((Job("A", NONE, (256.0, 1.0, 0.0, 0.0)),), (200.0, 800.0, 1.0, 1.0), 5))
    assert "Nobody is served." in said.text


def test_the_preset_of_round_robin_compares_it_and_its_false_claim_pays():
    scenario = read(Scenario, PRESETS["turns"].changes)[0]
    assert list(lie.outcomes(scenario)) == ["DRF", "Round-robin"]
    assert "Under Round-robin A gains" in lie.verdict(scenario).text and PRESETS["turns"].view == "lie"
    assert list(lie.outcomes(read(Scenario, PRESETS["lie"].changes)[0])) == ["DRF", "CEEI"]


def test_a_changed_cell_that_is_empty_is_a_dash_and_totals_are_named():
    one, two = ({"settings": {"Table": text}, "results": {}} for text in ("A (1 vCPU)", ""))
    assert "| A (1 vCPU) | **–** |" in table([one], two)
    assert DRF_STORY.results(Scenario())[0].text.endswith("; in all 12")
