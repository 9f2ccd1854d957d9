"""Text fields of Slurm's accounting: times, durations, limits, and sizes.

Reference: SchedMD, "sacct", manual page of Slurm 24.05.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from sys import intern

import numpy as np

#: Texts for a time that has not come.
NOT_YET = {"", "unknown", "none", "n/a"}
TRES = ("alloctres", "reqtres")
GRES = ("allocgres", "reqgres")
RESOURCES = (*TRES, *GRES)
CPUS = ("alloccpus", "ncpus", "reqcpus")
NODES = ("allocnodes", "nnodes", "reqnodes")
DURATION = re.compile(
    r"(?:([0-9]{1,7})-)?([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?(\.[0-9]{1,9})?"
)
TRES_PART = re.compile(r"(?<![^,\s])(cpu|node|gres/gpu(?::[^=,]*)?)=([0-9]{1,18})(?![^,\s])")
#: Names of GPUs among generic resources; Slurm 18 and others printed its internal number of the
#: name.
GPU = ("gpu", "7696487")
#: Profile of a slice of a GPU, as in a100_1g.10gb; its first number counts compute slices.
PROFILE = re.compile(r"(?:^|[_.-])([1-7]g\.[0-9]+gb)")
#: Parts of a GPU, and of a compute slice where a GPU has seven slices, or four as an A30 has.
PARTS = 28
OF_SEVEN = 4
OF_FOUR = 7
A30 = ("1g.6gb", "2g.12gb", "4g.24gb")
SHARD = re.compile(r"(?:^|[,/\s])shard(:[^=:,]*)?[=:]([0-9]{1,9})")
#: GPUs as Slurm 20.02 printed generic resources: of the whole job, or of each of its parts.
PER = re.compile(r"(?<!\S)per_(job|node|socket|task):(\S*gpu\S*)")

#: Different texts of a field whose values are cached.
MOST_KNOWN = 10_000

#: The columns that a log has, by their names in small letters.
Columns = Mapping[str, Sequence[str]]


def times(texts: Sequence[str], numbers: list[int], name: str) -> np.ndarray:
    """Convert a column of times to seconds since 1970; NaN for an event that has not happened."""
    seconds = np.empty(len(texts))
    for i, text in enumerate(texts):
        try:
            seconds[i] = _time(text.strip())
        except (ValueError, OverflowError):
            raise ValueError(
                f"line {numbers[i]} must hold a time in {name.title()}, got {text[:40]!r}; a time "
                "such as 2024-05-01T08:00:00 can be read, as printed with "
                "SLURM_TIME_FORMAT=standard"
            ) from None
    return seconds


def _time(text: str) -> float:
    """Seconds since 1970 of one time: seconds already, or a date with or without an offset."""
    if text.isdecimal() and text.isascii() and len(text) <= 12:
        return float(text)
    if "-" in text:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if text.lower() in NOT_YET:
        return math.nan
    if not re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", text):
        raise ValueError(text)
    return float(text)


@lru_cache(MOST_KNOWN)
def _duration(text: str) -> float:
    """Seconds of [days-][hours:]minutes:seconds, days-hours[:minutes] or minutes; 0 for others."""
    duration = DURATION.fullmatch(text.strip())
    if not duration:
        return 0.0
    days, first, second, third, fraction = duration.groups("0")
    seconds = 3600 * int(first) + 60 * int(second) + int(third)
    if duration[1] is None and duration[4] is None:  # minutes come first
        seconds = 60 * int(first) + int(second)
    return 86400 * int(days) + seconds + float(fraction)


def state_of(text: str) -> str:
    """Return a job's state, the first word of a text such as "CANCELLED by 302137".

    >>> state_of("CANCELLED by 302137"), state_of("")
    ('CANCELLED', '')
    """
    words = text.upper().split(maxsplit=1) or [""]
    return words[0].rstrip("+")


def _whole(text: str) -> int:
    """A whole number, or 0 for anything else."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    return 0


def _first_values(columns: Columns, readers: Mapping[str, Callable[[str], object]]) -> list:
    """Value of each record in the first column that has one; the last column's 0, "" or None else.

    Args:
        readers: Function that converts a field, for each column in order of preference.
    """
    first, *others = [name for name in readers if name in columns] or [""]
    if not first:
        return [0] * len(columns["state"])
    values = list(map(readers[first], columns[first]))
    for name in others:
        if not all(values):
            pairs = zip(values, columns[name], strict=True)
            values = [value or readers[name](text) for value, text in pairs]
    return values


def elapsed(columns: Columns) -> np.ndarray:
    """Elapsed time of each record, up to now if the job is running [s]; NaN if unknown."""
    return _seconds(columns, {"elapsedraw": _whole, "elapsed": _duration})


