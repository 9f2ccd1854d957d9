"""Convert the output of `sacct --json`, of any data parser version, to delimited records.

Reference: SchedMD, Slurm's data_parser plugins v0.0.36 to v0.0.43. Up to v0.0.38 the field
time.start holds the time at which the job was eligible.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from physics import pace
from physics.jobs.readers.plain import unpacked
from physics.jobs.readers.refusals import SACCT, refuse_json

#: Most bytes of a JSON text, most characters of one job in it, and those read first.
MOST_JSON = 220_000_000
MOST_OF_JOB = 4_000_000
FIRST_OF_JOB = 8_192
#: Numbers for a time that has not come, in 32 and 64 bits.
NO_VALUE = {4294967294, 4294967295, 18446744073709551614, 18446744073709551615}
#: First version of the data parser whose time.start is the start.
TRUE_START = 39
JOBS = re.compile(r'"jobs"\s*:\s*\[')
VERSION = re.compile(r"(?:data_parser/|openapi/(?:db)?)v0\.0\.([0-9]{1,3})")
HEADER = (
    "JobID|Cluster|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|Suspended|"
    "State|TimelimitRaw|AllocTRES|ReqTRES"
)
BLANKS = re.compile(r"[\s,]*")


def json_with_bars(data: bytes) -> bytes:
    """Convert the jobs in JSON from `sacct` to lines of `sacct --parsable2`.

    Raises ValueError for another JSON text, by its name where it is recognized, and for one that
    breaks off.
    """
    text = unpacked(data, MOST_JSON).decode("utf-8", "replace")
    jobs = JOBS.search(text)
    if jobs is None or '"submission"' not in text[jobs.end() : jobs.end() + 4 * MOST_OF_JOB]:
        if jobs is not None and not text[jobs.end() :].lstrip("] }\n\r\t"):
            raise ValueError(f"source must hold at least one job, got none; print it with {SACCT}")
        refuse_json(text)
        raise AssertionError
    version = VERSION.search(text[:20_000]) or VERSION.search(text[-20_000:])
    if version is not None:
        true_start = int(version[1]) >= TRUE_START
    else:
        true_start = '"Slurm"' not in text[:20_000] + text[-20_000:]
    rows = [HEADER]
    for number, job in enumerate(_jobs(text, jobs.end()), 1):
        if number % 100 == 0:
            pace.step()
        rows.append(_row(job, true_start))
    return "\n".join(rows).encode()


def _jobs(text: str, index: int) -> Iterator[dict]:
    """Yield the objects of an array one at a time, from an index of the text on."""
    decoder = json.JSONDecoder()
    usual_size = FIRST_OF_JOB
    while True:
        blank = BLANKS.match(text, index)
        if blank is not None:
            index = blank.end()
        if text[index : index + 1] == "]":
            return
        size = usual_size
        while True:
            piece = text[index : index + size]
            try:
                job, length = decoder.raw_decode(piece)
                break
            except (ValueError, RecursionError) as error:
                if isinstance(error, RecursionError) or size >= MOST_OF_JOB or len(piece) < size:
                    raise ValueError(
                        f"source must be whole JSON with jobs of at most {MOST_OF_JOB:,} signs, "
                        f"got another from sign {index:,} on"
                    ) from None
                size *= 8
        if not isinstance(job, dict):
            raise ValueError(f"source must hold jobs as objects, got {piece[:40]!r}")
        yield job
        index += length
        usual_size = 2 * length


def _number(value: Any) -> float:
    """A number, also one in an object with the keys number, set and infinite; NaN for none."""
    if isinstance(value, dict):
        if value.get("infinite") or value.get("set", True) is False:
            return math.nan
        value = value.get("number")
    if isinstance(value, bool) or not isinstance(value, int | float) or value in NO_VALUE:
        return math.nan
    return float(value)


def _inner(job: dict, name: str) -> dict:
    """An object within an object; an empty one where there is none."""
    inner = job.get(name)
    return inner if isinstance(inner, dict) else {}


def _text(value: Any) -> str:
    """Text or whole number as a short text without bars and line breaks; "" for another value."""
    if isinstance(value, int):
        value = str(value)
    if not isinstance(value, str):
        return ""
    return " ".join(value[:300].replace("|", " ").split())


def _whole(value: float, otherwise: str = "None") -> str:
    """A number above zero without decimals, or else another text."""
    return f"{value:.0f}" if value > 0 else otherwise


def _tres(job: dict, name: str) -> str:
    """Trackable resources of a job in sacct's text format, such as "cpu=8,gres/gpu=2"."""
    entries = _inner(job, "tres").get(name)
    if not isinstance(entries, list):
        return ""
    resources = []
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        number = _number(entry.get("count"))
        kind = _text(entry.get("type"))
        label = _text(entry.get("name")).replace(",", " ")
        if number >= 0 and kind in ("cpu", "node") and not label:
            resources.append(f"{kind}={number:.0f}")
        elif number >= 0 and kind == "gres" and label:
            resources.append(f"gres/{label}={number:.0f}")
    return ",".join(resources)


def _job_name(job: dict) -> str:
    """Identity of a job in sacct's text format: its number, also with a task or a component."""
    array = _inner(job, "array")
    owner = _number(array.get("job_id"))
    if owner > 0:
        task = _number(array.get("task_id"))
        waiting = _text(array.get("task"))
        if task >= 0 and not waiting:
            return f"{owner:.0f}_{task:.0f}"
        if re.fullmatch(r"[0-9,:%-]+", waiting):
            return f"{owner:.0f}_[{waiting}]"
    het = _inner(job, "het")
    leader = _number(het.get("job_id"))
    if leader > 0:
        offset = _number(het.get("job_offset"))
        return f"{leader:.0f}+{_whole(offset, '0')}"
    return _text(job.get("job_id"))


def _row(job: dict, true_start: bool) -> str:
    """One job as a line with the fields of `HEADER`."""
    time = _inner(job, "time")
    (submit, eligible, start, end, elapsed, suspended) = (
        _number(time.get(name))
        for name in ("submission", "eligible", "start", "end", "elapsed", "suspended")
    )
    state = _inner(job, "state").get("current", job.get("state"))
    if isinstance(state, list):
        state = state[0] if state else ""
    state = _text(state).upper()
    if not true_start and start > 0:
        if end > 0 and elapsed > 0:
            start = end - elapsed - (suspended if suspended > 0 else 0)
        elif state in ("PENDING", "CANCELLED") or end > 0:
            start = math.nan
        else:
            start = _first_step(job, start)
    fields = [
        _job_name(job),
        *(_text(job.get(name)) for name in ("cluster", "user", "account", "partition", "qos")),
        *map(_whole, (submit, eligible, start, end)),
        _whole(elapsed, "0"),
        f"0:0:{_whole(suspended, '0')}",
        state,
        _whole(_number(time.get("limit")), "UNLIMITED"),
        _tres(job, "allocated"),
        _tres(job, "requested"),
    ]
    return "|".join(fields)


def _first_step(job: dict, otherwise: float) -> float:
    """Start of a job's first step [s]; another start if no step has one."""
    steps = job.get("steps")
    starts = []
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict):
            starts.append(_number(_inner(step, "time").get("start")))
    return min((start for start in starts if start > 0), default=otherwise)
