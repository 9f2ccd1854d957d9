"""Accounting of PBS Pro, OpenPBS and Torque.

A line is `MM/DD/YYYY HH:MM:SS;TYPE;JOB;fields`. The stamp is local time; times in the fields are
seconds since 1970 and count. Where a line has only its stamp, the nearest line with both tells how
far the local clock is from UTC.

Reference: Altair, "PBS Professional Programmer's Guide", Accounting log; Adaptive Computing,
"Torque administrator guide", Accounting records.
"""

import calendar
import math
import re
from array import array
from bisect import bisect_left

from physics import pace
from physics.jobs.lines import BLOCK, lines_of
from physics.jobs.readers.records import Records

__all__ = ["is_pbs", "records_of"]

LINE = re.compile(r"(\d\d)/(\d\d)/(\d{4}) (\d\d):(\d\d):(\d\d);([A-Za-z]);([^;]*);?(.*)", re.DOTALL)
FIELD = re.compile(r'([^\s="]+)=("[^"]*"|\S*)')
#: The time in the fields of a line of each type that its stamp repeats.
REPEATED = {"Q": "qtime", "S": "start", "E": "end", "R": "end"}
#: Clocks of the world differ by whole quarters of an hour [s].
QUARTER = 900
PARENT = re.compile(r"\[\]")


def is_pbs(lines: list[str]) -> bool:
    """Whether the first lines of a log are PBS's."""
    return any(LINE.fullmatch(line.strip()) for line in lines[:5])


def _stamp(parts: tuple[str, ...]) -> int:
    """The stamp of a line, read as UTC [s]."""
    (month, day, year, hour, minute, second) = (int(part) for part in parts)
    return calendar.timegm((year, month, day, hour, minute, second, 0, 0, 0))


class Offsets:
    """How far the stamps are from UTC, line by line."""

    def __init__(self) -> None:
        self.lines = array("q")
        self.offsets = array("q")

    def add(self, line: int, offset: float) -> None:
        """Note the offset of a line that tells it."""
        self.lines.append(line)
        self.offsets.append(QUARTER * round(offset / QUARTER))

    def at(self, line: int) -> int:
        """Offset of the nearest line that tells it; 0 if none does [s]."""
        if not self.lines:
            return 0
        place = bisect_left(self.lines, line)
        near = [one for one in (place - 1, place) if 0 <= one < len(self.lines)]
        return self.offsets[min(near, key=lambda one: abs(self.lines[one] - line))]


