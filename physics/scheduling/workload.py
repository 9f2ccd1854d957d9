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
    """Make a machine with the jobs of a frame in queue order.

    Return the machine and its jobs' rows.

    Jobs larger than the part of the fleet that they may use, or than their user's limit, or longer
    than the time between two emptied hours, are left out: they can never start.

    Raises ValueError for what `physics.scheduling.simulate` lists.
    """
    submit, runtime, estimate, gpus = check(jobs)
    codes, names = pd.factorize(classes_of(jobs), use_na_sentinel=False)
    for what, gpus_of in (("reserved GPUs", policy.reserved), ("quotas", policy.quotas)):
        total = sum((gpus_of or {}).values())
        if total > capacity:
            raise ValueError(f"{what} must add up to at most the capacity {capacity}, got {total}")
    # Without borrowing, use beyond the quotas is what use beyond the reserved GPUs is.
    quotas = policy.quotas
    own_gpus = policy.reserved if quotas is None else quotas
    if quotas is not None and policy.borrowing:
        own_gpus = {}
    reserved = {name: own for name, own in (own_gpus or {}).items() if own}
    sizes = np.array([0, *reserved.values()])
    group = _positions(names, ["", *reserved], 0)[codes]
    rank = _positions(names, policy.classes, len(policy.classes))[codes]
    shared = capacity - int(sizes.sum())
    shared_by = codes
    sharers = names
    if policy.order == "fair_share" and policy.share_by != "class":
        require("jobs", jobs, policy.share_by)
        shared_by, sharers = pd.factorize(jobs[policy.share_by], use_na_sentinel=False)
    lined = policy.order == "fair_share" or quotas is not None
    first = {"priority": rank, "shortest": estimate}.get(policy.order, submit)
    order = np.lexsort((submit, first))
    longest = math.inf
    if policy.emptied is not None:
        longest = policy.emptied.longest
    can_start = (gpus <= shared + sizes[group]) & (estimate <= longest)
    for owner, most in policy.limits.items():
        require("jobs", jobs, owner)
        can_start &= occupied(gpus, nodes) <= most
    rows = order[can_start[order]]
    arrivals = np.lexsort((rows, submit[rows]))
    line = [0] * len(rows)
    weights = [1.0]
    if lined:
        line = shared_by[rows].tolist()
        weights = [(policy.weights or {}).get(name, 1.0) for name in sharers]
    entitled = None
    if quotas is not None:
        entitled = [quotas.get(name, 0) for name in names]
    failing = checked_outages(down)
    others = [0] * len(failing)  # an outage has a number after the jobs', and no class
    machine = Machine(
        policy,
        duration=runtime[rows].tolist(),
        planned=estimate[rows].tolist(),
        gpus=gpus[rows].tolist() + [size for _, _, size in failing],
        group=group[rows].tolist() + others,
        rank=rank[rows].tolist(),
        line=line + others,
        arrays=(gpus[rows], estimate[rows], group[rows]),
        arrivals=([*submit[rows[arrivals]].tolist(), math.inf], arrivals.tolist()),
        empty_room=Room(shared, sizes.tolist()),
        weights=weights,
        quotas=entitled,
        exact=not failing and bool((estimate == runtime).all()),
        down=[(begin, end, len(rows) + index) for index, (begin, end, _) in enumerate(failing)],
    )
    return machine, rows


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
    """Return a frame's submit, runtime, estimate, and gpus as arrays, or raise a one-sentence
    ValueError.
    """
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
