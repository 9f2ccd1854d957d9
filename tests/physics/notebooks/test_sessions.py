"""Sessions on shared GPUs: the machine-repairman model, hand calculations, and bounds."""

import math

import numpy as np
import pytest

from physics.notebooks.node import Cell, run
from physics.notebooks.sessions import Session, simulate_sessions


def test_a_session_alone_never_waits_whatever_its_pauses():
    session = Session(8, 30.0, 30.0, pause=60.0, night=3600.0)
    spread = simulate_sessions(session, 1, 1, 20, np.random.default_rng(1))
    assert (spread.best, spread.average, spread.worst) == (1, 1, 1)


def test_as_many_gpus_as_users_never_let_anybody_wait():
    spread = simulate_sessions(Session(8, 5.0, 60.0), 3, 3, 20, np.random.default_rng(1))
    assert spread.worst == 1


def test_no_run_is_slower_than_if_every_request_waited_for_all_others():
    """A request waits at most for one cell of each other user, since each has one request at
    most.
    """
    for users in (2, 4, 6):
        session = Session(6, 30.0, 45.0, pause=20.0)
        spread = simulate_sessions(session, users, 1, 30, np.random.default_rng(users))
        most = 1 + (users - 1) * session.gpu_cell / (session.other_cell + session.gpu_cell)
        assert 1 <= spread.best <= spread.average <= spread.worst <= most


def test_cells_on_the_gpu_alone_wait_in_turn():
    """Without other cells and pauses, users take turns from the last start on: hand calculation."""
    rng = np.random.default_rng(5)
    starts = np.sort(np.random.default_rng(5).uniform(0.0, 10 * 30.0, 2))
    spread = simulate_sessions(Session(10, 0.0, 30.0), 2, 1, 1, rng)
    # Until the second user starts the GPU serves the first alone, and then both by turns.
    first = math.ceil((starts[1] - starts[0]) / 30.0)
    waited = first * 30.0 - (starts[1] - starts[0]) + 30.0 * 2 * (10 - first)
    assert spread.average == pytest.approx(1 + waited / (2 * 300))


def test_the_idle_time_of_a_held_gpu_is_all_but_its_own_cells():
    session = Session(10, 30.0, 20.0, pause=60.0, night=50_400.0)
    assert session.computing == 500
    assert session.length == 500 + 9 * 60 + 50_400
    assert session.idle_if_held == session.length - 200
    assert Session(1, 30.0, 20.0, 60.0, 50_400.0).length == 50


def machine_repairman(users: int, thinking: float, service: float) -> float:
    """Mean response at the one server of a closed queue, by mean value analysis [s]."""
    queue = 0.0
    response = service
    for present in range(1, users + 1):
        response = service * (1 + queue)
        queue = present / (thinking + response) * response
    return response


def test_random_rounds_wait_as_in_the_machine_repairman_model():
    """Exponential cells and pauses, long runs: the model of the docstring, within 4 standard
    errors.
    """
    users = 4
    thinking = 60.0
    service = 30.0
    cells = 400
    rng = np.random.default_rng(11)
    waits = []
    for _ in range(30):
        work = rng.exponential(service, (users, cells))
        pauses = rng.exponential(thinking, (users, cells))
        notebooks = [
            [Cell(1, float(w), float(p)) for w, p in zip(*lists, strict=True)]
            for lists in zip(work, pauses, strict=True)
        ]
        done = run(notebooks, 1, "dynamic", moldable=False)
        waits.append(np.mean([cell.end - cell.ready for cell in done.cells]))
    error = np.std(waits, ddof=1) / math.sqrt(len(waits))
    expected = machine_repairman(users, thinking, service)
    # The start, when all users ask at once, and the end weigh less than a percent of 400 cells.
    assert abs(np.mean(waits) - expected) < 4 * error + 0.01 * expected
