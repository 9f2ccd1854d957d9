"""The trap's film is the simulated queue: same jobs, same times; small enough to send, save for thousands of jobs."""

import json

import numpy as np
import pytest
from driving import charts, unlocked

from lessons.utilization_trap.film import COUNTS, MOST, STRETCHES, WARM_UP, both, free, made, showing
from lessons.utilization_trap.settings import Fleet
from physics import constants as k
from physics.films import in_lanes
from physics.queueing import simulate_queue
from ui.base.format import share
from ui.charts.look import Look
from ui.films import message

SETTINGS = [
    Fleet(),
    Fleet(utilization=0.8),
    Fleet(utilization=1.1),
    Fleet(gpus_per_job=8),
    Fleet(gpus_per_job=1),
    Fleet(gpus_per_job=1024),
    Fleet(fleet=4096, gpus_per_job=1000, scv=40.0),
    Fleet(scv=0.0, job_length=24 * 3600.0),
]


@pytest.mark.parametrize("fleet", SETTINGS, ids=str)
def test_a_film_can_be_sent_at_every_setting(fleet):
    sent = message(showing(fleet), Look())
    assert len(json.dumps(sent)) < 100_000
    assert sent["boxes"] and len(sent["boxes"]) < 2 * MOST + 3 * fleet.fleet


@pytest.mark.parametrize("gpus", [8, 16])
@pytest.mark.parametrize("scv", [1.0, 4.0, 25.0])
def test_every_job_of_a_fleet_that_holds_one_at_a_time_has_its_place(gpus, scv):
    fleet = Fleet(fleet=gpus, gpus_per_job=gpus, utilization=0.75, job_length=5.8 * 3600.0, scv=scv)
    jobs = simulate_queue(fleet.arrival_rate, fleet.job_length, 1, scv, 5000, np.random.default_rng(7))
    lanes = in_lanes(jobs["start"].to_numpy(), jobs["end"].to_numpy(), np.ones(len(jobs), dtype=int), 1)
    assert not lanes.any()
    assert {*both(fleet).boxes["first"]} <= {*range(2 * max(1, gpus // 8))}


def test_the_films_jobs_are_those_of_the_simulated_queue():
    fleet = Fleet()
    played = both(fleet)
    length = played.end - played.begin
    jobs = int(fleet.arrival_rate * (WARM_UP * fleet.job_length + STRETCHES * length) * 1.1) + 50
    rng = np.random.default_rng(int(k.POLICY_SEED))
    again = simulate_queue(fleet.arrival_rate, fleet.job_length, 4, 1.0, jobs, rng)
    for moment in np.linspace(played.begin, played.end, 50, endpoint=False):
        running = ((again["start"] <= moment) & (moment < again["end"])).sum()
        waiting = ((again["arrival"] <= moment) & (moment < again["start"])).sum()
        boxes, line = played.at(moment)
        assert (boxes["kind"] == "own").sum() == running <= 4
        assert (line["kind"] == "own").sum() == waiting


def test_the_share_of_time_with_a_free_place_is_what_looking_often_finds():
    played = both(Fleet())
    own, small = free(played, "own", 4), free(played, "small", 128)
    moments = np.linspace(played.begin, played.end, 4000, endpoint=False)
    looked = [(played.at(moment)[0]["kind"] == "own").sum() < 4 for moment in moments]
    assert own == pytest.approx(np.mean(looked), abs=0.02)
    assert f"a place free for {share(own, 2)} of the film" in showing(Fleet()).caption
    assert 0 <= own <= 1 and 0 <= small <= 1


def test_the_film_is_sent_when_it_is_chosen_only():
    assert "trap_film_fleet" not in str(unlocked("utilization_trap"))
    app = unlocked("utilization_trap", {"trap_view": "film"})
    assert not app.exception and not charts(app)
    assert any("one simulated run of many" in caption.value for caption in app.caption)


@pytest.mark.parametrize("fleet", SETTINGS, ids=str)
def test_littles_law_holds_at_every_moment_at_which_it_is_counted(fleet):
    _, laws = made(fleet)
    assert 0 < len(laws) <= COUNTS + 1
    for _, waiting, rate, wait in laws:
        assert waiting == pytest.approx(rate * wait)


def test_littles_law_counts_what_the_film_shows():
    played, laws = made(Fleet())
    own = played.waiting[played.waiting["kind"] == "own"]
    for now, waiting, _, _ in laws:
        shown = (own["end"].clip(upper=now) - own["begin"]).clip(lower=0).sum() / (now - played.begin)
        assert waiting == pytest.approx(shown)
    assert laws[-1][0] == played.end
    assert "Little's law so far" in showing(Fleet()).notes[-1][1]


def test_at_the_messages_utilization_a_free_quarter_is_rare_and_a_free_eight_nearly_always_there():
    played = both(Fleet())
    assert free(played, "own", 4) < 0.25 and free(played, "small", 128) > 0.9
    calmer = both(Fleet(utilization=0.8))
    assert free(calmer, "own", 4) > free(played, "own", 4)
