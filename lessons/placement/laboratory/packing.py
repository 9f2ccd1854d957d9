"""Placement, laboratory: jobs that need GPUs, cores, and memory of one node."""

import heapq
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from physics import constants as k
from physics.numerics import mean_interval
from ui.base.format import Mean

#: GPUs, cores, and memory [GB] of a node; the fleet's nodes, and those of each rack.
NODE = np.array([k.SLICES_NODE_GPUS, k.PLACE_NODE_CORES, k.PLACE_NODE_MEMORY / k.GB]).astype(int)
NODES = int(k.PLACE_NODES)
RACK = int(k.PLACE_RACK)
#: Cores and memory [GB] that a lean job takes with each GPU, and memory of a memory-heavy one.
LEAN_CORES = int(k.PLACE_LEAN_CORES)
LEAN_MEMORY = round(k.PLACE_LEAN_MEMORY / k.GB)
HEAVY_MEMORY = round(k.PLACE_HEAVY_MEMORY / k.GB)
PACKINGS = ("best", "all", "rack")
#: Cores that a core-heavy job may take with each GPU.
CORES = k.PLACE_CORES.positions
SEED = 20230710
#: Jobs of a stream, those at its start that are not counted, and batches of the others, whose means
#: give the intervals.
JOBS = 4200
WARM_UP = 200
BATCHES = 20


class Jobs(NamedTuple):
    """A stream of jobs, each for one node."""

    arrival: np.ndarray  #: [s]
    runtime: np.ndarray  #: [s]
    needs: np.ndarray  #: GPUs, cores, and memory [GB], shape (jobs, 3)


class States(NamedTuple):
    """State of the nodes just before the arrival of each job; an array has one entry per job."""

    stranded: np.ndarray  #: free GPUs for which even a lean job finds too few cores or memory
    refused: np.ndarray  #: whether no node has room for the job
    blocked: np.ndarray  #: whether the job is refused although a node has enough free GPUs
    rack: np.ndarray  #: whether a whole rack is free


class Packed(NamedTuple):
    """Means of `States` over the jobs of a stream, with 95% intervals."""

    stranded: Mean  #: GPUs
    refused: Mean  #: share of the jobs [1]
    blocked: Mean  #: share of the jobs [1]
    rack: Mean  #: share of the moments [1]


def stranded(free: np.ndarray) -> np.ndarray:
    """Return the free GPUs of each node that lack the cores or memory even for lean jobs."""
    usable = np.minimum(free[:, 1] // LEAN_CORES, free[:, 2] // LEAN_MEMORY)
    return np.maximum(free[:, 0] - usable, 0)


def choose_node(free: np.ndarray, need: np.ndarray, fits: np.ndarray, policy: str) -> int:
    """Return the node that a policy picks among those with room; ties go to the lowest number.

    "best" takes the node with the fewest free GPUs. "all" takes the node with the least left of
    everything, by the sum of squares of the shares of GPUs, cores, and memory that stay free.
    "rack" takes the rack with the fewest free GPUs, and of its nodes the one with the fewest.

    Source: Panigrahy, Talwar, Uyeda, and Wieder, "Heuristics for vector bin packing", 2011: the
    norm-based greedy rule for "all".
    """
    if policy == "all":
        score = (((free - need) / NODE) ** 2).sum(axis=1)
    else:
        score = free[:, 0].astype(float)
    if policy == "rack":
        rack_free = free[:, 0].reshape(-1, RACK).sum(axis=1)
        score += np.repeat(rack_free, RACK) * (NODE[0] + 1)
    return int(np.argmin(np.where(fits, score, np.inf)))


def serve(jobs: Jobs, policy: str) -> States:
    """Place the jobs one by one and return the states that they meet; without room one is lost."""
    free = np.tile(NODE, (NODES, 1))
    number = len(jobs.arrival)
    states = States(np.zeros(number), *np.zeros((3, number), bool))
    running = []
    for job in range(number):
        while running and running[0][0] <= jobs.arrival[job]:
            _, ended, node = heapq.heappop(running)
            free[node] += jobs.needs[ended]
        need = jobs.needs[job]
        fits = (free >= need).all(axis=1)
        states.stranded[job] = stranded(free).sum()
        states.rack[job] = (free[:, 0].reshape(-1, RACK) == NODE[0]).all(axis=1).any()
        if not fits.any():
            states.refused[job] = True
            states.blocked[job] = (free[:, 0] >= need[0]).any()
            continue
        node = choose_node(free, need, fits, policy)
        free[node] -= need
        heapq.heappush(running, (jobs.arrival[job] + jobs.runtime[job], job, node))
    return states


@lru_cache(maxsize=64)
def draw_jobs(cores: int, load: float) -> Jobs:
    """Draw a stream of jobs: half of them lean, the others with many cores or much memory.

    `cores` are those that a core-heavy job takes with each GPU; `load` is the share of the GPUs
    that the stream would keep busy if no job were refused [1].
    """
    rng = np.random.default_rng(SEED)
    kind = rng.choice(3, JOBS, p=[0.5, 0.25, 0.25])
    gpus = rng.choice([1, 2, 4, 8], JOBS, p=[0.4, 0.2, 0.2, 0.2])
    # A heavy job on a whole node's GPUs would need more cores or memory than the node has.
    gpus = np.where((kind > 0) & (gpus == 8), 4, gpus)
    per_gpu_cores = np.array([LEAN_CORES, cores, LEAN_CORES])[kind]
    per_gpu_memory = np.array([LEAN_MEMORY, LEAN_MEMORY, HEAVY_MEMORY])[kind]
    runtime = rng.exponential(k.PLACE_STREAM_RUNTIME, JOBS)
    rate = load * NODES * NODE[0] / float((gpus * runtime).mean())
    arrival = np.cumsum(rng.exponential(1 / rate, JOBS))
    return Jobs(arrival, runtime, np.stack((gpus, gpus * per_gpu_cores, gpus * per_gpu_memory), 1))


@lru_cache(maxsize=64)
def packed(cores: int, load: float, policy: str) -> Packed:
    """Average the states that the jobs of a stream meet under a policy; parameters as above."""
    averages = []
    for values in serve(draw_jobs(cores, load), policy):
        means = values[WARM_UP:].reshape(BATCHES, -1).mean(axis=1)
        averages.append(Mean(*mean_interval(means.tolist())))
    return Packed(*averages)
