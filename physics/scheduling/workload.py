"""Conversion of a frame of jobs to the simulator's input: checked numbers in queue order."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Real

import numpy as np
import pandas as pd

from physics.arguments import MANY, count, finite
from physics.scheduling.floor import occupied
from physics.scheduling.machine import Machine, Room
from physics.scheduling.policy import Policy

ONE_CLASS = "job"  #: class of all jobs in a frame without the column job_class


def prepare(
    jobs: pd.DataFrame,
    capacity: int,
    policy: Policy,
    down: Iterable[tuple[float, float, int]] = (),
    nodes: Sequence[int] = (),
) -> tuple[Machine, np.ndarray]:
    """Make a machine with the jobs of a frame in queue order; return it and its jobs' rows.

    Jobs larger than the part of the fleet that they may use, or than their user's limit, or longer
    than the time between two emptied hours, are left out: they can never start.

    Raises ValueError for what `physics.scheduling.simulate` lists.
    """
    submit, runtime, estimate, gpus = check(jobs)
    codes, names = pd.factorize(classes_of(jobs), use_na_sentinel=False)
    reserved = _reserved_gpus(policy, capacity)
    sizes = np.array([0, *reserved.values()])
    group = _positions(names, ["", *reserved], 0)[codes]
    rank = _positions(names, policy.classes, len(policy.classes))[codes]
    shared = capacity - int(sizes.sum())
    line, weights = _lines(jobs, policy, codes, names)
    first_key = {"priority": rank, "shortest": estimate}.get(policy.order, submit)
    order = np.lexsort((submit, first_key))
    longest = math.inf
    if policy.emptied is not None:
        longest = policy.emptied.longest
    can_start = (gpus <= shared + sizes[group]) & (estimate <= longest)
    for owner, limit in policy.limits.items():
        require("jobs", jobs, owner)
        can_start &= occupied(gpus, nodes) <= limit
    rows = order[can_start[order]]
    arrivals = np.lexsort((rows, submit[rows]))
    quotas = None
    if policy.quotas is not None:
        quotas = [policy.quotas.get(name, 0) for name in names]
    failing = checked_outages(down)
    no_class = [0] * len(failing)  # outages are numbered after the jobs
    machine = Machine(
        policy,
        duration=runtime[rows].tolist(),
        planned=estimate[rows].tolist(),
        gpus=gpus[rows].tolist() + [size for _, _, size in failing],
        group=group[rows].tolist() + no_class,
        rank=rank[rows].tolist(),
        line=line[rows].tolist() + no_class,
        arrays=(gpus[rows], estimate[rows], group[rows]),
        arrivals=([*submit[rows[arrivals]].tolist(), math.inf], arrivals.tolist()),
        empty_room=Room(shared, sizes.tolist()),
        weights=weights,
        quotas=quotas,
        exact=not failing and bool((estimate == runtime).all()),
        down=[(begin, end, len(rows) + index) for index, (begin, end, _) in enumerate(failing)],
    )
    return machine, rows


def _reserved_gpus(policy: Policy, capacity: int) -> dict[str, int]:
    """GPUs that one class alone may use, by class; ValueError for more than there are."""
    for label, gpus_of in (("reserved GPUs", policy.reserved), ("quotas", policy.quotas)):
        total = sum((gpus_of or {}).values())
        if total > capacity:
            raise ValueError(f"{label} must add up to at most the capacity {capacity}, got {total}")
    reserved = policy.reserved
    if policy.quotas is not None:
        # Quotas that nobody may borrow are reserved GPUs.
        reserved = None if policy.borrowing else policy.quotas
    return {name: gpus for name, gpus in (reserved or {}).items() if gpus}


def _lines(
    jobs: pd.DataFrame, policy: Policy, codes: np.ndarray, names: np.ndarray
) -> tuple[np.ndarray, list[float]]:
    """Line of the queue in which each job waits, and the fair-share weight of each line.

    Args:
        codes, names: Each job's class as a position in the names of the classes.
    """
    if policy.order == "fair_share" and policy.share_by != "class":
        require("jobs", jobs, policy.share_by)
        codes, names = pd.factorize(jobs[policy.share_by], use_na_sentinel=False)
    elif policy.order != "fair_share" and policy.quotas is None:
        return np.zeros(len(jobs), np.int64), [1.0]
    weights = policy.weights or {}
    return codes, [weights.get(name, 1.0) for name in names]


def _positions(names: Iterable, order: Sequence, default: int) -> np.ndarray:
    """Position of each name in an order; a default for a name that is not in it."""
    positions = {name: index for index, name in enumerate(order)}
    return np.array([positions.get(name, default) for name in names], int)


def classes_of(jobs: pd.DataFrame) -> np.ndarray:
    """Class of each job; the same class for all if no column names it."""
    if "job_class" in jobs:
        return jobs["job_class"].to_numpy(object)
    return np.full(len(jobs), ONE_CLASS, object)


def checked_outages(down: Iterable[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Outages (begin [s], end [s], GPUs) sorted by start; ValueError if one is invalid.

    >>> checked_outages([(5, 9, 2), (0.0, 7.0, 1)])
    [(0.0, 7.0, 1), (5.0, 9.0, 2)]
    """
    outages = []
    for begin, end, gpus in down:
        begin = finite("begin of an outage", begin)
        end = finite("end of an outage", end)
        if not begin < end:
            raise ValueError(f"an outage must end after it begins, got {begin:g} to {end:g}")
        outages.append((begin, end, count("GPUs of an outage", gpus, most=MANY)))
    return sorted(outages)


