"""The policy trial's film is the trial that the page shows, week by week."""

import json
from itertools import product

import pytest
from driving import keys, unlocked, visit

from lessons.policy_trial import choices, film, single
from lessons.policy_trial.settings import PAIRS, WAYS, Trial
from physics import constants as k
from physics.experiments import WEEK
from ui.base import format as f
from ui.charts.look import Look
from ui.films import message

TRIALS = [
    Trial(way=way, policies=policies, weeks=weeks, number=number)
    for way, policies, weeks, number in product(WAYS, PAIRS, (1, 8, 26), (1, 2))
]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda one: f"{one.way} {one.policies} {one.weeks} {one.number}")
def test_at_its_end_the_film_shows_every_week_and_whom_the_lead_would_keep(trial):
    shown = film.played(trial)
    boxes, _ = shown.at(shown.end - 1)
    names = choices.names(trial)
    for row, name in enumerate(names, 1):
        weeks = boxes[boxes["first"] // trial.weeks == row].sort_values("first")
        hours = [f.significant(one / k.HOUR, 2) for one in single.weekly(trial)[name]]
        assert (weeks["words"].tolist(), set(weeks["kind"])) == (hours, {name})
    (ahead,) = boxes[boxes["first"] == 0]["kind"]
    assert ahead == (single.kept(trial) or film.OPEN)
    assert len(json.dumps(message(film.showing(trial), Look()))) < 50_000


@pytest.mark.parametrize("way", WAYS)
def test_a_week_is_there_when_it_is_over_and_in_turns_another_policy_follows(way):
    trial = Trial(way=way)
    shown, names = film.played(trial), choices.names(trial)
    first = len(names) if way == "replay" else 1
    assert len(shown.at(0)[0]) == 0
    assert len(shown.at(WEEK)[0]) == first + 1  # and the row that says who is ahead
    by_week = [set(shown.at(at * WEEK)[0]["kind"]) & set(names) for at in (1, 2)]
    both = {"after": [{names[0]}] * 2, "turns": [{names[0]}, set(names)], "replay": [set(names)] * 2}
    # A week ahead colors the first row: who is ahead is one of those that have weeks.
    assert by_week == both[way]


def test_the_film_is_sent_when_it_is_chosen_after_the_lock_only():
    assert "trial_film_trial" not in keys(visit("policy_trial", {"trial_view": "film"}))
    assert "trial_film_trial" not in keys(unlocked("policy_trial"))
    app = unlocked("policy_trial", {"trial_view": "film"})
    assert not app.exception and "trial_film_trial" in keys(app)
