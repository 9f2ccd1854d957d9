"""What is sent to the player is what the film says, in at most 100 kB."""

import pytest

from physics.films import film
from ui.charts.look import Look
from ui.films import Kind, Showing, message
from ui.films.film import events

KINDS = {"job": Kind("a job", "accent"), "wide": Kind("a wide job", "bad")}


def showing(boxes, waiting=(), places=4) -> Showing:
    return Showing(film(places, 0, 3600, boxes, waiting), KINDS, "One of many.", "Jobs on four places.")


def test_every_box_and_all_that_waits_travel_with_their_times_and_colors():
    sent = message(showing([(0, 1, 0, 1800, "wide", "w")], [(2, 60, 600, "job")]), Look())
    assert sent["boxes"] == [[0, 1, 0.0, 1800.0, 1, "w"]]
    assert sent["waiting"] == [[2, 60.0, 600.0, 0]]
    assert sent["moments"] == [0.0, 60.0, 600.0, 1800.0, 3600.0]
    assert sent["kinds"] == [["a job", Look().accent], ["a wide job", Look().bad]]


def test_a_film_that_weighs_too_much_is_refused_in_one_sentence():
    many = [(0, 0, second, second + 1, "job", "") for second in range(3600)]
    with pytest.raises(ValueError, match="a film may weigh at most 100 kB, this one has"):
        message(showing(many), Look())


def test_the_table_of_events_is_in_the_clocks_unit():
    table = events(showing([(0, 0, 900, 1800, "job", "a")]))
    assert table["begin (h)"].tolist() == [0.25] and table["kind"].tolist() == ["a job"]
