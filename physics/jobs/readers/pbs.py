"""Accounting of PBS Pro, OpenPBS, and Torque.

A line is `MM/DD/YYYY HH:MM:SS;TYPE;JOB;fields`. Its stamp is in local time. Times in the fields are
seconds since 1970, and count where there are any. Where a line has only its stamp, the offset of
local time from UTC is that of the nearest line with both.

Reference: accounting in Altair's PBS Professional and Adaptive Computing's Torque guides.
"""

import math
import re
from array import array
from bisect import bisect_left
from datetime import UTC, datetime
from functools import lru_cache
from sys import intern

from physics.jobs.lines import texts_of
from physics.jobs.readers.records import Records

LINE = re.compile(r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Za-z];")
DAY_AND_HOUR = re.compile(r"(\d\d)/(\d\d)/(\d{4}) (\d\d)")
FIELD = re.compile(r'([^\s="]+)=("[^"]*"|\S*)')
#: Types of lines that count: queued, started, ended, put back, deleted, aborted, suspended, and
#: resumed.
TYPES = set("QSERDAzr")
#: By type of line: the field with the same time as the stamp; at an end this is `end`.
REPEATING_FIELD = {"Q": "qtime", "S": "start"}
#: Local times differ from UTC by whole multiples of this [s].
QUARTER = 900
#: Sign of a whole job array in a job's name; its jobs have lines of their own.
PARENT = "[]"
RESOURCES = "Resource_List."
#: Different hours, and texts of a field, whose values are cached.
CACHE_SIZE = 10_000


def is_pbs(lines: list[str]) -> bool:
    """Whether the first lines of a log are in PBS format."""
    return any(LINE.match(line.strip()) for line in lines[:5])


def _stamp(line: str) -> int | None:
    """The stamp of a line, read as UTC [s]; None for a line that does not begin with one.

    >>> _stamp("01/01/1970 00:01:05;Q;7.s;queue=gpu"), _stamp("hello")
    (65, None)
    """
    hour = _hour(line[:13])
    minute = line[14:16]
    second = line[17:19]
    if hour is None or line[13] != ":" or not minute.isdecimal() or not second.isdecimal():
        return None
    return hour + 60 * int(minute) + int(second)


@lru_cache(CACHE_SIZE)
def _hour(text: str) -> int | None:
    """A day and its hour, read as UTC [s]; None for another text."""
    stamp = DAY_AND_HOUR.fullmatch(text)
    if stamp is None:
        return None
    month, day, year, hour = map(int, stamp.groups())
    return int(datetime(year, month, day, hour, tzinfo=UTC).timestamp())


def _moment(kind: str, text: str) -> float:
    """Time in the fields of a line that is the same as its stamp [s]; NaN without one."""
    name = REPEATING_FIELD[kind]
    if '"' in text:
        return _number(_fields(text).get(name))
    _, _, remainder = f" {text}".partition(f" {name}=")
    return _number(remainder.partition(" ")[0])


def _fields(text: str) -> dict[str, str]:
    """Fields of a line by their names."""
    if '"' in text:
        return dict(FIELD.findall(text))
    return dict([word.split("=", 1) for word in text.split() if "=" in word])


class Offsets:
    """Time-zone offsets of the stamps from UTC, by stretches of lines with the same offset."""

    def __init__(self) -> None:
        self.first = array("q")  #: first line of each stretch
        self.last = array("q")  #: its last line
        self.offsets = array("q")  #: its offset [s]

    def add(self, line: int, stamp: int, moment: float) -> None:
        """Record a line's time-zone offset: its stamp minus the moment in its fields, if any."""
        if not moment > 0:
            return
        rounded = QUARTER * round((stamp - moment) / QUARTER)
        if self.offsets and self.offsets[-1] == rounded:
            self.last[-1] = line
        else:
            self.first.append(line)
            self.last.append(line)
            self.offsets.append(rounded)

    def at(self, line: int) -> int:
        """Time-zone offset of the nearest line that has one; 0 if no line has [s]."""
        if not self.offsets:
            return 0
        after = bisect_left(self.last, line)
        if after == len(self.last):
            return self.offsets[-1]
        if after and self.first[after] - line >= line - self.last[after - 1]:
            after -= 1
        return self.offsets[after]


