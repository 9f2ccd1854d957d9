"""Knobs whose range another knob moves: random walks of real moves on every page that has such a
pair.
"""

import random

import pytest
from driving import put, unlocked

from lessons import LESSONS
from ui.knobs.declared import knobs_of

#: Page, the knob that moves the other's bound, the knob that is bounded, and the bound in the first
#: one's value.
PAIRS = {
    "utilization_trap": ("trap_fleet", "trap_gpus_per_job", lambda fleet: (1, fleet)),
    "drf_story": ("drf_executors", "drf_step", lambda executors: (0, max(1, executors))),
    "gpu_slices": ("slices_nodes", "slices_needed", lambda nodes: (1, nodes)),
    "spot_training": ("spot_needed", "spot_base", lambda needed: (0, needed)),
    "autoscaling": ("autoscale_upper", "autoscale_lower", lambda upper: (0, upper - 5)),
}
#: Where both are in sight, if that is not the first picture.
VIEWS = {
    "utilization_trap": {"trap_view": "knee"},
    "gpu_slices": {"slices_view": "gang"},
    "spot_training": {"spot_view": "mix"},
}
#: Its bounds follow a knob of another part, never both in sight: `test_claims_scheduling_policy.py`
#: has them.
APART = {"scheduling_policy"}


def knob(app, key):
    return next(widget for widget in (*app.slider, *app.number_input) if widget.key == key)


def walk(page, seed, moves, **address):
    """Move both knobs of a page at random and check after each move that they show what was chosen
    last.
    """
    leader, follower, bounds = PAIRS[page]
    dice = random.Random(seed)
    app = unlocked(page, **VIEWS.get(page, {}), **address)
    chosen = {key: knob(app, key).value for key in (leader, follower)}
    for _ in range(moves):
        moved = knob(app, dice.choice((leader, follower)))
        step = moved.step or 1
        places = int((moved.max - moved.min) / step)
        near = (moved.value - moved.min) / step + dice.choice((-1, 1))
        place = min(max(dice.choice((0, places, near, dice.randint(0, places))), 0), places)
        chosen[moved.key] = type(moved.value)(moved.min + place * step)
        put(app, moved.key, chosen[moved.key])
        low, high = bounds(chosen[leader])
        chosen[follower] = min(max(chosen[follower], low), high)
        assert {key: knob(app, key).value for key in chosen} == chosen
        assert (knob(app, follower).min, knob(app, follower).max) == (low, high)


def test_a_fleet_that_shrinks_below_a_job_size_of_long_ago_keeps_the_job_size_of_now():
    app = unlocked("utilization_trap", trap_view="knee")
    for fleet, size in ((2048, 1024), (1024, 256)):
        put(put(app, "trap_fleet", fleet), "trap_gpus_per_job", size)
    put(app, "trap_fleet", 1016)
    assert app.slider(key="trap_gpus_per_job").value == 256


@pytest.mark.slow
@pytest.mark.parametrize("page", PAIRS)
def test_no_walk_of_two_knobs_that_bound_each_other_loses_a_choice_or_ends_in_an_error(page):
    walk(page, seed=1, moves=20)


@pytest.mark.slow
def test_a_walk_that_begins_at_a_query_string_loses_nothing():
    walk("utilization_trap", 5, 20, trap_fleet="2048", trap_gpus_per_job="1024")
    walk("drf_story", 5, 10, drf_executors="40", drf_step="33")


def test_every_page_with_a_bound_that_moves_is_walked():
    moving = {
        lesson.page
        for lesson in LESSONS
        for knob in knobs_of(lesson.settings).values()
        if isinstance(knob.low, str)
        or callable(knob.low)
        or isinstance(knob.high, str)
        or callable(knob.high)
    }
    assert moving == set(PAIRS) | APART
