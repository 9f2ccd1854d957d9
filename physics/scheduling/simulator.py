"""Event simulator of a gang-scheduled cluster: one machine, independent policy choices.

Jobs are rigid: each holds all its GPUs from start to end and runs exactly its runtime; planning
uses its estimate. GPUs are alike and their places do not matter. All events at one instant are
applied first, then one scheduling pass follows. What the rules are in detail, and which of them are
conventions, is in docs/decisions.md, "Cluster simulator".
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from physics.arguments import LimitedCount, within_range
from physics.scheduling import backfill
from physics.scheduling.failing import FailingNodes
from physics.scheduling.floor import Nodes, Pool, node_sizes
from physics.scheduling.machine import Machine
from physics.scheduling.placed import Limit, run_placed
from physics.scheduling.policy import Policy
from physics.scheduling.reservations import conservative
from physics.scheduling.schedule import Schedule, outcomes
from physics.scheduling.workload import prepare

#: Class of the job that stands for GPUs out of service.
TAKEN = "taken"


@within_range
def simulate(
    jobs: pd.DataFrame,
    capacity: LimitedCount,
    policy: Policy | None = None,
    down: Iterable[tuple[float, float, int]] = (),
    gpus_per_node: LimitedCount | None = None,
    nodes: Sequence[int] | None = None,
    fit: Literal["best", "first", "worst"] = "best",
) -> Schedule:
    """Simulate jobs on a cluster under a policy, from the first submission until the last job ends.

    Args:
        jobs: One row a job: submit [s], runtime [s], gpus [1]; estimate [s] (the runtime if there
            is no such column), job_class (one class for all if there is none), and user or account
            where the policy limits them or shares among them. Any index, any order of rows, any
            further columns.
        capacity: C, GPUs of the fleet [1].
        policy: First come, first served if none is given.
        down: Outages: begin [s], end [s] and GPUs [1] that are out of service in between. GPUs in
            use go as the jobs on them end; nothing is stopped. The scheduler learns of an outage,
            and of its end, when it begins. On nodes it takes whole ones, those with the fewest GPUs
            in use first, until they have at least its GPUs.
        gpus_per_node: GPUs of each node, of which the capacity is a multiple: a job of at most so
            many runs on one node, a larger one on whole nodes. None: places do not matter [1].
        nodes: The same for nodes that differ: GPUs of each, which add up to the capacity [1].
        fit: Which of the nodes with enough free GPUs a job is given: "best", the one with the least
            of them; "first", the one with the lowest number; "worst", the one with the most.

    Returns: Every job with its start, end, wait and slowdown, whatever the load: under overload
    waits grow with the horizon. A job larger than the part of the fleet that it may use, or than
    its user's limit, or longer than the time between two emptied hours, is reported as one that can
    never start. With nodes `Schedule.fragmented` counts what is idle because of places.

    Raises ValueError for a missing or doubled column; an estimate below the runtime (planning would
    then rest on the past); more reserved GPUs, or GPUs in quotas, than there are; an outage that
    does not end after it begins; nodes beside an order, backfill or other choice that does not know
    them.

    Source: A. Mu'alem and D. Feitelson, "Utilization, predictability, workloads, and user runtime
    estimates in scheduling the IBM SP2 with backfilling", IEEE Transactions on Parallel and
    Distributed Systems, 2001, section 2.

    Four GPUs; a job of 4 must wait for one of 3, and EASY lets a short job of 1 start in the
    meantime.

    >>> jobs = pd.DataFrame({"submit": [0, 1, 2], "runtime": [10, 5, 8], "gpus": [3, 4, 1]})
    >>> simulate(jobs, 4, Policy()).jobs["start"].tolist()
    [0.0, 10.0, 15.0]
    >>> simulate(jobs, 4, Policy(backfill="easy")).jobs["start"].tolist()
    [0.0, 10.0, 2.0]
    >>> simulate(jobs, 4, down=[(5, 12, 1)]).jobs["start"].tolist()  # the second job needs all four
    [0.0, 12.0, 17.0]
    >>> jobs = pd.DataFrame({"submit": [0, 0, 1], "runtime": [9, 9, 5], "gpus": [2, 3, 3]})
    >>> spread = simulate(jobs, 8, Policy(), gpus_per_node=4)  # 3 GPUs are free, not on one node
    >>> spread.jobs["start"].tolist(), spread.fragmented
    ([0.0, 0.0, 9.0], 24.0)
    """
    if policy is None:
        policy = Policy()
    sizes = node_sizes(capacity, gpus_per_node, nodes)
    if sizes:
        policy.require_plain("nodes", "nodes")
    machine, rows = prepare(jobs, capacity, policy, down, sizes)
    fragments: list[tuple[float, int]] = []
    pool = len(machine.room.spare) == 1 and policy.emptied is None
    if sizes or policy.limits:
        fragments = _placed(jobs, capacity, machine, rows, sizes, fit)
    elif policy.backfill == "conservative":
        conservative.run(machine)
    elif (
        policy.order != "fair_share"
        and policy.preemption is policy.max_wait is policy.quotas is None
        and pool
    ):
        backfill.run_pooled(machine, easy=policy.backfill == "easy")
    else:
        backfill.run(machine, easy=policy.backfill == "easy")
    return _record(jobs, capacity, machine, rows, fragments)


def _placed(
    jobs: pd.DataFrame,
    capacity: int,
    machine: Machine,
    rows: np.ndarray,
    sizes: Sequence[int],
    fit: str,
) -> list[tuple[float, int]]:
    """Run the machine with limits or nodes; return the GPUs lost to placement as `run_placed`."""
    limits = []
    for owner, most in machine.policy.limits.items():
        owners = pd.factorize(jobs[owner].to_numpy(object)[rows], use_na_sentinel=False)[0]
        limits.append(Limit(most, owners.tolist()))
    floor: Pool | Nodes
    if sizes and machine.outages.next < math.inf:
        floor = FailingNodes(sizes, machine.gpus, fit)
    elif sizes:
        floor = Nodes(sizes, machine.gpus, fit)
    else:
        floor = Pool(capacity, machine.gpus)
    return run_placed(machine, floor, limits, easy=machine.policy.backfill == "easy")


def _record(
    jobs: pd.DataFrame,
    capacity: int,
    machine: Machine,
    rows: np.ndarray,
    fragments: list[tuple[float, int]],
) -> Schedule:
    """Schedule of what the machine did, in the order of the input frame."""
    run_start, end = np.full((2, len(jobs)), np.nan)
    run_start[rows] = machine.run_start
    end[rows] = machine.run_end
    if not np.isfinite(end[rows]).all():
        raise OverflowError
    start = run_start.copy()
    stops = np.zeros((3, len(jobs)))
    runs = [np.column_stack((rows, run_start[rows], end[rows]))]
    for job, history in machine.history.items():
        row = rows[job]
        start[row] = history.first_start
        stops[:, row] = (len(history.runs), history.lost, history.requeued)
        runs.append(np.array([(row, *run) for run in history.runs]))
    frame = outcomes(jobs, np.isin(np.arange(len(jobs)), rows), start, end, stops)
    decisions = [
        replace(
            decision,
            head=int(rows[decision.head]),
            victims=tuple(int(rows[job]) for job in decision.victims),
        )
        for decision in machine.decisions
    ]
    return Schedule(
        frame, capacity, machine.policy, np.concatenate(runs), tuple(decisions), tuple(fragments)
    )


def simulate_taken(
    jobs: pd.DataFrame, capacity: int, policy: Policy, gpus: int, begin: float, length: float
) -> Schedule:
    """Simulate jobs while this many GPUs are unavailable from `begin` for a time [s].

    The schedule's last row is the outage.

    Unlike the outages of `simulate`, this one gets its GPUs immediately. It is a job with a quota
    of its own, which stops running jobs for it, those that started last first. All other GPUs may
    be borrowed, so that the policy is otherwise the same. It must have classes, and no quotas. The
    job of the example is stopped, and restarts in 600 s.

    >>> job = {"submit": 0.0, "runtime": 9.0, "estimate": 9.0, "gpus": 4, "job_class": "a"}
    >>> jobs = pd.DataFrame([job])
    >>> simulate_taken(jobs, 4, Policy(classes=("a",)), 2, 3.0, 5.0).jobs["end"].tolist()
    [617.0, 8.0]
    """
    row = {"submit": begin, "runtime": length, "estimate": length, "gpus": gpus, "job_class": TAKEN}
    policy = replace(
        policy, quotas={TAKEN: gpus}, borrowing=True, reclaim=True, classes=(*policy.classes, TAKEN)
    )
    return simulate(pd.concat([jobs, pd.DataFrame([row])], ignore_index=True), capacity, policy)


def work_behind(
    jobs: pd.DataFrame,
    capacity: int,
    policy: Policy,
    gpus: int,
    begin: float,
    length: float,
    moments: np.ndarray,
) -> np.ndarray:
    """Backlog caused by an outage of `gpus` GPUs, at each of these moments [GPU·s].

    >>> job = {"submit": 0.0, "runtime": 9.0, "estimate": 9.0, "gpus": 4, "job_class": "a"}
    >>> moments = np.array([5.0, 10.0, 700.0])
    >>> work_behind(pd.DataFrame([job]), 4, Policy(classes=("a",)), 2, 3.0, 5.0, moments).tolist()
    [0.0, 36.0, 0.0]
    """
    hit = simulate_taken(jobs, capacity, policy, gpus, begin, length)
    return simulate(jobs, capacity, policy).done_at(moments) - hit.done_at(moments, len(jobs))
