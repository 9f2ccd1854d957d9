"""The film of autoscaling is the simulated run: same replicas, same times; small enough to send at every setting."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from driving import charts, unlocked

from lessons.autoscaling import LESSON, film
from lessons.autoscaling.settings import CONTROLLERS, Fleet
from ui.charts.look import Look
from ui.films import message
from ui.knobs.declared import read


def preset(name: str) -> Fleet:
    return read(Fleet, LESSON.presets[name].changes)[0]


def equals_the_run(fleet: Fleet) -> None:
    """Look at the film in the middle of steps and compare what is in place with the model's row."""
    played, run = film.run_film(fleet), fleet.run
    counted = message(film.showing(fleet), Look())["curves"]
    for step in np.linspace(0, (played.end - 1) // 15, 25).astype(int):
        boxes, _ = played.at(15.0 * step + 7)
        size = (boxes["last"] - boxes["first"] + 1).groupby(boxes["kind"]).sum()
        row = run.iloc[step]
        lit = int(np.floor(20 * row["utilization"] + 0.5))
        away = row["backlog"] / film.unit(fleet) if fleet.kept else row["lost"] / 15
        assert size.get("busy", 0) == row["ready"] * lit and size.get("idle", 0) == row["ready"] * (20 - lit)
        assert size.get("starting", 0) == 20 * row["starting"]
        assert size.get("excess", 0) == int(np.floor(20 * away + 0.5))
        assert played.values(15.0 * step + 7) == row[["load", "ready"]].to_dict()
        sent = [next(value for since, value in reversed(points) if since <= 15 * step + 7) for _, _, points in counted]
        assert sent == pytest.approx([row["load"], row["ready"]], rel=5e-4)


@pytest.mark.parametrize("name", list(LESSON.presets))
def test_a_presets_film_is_the_run_and_light(name):
    fleet = preset(name)
    equals_the_run(fleet)
    assert len(json.dumps(message(film.showing(fleet), Look()))) < 100_000


def test_films_at_random_settings_are_the_run_and_light():
    rng = random.Random(5)
    for load in ("steady", "step", "burst"):
        for _ in range(6):
            fleet = Fleet(
                controller=rng.choice(list(CONTROLLERS)),
                load=load,
                base=rng.choice([0.1, 3.3, 20.0]),
                peak=rng.choice([0.1, 7.7, 20.0]),
                start=rng.choice([1, 40]),
                ceiling=rng.choice([1, 9, 40]),
                cold_start=rng.choice([0.0, 45.0, 900.0]),
                kept=rng.random() < 0.5,
            )
            equals_the_run(fleet)
            assert len(json.dumps(message(film.showing(fleet), Look()))) < 100_000


def test_a_long_run_is_cut_and_says_so():
    restless = replace(Fleet(controller="predictive", load="day", error=0.5), peak=20.0, ceiling=40)
    played = film.run_film(restless)
    equals_the_run(restless)
    assert played.end < 86400 and "This is the first" in film.showing(restless).caption
    assert "This is all 30 min" in film.showing(Fleet()).caption
    there = restless.run.loc[restless.run["time"] < played.end, "requested"]
    assert there.max() < restless.run["requested"].max()
    assert f"at least {there.min()} replica and at most {there.max()} replicas start or serve" in (
        film.showing(restless).alt
    )


def test_the_film_is_sent_when_it_is_chosen_only():
    app = unlocked("autoscaling", {"autoscale_view": "film"})
    assert not app.exception and not charts(app)
    assert any("A block of 20 squares is a replica" in caption.value for caption in app.caption)
