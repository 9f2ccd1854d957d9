"""The trap's film is the chosen stretch with jobs of two sizes; what its caption says is what it shows."""

import json
import re

import numpy as np
import pytest
from driving import charts, metrics, unlocked

from lessons.utilization_trap import day
from lessons.utilization_trap.settings import Fleet
from physics.queueing import mgc
from ui.base import format as f
from ui.charts.look import Look
from ui.films import message


@pytest.mark.parametrize("fleet", [Fleet(), Fleet(utilization=1.2, added=8), Fleet(added=1024)], ids=str)
def test_the_caption_gives_the_films_own_numbers_and_each_half_is_a_fleet_of_its_own(fleet):
    shown = day.showing(fleet)
    played = shown.film
    moments = np.linspace(0, played.end, 1500, endpoint=False)
    said = re.search(r"free for ([\d.]+)% of this time above and for ([\d.]+)% below", shown.caption).groups()
    for half, (free, one) in enumerate(zip(said, (fleet.large_jobs, fleet.small_jobs), strict=True)):
        boxes = played.boxes[played.boxes["kind"] == f"runs {half}"]
        assert set(boxes["first"] * 2 // played.places) == {half}
        busy = ((boxes["begin"].to_numpy() <= moments[:, None]) & (moments[:, None] < boxes["end"].to_numpy())).sum(1)
        assert busy.max() <= one.servers and float(free) / 100 == pytest.approx((busy < one.servers).mean(), abs=0.02)
    sent = message(shown, Look())
    assert len(json.dumps(sent)) < 100_000 and not re.search(r"\d\.\d{3}|10⁻", shown.caption)
    assert sent["lines"] == ["256-GPU jobs", "8-GPU jobs"] and sent["lineOf"] == [0, 0, 1, 1]


def test_the_upper_half_is_the_stretch_beside_the_curve():
    shown, whole = Fleet().stretched(day.LONG), Fleet().stretch
    inside = whole.arrival < shown.length
    assert shown.length < whole.length and shown.number.tolist() == whole.number[inside].tolist()
    assert shown.start.tolist() == whole.start[inside].tolist()


def test_the_film_is_sent_when_it_is_chosen_only_and_has_both_sizes_whatever_the_jobs_are():
    assert "trap_film_fleet" not in str(unlocked("utilization_trap"))
    app = unlocked("utilization_trap", {"trap_view": "film"}, trap_gpus_per_job="78")
    assert not app.exception and not charts(app)
    assert metrics(app)["256-GPU jobs at once"] == "4" and metrics(app)["8-GPU jobs at once"] == "128"
    app.slider(key="trap_utilization").set_value(80.0).run()
    assert list(metrics(app).values())[:2] == ["44.7 min", f.duration(Fleet(utilization=0.8, gpus_per_job=8).wait)]


def test_at_the_messages_utilization_a_free_quarter_is_rare_and_a_free_eight_comes_up_far_more_often():
    for one, low, high in ((Fleet().large_jobs, 0.0, 0.15), (Fleet().small_jobs, 0.4, 1.0)):
        free = 1 - mgc(one.arrival_rate, one.job_length, one.servers).prob_wait
        assert low <= free <= high and low <= one.stretched(day.LONG).free <= high