class Job:
    """Data so far about a job that has not ended."""

    __slots__ = ("paused", "queued", "start", "stopped", "texts", "waits_from")

    def __init__(self, waits_from: float) -> None:
        self.texts: list[str] = []  #: fields of its lines, one text per line
        self.queued: tuple[int, int] | None = None  #: stamp and line
        self.waits_from = waits_from  #: end of a run after which it waits again, or NaN [s]
        self.start = math.nan
        self.stopped = 0.0  #: time for which it was suspended [s]
        self.paused = math.nan  #: stamp at which it was suspended, NaN if it is not [s]

    def fields(self, last: dict[str, str] | None = None) -> dict[str, str]:
        """Merged fields of the job's lines, or of the last line alone if it has all fields.

        Args:
            last: Fields of the last line; read here if they are left out.
        """
        if last is None:
            last = _fields(self.texts[-1])
        if "ctime" in last and RESOURCES in self.texts[-1]:
            return last
        merged: dict[str, str] = {}
        for text in self.texts[:-1]:
            merged.update(_fields(text))
        return merged | last


class Accounting:
    """Runs of a log, read line by line."""

    def __init__(self) -> None:
        self.records = Records()
        self.offsets = Offsets()
        self.jobs: dict[str, Job] = {}
        #: end of the last run of each job that was put back [s]
        self.returned: dict[str, float] = {}
        #: rows whose submission or end is a stamp: row, column, stamp, line
        self.stamped: list[tuple[int, str, int, int]] = []
        #: by row whose end is a stamp: time for which the run was suspended [s]
        self.stopped: dict[int, float] = {}

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
        """Add a run with `fields`, by default those of all its job's lines."""
        if fields is None:
            fields = job.fields()
        submit = job.waits_from
        if math.isnan(submit):
            submit = _number(fields.get("ctime"))
        if math.isnan(submit) and job.queued is not None:
            self.stamped.append((len(self.records), "submit", *job.queued))
        self.records.add(
            name,
            submit,
            _number(fields.get("etime")) or math.nan,
            start,
            end,
            end - start - job.stopped,
            kind,
            state,
            _gpus(fields),
            _cpus(fields),
            _hosts(fields.get("exec_host", "")),
            intern(fields.get("user", "")),
            intern(fields.get("account", "").strip('"')),
            intern(fields.get("queue", "")),
            _clock(fields.get("Resource_List.walltime", "")),
        )

    def take(self, number: int, stamp: int, kind: str, name: str, text: str) -> None:
        """Process one line of the log."""
        moment = math.nan
        if kind in REPEATING_FIELD:
            moment = _moment(kind, text)
            self.offsets.add(number, stamp, moment)
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
            self.stamped.append((len(self.records), "end", stamp, number))
            self.add(name, job, "never started", state="CANCELLED")
            del self.jobs[name]

    def _end(self, number: int, stamp: int, kind: str, name: str, job: Job) -> None:
        """Process a line that ends a run, after which the job may wait again."""
        last = _fields(job.texts[-1])
        fields = job.fields(last)
        start = _number(last.get("start"))
        if math.isnan(start):
            start = job.start
        end = _number(last.get("end"))
        self.offsets.add(number, stamp, end)
        if job.paused <= stamp:  # it ended while it was suspended
            job.stopped += stamp - job.paused
        if kind == "E":
            if math.isnan(end):
                self.stopped[len(self.records)] = job.stopped
                self.stamped.append((len(self.records), "end", stamp, number))
            self.add(name, job, "ended", start, end, _state(last), fields)
            del self.jobs[name]
            self.returned.pop(name, None)  # a later job may have the same number
            return
        if math.isnan(end):
            end = float(stamp - self.offsets.at(number))
        if not math.isnan(start):
            self.add(name, job, "put back", start, end, "REQUEUED", fields)
            job.waits_from = end
        job.start = math.nan
        job.stopped = 0.0
        job.paused = math.nan
        self.returned[name] = end

    def finish(self) -> Records:
        """Add the jobs that have not ended, and convert stamps to times."""
        for name, job in self.jobs.items():
            if math.isnan(job.start):
                self.add(name, job, "waiting", state="PENDING")
            else:
                self.add(name, job, "running", job.start, state="RUNNING")
        columns = self.records.columns
        for row, column, stamp, number in self.stamped:
            columns[column][row] = float(stamp - self.offsets.at(number))
            if column == "end" and columns["kind"][row] == "ended":
                span = columns["end"][row] - columns["start"][row]
                columns["elapsed"][row] = span - self.stopped[row]
        return self.records


