"""Convert records of Slurm's accounting to columns of numbers, block by block.

Reference: SchedMD, "sacct", manual page of Slurm 24.05 (fields, formats of times, states and
trackable resources).
"""

import math
from collections import Counter
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from sys import intern
from typing import Any

import numpy as np
import pandas as pd

from physics.jobs.arrays import tasks_of
from physics.jobs.components import join_components
from physics.jobs.fields import (
    CPUS,
    NODES,
    RESOURCES,
    Columns,
    columns_of,
    elapsed,
    fractions,
    limits,
    shards,
    sizes,
    slices,
    state_of,
    suspended,
    texts,
    times,
    types,
    uncounted,
)
from physics.jobs.selection import (
    GIVEN_UP,
    UNENDED,
    Names,
    is_of,
    most_common,
    notes,
    refuse_several,
    refuse_strangers,
    repeated,
)

#: Most columns of a log, and most jobs that wait, each task of an array.
MOST_COLUMNS = 1_000
MOST_TASKS = 4_000_000
#: More GPUs, CPUs or nodes than any job has.
MOST_SIZE = 20_000_000
NAMES = ("partition", "account", "user", "qos")
#: Run times and elapsed times that differ by less count as equal [s].
ALIKE = 2.0
HOUR = 3600.0  #: by which clocks are changed twice a year [s]
#: Columns of the table of jobs.
COLUMNS = (
    *("submit", "runtime", "gpus", "estimate", "job_class", "user", "recorded_wait", "requested"),
    *("partition", "account", "qos", "state", "elapsed"),
)


@dataclass
class _Clocks:
    """Times of some records [s]; NaN for what has not happened."""

    states: np.ndarray
    submit: np.ndarray
    start: np.ndarray
    end: np.ndarray
    clock: np.ndarray  #: elapsed time that the log records
    runtime: np.ndarray
    stopped: np.ndarray  #: time for which each was suspended
    off_by_an_hour: np.ndarray  #: whether clocks were changed while it ran
    has_end: bool  #: whether the log has a column of ends


