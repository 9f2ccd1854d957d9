"""The trap's film is the simulated queue: same jobs, same times; small enough to send, save for thousands of jobs."""

import json
import re

import numpy as np
import pytest
from driving import charts, unlocked

from lessons.utilization_trap.film import COUNTS, MOST, STRETCHES, WARM_UP, both, free, made, parts, showing
from lessons.utilization_trap.settings import Fleet
from physics import constants as k
from physics.films import in_lanes
from physics.queueing import mgc, simulate_queue
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
    jobs = int(fleet.arrival_rate * (WARM_UP * fleet.job_length + STRETCHES * parts(fleet) * played.end) * 1.1) + 50
    rng = np.random.default_rng(int(k.POLICY_SEED))
    again = simulate_queue(fleet.arrival_rate, fleet.job_length, 4, 1.0, jobs, rng)
    own = played.boxes[(played.boxes["kind"] == "own") & (played.boxes["begin"] > 0)]
    lengths = again["end"] - again["start"]
    whole = own[own["end"] < played.end].sort_values("begin")
    first = int(np.argmin(np.abs(lengths - (whole["end"] - whole["begin"]).iloc[0])))
    again -= again["start"].iloc[first] - whole["begin"].iloc[0]
    for moment in np.linspace(played.begin, played.end, 50, endpoint=False):
        running = ((again["start"] <= moment) & (moment < again["end"])).sum()
        waiting = ((again["arrival"] <= moment) & (moment < again["start"])).sum()
        boxes, line = played.at(moment)
        assert (boxes["kind"] == "own").sum() == running <= 4
        assert (line["kind"] == "own").sum() == waiting


@pytest.mark.parametrize("utilization", [0.8, 0.9, 0.945, 0.95, 0.98])
def test_about_as_many_jobs_wait_in_the_film_as_in_the_long_run(utilization):
    fleet = Fleet(utilization=utilization)
    played = both(fleet)
    own = played.waiting[played.waiting["kind"] == "own"]
    waiting = (own["end"] - own["begin"]).sum() / (played.end - played.begin)
    assert waiting == pytest.approx(fleet.now.mean_in_queue, rel=0.05)


@pytest.mark.parametrize("changes", [{}, {"gpus_per_job": 300}, {"gpus_per_job": 12}, {"added": 256}, {"scv": 40.0}])
@pytest.mark.parametrize("utilization", [0.7, 0.945, 0.99, 1.1])
def test_the_caption_gives_the_films_own_numbers_and_those_of_the_long_run_beside_them(changes, utilization):
    fleet = Fleet(utilization=utilization, **changes)
    played, caption = both(fleet), showing(fleet).caption
    moments = np.linspace(played.begin, played.end, 1500, endpoint=False)
    number = r"(?:nearly )?(\d[\d,]*(?:\.\d+)?)"
    said = re.findall(
        rf"{number} places? for jobs of {number} GPUs?, a place free for (?:over )?{number} % of this stretch"
        rf"(?: \([a-z ]* {number} %\))?, {number} waiting on average \((?:[a-z ]* {number})?",
        caption,
    )
    assert len(said) == len(set(played.boxes["kind"])) == (2 if fleet.gpus_per_job > 15 else 1)
    for (places, _, free_here, free_then, waits_here, waits_then), kind in zip(said, ("own", "small"), strict=False):
        boxes, line = (rows[rows["kind"] == kind] for rows in (played.boxes, played.waiting))
        busy = ((boxes["begin"].to_numpy() <= moments[:, None]) & (moments[:, None] < boxes["end"].to_numpy())).sum(1)
        places = int(places)
        assert busy.max() <= places == fleet.servers * (1 if kind == "own" else fleet.gpus_per_job // 8)
        assert float(free_here) / 100 == pytest.approx((busy < places).mean(), abs=0.02)
        waits = (line["end"] - line["begin"]).sum() / (played.end - played.begin)
        assert float(waits_here.replace(",", "")) == pytest.approx(waits, rel=0.06, abs=0.005)
        if utilization < 1 + 0.25 * (fleet.added > 0):
            load = fleet.arrival_rate * fleet.job_length * places / fleet.servers
            then = mgc(load, 1.0, places, fleet.scv)
            assert float(free_then) / 100 == pytest.approx(1 - then.prob_wait, rel=0.06)
            assert float(waits_then.replace(",", "")) == pytest.approx(then.mean_in_queue, rel=0.06, abs=0.005)


def test_the_share_of_time_with_a_free_place_is_what_looking_often_finds():
    played = both(Fleet())
    own, small = free(played, "own", 4), free(played, "small", 128)
    moments = np.linspace(played.begin, played.end, 1000, endpoint=False)
    looked = [(played.at(moment)[0]["kind"] == "own").sum() < 4 for moment in moments]
    assert own == pytest.approx(np.mean(looked), abs=0.02)
    assert f"a place free for {share(own, 2)} of this stretch" in showing(Fleet()).caption
    assert 0 <= own <= 1 and 0 <= small <= 1


def test_the_queues_of_two_fleets_are_counted_apart():
    """Together they would be the queue of nobody: each half is a fleet of its own."""
    sent = message(showing(Fleet()), Look())
    assert sent["lines"] == ["above", "below"] and sent["lineOf"] == [0, 1]
    assert message(showing(Fleet(gpus_per_job=8)), Look())["lines"] == [""]


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


def test_at_the_messages_utilization_a_free_quarter_is_rare_and_a_free_eight_comes_up_far_more_often():
    own, small = mgc(3.8, 1.0, 4).prob_wait, mgc(0.95 * 128, 1.0, 128).prob_wait
    assert 1 - own < 0.15 and 1 - small > 0.5
    played = both(Fleet())
    assert free(played, "own", 4) < 0.15 and free(played, "small", 128) > 0.3
    calmer = both(Fleet(utilization=0.8))
    assert free(calmer, "own", 4) > 0.3 > free(played, "own", 4)


@pytest.mark.parametrize("changes", [{"gpus_per_job": 1024}, {"gpus_per_job": 1024, "utilization": 0.5}])
def test_shares_and_numbers_in_the_caption_have_few_digits(changes):
    assert not re.search(r"\d\.\d{3}|10⁻", showing(Fleet(**changes)).caption)
