"""What is sent to the player is what the film says, in at most 100 kB."""

import json
from dataclasses import replace

import pytest
from contrast import contrast
from driving import click, elements, keys, put, texts, unlocked, visit

from lessons import LESSONS
from lessons.gpu_slices.laboratory import film as slices_film
from lessons.gpu_slices.settings import Slices
from physics.films import film
from ui.charts.look import Look
from ui.films import Kind, Showing, message
from ui.films.film import events

KINDS = {"job": Kind("a job", "accent"), "wide": Kind("a wide job", "bad")}


def showing(boxes, waiting=(), begin=0) -> Showing:
    return Showing(
        film(4, begin, begin + 3600, boxes, waiting), KINDS, "One of many.", "Jobs on four places."
    )


def test_every_box_and_all_that_waits_travel_with_their_colors_and_times_from_the_films_beginning():
    sent = message(
        showing([(0, 1, 7200, 9000, "wide", "w")], [(2, 7260, 7800, "job")], 7200), Look()
    )
    assert sent["boxes"] == [[0, 1, 0.0, 1800.0, 1, "w"]]
    assert sent["waiting"] == [[2, 60.0, 600.0, 0]]
    assert sent["moments"] == [0.0, 60.0, 600.0, 1800.0, 3600.0] and sent["end"] == 3600
    assert sent["kinds"] == [["a job", Look().accent], ["a wide job", Look().bad]]


@pytest.mark.parametrize("dark", [False, True])
def test_the_words_in_a_box_of_any_color_can_be_read(dark):
    look = Look(dark=dark)
    tones = (
        "accent",
        "good",
        "bad",
        "quiet",
        "faint",
        *(f"s{number}" for number in range(len(look.series))),
    )
    kinds = {tone: Kind(tone, tone) for tone in tones}
    sent = message(Showing(film(1, 0, 60, [(0, 0, 0, 60, "faint", "waits")]), kinds, "", ""), look)
    for (name, color), ink in zip(sent["kinds"], sent["inks"], strict=True):
        assert contrast(color, ink) >= 4.5, name


def test_a_film_that_weighs_too_much_is_refused_in_one_sentence():
    many = [(0, 0, second, second + 1, "job", "") for second in range(3600)]
    with pytest.raises(ValueError, match="too large"):
        message(showing(many), Look())


def test_a_page_whose_film_would_be_too_heavy_says_so_and_goes_on(monkeypatch):
    monkeypatch.setattr("ui.films.film.MOST", 5_000)
    app = unlocked("utilization_trap", {"trap_view": "film"})
    assert not app.exception and not films(app) and app.metric
    assert any("too large" in info.value and "the limit is 5 kB" in info.value for info in app.info)


def test_the_table_of_events_is_in_the_clocks_unit():
    table = events(showing([(0, 0, 900, 1800, "job", "a")]))
    assert table["begin (h)"].tolist() == [0.25] and table["kind"].tolist() == ["a job"]


WITH_FILM = [lesson for lesson in LESSONS if "film" in lesson.views]


def films(app) -> list[dict]:
    """What the page has sent to its player."""
    players = [
        one.proto
        for one in elements(app)
        if one.type == "bidi_component" and "_film_" in one.proto.id
    ]
    return [film for player in players for film in json.loads(player.json)["films"]]


@pytest.mark.parametrize("lesson", WITH_FILM, ids=lambda lesson: lesson.page)
def test_a_lesson_with_a_view_of_a_film_has_something_to_play(lesson):
    assert lesson.film is not None and message(lesson.film(lesson.settings()), Look())["boxes"]


def test_a_pinned_film_is_sent_beside_the_present_one_when_it_is_asked_for_with_its_own_settings():
    app = unlocked("gpu_slices", {"slices_view": "film"})
    assert len(films(app)) == 1 and "slices_film_beside" not in keys(app)
    click(app, "slices_pin")
    assert len(films(app)) == 1
    put(app, "slices_draw", 7)
    put(app, "slices_film_beside", "pinned 1")
    now, pinned = films(app)
    for sent, wish in ((now, replace(Slices(), draw=7)), (pinned, Slices())):
        assert sent | {"name": ""} == message(slices_film.showing(wish), Look()) | {"name": ""}
    assert any("**Pinned 1.**" in text for text in texts(app))


@pytest.mark.parametrize("quantities", [{}, {"gpus": "many"}, {"mix": 7}], ids=str)
def test_a_pin_whose_settings_cannot_be_read_has_no_film_and_stays_in_the_table(quantities):
    pin = {"settings": {"GPUs": "2"}, "results": {"Refused": [1, "1"]}, "quantities": quantities}
    app = unlocked("gpu_slices", {"slices_view": "film", "pins": {"slices": [pin]}})
    assert "slices_film_beside" not in keys(app) and any("Pinned 1" in text for text in texts(app))


def test_before_the_lock_a_pinned_film_is_not_sent():
    pin = {"settings": {}, "results": {}, "quantities": {"draw": 7}}
    app = visit(
        "gpu_slices",
        {"slices_view": "film", "slices_film_beside": "pinned 1", "pins": {"slices": [pin]}},
    )
    assert films(app) == []
