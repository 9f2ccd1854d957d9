"""All records of `sacct`, including jobs that never started, run, or wait, as rows of one table."""

import math

import numpy as np

from physics import pace
from physics.jobs.arrays import tasks_of
from physics.jobs.fields import GRES, PARTS, TRES, limits, shards, sizes, slices, suspended, times
from physics.jobs.fields import elapsed as elapsed_of
from physics.jobs.lines import lines_of
from physics.jobs.readers.records import Records
from physics.jobs.sacct_reader import blocks
from physics.jobs.selection import PUT_BACK

__all__ = ["records_of"]

RUNNING = {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED"}
#: More tasks than this of all arrays that wait are not told one by one.
MOST_TASKS = 4_000_000


def records_of(data: bytes, first: int, names: list[str], shards_per_gpu: int = 0) -> Records:
    """Read a delimited log of `sacct` from its header line on."""
    records = Records()
    identity = names.index("jobid") if "jobid" in names else names.index("jobidraw")
    latest: dict[str, float] = {}
    again: list[tuple[int, str, float]] = []
    lines = (line for line in lines_of(data) if line[0] > first)
    tasks = 0
    for block in blocks(lines):
        pace.step()
        numbers = []
        rows = []
        for number, line in block:
            fields = line.decode("utf-8", "replace").split("|")
            if len(fields) == len(names) + 1 and not fields[-1]:  # --parsable ends each line so
                fields.pop()
            if len(fields) != len(names) or "." in fields[identity]:
                continue
            if fields[identity].lower() not in ("jobid", "jobidraw"):
                numbers.append(number)
                rows.append(fields)
        if not rows:
            continue
        columns = dict(reversed(list(zip(names, zip(*rows, strict=True), strict=True))))
        (submit, start) = (times(columns[name], numbers, name) for name in ("submit", "start"))
        (eligible, end) = (
            times(columns.get(name, [""] * len(rows)), numbers, name)
            for name in ("eligible", "end")
        )
        length = elapsed_of(columns)
        stopped = suspended(columns)
        limit = limits(columns)
        counts = sizes(columns)
        gpus = _gpus(columns, counts["gpu"], shards_per_gpu)
        for row in range(len(rows)):
            state = (columns["state"][row].split(maxsplit=1) or [""])[0].upper().rstrip("+")
            begin = float(start[row])
            last = float(end[row])
            span = float(length[row])
            nothing = begin == last and not span > 0 and begin > submit[row]
            if state == "PENDING":
                kind = "waiting"
                begin = last = math.nan
            elif math.isnan(begin) or (state in ("CANCELLED", "DEADLINE") and nothing):
                kind = "never started"
                begin = math.nan
            elif state in RUNNING or (math.isnan(last) and not span > 0):
                kind = "running"
                last = math.nan
            else:
                kind = "ended"
                if math.isnan(last):
                    last = begin + span + stopped[row]
                if math.isnan(span):
                    span = last - begin - stopped[row]
            if kind != "ended":
                span = math.nan
            name = columns[names[identity]][row].strip()
            several = [name]
            if kind == "waiting":
                several = tasks_of(name)[0]
                tasks += len(several)
                if tasks > MOST_TASKS:
                    raise ValueError(
                        f"source must hold at most {MOST_TASKS:,} tasks that wait, got more by "
                        f"line {numbers[row]}"
                    )
            key = f"{columns['cluster'][row]} {name}" if "cluster" in columns else name
            since = float(submit[row])
            if kind == "ended" and state in PUT_BACK:
                again.append((len(records.columns["kind"]), key, since))
            latest[key] = max(latest.get(key, -math.inf), since)
            for one in several:
                records.add(
                    one,
                    kind,
                    since,
                    eligible=float(eligible[row]),
                    start=begin,
                    end=last,
                    elapsed=span,
                    state=state,
                    gpus=float(gpus[row]),
                    cpus=float(counts["cpu"][row]) or math.nan,
                    nodes=float(counts["node"][row]) or math.nan,
                    limit=float(limit[row]),
                    **{
                        to: columns[name][row].strip()
                        for to, name in (
                            ("user", "user"),
                            ("account", "account"),
                            ("queue", "partition"),
                        )
                        if name in columns
                    },
                )
    for place, key, since in again:
        if records.columns["state"][place] == "REQUEUED" or latest[key] > since:
            records.columns["kind"][place] = "put back"
    return records


def _gpus(columns: dict, whole: list[int], shards_per_gpu: int) -> np.ndarray:
    """GPUs of each record, slices as parts of one; NaN where nothing tells them."""
    sliced, of_slices = slices(columns)
    gpus = np.array(whole, float) - sliced + of_slices / PARTS
    parts = shards(columns)
    if shards_per_gpu:
        gpus = gpus + parts / shards_per_gpu
    else:
        gpus = np.where((gpus == 0) & (parts > 0), math.nan, gpus)
    if not any(name in columns for name in GRES):
        told = np.zeros(len(whole), bool)
        for name in TRES:
            if name in columns:
                told |= np.array([bool(text.strip()) for text in columns[name]])
        gpus = np.where(told, gpus, math.nan)
    return gpus
