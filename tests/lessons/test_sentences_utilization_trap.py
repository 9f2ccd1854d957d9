"""Sentences of the Utilization Trap at random settings, knob ends and exact ties, against
computations of their own.
"""

import math
import random
import re
from dataclasses import replace

import pytest

from lessons.utilization_trap import LESSON
from lessons.utilization_trap.chart import remedies, verdict
from lessons.utilization_trap.laboratory.simulation import jobs, wanted
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mgc
from physics.queueing.errors import measured_around
from ui.base.format import share
from ui.base.words import fill, load

#: Settings tried within the tests; a search of its own tries thousands.
TRIED = 120
SIZES = (1, 2, 7, 8, 64, 100, 256, 300, 1024, 4096)


def settings_at_random(dice: random.Random) -> Fleet:
    """Knobs at their ends, at round values and anywhere."""
    gpus = dice.choice((8, 1024, 4096, 8 * dice.randint(1, 512)))
    size = dice.choice((1, gpus, min(gpus, dice.choice(SIZES)), dice.randint(1, gpus)))
    return Fleet(
        gpus,
        size,
        dice.choice((0.5, 0.7, 0.8, 0.95, 1.0, 1.005, 1.2, dice.randint(100, 240) / 200)),
        dice.choice((0, 8, 1024, 8 * dice.randint(0, 128))),
        dice.choice((360.0, 3600.0, 86400.0, 360.0 * dice.randint(1, 240))),
        scv=dice.choice((0.0, 0.5, 1.0, 10.0, 40.0, dice.randint(0, 80) / 2)),
        target=dice.choice((60.0, 1800.0, 28800.0, 60.0 * dice.randint(1, 480))),
    )


def own_wait(fleet: Fleet) -> float:
    """Mean wait by Erlang's own sums, in logarithms, times (1 + SCV) / 2."""
    before = fleet.fleet // fleet.gpus_per_job
    servers = (fleet.fleet + fleet.added) // fleet.gpus_per_job
    load = fleet.utilization * before
    if load >= servers * (1 - 1e-12):
        return math.inf
    terms = [n * math.log(load) - math.lgamma(n + 1) for n in range(servers + 1)]
    top = max(terms)
    last = math.exp(terms[-1] - top) / (1 - load / servers)
    chance = last / (sum(math.exp(term - top) for term in terms[:-1]) + last)
    return chance * fleet.job_length / (servers - load) * (1 + fleet.scv) / 2


@pytest.mark.parametrize("seed", range(3))
def test_at_random_settings_every_sentence_agrees_with_a_computation_of_its_own(seed):
    dice = random.Random(seed)
    for _ in range(TRIED // 3):
        check(settings_at_random(dice))


def check(fleet: Fleet) -> None:
    wait = own_wait(fleet)
    words = LESSON.values(fleet)
    said = verdict(fleet).text
    assert fleet.now.mean_wait == pytest.approx(wait, rel=1e-8)
    meets = wait <= fleet.target * (1 + 1e-9)
    assert LESSON.metrics(fleet)[0].note.startswith("meets") is meets, fleet
    assert fleet.added or ("the mean wait is" in said) is meets, fleet
    load = fleet.utilization * (fleet.fleet // fleet.gpus_per_job)
    assert ("Overload" in said) is (load > fleet.servers * (1 + 1e-9)), fleet
    if math.isfinite(wait):
        assert fleet.hourly * wait / 3600 == pytest.approx(fleet.now.mean_in_queue, rel=1e-8)
    for text in (*(fill(step.text, words) for step in LESSON.derivation), said):
        assert not re.search(
            r"(?<![\d.,])1 (servers|GPUs|jobs|times)\b|\bnan\b|\binf\b|e-\d\d", text
        ), (text, fleet)
        assert "× 10" not in text or "backlog" not in text, (text, fleet)
    if not meets:
        offered = remedies(fleet)
        changes = [word for change in listed(offered) for word in changed(fleet, change)]
        assert all(own_wait(change) <= change.target * (1 + 1e-9) for change in changes), (
            fleet,
            offered,
        )
        assert ("No single change meets" in offered) is (not changes)


def listed(offered: str) -> list[str]:
    """The changes that are offered, one by one."""
    if offered.startswith("A single change meets"):
        return offered.partition(": ")[2].rstrip(".").split("; or ")
    return []


def changed(fleet: Fleet, change: str) -> list[Fleet]:
    """The setting that a change names."""
    number = float(re.search(r"[\d,.]*\d", change)[0].replace(",", ""))
    if change.startswith("lower"):
        return [replace(fleet, utilization=number / 100)]
    if change.startswith("buy"):
        return [replace(fleet, added=int(number))]
    return [replace(fleet, gpus_per_job=int(number))]


def test_where_no_single_knob_is_said_to_do_no_setting_of_any_knob_does():
    dice = random.Random(9)
    tried = 0
    while tried < 2:
        fleet = settings_at_random(dice)
        if fleet.on_target or listed(remedies(fleet)) or fleet.fleet > 1024:
            continue
        tried += 1
        lone = [replace(fleet, utilization=n / 200) for n in range(100, 241)]
        lone += [replace(fleet, added=n) for n in range(0, 1025, 8)]
        lone += [replace(fleet, gpus_per_job=n) for n in range(1, fleet.fleet + 1, 7)]
        assert not any(own_wait(one) <= one.target for one in lone), fleet


def test_a_wait_of_exactly_the_target_meets_it():
    fleet = Fleet(fleet=4096, gpus_per_job=4096, utilization=1.05, job_length=360.0, target=840.0)
    assert replace(
        fleet, utilization=0.7
    ).on_target and "lower the initial utilization to 70%" in remedies(fleet)


def test_a_cap_on_running_jobs_leaves_servers_idle_and_lengthens_the_mean_wait():
    told = "even makes it longer, because GPUs sit idle while jobs wait"
    assert told in load("utilization_trap").prediction.option("d").feedback
    # Four users with at most one running job each: every user's jobs queue for one of the four
    # places.
    assert mgc(3.8 / 4, 1.0, 1).mean_wait > mgc(3.8, 1.0, 4).mean_wait


def test_a_run_is_as_long_as_the_queue_remembers_if_that_can_be_had():
    one = {"gpus_per_job": 1024}
    assert jobs(Fleet()) == 100_000 > wanted(Fleet())
    assert (
        jobs(Fleet(**one, utilization=0.98))
        == 600_000
        == pytest.approx(wanted(Fleet(**one, utilization=0.98)))
    )
    assert wanted(Fleet(**one, utilization=0.985)) > 600_000 < wanted(Fleet(**one, scv=24))


def test_the_derivation_says_how_far_off_an_approximation_was_found_and_where_that_is_not_known():
    exact = LESSON.values(Fleet())
    assert exact["mean_error"] == exact["p99_error"] == "The formula is exact."
    found = measured_around(4, 0.5, 0.0)
    low = LESSON.values(Fleet(scv=0, utilization=0.5))["mean_error"]
    assert -0.14 < found.low <= found.high < -0.1
    assert low.endswith(
        f"between {share(-found.low, 2)} too low and {share(-found.high, 2)} too low."
    )
    for changes in ({"utilization": 0.99}, {"gpus_per_job": 1}, {"fleet": 4096, "gpus_per_job": 4}):
        assert "was not measured" in LESSON.values(Fleet(scv=7, **changes))["mean_error"]
    one = LESSON.values(Fleet(gpus_per_job=1024, scv=4))
    assert one["mean_error"] == "The formula is exact." and "approximation" in one["p99_error"]