def limits(columns: Columns) -> np.ndarray:
    """Time limit of each record [s]; NaN for none, as UNLIMITED and Partition_Limit are."""
    return _seconds(
        columns, {"timelimit": _duration, "timelimitraw": lambda text: 60 * _whole(text)}
    )


def suspended(columns: Columns) -> np.ndarray:
    """Time that each job was suspended [s]; 0 if not recorded."""
    return np.array(_first_values(columns, {"suspended": _duration}), float)


def _seconds(columns: Columns, readers: Mapping[str, Callable[[str], float]]) -> np.ndarray:
    """Length of time of each record [s]; NaN where no column has one."""
    seconds = np.array(_first_values(columns, readers), float)
    return np.where(seconds > 0, seconds, math.nan)


@lru_cache(MOST_KNOWN)
def trackable(text: str) -> tuple[int, int, int, dict[str, int]]:
    """Numbers of GPUs, CPUs, and nodes in a text of trackable resources, and GPUs by type.

    >>> trackable("cpu=160,gres/gpu=8,gres/gpu:a100=8,node=2")
    (8, 160, 2, {'a100': 8})
    """
    gpus = cpus = nodes = 0
    typed: dict[str, int] = {}
    for name, value in TRES_PART.findall(text.lower()):
        if name == "cpu":
            cpus = int(value)
        elif name == "node":
            nodes = int(value)
        elif name == "gres/gpu":
            gpus = int(value)
        else:
            typed[name[9:]] = typed.get(name[9:], 0) + int(value)
    return gpus or sum(typed.values()), cpus, nodes, typed


def _tracked(index: int, text: str) -> int:
    """GPUs, CPUs, or nodes in a text of trackable resources, by an index from 0 to 2."""
    gpus, cpus, nodes, _ = trackable(text)
    return (gpus, cpus, nodes)[index]


def _of_one(text: str) -> tuple[str, str]:
    """Owner of generic resources, "job", "node", "socket" or "task", and the resources of each.

    Of several forms with blanks between them, the one closest to the total counts.

    >>> _of_one("PER_TASK:gpu:1 PER_NODE:gpu:2"), _of_one("gpu:2")
    (('node', 'gpu:2'), ('job', 'gpu:2'))
    """
    forms = dict(PER.findall(text.lower()))
    for owner in ("job", "node", "task", "socket"):
        if owner in forms:
            return owner, forms[owner]
    return "job", text.lower()


def generic(text: str) -> dict[str, int]:
    """Numbers of GPUs by type in a text of generic resources; no number means one GPU.

    The type is "" where none is named.

    >>> generic("gpu:P100:2(IDX:1,3)"), generic("gpu:4,shard:8"), generic("gpu")
    ({'p100': 2}, {'': 4}, {'': 1})
    """
    gpus: dict[str, int] = {}
    for resource in re.sub(r"\([^()]*\)", "", _of_one(text)[1]).split(","):
        name, *more = resource.strip().removeprefix("gres:").removeprefix("gres/").split(":")
        if name in GPU:
            number = 1
            if more and more[-1].isdigit():
                number = _whole(more.pop())
            kind = "".join(more[:1])
            gpus[kind] = gpus.get(kind, 0) + number
    return gpus


def _generic_gpus(text: str) -> int:
    """GPUs of generic resources of all types."""
    return sum(generic(text).values())


def _types(tres: bool, text: str) -> dict[str, int]:
    """GPUs by type in a field of trackable or of generic resources."""
    return trackable(text)[3] if tres else generic(text)


@lru_cache(MOST_KNOWN)
def _kinds(tres: bool, text: str) -> str:
    """Types of GPU that a field names, joined by "+"."""
    return "+".join(sorted(kind for kind, number in _types(tres, text).items() if kind and number))


def types(columns: Columns) -> list[str]:
    """GPU types of each record, joined by "+"; "" if none is given."""
    kinds = _first_values(columns, {name: partial(_kinds, name in TRES) for name in RESOURCES})
    return [kind or "" for kind in kinds]


@lru_cache(MOST_KNOWN)
def slices_of(kind: str) -> int:
    """Compute slices of a GPU type; 0 for a whole GPU.

    >>> slices_of("a100_3g.40gb"), slices_of("1c.3g.20gb"), slices_of("a100")
    (3, 3, 0)
    """
    profile = PROFILE.search(kind)
    return int(profile[1][0]) if profile else 0


@lru_cache(MOST_KNOWN)
def parts_of(kind: str) -> int:
    """Parts (`PARTS`) of a GPU in a slice type; 0 for a whole GPU.

    >>> parts_of("a100_3g.40gb"), parts_of("a30_4g.24gb"), parts_of("a100")
    (12, 28, 0)
    """
    number = slices_of(kind)
    profile = PROFILE.search(kind)
    if profile is not None and profile[1] in A30:
        return number * OF_FOUR
    return number * OF_SEVEN


