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
from functools import lru_cache

from physics import pace
from physics.jobs.lines import BLOCK, lines_of
from physics.jobs.readers.records import Records

__all__ = ["is_pbs", "records_of"]

STAMP = re.compile(r"(\d\d/\d\d/\d{4}) (\d\d):(\d\d):(\d\d)")
FIELD = re.compile(r'([^\s="]+)=("[^"]*"|\S*)')
#: Types of lines that say something of a job.
TYPES = set("QSERDAzr")
#: The time in the fields of a line of each type that its stamp repeats.
REPEATED = {"Q": "qtime", "S": "start", "E": "end", "R": "end"}
FIND = {name: re.compile(rf"(?:^|\s){name}=([0-9]{{1,15}})(?=\s|$)") for name in REPEATED.values()}
#: Clocks of the world differ by whole quarters of an hour [s].
QUARTER = 900
PARENT = re.compile(r"\[\]")
RESOURCES = "Resource_List."
#: Different days that are read once.
MOST_DAYS = 1_000


def is_pbs(lines: list[str]) -> bool:
    """Whether the first lines of a log are PBS's."""
    return any(_split(line) is not None for line in lines[:5])


def _split(line: str) -> tuple[re.Match, str, str, str] | None:
    """Stamp, type, job and fields of a line; None for any other line.

    >>> _split("03/02/2026 09:00:00;Q;7.s;queue=gpu")[1:]
    ('Q', '7.s', 'queue=gpu')
    """
    parts = line.strip().split(";", 3)
    if len(parts) < 3 or len(parts[1]) != 1 or not parts[1].isalpha():
        return None
    stamp = STAMP.fullmatch(parts[0])
    if stamp is None:
        return None
    return stamp, parts[1], parts[2], parts[3] if len(parts) > 3 else ""


@lru_cache(MOST_DAYS)
def _day(date: str) -> int:
    """Midnight of a day, read as UTC [s]."""
    month, day, year = (int(part) for part in date.split("/"))
    return calendar.timegm((year, month, day, 0, 0, 0, 0, 0, 0))


def _stamp(found: re.Match) -> int:
    """The stamp of a line, read as UTC [s]."""
    return _day(found[1]) + 3600 * int(found[2]) + 60 * int(found[3]) + int(found[4])


def _moment(kind: str, text: str) -> float:
    """The time in the fields of a line that its stamp repeats [s]; NaN without one."""
    name = REPEATED.get(kind)
    if name is None:
        return math.nan
    if '"' in text:
        return _number(_fields(text).get(name))
    found = FIND[name].search(text)
    if found is None:
        return math.nan
    return float(found[1])


def _fields(text: str) -> dict[str, str]:
    """Fields of a line by their names."""
    if '"' in text:
        return dict(FIELD.findall(text))
    fields = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if equals and key:
            fields[key] = value
    return fields


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

    __slots__ = ("paused", "queued", "since", "start", "stopped", "texts")

    def __init__(self, since: float) -> None:
        self.texts: list[str] = []  #: fields of its lines
        self.queued: tuple[int, int] | None = None  #: stamp and line
        self.since = since  #: end of a run after which it waits again [s]
        self.start = math.nan
        self.stopped = 0.0  #: time for which it was suspended [s]
        self.paused = math.nan

    def fields(self, last: dict[str, str] | None = None) -> dict[str, str]:
        """What its lines say, the last one alone where that says all."""
        if last is None:
            last = _fields(self.texts[-1])
        if "ctime" in last and any(name.startswith(RESOURCES) for name in last):
            return last
        whole: dict[str, str] = {}
        for text in self.texts[:-1]:
            whole.update(_fields(text))
        return whole | last


