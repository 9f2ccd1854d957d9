"""Placement: the all-reduce over two networks, waiting for a node, a stream job by job, free GPUs
of no use.
"""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.placement import hierarchical_all_reduce_time, place, worth_waiting
from physics.speedup import all_reduce_time

sizes = st.integers(1, 64)
bandwidths = st.floats(1e8, 1e12)
latencies = st.floats(0, 1e-3)


def test_hand_calculation_of_the_two_rings():
    # 4 nodes of 2 GPUs, 8 GB: 2 · 1 · (1 ms + 4 GB ÷ 400 GB/s) + 2 · 3 · (5 ms + 1 GB ÷ 20 GB/s)
    assert hierarchical_all_reduce_time(4, 2, 8e9, 400e9, 20e9, 1e-3, 5e-3) == pytest.approx(
        0.022 + 0.33
    )


@given(sizes, st.floats(1, 1e12), bandwidths, bandwidths, latencies, latencies)
def test_one_node_or_one_gpu_a_node_is_the_flat_ring(n, size, inside, between, near, far):
    ring = hierarchical_all_reduce_time
    assert ring(1, n, size, inside, between, near, far) == pytest.approx(
        all_reduce_time(n, size, inside, near)
    )
    assert ring(n, 1, size, inside, between, near, far) == pytest.approx(
        all_reduce_time(n, size, between, far)
    )
    assert ring(n, n, 0, inside, between, near, far) == 0


@given(sizes, sizes, st.floats(0, 1e12), bandwidths)
def test_over_networks_alike_the_hierarchy_moves_as_much_as_the_ring(
    nodes, per_node, size, bandwidth
):
    # 2 (g − 1)/g + 2 (m − 1)/(g m) = 2 (g m − 1)/(g m)
    both = hierarchical_all_reduce_time(nodes, per_node, size, bandwidth, bandwidth)
    assert both == pytest.approx(all_reduce_time(nodes * per_node, size, bandwidth))


@given(st.floats(0, 1e6), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_at_the_break_even_both_ends_are_the_same(runtime, near, far):
    wait = worth_waiting(runtime, near, far)
    assert wait + runtime == pytest.approx(max(runtime, runtime / near * far))


def reference(stream, nodes, per_node, rule, whole):
    """Serve the jobs one by one; the free GPUs of a node are counted afresh from all jobs placed
    before.
    """
    jobs = sorted(
        stream.reset_index(drop=True).to_dict("index").items(),
        key=lambda job: (job[1]["arrival"], job[0]),
    )
    placed = {}
    earliest = -math.inf

    def free_at(time):
        left = [per_node] * nodes
        for begin, end, pieces in placed.values():
            for node, size in pieces:
                if begin <= time < end:
                    left[node] -= size
        return left

    def choose(left, size, barred):
        fitting = [node for node in range(nodes) if left[node] >= size and node not in barred]
        key = {
            "best": lambda node: (left[node], node),
            "worst": lambda node: (-left[node], node),
            "first": int,
        }
        return min(fitting, key=key[rule], default=None)

    def pieces_for(left, size):
        if size <= per_node:
            node = choose(left, size, ())
            if node is not None:
                return ((node, size),), False
            if whole or sum(left) < size:
                return None, False
            pieces = []
            for node in sorted(range(nodes), key=lambda node: (left[node], node)):
                part = min(left[node], size - sum(part for _, part in pieces))
                if part:
                    pieces += [(node, part)]
            return tuple(sorted(pieces)), True
        empty = [node for node in range(nodes) if left[node] == per_node][: size // per_node]
        if len(empty) < size // per_node:
            return None, False
        pieces = [(node, per_node) for node in empty]
        if size % per_node:
            node = choose(left, size % per_node, empty)
            if node is None:
                return None, False
            pieces.append((node, size % per_node))
        return tuple(sorted(pieces)), False

    for row, job in jobs:
        if job["gpus"] > nodes * per_node:
            continue
        instants = {job["arrival"], earliest, *(end for _, end, _ in placed.values())}
        for time in sorted(instants):
            if time >= max(job["arrival"], earliest):
                pieces, scattered = pieces_for(free_at(time), job["gpus"])
                if pieces:
                    break
        placed[row] = time, time + job["runtime"] * (job["slowdown"] if scattered else 1), pieces
        earliest = time
    return [placed.get(row, (None, None, ())) for row in range(len(stream))]


streams = st.lists(
    st.tuples(
        st.integers(0, 12), st.integers(1, 14), st.integers(1, 9), st.sampled_from([1, 1.5, 3])
    )
)


@given(
    streams,
    st.integers(1, 4),
    st.integers(1, 5),
    st.sampled_from(("best", "worst", "first")),
    st.booleans(),
)
def test_every_job_starts_where_and_when_the_reference_says(rows, nodes, per_node, rule, whole):
    stream = pd.DataFrame(
        rows, columns=["arrival", "gpus", "runtime", "slowdown"], index=[7] * len(rows)
    )
    served = place(stream, nodes, per_node, rule, whole)
    found = [
        (None, None, ()) if math.isnan(row.start) else (row.start, row.end, row.nodes)
        for row in served.itertuples()
    ]
    assert found == reference(stream, nodes, per_node, rule, whole)
    assert served[stream.columns].equals(stream)
    assert served.index.equals(stream.index)
