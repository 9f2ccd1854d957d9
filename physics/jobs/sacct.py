"""Records of Slurm's accounting, as `sacct --parsable2` prints them.

A line is a record; its fields are separated by "|" and named by a header line. A file that a
visitor sends is not trusted: it is read in bounded memory, a block of lines at a time, and what is
no job is left out and counted.

Reference: SchedMD, "sacct", manual page of Slurm 24.05 (fields, formats of times, states and
trackable resources).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from os import PathLike
from sys import intern
from typing import BinaryIO, Literal

import numpy as np
import pandas as pd

from physics.arguments import MANY, LimitedCount, refusing
from physics.jobs.fields import (
    CPUS,
    GRES,
    NODES,
    TRES,
    Columns,
    elapsed,
    limits,
    sizes,
    times,
    types,
)
from physics.jobs.lines import bytes_of, lines_of

__all__ = ["UNENDED", "most_common", "read_sacct"]

#: Columns of a log, and partitions and types of GPU that are listed.
MOST_COLUMNS = 1_000
MOST_LISTED = 100
#: Lines, and bytes of them, that are turned into numbers at a time.
BLOCK = 1_000
BLOCK_BYTES = 8_000_000
#: More of anything no machine has.
MOST_SIZE = 20_000_000
UNENDED = {"PENDING": "never started", "RUNNING": "still running", "SUSPENDED": "still running"}
#: States of runs after which a job may wait again.
PUT_BACK = {"REQUEUED", "PREEMPTED", "NODE_FAIL"}
NAMES = ("partition", "account", "user", "qos")
Line = tuple[int, bytes]  #: its number, from 1, and its bytes
#: Columns of what is read.
COLUMNS = (
    *("submit", "runtime", "gpus", "estimate", "job_class", "user", "recorded_wait", "requested"),
    *("partition", "account", "qos", "state"),
)


@refusing
def read_sacct(
    source: str | PathLike | bytes | bytearray | BinaryIO,
    resource: Literal["auto", "gpu", "cpu"] = "auto",
    job_class: str = "partition",
    submit: Literal["Submit", "Eligible"] = "Submit",
    most: LimitedCount = MANY,
    unfinished: bool = False,
    partition: Collection[str] = (),
    gpu_type: str = "",
) -> pd.DataFrame:
    """Read what Slurm recorded, keeping every job that ran to an end.

    Args:
        source: Output of `sacct --parsable2` or `--parsable` with its header line, plain or packed
            with gzip (told by its first two bytes). At most 20 MB as it comes and 300 MB unpacked.
        resource: "auto", "gpu" or "cpu"; what a job's size counts. "auto": GPUs if any job has one;
            then jobs without are left out.
        job_class: Column that names a job's class, such as Partition, Account, User or QOS.
        submit: "Submit" or "Eligible"; column that a wait is counted from.
        most: Jobs that are taken; with one more the file is refused [1].
        unfinished: Whether jobs that still run or wait are kept too: RUNNING and SUSPENDED ones,
            which have a start and no end (runtime NaN), and PENDING ones, which have neither
            (recorded_wait NaN too).
        partition: Partitions whose jobs are taken; all if there is none.
        gpu_type: Type of GPU whose jobs are taken, as in "gres/gpu:a100=4"; all if it is "". A job
            on several types counts as one of its own, "a100+v100".

    Returns: In order of submission: submit [s since 1970, UTC], runtime [s], gpus [1] (or CPUs; or
    nodes where no CPUs are recorded at all), estimate [s] (the longer of time limit and runtime),
    job_class ("trace" without its column), user, recorded_wait [s] (NaN if negative), requested [s]
    (the time limit; NaN if there is none), partition, account, qos ("" without the column) and
    state. `frame.attrs["left_out"]` maps each reason to the number of records left out for it,
    `frame.attrs["resource"]` is "gpu" or "cpu", and `frame.attrs["unit"]` is "node" where sizes are
    nodes. `frame.attrs["partitions"]` and `frame.attrs["gpu_types"]` map the 100 largest of each,
    chosen or not, to their jobs. With unfinished jobs `frame.attrs["snapshot"]` is the latest
    moment that the log knows of [s]: a submission, a start, an end, or the start of a running job
    plus its time so far.

    Raises ValueError with the number of the line: no header with the columns that are needed, a
    time that is none, a line or a file that is too long, a size that no machine has, damaged gzip,
    no job that ran, more jobs than are taken; or an argument that is none of the above. Raises
    FileNotFoundError if there is no such file.

    Columns are told by name, in any order and case: Submit (or Eligible), Start, State, End or
    ElapsedRaw or Elapsed, and a size are needed. A job's GPUs are those of the first of AllocTRES,
    ReqTRES, AllocGRES and ReqGRES that names any; its CPUs those of AllocTRES, ReqTRES, AllocCPUS,
    NCPUS, ReqCPUS. Times without an offset count as UTC. Records of one JobID and Start are one
    job, of which the one that ended is kept; a requeued job's several runs are several jobs. A job
    that waits in one record and has started in another, as in logs put together, has started. An
    array that waits in one record is one job.

    Source: SchedMD, "sacct", manual page of Slurm 24.05.

    >>> log = b"JobID|Submit|Start|End|State|AllocTRES|Timelimit\\n"
    >>> log += b"7|2024-05-01T00:00:00|2024-05-01T00:01:00|2024-05-01T01:01:00|COMPLETED|gres/gpu=8|02:00:00\\n"
    >>> log += b"7.batch|2024-05-01T00:00:00|2024-05-01T00:01:00|2024-05-01T01:01:00|COMPLETED|cpu=8|\\n"
    >>> jobs = read_sacct(log)
    >>> jobs[["runtime", "gpus", "estimate", "recorded_wait"]].iloc[0].tolist(), jobs.attrs["left_out"]
    ([3600.0, 8.0, 7200.0, 60.0], {'job steps': 1})
    >>> read_sacct(b"hello")
    Traceback (most recent call last):
    ValueError: line 1 must be the header of sacct --parsable2 with Submit, Start, State, End, a size, got 'hello'
    """
    if not isinstance(job_class, str):
        raise ValueError(f"job_class must be the name of a column, got {job_class!r}")
    lines = lines_of(bytes_of(source))
    reader = _Reader(
        *next(lines, (1, b"")), job_class.strip().lower(), submit.lower(), most, bool(unfinished)
    )
    for block in _blocks(lines):
        reader.take(block)
    return reader.frame(resource, frozenset(partition), gpu_type.lower())


def most_common(texts: np.ndarray) -> dict[str, int]:
    """How often each text is there, the most frequent first; empty ones and lists, with a comma,
    are not counted.
    """
    counts = pd.Series(texts, dtype=object).value_counts()
    named = [
        (name, int(number))
        for name, number in counts.items()
        if name and "," not in name and len(name) < 100
    ]
    return dict(named[:MOST_LISTED])


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines in blocks of bounded size; the last may be empty."""
    block = []
    size = 0
    for number, line in lines:
        block.append((number, line))
        size += len(line)
        if len(block) >= BLOCK or size >= BLOCK_BYTES:
            yield block
            block = []
            size = 0
    yield block


