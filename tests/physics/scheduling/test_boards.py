"""A board has every run in one piece, of its own size, and what is idle between while jobs wait."""

import numpy as np
import pandas as pd
import pytest

from physics import constants as k
from physics.jobs import platform_mix, sample_jobs
from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.boards import board_pieces

DAY = float(k.DAY)
FLEET = 1024
UNIT = 8
CLASSES = ("interactive", "search", "training")
POLICIES = [
    Policy(classes=CLASSES),
    Policy(order="priority", backfill="easy", classes=CLASSES),
    Policy(order="priority", backfill="easy", classes=CLASSES, preemption=Preemption(3600.0)),
    Policy(backfill="easy", classes=CLASSES, reserved={"interactive": 16}),
]


def drawn(policy: Policy):
    jobs = sample_jobs(platform_mix(), 8 * DAY, np.random.default_rng(2))
    schedule = simulate(jobs, FLEET, policy)
    return schedule, board_pieces(schedule, ["training"], UNIT, 3 * DAY, 6 * DAY)


@pytest.mark.parametrize("policy", POLICIES)
def test_each_run_is_one_piece_of_its_size_as_long_as_it_runs(policy):
    schedule, pieces = drawn(policy)
    runs = schedule.runs
    for moment in np.linspace(3 * DAY + 1, 6 * DAY - 1, 60):
        present = [piece for piece in pieces if piece[2] <= moment < piece[3]]
        running = runs[(runs["start"] <= moment) & (runs["end"] > moment)]
        sizes = {piece[4]: piece[1] - piece[0] + 1 for piece in present if piece[4] is not None}
        assert sizes == dict(zip(running["row"], running["gpus"] // UNIT, strict=True))
        places = [place for piece in present for place in range(piece[0], piece[1] + 1)]
        assert len(places) == len(set(places)) and set(places) <= set(range(FLEET // UNIT))


@pytest.mark.parametrize("policy", POLICIES)
def test_idle_places_lie_between_the_jobs_and_only_while_others_wait(policy):
    schedule, pieces = drawn(policy)
    for first, last, start, end, row in pieces:
        if row is None:
            middle = (start + end) / 2
            assert schedule.queue_at(np.array([middle]))[0] > 0
            assert last >= first


def test_a_small_run_stays_where_it_is_while_there_is_room():
    jobs = pd.DataFrame({"submit": [0, 0, 2], "runtime": [3, 9, 4], "gpus": [2, 2, 2]})
    jobs["job_class"] = "small"
    pieces = board_pieces(simulate(jobs, 8), ["large"], 2, 0.0, 10.0)
    assert [piece[:2] for piece in pieces] == [(3, 3), (2, 2), (1, 1)]
    jobs = pd.DataFrame({"submit": [0, 0, 4], "runtime": [3, 9, 4], "gpus": [2, 2, 6]})
    jobs["job_class"] = ["small", "small", "large"]
    pieces = board_pieces(simulate(jobs, 8), ["large"], 2, 0.0, 8.0)
    assert (2, 2, 0.0, 4.0, 1) in pieces and (3, 3, 4.0, 8.0, 1) in pieces
