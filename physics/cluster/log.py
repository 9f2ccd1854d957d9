"""Reader of a cluster's log in any supported format."""

import hashlib
import re
from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from physics.arguments import MANY
from physics.jobs import read_swf
from physics.jobs.lines import bytes_of
from physics.jobs.readers import as_sacct, recognized
from physics.jobs.readers.plain import plain
from physics.jobs.readers.records import Records
from physics.jobs.sacct import most_common, read_lines, refuse_strangers

#: Longest span of a log [days], so that tables by the hour stay small.
MOST_DAYS = 36_525
#: Classes that a log keeps at most; the jobs of the smallest ones become the class "others".
MOST_CLASSES = 40
#: Units of sizes, and their names in the output of `sacct`.
UNITS = {"GPU": "gres/gpu", "CPU": "cpu", "node": "node"}
#: Submissions from here on are seconds since 1970 whatever the header says: 9 September 2001 [s].
EPOCH = 1_000_000_000
QUEUES = re.compile(r"\d{1,9} [^,]{1,100}(?:, \d{1,9} [^,]{1,100})*")


def read_log(
    source: str | PathLike | bytes | bytearray | BinaryIO,
    resource: str = "auto",
    job_class: str = "partition",
    submit: str = "Submit",
    names: bool = False,
    unfinished: bool = False,
    partition: Collection[str] | str = (),
    gpu_type: str = "",
    cluster: str = "",
    shards_per_gpu: int = 0,
    columns: Mapping[str, str] | None = None,
    preset: str = "",
    timezone: str = "",
) -> pd.DataFrame:
    """Read a cluster's log: output of `sacct`, PBS, the Standard Workload Format, or a table.

    Args:
        source: File, plain, in gzip, or alone in a zip, of at most 20 MB.
        resource, job_class, submit: As `physics.jobs.read_sacct` takes them; a log in the Standard
            Workload Format has one of each.
        names: Whether users and accounts keep their names. Otherwise they are numbered in order of
            appearance: "user 1".
        unfinished: Whether the log includes jobs that still run or wait, see
            `physics.jobs.read_sacct`. The Standard Workload Format has none.
        partition, gpu_type, cluster: Partitions (or queues), type of GPU, and cluster whose jobs
            are read, see `physics.jobs.read_sacct`; by default all.
        shards_per_gpu: Shards that one GPU has, see `physics.jobs.read_sacct`.
        columns, preset, timezone: Meaning of a table's columns, published trace with such columns,
            and time zone of the times, see `physics.jobs.read_records`.

    Returns: The columns of `physics.jobs.read_sacct`, whatever the format. A log in the Standard
    Workload Format has its queue as partition, no account, qos or state, and submit [s] since 1970
    if its header has UnixStartTime. `frame.attrs` holds left_out (records by reason), resource
    ("gpu" or "cpu"), unit (what a size counts: "GPU", "CPU" or "node"), format ("swf",
    "sacct", "pbs" or "table"), dated (whether submit counts from 1970) and digest (SHA-256 of the
    source's bytes), partitions and gpu_types (jobs of each, chosen or not), and the chosen ones as
    partition, gpu_type and, in words, part; of all of an SWF file whose header has
    MaxProcs or else MaxNodes, size [1] and size_name; with unfinished jobs the snapshot [s].

    Raises ValueError as the two readers; for a file beyond 20 MB.
    Raises FileNotFoundError if there is no such file.

    >>> text = b"; UnixStartTime: 3600\\n1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 3 -1 -1 -1\\n"
    >>> jobs = read_log(text)
    >>> jobs[["job_class", "user"]].iloc[0].tolist(), jobs.attrs["format"]
    (['queue 3', 'user 1'], 'swf')
    """
    if isinstance(partition, str):
        partition = partition.split(",")
    chosen = tuple(name.strip() for name in partition if name.strip())
    data = bytes_of(source)
    frame = _read(
        data,
        (columns, preset, timezone),
        resource=resource,
        job_class=job_class,
        submit=submit,
        unfinished=unfinished,
        partition=chosen,
        gpu_type=gpu_type,
        cluster=cluster,
        shards_per_gpu=shards_per_gpu,
    )
    attrs = frame.attrs | {
        "partition": chosen,
        "gpu_type": gpu_type.lower(),
        "part": _part(chosen, gpu_type, cluster),
        "digest": hashlib.sha256(data).hexdigest(),
    }
    if not names:
        frame = numbered(frame)
    frame.attrs = attrs
    return frame


def _read(data: bytes, table: tuple[Any, str, str], **options: Any) -> pd.DataFrame:
    """Read a log in any format; `table` holds the columns, preset and timezone of a table."""
    form, contents = recognized(plain(data), *table)
    if form == "swf":
        for name in ("gpu_type", "cluster"):
            if options[name]:
                raise ValueError(
                    f"{name} must be '' for a log in the Standard Workload Format, got "
                    f"{options[name]!r}"
                )
        return _of_swf(read_swf(plain(data)), options["partition"])
    dated = True
    unknown = 0
    if isinstance(contents, Records):
        runs = contents.frame()
        dated = not len(runs) or bool(runs["submit"].min() >= EPOCH)
        unknown = int((runs["gpus"].isna() & runs["kind"].isin(("ended", "put back"))).sum())
        contents = b""  # so that memory never holds three copies of a large log
        contents, parts = as_sacct(runs)
        del runs
        options["shards_per_gpu"] = parts or options["shards_per_gpu"]
    frame = read_lines(contents, most=MANY, **options)
    unit = frame.attrs["resource"].upper()
    frame.attrs = {"unit": unit} | frame.attrs | {"format": form, "dated": dated}
    _tell_unknown(frame.attrs["left_out"], unknown)
    return frame