class Job:
    """What the lines so far say of one job that has not ended."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.queued: tuple[int, int] | None = None  #: stamp and line
        self.since = math.nan  #: end of a run after which it waits again [s]
        self.start = math.nan
        self.stopped = 0.0  #: time for which it was suspended [s]
        self.paused = math.nan


def records_of(data: bytes) -> Records:
    """Read an accounting log.

    Raises ValueError for a time that is none, as in month 13.
    """
    records = Records()
    offsets = Offsets()
    jobs: dict[str, Job] = {}
    returned: dict[str, float] = {}  #: end of the last run of a job that was put back
    #: rows whose submission or end is a stamp: row, column, stamp, line
    stamped: list[tuple[int, str, int, int]] = []

    def add(name: str, job: Job, kind: str, start: float, end: float, state: str = "") -> None:
        fields = job.fields
        submit = job.since
        if math.isnan(submit):
            submit = _number(fields.get("ctime"))
        if math.isnan(submit) and job.queued is not None:
            stamped.append((len(records.columns["job"]), "submit", *job.queued))
        length = end - start - job.stopped
        records.add(
            name,
            kind,
            submit,
            eligible=_number(fields.get("etime")) or math.nan,
            start=start,
            end=end,
            elapsed=length,
            state=state,
            gpus=_gpus(fields),
            cpus=_cpus(fields),
            nodes=_nodes(fields),
            user=fields.get("user", ""),
            account=fields.get("account", "").strip('"'),
            queue=fields.get("queue", ""),
            limit=_clock(fields.get("Resource_List.walltime", "")),
        )

    for number, line in lines_of(data):
        if number % BLOCK == 0:
            pace.step()
        found = LINE.fullmatch(line.decode("utf-8", "replace").strip())
        if found is None:
            continue
        kind = found[7]
        if kind not in "QSERDAzr":
            continue
        name = found[8].strip().split(".")[0]
        if PARENT.search(name):
            continue
        try:
            stamp = _stamp(found.groups()[:6])
        except ValueError:
            raise ValueError(
                f"line {number} must begin with a time, got {found[0][:40]!r}"
            ) from None
        fields = dict(FIELD.findall(found[9]))
        if REPEATED.get(kind) in fields:
            moment = _number(fields[REPEATED[kind]])
            if moment > 0:
                offsets.add(number, stamp - moment)
        job = jobs.get(name)
        if job is None:
            if kind in "DAzr":
                continue
            job = jobs[name] = Job()
            job.since = returned.get(name, math.nan)
        job.fields.update(fields)
        if kind == "Q":
            job.queued = job.queued or (stamp, number)
        elif kind == "S":
            job.start = _number(fields.get("start"))
            if math.isnan(job.start):
                job.start = stamp - offsets.at(number)
        elif kind == "z":
            job.paused = stamp
        elif kind == "r" and job.paused <= stamp:
            job.stopped += stamp - job.paused
            job.paused = math.nan
        elif kind == "E":
            start = _number(fields.get("start"))
            if math.isnan(start):
                start = job.start
            end = _number(fields.get("end"))
            row = len(records.columns["job"])
            if math.isnan(end):
                stamped.append((row, "end", stamp, number))
            add(name, job, "ended", start, end, _state(fields))
            del jobs[name]
        elif kind == "R":
            start = _number(fields.get("start"))
            if math.isnan(start):
                start = job.start
            end = _number(fields.get("end"))
            if math.isnan(end):
                end = stamp - offsets.at(number)
            if not math.isnan(start):
                add(name, job, "put back", start, end, "REQUEUED")
                job.since = end
            job.start = math.nan
            job.stopped = 0.0
            job.paused = math.nan
            returned[name] = end
        elif kind in "DA" and math.isnan(job.start):
            stamped.append((len(records.columns["job"]), "end", stamp, number))
            add(name, job, "never started", math.nan, math.nan, "CANCELLED")
            del jobs[name]
    for name, job in jobs.items():
        if math.isnan(job.start):
            add(name, job, "waiting", math.nan, math.nan, "PENDING")
        else:
            add(name, job, "running", job.start, math.nan, "RUNNING")
    for row, column, stamp, number in stamped:
        records.columns[column][row] = float(stamp - offsets.at(number))
        if column == "end" and records.columns["kind"][row] == "ended":
            records.columns["elapsed"][row] = (
                records.columns["end"][row] - records.columns["start"][row]
            )
    return records


def _number(text: str | None) -> float:
    """A whole number, NaN for anything else."""
    if text and text.isascii() and text.isdigit() and len(text) <= 15:
        return float(text)
    return math.nan


def _clock(text: str) -> float:
    """Seconds of [[hours:]minutes:]seconds; NaN for anything else."""
    parts = text.strip('"').split(":")
    if len(parts) > 3 or not all(
        part.isascii() and part.isdigit() and len(part) < 10 for part in parts
    ):
        return math.nan
    seconds = 0.0
    for part in parts:
        seconds = 60 * seconds + int(part)
    return seconds


def _state(fields: dict[str, str]) -> str:
    """State that an exit status stands for."""
    status = fields.get("Exit_status", "0")
    if status in ("-29", "-11"):
        return "TIMEOUT"
    if status.isdigit() and len(status) < 6 and int(status) >= 256:
        return "CANCELLED"
    if status == "0":
        return "COMPLETED"
    return "FAILED"


def _gpus(fields: dict[str, str]) -> float:
    """GPUs of a job; 0 where its resources name none, NaN where no resources are told.

    >>> _gpus({"Resource_List.select": "2:ncpus=8:ngpus=4+1:ncpus=4:ngpus=1"})
    9.0
    >>> _gpus({"Resource_List.nodes": "1:ppn=8:gpus=4+2:ppn=4:gpus=1"})
    6.0
    """
    total = _number(fields.get("Resource_List.ngpus"))
    if not math.isnan(total):
        return total
    for name, key in (
        ("Resource_List.select", "ngpus"),
        ("Resource_List.nodes", "gpus"),
        ("Resource_List.nodect", "gpus?"),
    ):
        found = _chunks(fields.get(name, ""), key)
        if found:
            return found
    for name in ("Resource_List.gpus", "Resource_List.gpu"):
        total = _number(fields.get(name))
        if not math.isnan(total):
            return total
    used = re.findall(r":ngpus=(\d{1,6})", fields.get("exec_vnode", ""))
    if used:
        return float(sum(int(number) for number in used))
    if any(name.startswith("Resource_List.") for name in fields):
        return 0.0
    return math.nan


def _chunks(text: str, key: str) -> float:
    """Sum over chunks of their number times a resource of each; a named node is one."""
    total = 0.0
    for chunk in text.strip('"').split("+"):
        found = re.search(rf":{key}=(\d{{1,6}})(?=:|$)", chunk)
        if found is not None:
            first = chunk.split(":")[0]
            total += int(found[1]) * (int(first) if re.fullmatch(r"\d{1,6}", first) else 1)
    return total


def _cpus(fields: dict[str, str]) -> float:
    """CPUs of a job, as asked for or counted on its hosts; NaN where neither is told."""
    total = _number(fields.get("Resource_List.ncpus"))
    if not math.isnan(total):
        return total
    count = 0
    for part in fields.get("exec_host", "").split("+"):
        slots = part.partition("/")[2]
        if not slots:
            continue
        times = re.fullmatch(r"\d+\*(\d{1,6})", slots)
        if times is not None:
            count += int(times[1])
            continue
        for stretch in slots.split(","):
            bounds = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", stretch)
            if bounds is not None:
                count += int(bounds[2] or bounds[1]) - int(bounds[1]) + 1
    return float(count) or math.nan


def _nodes(fields: dict[str, str]) -> float:
    """Different hosts of a job; NaN where they are not told."""
    hosts = {part.partition("/")[0] for part in fields.get("exec_host", "").split("+")} - {""}
    return float(len(hosts)) or math.nan