class _Reader:
    """Turns blocks of lines into columns of numbers, and makes the frame of them."""

    def __init__(
        self, number: int, header: bytes, job_class: str, submit: str, most: int, unfinished: bool
    ) -> None:
        names = [name.strip().lower() for name in header.decode("utf-8", "replace").split("|")]
        ends = ("end", "elapsedraw", "elapsed")
        counts = (*TRES, *GRES, *CPUS, *NODES)
        needed = {
            submit.title(): (submit,),
            "Start": ("start",),
            "State": ("state",),
            "End": ends,
            "a size": counts,
        }
        missing = [label for label, ways in needed.items() if not any(way in names for way in ways)]
        if missing or len(names) > MOST_COLUMNS:
            shown = header[:40].decode("utf-8", "replace")
            if missing:
                what = f"with {', '.join(missing)}"
            else:
                what = f"of at most {MOST_COLUMNS:,} columns"
            raise ValueError(
                f"line {number} must be the header of sacct --parsable2 {what}, got {shown!r}"
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
        self.jobs = 0
        self.last = number
        self.snapshot = -math.inf
        self.left_out: Counter[str] = Counter()
        self.blocks: list[dict[str, np.ndarray]] = []

    def _columns(self, rows: Sequence[Sequence[str]]) -> Columns:
        """Columns of some rows; of two with one name the first counts."""
        return dict(reversed(list(zip(self.names, zip(*rows, strict=True), strict=True))))

    def take(self, block: list[Line]) -> None:
        """Turn some lines into columns of numbers."""
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
            elif line.lower() != self.header:
                numbers.append(number)
                rows.append(fields)
        if not rows:
            return
        columns = self._columns(rows)
        # The state's first word: "CANCELLED by 302137" is cancelled.
        states = [
            intern((text.split(maxsplit=1) or [""])[0].upper().rstrip("+"))
            for text in columns["state"]
        ]
        start, submit = (times(columns[name], numbers, name) for name in ("start", self.submit))
        ends = "end" in columns
        if ends:
            runtime = times(columns["end"], numbers, "end") - start
        else:
            runtime = elapsed(columns)
        open_end = np.isnan(runtime) & ends
        unended = np.array([UNENDED.get(state, "") for state in states], dtype=object)
        still = np.zeros(len(rows), bool)
        if self.unfinished:
            now = np.where(unended == "still running", start + elapsed(columns), 0)
            moments = np.concatenate((start, submit, start + runtime, now))
            self.snapshot = max(self.snapshot, float(np.nanmax(moments, initial=-math.inf)))
            start = np.where(unended == "never started", math.nan, start)
            still = ~np.isnan(submit) & (
                (unended == "never started") | ((unended != "") & ~np.isnan(start))
            )
            runtime = np.where(still, math.nan, runtime)
        keep = ~still
        self._leave(
            keep,
            "never started",
            (unended == "never started") | (np.isnan(start) & (unended == "")),
        )
        self._leave(keep, "still running", (unended == "still running") | open_end)
        self._leave(keep, "no submission time", np.isnan(submit))
        self._leave(keep, "no run time above zero", ~(runtime > 0))
        keep |= still
        chosen = np.flatnonzero(keep).tolist()
        self.jobs += len(chosen)
        if self.jobs > self.most:
            raise ValueError(
                f"source must hold at most {self.most:,} jobs, got more by line {numbers[-1]}"
            )
        if not chosen:
            return
        columns = self._columns([rows[i] for i in chosen])
        counts = sizes(columns)
        for i, *found in zip(chosen, *counts.values(), strict=True):
            if max(found) > MOST_SIZE:
                raise ValueError(
                    f"line {numbers[i]} must ask for at most {MOST_SIZE:,} of anything, got {max(found)}"
                )

        def texts(name: str, default: str = "") -> np.ndarray:
            found = columns.get(name, [""] * len(chosen))
            return np.array([intern(text.strip() or default) for text in found], dtype=object)

        block = {
            "submit": submit[keep],
            "start": start[keep],
            "runtime": runtime[keep],
            "requested": limits(columns),
        }
        block |= {kind: np.array(found, np.int64) for kind, found in counts.items()}
        block |= {
            "job_class": texts(self.job_class, "trace"),
            "gpu_type": np.array(types(columns), dtype=object),
        }
        block |= {"state": np.array(states, dtype=object)[keep]} | {
            name: texts(name) for name in NAMES
        }
        if (
            self.identity is not None
        ):  # 64 bits of a hash tell records apart as well as the text does
            block["identity"] = np.array(
                [hash(rows[i][self.identity].strip()) for i in chosen], np.int64
            )
        self.blocks.append(block)

    def _leave(self, keep: np.ndarray, reason: str, bad: np.ndarray) -> None:
        """Keep no bad record any longer, and count those that are left out for it."""
        self.left_out[reason] += int((keep & bad).sum())
        keep &= ~bad

    def _some(self, found: Sequence) -> None:
        """Raise ValueError where no job is left."""
        if not len(found):
            why = (
                ", ".join(f"{number:,} {reason}" for reason, number in (+self.left_out).items())
                or "end"
            )
            raise ValueError(
                f"source must hold at least one job that ran, got none by line {self.last} ({why})"
            )

    def frame(self, resource: str, partition: frozenset[str], gpu_type: str) -> pd.DataFrame:
        """Make the frame of all blocks, in order of submission."""
        self._some(self.blocks)
        jobs = {
            name: np.concatenate([block[name] for block in self.blocks]) for name in self.blocks[0]
        }
        refuse_strangers("partition", partition, jobs["partition"])
        refuse_strangers("gpu_type", {gpu_type} - {""}, jobs["gpu_type"])
        keep = np.ones(len(jobs["submit"]), bool)
        attrs = {}
        if partition:
            mine = {name: _of_one(name, partition) for name in set(jobs["partition"].tolist())}
            others = np.array([not mine[name] for name in jobs["partition"].tolist()], bool)
            self._leave(keep, "in other partitions", others)
        has = {name: (jobs[name][keep] > 0).any() for name in ("gpu", "cpu")}
        if resource == "auto" or gpu_type:
            if gpu_type or has["gpu"]:
                resource = "gpu"
            else:
                resource = "cpu"
        if resource == "cpu" and not has["cpu"]:
            jobs["cpu"] = jobs["node"]
            attrs["unit"] = "node"
        self._leave(keep, "no GPUs" if resource == "gpu" else "no size", jobs[resource] == 0)
        if gpu_type:
            self._leave(keep, "on other types of GPU", jobs["gpu_type"] != gpu_type)
        if self.identity is not None:
            self._leave(keep, "recorded twice", _twice(jobs, keep))
        order = np.flatnonzero(keep)[np.argsort(jobs["submit"][keep], kind="stable")]
        self._some(order)
        attrs |= {f"{name}s": most_common(jobs[name]) for name in ("partition", "gpu_type")}
        attrs |= {"left_out": dict(+self.left_out), "resource": resource}
        if self.unfinished:
            attrs |= {"snapshot": self.snapshot}
        else:
            attrs |= {}
        frame = pd.DataFrame({name: values[order] for name, values in jobs.items()})
        wait = frame["start"] - frame["submit"]
        frame = frame.assign(
            gpus=frame[resource], estimate=np.fmax(frame["requested"], frame["runtime"])
        )
        frame = frame.assign(recorded_wait=wait.where(wait >= 0))[list(COLUMNS)]
        frame.attrs = attrs
        return frame


def refuse_strangers(name: str, asked: Collection[str], there: np.ndarray) -> None:
    """Raise ValueError for a partition, or a type of GPU, that no job has."""
    missing = sorted(set(asked) - set(there.tolist()))
    if missing:
        listed = ", ".join(list(most_common(there))[:10]) or "none that is named"
        raise ValueError(
            f"{name} must be one that jobs of this log have, {listed}, got {missing[0]!r}"
        )


def _of_one(name: str, chosen: frozenset[str]) -> bool:
    """Whether a job is of the chosen partitions; one that waits may name several."""
    return name in chosen or ("," in name and not chosen.isdisjoint(name.split(",")))


def _twice(jobs: dict[str, np.ndarray], keep: np.ndarray) -> np.ndarray:
    """Rows that repeat a job: later rows with the same start, and waits of jobs whose end is known.

    A job that was stopped and put back has run and waits again.
    """
    rows = np.flatnonzero(keep)
    key = ["identity", "submit"]
    frame = pd.DataFrame({name: jobs[name][rows] for name in (*key, "start", "state")})
    frame["open"], waits = frame["state"].isin(UNENDED), frame["start"].isna()
    same = frame.sort_values("open", kind="stable").duplicated(["identity", "start"]).sort_index()
    started = pd.MultiIndex.from_frame(frame.loc[~waits & ~frame["state"].isin(PUT_BACK), key])
    same[waits] |= pd.MultiIndex.from_frame(frame.loc[waits, key]).isin(started)
    twice = np.zeros(len(keep), bool)
    twice[rows] = same
    return twice