def _tell_unknown(left_out: dict[str, int], unknown: int) -> None:
    """Count jobs whose GPUs are not recorded apart from jobs without GPUs."""
    without = left_out.get("no GPUs", 0)
    unknown = min(unknown, without)
    if unknown:
        left_out["GPUs not recorded"] = unknown
        left_out["no GPUs"] = without - unknown
        if unknown == without:
            del left_out["no GPUs"]


def _part(partition: Collection[str], gpu_type: str, cluster: str = "") -> str:
    """Describe the chosen part of a log.

    >>> _part(("gpu", "long"), "A100"), _part((), "")
    ('partitions gpu, long on a100 GPUs', '')
    """
    texts = []
    if partition:
        texts.append(f"partition{'s' * (len(partition) > 1)} {', '.join(partition)}")
    if gpu_type:
        texts.append(f"{gpu_type.lower()} GPUs")
    if cluster:
        texts.append(f"cluster {cluster}")
    return " on ".join(texts)


def size_of(header: Mapping[str, str]) -> dict[str, Any]:
    """Size of the machine in an SWF file's header, and the name of its field; {} without one."""
    for name in ("MaxProcs", "MaxNodes"):
        match = re.match(r"0*([1-9][0-9]{0,8})(?=$|[\s,;(])", header.get(name, ""))
        if match:
            return {"size": int(match[1]), "size_name": name}
    return {}


def _of_swf(frame: pd.DataFrame, partition: tuple[str, ...]) -> pd.DataFrame:
    """Convert a frame of `read_swf` to a log with the jobs of some of its queues."""
    header = frame.attrs["header"]
    left_out = frame.attrs["left_out"]
    start = header.get("UnixStartTime", "").strip()
    begin = 0
    since_1970 = float(frame["submit"].min()) >= EPOCH
    if not since_1970 and start.isascii() and start.isdigit() and len(start) <= 12:
        begin = int(start)
    dated = begin > 0 or since_1970
    classes = frame["job_class"]
    if QUEUES.fullmatch(header.get("Queues", "")):
        queues = dict(queue.split(" ", 1) for queue in header["Queues"].split(", "))
        names = {f"queue {number}": name for number, name in queues.items()}
        classes = classes.map(names).fillna(classes)
    classes = classes.to_numpy(object)
    users = [str(user) if user >= 0 else "" for user in frame["user"].tolist()]
    blank = np.full(len(frame), "", dtype=object)
    frame = frame.assign(
        submit=frame["submit"] + begin,
        user=np.array(users, dtype=object),
        job_class=classes,
        partition=classes,
        account=blank,
        qos=blank,
        state=blank,
        elapsed=frame["runtime"],
    )
    size = size_of(header)
    attrs = {
        "left_out": left_out,
        "resource": "cpu",
        "unit": "CPU",
        "format": "swf",
        "dated": dated,
        "partitions": most_common(classes),
        "gpu_types": {},
    }
    if size.get("size_name") == "MaxNodes":
        attrs["unit"] = "node"  # the header counts nothing smaller
    refuse_strangers("partition", partition, classes)
    jobs = len(frame)
    if partition:
        frame = frame[frame["partition"].isin(partition)].reset_index(drop=True)
    else:
        attrs |= size
    if len(frame) < jobs:
        left_out["in other partitions"] = jobs - len(frame)
    frame.attrs = attrs
    return frame


def unit_of(jobs: pd.DataFrame) -> str:
    """Unit of the sizes in a log from `read_log`: "GPU", "CPU", or "node".

    "GPU" if the log lacks one.
    """
    unit = jobs.attrs.get("unit", str(jobs.attrs.get("resource")).upper())
    if unit in UNITS:
        return unit
    return "GPU"


def numbered(jobs: pd.DataFrame) -> pd.DataFrame:
    """Replace names of users and accounts by numbers in order of appearance, such as "user 1".

    Classes are numbered likewise if they are the users or the accounts.

    >>> jobs = pd.DataFrame({"user": ["eve", "ann", "eve", ""], "job_class": ["a", "b", "a", "a"]})
    >>> numbered(jobs)["user"].tolist()
    ['user 1', 'user 2', 'user 1', '']
    """
    new = {}
    for column in [name for name in ("user", "account") if name in jobs]:
        names = jobs[column]
        codes = pd.factorize(names.where(names != ""))[0]  # −1 without a name
        numbers = [f"{column} {number}" for number in range(1, codes.max(initial=-1) + 2)]
        new[column] = np.array(["", *numbers], dtype=object)[codes + 1]
        if "job_class" in jobs and numbers and (jobs["job_class"] == names)[codes >= 0].all():
            new["job_class"] = np.where(codes >= 0, new[column], jobs["job_class"])
    frame = jobs.assign(**new)
    frame.attrs = dict(jobs.attrs)
    return frame


def few_classes(jobs: pd.DataFrame) -> pd.DataFrame:
    """Merge the classes with the fewest jobs as "others", so that at most `MOST_CLASSES` remain.

    >>> jobs = pd.DataFrame({"job_class": [f"user {i}" for i in range(50)] + ["user 7"]})
    >>> names = few_classes(jobs)["job_class"]
    >>> names.nunique(), int((names == "others").sum()), names[7]
    (40, 11, 'user 7')
    """
    classes = jobs["job_class"]
    names = classes.value_counts().index
    if len(names) <= MOST_CLASSES:
        return jobs
    return jobs.assign(job_class=classes.where(classes.isin(names[: MOST_CLASSES - 1]), "others"))