def records_of(data: bytes) -> Records:
    """Read an accounting log.

    Raises ValueError for an impossible time, such as one in month 13.
    """
    log = Accounting()
    for number, line in texts_of(data):
        text = line.strip()
        kind = text[20:21]
        if kind not in TYPES or text[19] != ";" or text[21:22] != ";":
            continue
        try:
            stamp = _stamp(text)
        except ValueError:
            raise ValueError(f"line {number} must begin with a time, got {text[:40]!r}") from None
        name, _, fields = text[22:].partition(";")
        if stamp is not None and PARENT not in name:
            log.take(number, stamp, kind, name.strip().split(".")[0], fields)
    return log.finish()


def _number(text: str | None) -> float:
    """A whole number, NaN for anything else."""
    if text is not None and text.isdecimal() and len(text) <= 15:
        return float(text)
    return math.nan


@lru_cache(CACHE_SIZE)
def _clock(text: str) -> float:
    """Seconds of [[hours:]minutes:]seconds; NaN for anything else."""
    parts = text.strip('"').split(":")
    seconds = 0.0
    for number in parts:
        if len(parts) > 3 or len(number) > 9 or not (number.isascii() and number.isdigit()):
            return math.nan
        seconds = 60 * seconds + int(number)
    return seconds


def _state(fields: dict[str, str]) -> str:
    """State in sacct's terms for the exit status of a job."""
    status = fields.get("Exit_status", "0")
    if status in ("-29", "-11"):
        return "TIMEOUT"
    if status.isdigit() and len(status) < 6 and int(status) >= 256:
        return "CANCELLED"
    if status == "0":
        return "COMPLETED"
    return "FAILED"


def _gpus(fields: dict[str, str]) -> float:
    """GPUs of a job; 0 if its resources name none, NaN without any resources.

    >>> _gpus({"Resource_List.select": "2:ncpus=8:ngpus=4+1:ncpus=4:ngpus=1"})
    9.0
    >>> _gpus({"Resource_List.nodes": "1:ppn=8:gpus=4+2:ppn=4:gpus=1"})
    6.0
    """
    total = _number(fields.get("Resource_List.ngpus"))
    if not math.isnan(total):
        return total
    for name, key in (("select", "ngpus"), ("nodes", "gpus"), ("nodect", "gpus?")):
        total = _chunks(fields.get(RESOURCES + name, ""), key)
        if total:
            return total
    for name in ("gpus", "gpu"):
        total = _number(fields.get(RESOURCES + name))
        if not math.isnan(total):
            return total
    allocated = re.findall(r":ngpus=(\d{1,6})", fields.get("exec_vnode", ""))
    if allocated:
        return float(sum(map(int, allocated)))
    if any(name.startswith(RESOURCES) for name in fields):
        return 0.0
    return math.nan


def _chunks(text: str, key: str) -> float:
    """Sum over chunks such as 2:ngpus=4 of number times resource; a named node counts once."""
    total = 0.0
    for chunk in text.strip('"').split("+"):
        resource = re.search(rf"(?:^|:){key}=(\d{{1,6}})(?=:|$)", chunk)
        if resource is not None:
            number = re.match(r"\d{1,6}(?=:)", chunk)
            total += int(resource[1]) * int(number[0] if number else 1)
    return total


def _cpus(fields: dict[str, str]) -> float:
    """CPUs of a job, as requested or else counted on its hosts; NaN without either."""
    total = _number(fields.get("Resource_List.ncpus"))
    if not math.isnan(total):
        return total
    count = 0
    for host in fields.get("exec_host", "").split("+"):
        slots = host.partition("/")[2]
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


@lru_cache(CACHE_SIZE)
def _hosts(text: str) -> float:
    """Number of different hosts in a text such as n1/0*8+n2/0*8; NaN for none."""
    hosts = {host.partition("/")[0] for host in text.split("+")} - {""}
    return float(len(hosts)) or math.nan