def check(jobs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return a frame's submit, runtime, estimate, and gpus as arrays; ValueError for bad ones."""
    require("jobs", jobs, "submit", "runtime", "gpus")
    submit = numbers(jobs, "submit")
    runtime = numbers(jobs, "runtime")
    gpus = numbers(jobs, "gpus")
    estimate = runtime
    if "estimate" in jobs:
        estimate = numbers(jobs, "estimate")
    refuse(jobs, runtime <= 0, "runtime must be positive", runtime)
    refuse(jobs, estimate < runtime, "estimate must be at least the runtime", estimate)
    refuse(jobs, gpus != np.floor(gpus), "gpus must be a whole number", gpus)
    refuse(jobs, gpus < 1, "gpus must be at least 1", gpus)
    refuse(jobs, gpus > MANY, f"gpus must be at most {MANY:,}", gpus)
    return submit, runtime, estimate, gpus.astype(np.int64)


def require(name: str, frame: pd.DataFrame, *columns: str) -> None:
    """Raise ValueError unless the value is a frame that has all of these columns."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"{name} must be a DataFrame, got {type(frame).__name__}")
    missing = [column for column in columns if column not in frame]
    if missing:
        every = f"column {columns[0]}"
        if len(columns) > 1:
            every = f"columns {', '.join(columns[:-1])} and {columns[-1]}"
        raise ValueError(f"{name} must have the {every}, got none named {', '.join(missing)}")


def numbers(jobs: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as finite floats; texts, dates, and durations are not numbers."""
    column = jobs[name]
    if column.ndim > 1:
        raise ValueError(f"jobs must have one column named {name}, got {column.shape[1]}")
    if not pd.api.types.is_any_real_numeric_dtype(column):
        for index, value in enumerate(column):
            is_missing = pd.api.types.is_scalar(value) and pd.isna(value)
            if not is_missing and not isinstance(value, Real | Decimal):
                raise ValueError(
                    f"{name} must be numbers, got {value!r} in row {jobs.index[index]}"
                )
    values = column.to_numpy(dtype=float, na_value=np.nan)
    refuse(jobs, ~np.isfinite(values), f"{name} must be a finite number", values)
    return values


def refuse(jobs: pd.DataFrame, bad: np.ndarray, sentence: str, values: np.ndarray) -> None:
    """If a row is bad, raise ValueError with a sentence and the first bad row's value and index."""
    if bad.any():
        index = int(np.argmax(bad))
        raise ValueError(f"{sentence}, got {values[index]:g} in row {jobs.index[index]}")