class Accounting:
    """The runs of a log, line by line."""

    def __init__(self) -> None:
        self.records = Records()
        self.offsets = Offsets()
        self.jobs: dict[str, Job] = {}
        self.returned: dict[str, float] = {}  #: end of the last run of a job that was put back
        #: rows whose submission or end is a stamp: row, column, stamp, line
        self.stamped: list[tuple[int, str, int, int]] = []

    def add(
        self,
        name: str,
        job: Job,
        kind: str,
        start: float = math.nan,
        end: float = math.nan,
        state: str = "",
        fields: dict[str, str] | None = None,
    ) -> None:
        """Add a run; without fields they are those of all lines of the job."""
        if fields is None:
            fields = job.fields()
        submit = job.since
        if math.isnan(submit):
            submit = _number(fields.get("ctime"))
        if math.isnan(submit) and job.queued is not None:
            self.stamped.append((len(self.records.columns["job"]), "submit", *job.queued))
        self.records.add(
            name,
            kind,
            submit,
            eligible=_number(fields.get("etime")) or math.nan,
            start=start,
            end=end,
            elapsed=end - start - job.stopped,
            state=state,
            gpus=_gpus(fields),
            cpus=_cpus(fields),
            nodes=_nodes(fields),
            user=fields.get("user", ""),
            account=fields.get("account", "").strip('"'),
            queue=fields.get("queue", ""),
            limit=_clock(fields.get("Resource_List.walltime", "")),
        )

    def take(self, number: int, stamp: int, kind: str, name: str, text: str) -> None:
        """Take one line."""
        moment = _moment(kind, text)
        if moment > 0:
            self.offsets.add(number, stamp - moment)
        job = self.jobs.get(name)
        if job is None:
            if kind in "DAzr":
                return
            job = self.jobs[name] = Job(self.returned.get(name, math.nan))
        job.texts.append(text)
        if kind == "Q":
            job.queued = job.queued or (stamp, number)
        elif kind == "S":
            job.start = moment
            if math.isnan(moment):
                job.start = float(stamp - self.offsets.at(number))
        elif kind == "z":
            job.paused = stamp
        elif kind == "r" and job.paused <= stamp:
            job.stopped += stamp - job.paused
            job.paused = math.nan
        elif kind in "ER":
            self._end(number, stamp, kind, name, job)
        elif kind in "DA" and math.isnan(job.start):
            self.stamped.append((len(self.records.columns["job"]), "end", stamp, number))
            self.add(name, job, "never started", state="CANCELLED")
            del self.jobs[name]

    def _end(self, number: int, stamp: int, kind: str, name: str, job: Job) -> None:
        """Take a line that ends a run, after which the job may wait again."""
        own = _fields(job.texts[-1])
        fields = job.fields(own)
        start = _number(own.get("start"))
        if math.isnan(start):
            start = job.start
        end = _number(own.get("end"))
        if kind == "E":
            if math.isnan(end):
                self.stamped.append((len(self.records.columns["job"]), "end", stamp, number))
            self.add(name, job, "ended", start, end, _state(own), fields)
            del self.jobs[name]
            return
        if math.isnan(end):
            end = float(stamp - self.offsets.at(number))
        if not math.isnan(start):
            self.add(name, job, "put back", start, end, "REQUEUED", fields)
            job.since = end
        job.start = math.nan
        job.stopped = 0.0
        job.paused = math.nan
        self.returned[name] = end

    def finish(self) -> Records:
        """Add the jobs that have not ended, and put times in the place of stamps."""
        for name, job in self.jobs.items():
            if math.isnan(job.start):
                self.add(name, job, "waiting", state="PENDING")
            else:
                self.add(name, job, "running", job.start, state="RUNNING")
        columns = self.records.columns
        for row, column, stamp, number in self.stamped:
            columns[column][row] = float(stamp - self.offsets.at(number))
            if column == "end" and columns["kind"][row] == "ended":
                columns["elapsed"][row] = columns["end"][row] - columns["start"][row]
        return self.records


def records_of(data: bytes) -> Records:
    """Read an accounting log.

    Raises ValueError for a time that is none, as in month 13.
    """
    log = Accounting()
    for number, line in lines_of(data):
        if number % BLOCK == 0:
            pace.step()
        found = _split(line.decode("utf-8", "replace"))
        if found is None or found[1] not in TYPES:
            continue
        moment, kind, identity, text = found
        name = identity.strip().split(".")[0]
        if PARENT.search(name):
            continue
        try:
            stamp = _stamp(moment)
        except ValueError:
            raise ValueError(
                f"line {number} must begin with a time, got {moment[0][:40]!r}"
            ) from None
        log.take(number, stamp, kind, name, text)
    return log.finish()


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
    if any(name.startswith(RESOURCES) for name in fields):
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