@lru_cache(MOST_KNOWN)
def _sliced(tres: bool, text: str) -> tuple[int, int] | None:
    """Slices of GPUs that a field names, and their parts of a GPU; None without a GPU."""
    typed = _types(tres, text)
    if not any(typed.values()) and not (tres and trackable(text)[0]):
        return None
    sliced = 0
    parts = 0
    for kind, number in typed.items():
        if slices_of(kind):
            sliced += number
            parts += number * parts_of(kind)
    return sliced, parts


def slices(columns: Columns) -> np.ndarray:
    """GPU slices of each record, and their parts (`PARTS`) of a GPU: two rows [1]."""
    pairs = _first_values(columns, {name: partial(_sliced, name in TRES) for name in RESOURCES})
    return np.array([pair or (0, 0) for pair in pairs], np.int64).reshape(-1, 2).T


def shards(columns: Columns) -> np.ndarray:
    """GPU shards of each record [1]; 0 if none are given."""
    return np.array(_first_values(columns, dict.fromkeys(RESOURCES, _shards)), np.int64)


@lru_cache(MOST_KNOWN)
def _shards(text: str) -> int:
    """Shards in a text of resources; those named by type are the same ones again."""
    shards = SHARD.findall(text.lower())
    total = sum(int(number) for kind, number in shards if not kind)
    return total or sum(int(number) for _, number in shards)


def sizes(columns: Columns) -> dict[str, list[int]]:
    """GPUs, CPUs, and nodes of each record; 0 if none are given."""
    counts: dict[str, list[int]] = {}
    kinds = (("gpu", GRES, _generic_gpus), ("cpu", CPUS, _whole), ("node", NODES, _whole))
    for index, (kind, names, read) in enumerate(kinds):
        readers = dict.fromkeys(TRES, partial(_tracked, index))
        counts[kind] = _first_values(columns, readers | dict.fromkeys(names, read))
    # A text of generic resources may give the GPUs of each node or task instead of the job's.
    forms: dict[str, Callable[[str], object]] = dict.fromkeys(TRES, partial(_tracked, 0))
    forms |= dict.fromkeys(GRES, lambda text: _generic_gpus(text) and text)
    tasks = _first_values(columns, {"ntasks": _whole})
    for i, text in enumerate(_first_values(columns, forms)):
        owner = _of_one(str(text))[0]
        if owner == "node":
            counts["gpu"][i] *= max(1, counts["node"][i])
        elif owner == "task":
            counts["gpu"][i] *= tasks[i]
        elif owner == "socket":  # no log has the number of sockets
            counts["gpu"][i] = 0
    return counts


def uncounted(columns: Columns, gpus: Sequence[int]) -> np.ndarray:
    """Whether each record names GPUs per socket or task, but not how many of these it has.

    Args:
        gpus: GPUs of each record by `sizes`.
    """
    names_gpus = _first_values(columns, dict.fromkeys(RESOURCES, _names_gpus))
    return np.array(names_gpus, bool) & (np.array(gpus) == 0)


@lru_cache(MOST_KNOWN)
def _names_gpus(text: str) -> bool:
    """Whether a text names GPUs per socket or task."""
    return _of_one(text)[0] in ("socket", "task") and _generic_gpus(text) > 0


def columns_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Columns:
    """Columns of several rows by name; if two columns have the same name, the first counts."""
    return dict(reversed(list(zip(names, zip(*rows, strict=True), strict=True))))


def texts(columns: Columns, name: str, default: str = "") -> np.ndarray:
    """A column's texts without surrounding blanks; the default for empty texts or no column."""
    fields = columns.get(name, [""] * len(columns["state"]))
    return np.array([intern(text.strip() or default) for text in fields], dtype=object)


def fractions(jobs: dict[str, np.ndarray], keep: np.ndarray, shards_per_gpu: int) -> dict:
    """Count slices of GPUs, and shards if it is known how many a GPU has, as parts of a GPU."""
    on_slices = keep & (jobs["sliced"] > 0)
    on_shards = keep & (jobs["shards"] > 0) & (shards_per_gpu > 0)
    if not on_slices.any() and not on_shards.any():
        return {}
    parts = PARTS // math.gcd(PARTS, *set(jobs["parts"][on_slices].tolist()))
    size = jobs["gpu"] - jobs["sliced"] + jobs["parts"] / PARTS
    if on_shards.any():
        parts = math.lcm(parts, shards_per_gpu)
        size = size + jobs["shards"] / shards_per_gpu
    jobs["size"] = np.round(size * parts) / parts
    return {"parts": parts, "sliced": int(on_slices.sum()), "sharded": int(on_shards.sum())}