class Reader:
    """Converter of blocks of lines into columns of numbers and a frame."""

    def __init__(
        self,
        number: int,
        header: bytes,
        job_class: str,
        submit: str,
        most: int,
        unfinished: bool,
        cluster: str,
    ) -> None:
        names = [name.strip().lower() for name in header.decode("utf-8", "replace").split("|")]
        needed = {
            submit.title(): (submit,),
            "Start": ("start",),
            "State": ("state",),
            "End": ("end", "elapsedraw", "elapsed"),
            "a size": (*RESOURCES, *CPUS, *NODES),
        }
        missing = [label for label, columns in needed.items() if set(names).isdisjoint(columns)]
        if missing or len(names) > MOST_COLUMNS:
            shown = header[:40].decode("utf-8", "replace")
            what = f"of at most {MOST_COLUMNS:,} columns"
            if missing:
                what = f"with {', '.join(missing)}"
            raise ValueError(
                f"line {number} must be the header of sacct --parsable2 {what}, got {shown!r}; "
                "sacct prints it without --noheader (-n)"
            )
        self.job_class = job_class
        self.submit = submit
        self.most = most
        self.unfinished = unfinished
        self.header = header.lower()
        self.names = names
        self.identity = next(
            (names.index(name) for name in ("jobid", "jobidraw") if name in names), None
        )
        self.cluster = cluster.strip()
        if self.cluster and "cluster" not in names:
            raise ValueError(f"cluster must be '' for a log without Cluster, got {cluster!r}")
        self.clusters: Counter[str] = Counter()
        self.jobs = 0
        self.tasks = 0  #: jobs that wait, each task of an array
        self.last = number
        self.snapshot = -math.inf
        self.left_out: Counter[str] = Counter()
        self.blocks: list[dict[str, np.ndarray]] = []

    def _of_cluster(self, fields: Sequence[str]) -> bool:
        """Count a record for its cluster; return whether the cluster is chosen."""
        if "cluster" not in self.names:
            return True
        name = fields[self.names.index("cluster")].strip()
        self.clusters[name] += 1
        if not self.cluster or name == self.cluster:
            return True
        self.left_out["on other clusters"] += 1
        return False

    def take(self, block: list[tuple[int, bytes]]) -> None:
        """Convert lines into columns of numbers."""
        numbers, rows = self._split(block)
        if not rows:
            return
        columns = columns_of(self.names, rows)
        clocks = self._clocks(columns, numbers)
        keep, gave_up = self._select(clocks)
        self._check_number(numbers[-1])
        chosen = np.flatnonzero(keep | gave_up)
        if not len(chosen):
            return
        numbers = [numbers[i] for i in chosen.tolist()]
        rows = [rows[i] for i in chosen.tolist()]
        columns = columns_of(self.names, rows)
        arrays = self._columns(columns, numbers)
        patience = np.where(gave_up, clocks.end - clocks.submit, math.nan)
        suspended = np.where(clocks.runtime > 0, clocks.stopped, 0.0)
        arrays |= {
            "submit": clocks.submit[chosen],
            "start": clocks.start[chosen],
            "runtime": clocks.runtime[chosen],
            "state": clocks.states[chosen],
            "off_by_an_hour": clocks.off_by_an_hour[chosen],
            "gave_up": patience[chosen],
            "suspended": suspended[chosen],
        }
        arrays.setdefault("eligible", arrays["submit"])
        if self.identity is not None:
            self._add_tasks(arrays, [row[self.identity].strip() for row in rows])
        self.blocks.append(arrays)

    def _split(self, block: list[tuple[int, bytes]]) -> tuple[list[int], list[list[str]]]:
        """Numbers and fields of the lines that are jobs of the chosen cluster."""
        numbers = []
        rows = []
        for number, line in block:
            self.last = number
            if line.count(b"|") != len(self.names) - 1:
                self.left_out["fields do not match the header"] += 1
                continue
            fields = line.decode("utf-8", "replace").split("|")
            if self.identity is not None and "." in fields[self.identity]:
                self.left_out["job steps"] += 1
            elif line.lower() != self.header and self._of_cluster(fields):
                numbers.append(number)
                rows.append(fields)
        return numbers, rows

    def _clocks(self, columns: Columns, numbers: list[int]) -> "_Clocks":
        """Times at which each record was submitted, started and ended, and its lengths of time."""
        states = [intern(state_of(text)) for text in columns["state"]]
        start = times(columns["start"], numbers, "start")
        submit = times(columns[self.submit], numbers, self.submit)
        clock = elapsed(columns)
        stopped = suspended(columns)
        end = start + clock
        if "end" in columns:
            end = times(columns["end"], numbers, "end")
        apart = end - start - clock
        off_by_an_hour = (np.abs(np.abs(apart) - HOUR) <= 1.0) & (stopped == 0)
        stopped = np.where((stopped == 0) & (apart > ALIKE), apart, stopped)
        return _Clocks(
            states=np.array(states, dtype=object),
            submit=submit,
            start=start,
            end=end,
            clock=clock,
            runtime=np.where(off_by_an_hour, clock, end - start),
            stopped=np.where(off_by_an_hour, 0.0, stopped),
            off_by_an_hour=off_by_an_hour,
            has_end="end" in columns,
        )

    def _select(self, clocks: "_Clocks") -> tuple[np.ndarray, np.ndarray]:
        """Masks of the jobs that count, and of those that somebody gave up before they started."""
        states = clocks.states.tolist()
        reasons = np.array([UNENDED.get(state, "") for state in states], dtype=object)
        is_waiting = reasons == "never started"
        is_running = reasons == "still running"
        submit = clocks.submit
        open_end = np.isnan(clocks.runtime) & clocks.has_end
        is_unfinished = np.zeros(len(states), bool)
        if self.unfinished:
            clocks.start = np.where(is_waiting, math.nan, clocks.start)
            now = np.where(is_running, clocks.start + clocks.clock, 0)
            moments = np.concatenate((clocks.start, submit, clocks.start + clocks.runtime, now))
            self.snapshot = max(self.snapshot, float(np.nanmax(moments, initial=-math.inf)))
            is_unfinished = ~np.isnan(submit) & (
                is_waiting | (is_running & ~np.isnan(clocks.start))
            )
            clocks.runtime = np.where(is_unfinished, math.nan, clocks.runtime)
        unstarted = np.isnan(clocks.start)
        runtime = clocks.runtime
        cancelled = np.array([state in GIVEN_UP for state in states], bool)
        gave_up = cancelled & (unstarted | (runtime == 0)) & (clocks.end > submit)
        keep = ~is_unfinished
        self._leave(keep, "never started", is_waiting | (unstarted & ~is_running))
        self._leave(keep, "still running", is_running | open_end)
        self._leave(keep, "no submission time", np.isnan(submit))
        self._leave(keep, "no run time above zero", ~(runtime > 0))
        keep |= is_unfinished
        self.jobs += int(keep.sum())
        return keep, gave_up

    def _columns(self, columns: Columns, numbers: list[int]) -> dict[str, np.ndarray]:
        """Sizes, limits and names of the records that are kept."""
        arrays: dict[str, np.ndarray] = {}
        counts = sizes(columns)
        for number, *amounts in zip(numbers, *counts.values(), strict=True):
            if max(amounts) > MOST_SIZE:
                raise ValueError(
                    f"line {number} must ask for at most {MOST_SIZE:,} of anything, got "
                    f"{max(amounts)}"
                )
        for kind, values in counts.items():
            arrays[kind] = np.array(values, np.int64)
        arrays["sliced"], arrays["parts"] = slices(columns)
        arrays["requested"] = limits(columns)
        arrays["shards"] = shards(columns)
        arrays["uncounted"] = uncounted(columns, counts["gpu"])
        arrays["gpu_type"] = np.array(types(columns), dtype=object)
        if self.submit == "submit" and "eligible" in columns:
            arrays["eligible"] = times(columns["eligible"], numbers, "eligible")
        for name in NAMES:
            arrays[name] = texts(columns, name)
        arrays["job_class"] = texts(columns, self.job_class, "trace")
        arrays["job"] = texts(columns, "")
        return arrays

    def _check_number(self, line: int) -> None:
        """Refuse more jobs than are taken."""
        if self.jobs > self.most:
            raise ValueError(
                f"source must hold at most {self.most:,} jobs, got more by line {line}"
            )

    def _add_tasks(self, block: dict[str, np.ndarray], names: list[str]) -> None:
        """Split waiting job arrays into their tasks, and add the columns that identify jobs."""
        identity: list[str] = []
        repeats = []
        throttled = []
        is_waiting = np.isnan(block["start"]) & np.isnan(block["gave_up"])
        for name, waits in zip(names, is_waiting.tolist(), strict=True):
            tasks, throttle = tasks_of(name) if waits else ([name], False)
            identity += tasks
            repeats.append(len(tasks))
            throttled += [throttle] * len(tasks)
            self.tasks += len(tasks) * waits
            if self.tasks > MOST_TASKS:
                raise ValueError(
                    f"source must hold at most {MOST_TASKS:,} tasks that wait, got more by "
                    f"line {self.last}"
                )
        self.jobs += len(identity) - len(names)
        self._check_number(self.last)
        for column, values in block.items():
            block[column] = np.repeat(values, repeats)
        block["job"] = np.array(identity, dtype=object)
        # A hash of 64 bits distinguishes records as well as the text does.
        block["identity"] = np.array([hash(name) for name in identity], np.int64)
        block["throttled"] = np.array(throttled, bool)

    def _leave(self, keep: np.ndarray, reason: str, bad: np.ndarray) -> None:
        """Leave out the bad ones of the kept records, and count them under a reason."""
        self.left_out[reason] += int((keep & bad).sum())
        keep &= ~bad

    def _check_some(self, jobs: Sized) -> None:
        """Raise ValueError where no job is left."""
        if not len(jobs):
            reasons = [f"{number:,} {reason}" for reason, number in (+self.left_out).items()]
            why = ", ".join(reasons) or "end"
            raise ValueError(
                f"source must hold at least one job that ran, got none by line {self.last} ({why})"
            )

    def frame(
        self, resource: str, partition: frozenset[str], gpu_type: str, shards_per_gpu: int
    ) -> pd.DataFrame:
        """Make the table of the jobs in all blocks, in order of submission."""
        if self.cluster:
            refuse_strangers("cluster", {self.cluster}, np.array(list(self.clusters), object))
        refuse_several(self.clusters, self.cluster)
        self._check_some(self.blocks)
        jobs = {
            name: np.concatenate([block[name] for block in self.blocks]) for name in self.blocks[0]
        }
        refuse_strangers("partition", partition, jobs["partition"])
        refuse_strangers("gpu_type", {gpu_type} - {""}, jobs["gpu_type"])
        chosen = {name: not partition or is_of(name, partition) for name in set(jobs["partition"])}
        in_partition = np.array([chosen[name] for name in jobs["partition"].tolist()], bool)
        ran = np.isnan(jobs["gave_up"])
        keep = ran.copy()
        departed = ~ran & in_partition
        self._leave(keep, "in other partitions", ~in_partition)
        resource, attrs = self._add_sizes(jobs, keep, resource, gpu_type, shards_per_gpu)
        if gpu_type:
            self._leave(keep, "on other types of GPU", jobs["gpu_type"] != gpu_type)
        if self.identity is not None:
            twice = repeated(jobs, keep | departed)
            self._leave(keep, "recorded twice", twice)
            departed &= ~twice
            attrs |= join_components(jobs, keep)
        order = np.flatnonzero(keep)[np.argsort(jobs["submit"][keep], kind="stable")]
        self._check_some(order)
        attrs |= {f"{name}s": most_common(jobs[name][ran]) for name in ("partition", "gpu_type")}
        attrs |= {"left_out": dict(+self.left_out), "resource": resource}
        if self.clusters:
            attrs["clusters"] = dict(self.clusters.most_common(MOST_COLUMNS))
        if self.unfinished:
            attrs["snapshot"] = self.snapshot
            attrs["names"] = Names(jobs["job"][order])
        frame = pd.DataFrame({name: values[order] for name, values in jobs.items()})
        departed &= jobs["size"] > 0
        if gpu_type:
            departed &= jobs["gpu_type"] == gpu_type
        attrs |= notes(frame, jobs["gave_up"][departed])
        wait = frame["start"] - frame["submit"]
        frame = frame.assign(
            gpus=frame["size"],
            estimate=np.fmax(frame["requested"], frame["runtime"]),
            elapsed=frame["runtime"] - frame["suspended"],
            recorded_wait=wait.where(wait >= 0),
        )[list(COLUMNS)]
        frame.attrs = attrs
        return frame

    def _add_sizes(
        self,
        jobs: dict[str, np.ndarray],
        keep: np.ndarray,
        resource: str,
        gpu_type: str,
        shards_per_gpu: int,
    ) -> tuple[str, dict[str, Any]]:
        """Add the column size to jobs, and leave out those without one.

        Returns: The resource that sizes count, "gpu" or "cpu", and the frame's attrs about sizes.
        """
        attrs: dict[str, Any] = {}
        has = {name: (jobs[name][keep] > 0).any() for name in ("gpu", "cpu")}
        if resource == "auto" or gpu_type:
            resource = "cpu"
            if gpu_type or has["gpu"] or (shards_per_gpu and jobs["shards"][keep].any()):
                resource = "gpu"
        if resource == "cpu" and not has["cpu"]:
            jobs["cpu"] = jobs["node"]
            attrs["unit"] = "node"
        jobs["size"] = jobs[resource]
        if resource == "gpu":
            attrs |= fractions(jobs, keep, shards_per_gpu)
            self._leave(keep, "shards", (jobs["size"] == 0) & (jobs["shards"] > 0))
            self._leave(keep, "GPUs not recorded", (jobs["size"] == 0) & jobs["uncounted"])
        elif jobs["shards"][keep].any():
            attrs["shards"] = int((jobs["shards"][keep] > 0).sum())
        self._leave(keep, "no GPUs" if resource == "gpu" else "no size", jobs["size"] == 0)
        return resource, attrs
