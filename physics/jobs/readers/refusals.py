"""Rejection of unsupported log formats, with their names and a way to convert them."""

import re
from collections.abc import Sequence

__all__ = ["NAMED", "SACCT", "Unreadable", "refuse_json", "refuse_text", "unreadable"]

SACCT = (
    "sacct -a -X -D -P -S now-365days -E now -o "
    "JobID,User,Account,Partition,QOS,Submit,Eligible,Start,End,"
    "ElapsedRaw,State,TimelimitRaw,AllocTRES,ReqTRES"
)
NAMED = "--columns job=job,user=user,submit=submit,start=start,end=end,gpus=gpus"
SIX = f"write job, user, submit, start, end and gpus of each job into six columns and read them with {NAMED}"
CONDOR = (
    "condor_history -af:h, ClusterId Owner QDate JobCurrentStartDate CompletionDate RequestGPUs"
    " > jobs.csv, and read that with --columns "
    "job=ClusterId,user=Owner,submit=QDate,start=JobCurrentStartDate,"
    "end=CompletionDate,gpus=RequestGPUs"
)
#: What a text shows in its first lines, its name, and the way to a log that is read.
TEXTS: Sequence[tuple[str, str, str]] = (
    (r'"JOB_(?:FINISH|NEW|START)"', "LSF's accounting (lsb.acct)", SIX),
    (
        r"\*\*\* Offset = |^(?:[Cc]luster[Ii]d|[Mm]y[Tt]ype|[Gg]lobal[Jj]ob[Ii]d) *= ",
        "HTCondor's history",
        f"print {CONDOR}",
    ),
    (
        r"ID\s+OWNER\s+SUBMITTED\s+RUN_TIME",
        "condor_history's short list, which has no year and, unlike -json and -long, no GPUs",
        f"print {CONDOR}",
    ),
    (r"^NAME(?:SPACE)?\s.*COMPLETIONS\s+DURATION\s+AGE", "the list of kubectl get jobs", SIX),
    (r"^(?:NAMESPACE\s+)?NAME\s+QUEUE\s+RESERVED IN", "the list of kubectl get workloads", SIX),
    (
        r"^\s*JOBID\s+PARTITION\s+NAME\s+USER\s+ST\s",
        "squeue's list, which has no times",
        f"print it with {SACCT}",
    ),
    (
        r"^\s*JOBID\s+FROM_HOST|^JOBID\s+USER\s+STAT\s+QUEUE",
        "LSF's list of jobs (bjobs, bhist)",
        SIX,
    ),
    (r"^\s*JOBID\s+USER\s+NAME\s+ST\s+NTASKS", "Flux's list of jobs", SIX),
    (r"^job-ID\s+prior\s+name\s+user", "Grid Engine's qstat, which has no ends", SIX),
    (
        r"^(?:job_name,(?:inst_id|inst_num|task_name)|[^,\n]*,[0-9a-f]{16,}[^,\n]*,[0-9a-f]{8,},(?:Terminated|Failed|Running|Waiting),)",
        "a table of PAI 2020, whose jobs, tasks and instances have to be joined",
        SIX,
    ),
)
#: Keys of the objects in a JSON text, its name, and the way.
KEYS: Sequence[tuple[frozenset[str], str, str]] = (
    (frozenset({"jobid", "attempts"}), "the Philly trace's jobs", SIX),
    (frozenset({"QDate"}), "HTCondor's history", f"print {CONDOR}"),
    (frozenset({"t_submit"}), "Flux's jobs", SIX),
    (frozenset({"owner", "submission_time"}), "Grid Engine 9's accounting", SIX),
    (frozenset({"job_number", "qname"}), "Grid Engine 9's accounting", SIX),
    (
        frozenset({"job_state", "submit_time"}),
        "squeue's JSON, which holds no ended jobs",
        f"print it with {SACCT}",
    ),
)


def refuse_text(lines: Sequence[str]) -> None:
    """Raise ValueError for the first lines of a recognized but unsupported format."""
    text = "\n".join(lines)[:100_000]
    for pattern, name, way in TEXTS:
        if re.search(pattern, text, re.MULTILINE):
            raise ValueError(f"source must be a log that can be read, got {name}; {way}")
    for line in lines:
        fields = line.split(":")
        if (
            not line.startswith("#")
            and len(fields) >= 43
            and _number(fields[5])
            and _number(fields[8])
        ):
            raise ValueError(
                "source must be a log that can be read, got Grid Engine's accounting (SGE, "
                f"UGE); {SIX}"
            )
    words = lines[0].lower().split() if lines else []
    if "jobid" in words and "|" not in lines[0]:
        raise ValueError(
            f"source must hold times, got sacct's table with {' '.join(words)[:60]!r}; print it "
            f"with {SACCT}"
        )


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def refuse_json(text: str) -> None:
    """Raise ValueError for a JSON text that is not sacct's, with its name if it is recognized."""
    head = text[:200_000]
    keys = set(re.findall(r'"([A-Za-z_]{1,40})"\s*:', head))
    if re.search(r'"kind"\s*:\s*"Workload(?:List)?"', head):
        raise ValueError(f"source must be a log that can be read, got Kueue's workloads; {SIX}")
    if re.search(r'"kind"\s*:\s*"(?:Job|CronJob|Pod)(?:List)?"', head):
        raise ValueError(f"source must be a log that can be read, got objects of kubectl; {SIX}")
    for some, name, way in KEYS:
        if some <= keys:
            raise ValueError(f"source must be a log that can be read, got {name}; {way}")
    raise ValueError(
        "source must be a log that can be read, got JSON that is none of sacct; print it with "
        f"{SACCT}, or {SIX}"
    )


class Unreadable(ValueError):
    """Error for an unrecognized text, which may be a table whose columns must be named."""


def unreadable(lines: Sequence[str]) -> Unreadable:
    """Return the error for an unrecognized text."""
    shown = lines[0][:40] if lines else ""
    return Unreadable(
        f"source must be a log that can be read, got {shown!r}; print one with {SACCT}, or name "
        "the columns of a "
        f"table with {NAMED}"
    )
