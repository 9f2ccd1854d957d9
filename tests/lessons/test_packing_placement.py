"""Packing GPUs, cores, and memory, checked against Erlang's formula, by hand, and as a law."""

import math

import numpy as np
import pytest
from framed import ends

from lessons.placement.laboratory import dimensions, packing
from lessons.placement.laboratory.packing import CORES, NODE, NODES, PACKINGS, Jobs
from lessons.placement.settings import Training, say
from physics.queueing import erlang_b
from ui.charts.look import Look


def jobs(arrival, needs, runtime=100.0) -> Jobs:
    """A stream in which all jobs run as long."""
    number = len(arrival)
    return Jobs(np.array(arrival, float), np.full(number, runtime), np.array(needs))


def test_jobs_of_one_gpu_are_refused_as_erlangs_formula_says():
    rng = np.random.default_rng(5)
    number = 24_000
    load = 60.0
    needs = np.tile([1, 1, 1], (number, 1))
    stream = Jobs(np.cumsum(rng.exponential(1 / load, number)), rng.exponential(1, number), needs)
    refused = packing.serve(stream, "best").refused[2000:]
    blocking = erlang_b(NODES * int(NODE[0]), load)
    parts = refused.reshape(20, -1).mean(axis=1)
    assert refused.mean() == pytest.approx(blocking, abs=3.5 * parts.std(ddof=1) / math.sqrt(20))


def test_cores_strand_gpus_and_more_memory_does_not_help():
    seen = packing.serve(jobs([0, 1, 2], [[4, 128, 256], [1, 8, 64], [8, 64, 512]]), "best")
    # After the first job its node has four GPUs and no core.
    assert seen.stranded.tolist() == [0, 4, 4]
    many = [[4, 128, 256]] * NODES + [[2, 16, 128]]
    seen = packing.serve(jobs(range(NODES + 1), many), "best")
    assert seen.refused[-1] and seen.blocked[-1] and seen.stranded[-1] == 4 * NODES
    without = [[4, 32, 256]] * NODES + [[2, 16, 128]]
    assert not packing.serve(jobs(range(NODES + 1), without), "best").refused.any()


def test_a_refused_job_for_which_no_node_has_gpus_is_not_blamed_on_cores():
    full = [[8, 64, 512]] * NODES + [[1, 8, 64]]
    seen = packing.serve(jobs(range(NODES + 1), full), "best")
    assert seen.refused[-1] and not seen.blocked[-1]


def test_fullest_rack_first_keeps_a_rack_free_where_fewest_gpus_does_not():
    free = np.tile(NODE, (NODES, 1))
    free[2] -= [8, 64, 512]
    free[4] -= [4, 32, 256]
    fits = np.ones(NODES, bool)
    fits[2] = False
    need = np.array([8, 64, 512])
    fits[4] = False
    assert packing.choose_node(free, need, fits, "best") == 0
    assert packing.choose_node(free, need, fits, "rack") == 3


def test_least_left_of_everything_looks_at_all_three():
    free = np.tile(NODE, (NODES, 1))
    free[0] = [4, 128, 1024]
    free[1] = [5, 16, 128]
    fits = np.zeros(NODES, bool)
    fits[:2] = True
    need = np.array([1, 8, 64])
    assert packing.choose_node(free, need, fits, "best") == 0
    assert packing.choose_node(free, need, fits, "all") == 1


@pytest.mark.parametrize("policy", PACKINGS)
def test_no_node_ever_gives_more_than_it_has(policy):
    stream = packing.draw_jobs(32, 0.9)
    few = Jobs(stream.arrival[:600], stream.runtime[:600], stream.needs[:600])
    seen = packing.serve(few, policy)
    assert not (seen.blocked & ~seen.refused).any()
    assert (seen.stranded >= 0).all() and seen.stranded.max() <= NODES * NODE[0]


def test_what_strands_gpus_is_what_jobs_ask_for_and_not_where_they_are_placed():
    means = {(cores, policy): packing.packed(cores, 0.7, policy).stranded
             for cores in (16, 32) for policy in PACKINGS}  # fmt: skip
    for policy in PACKINGS:
        few = means[16, policy]
        many = means[32, policy]
        assert few + few.half_width < many - many.half_width
    for cores in (16, 32):
        best = means[cores, "best"]
        for policy in PACKINGS:
            assert (
                abs(means[cores, policy] - best) < best.half_width + means[cores, policy].half_width
            )
    assert "Placement matters little" in say("dimensions_words", Training())


def test_every_interval_stays_in_the_frame():
    _, top = ends(dimensions.figure(Training(), Look()))
    for load in (0.3, 0.9):
        for cores in (CORES[0], CORES[-1]):
            mean = packing.packed(cores, load, "best").stranded
            assert 0 < mean - mean.half_width < mean + mean.half_width < top
