"""A recorded workload replayed: simulated waits beside those that were recorded."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from physics import constants as c
from physics import pace
from physics.jobs import read_swf
from physics.scheduling import Policy, class_table, simulate
from physics.sealed import Sealed

#: Queues that are listed.
MOST_QUEUES = 11
ALL = "all jobs"


@dataclass(frozen=True, eq=False)
class Trace:
    """A file in the Standard Workload Format: what a page shows of it, and its jobs for a replay."""

    jobs: Sealed[pd.DataFrame] = field(repr=False)
    digest: str  #: SHA-256 of the file
    count: int  #: jobs
    queues: int
    widest: int  #: processors of the widest job [1]
    span: float  #: from the first submission to the last, and a mean run time [s]
    work: float  #: Σ processors × run time [s]
    header: Mapping[str, str]
    left_out: Mapping[str, int]  #: jobs left out, by reason


def read_trace(data: bytes, most: int) -> Trace:
    """Read a file with a limited number of jobs, or raise ValueError with one sentence that says why not.

    >>> read_trace(b"1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1", 10).work
    240.0
    """
    jobs = read_swf(data, most)
    submit, runtime = jobs["submit"], jobs["runtime"]
    return Trace(
        jobs=Sealed.of(jobs),
        digest=hashlib.sha256(data).hexdigest(),
        count=len(jobs),
        queues=jobs["job_class"].nunique(),
        widest=int(jobs["gpus"].max()),
        span=float(submit.max() - submit.min()) + float(runtime.mean()),
        work=float((jobs["gpus"] * runtime).sum()),
        header=jobs.attrs["header"],
        left_out=jobs.attrs["left_out"],
    )


def replay(jobs: Sealed[pd.DataFrame], processors: int, policy: Policy, exact: bool = False) -> pd.DataFrame:
    """Simulate a trace on some processors, by its estimates or exact ones.

    Returns: `physics.scheduling.class_table` of all jobs and of each of the first queues, and of the same jobs'
    recorded waits recorded_mean, recorded_median [s] and recorded_within (share within the target [1]); NaN without
    any.

    >>> trace = read_trace(b"1 0 10 60 4 -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1", 10)
    >>> replay(trace.jobs, 4, Policy()).loc["all jobs", ["mean_wait", "recorded_mean"]].tolist()
    [0.0, 10.0]
    """
    jobs = jobs.open()
    run = simulate(jobs.assign(estimate=jobs["runtime"]) if exact else jobs, processors, policy)
    parts = {ALL: run.jobs.assign(job_class=ALL)}
    names = sorted(jobs["job_class"].unique())
    if len(names) > 1:
        parts |= {name: run.jobs[(run.jobs["job_class"] == name).to_numpy()] for name in names[:MOST_QUEUES]}
    tables = []
    for part in parts.values():
        pace.step()
        tables.append(class_table(replace(run, jobs=part)))
    both = pd.concat(tables)
    recorded = [part["recorded_wait"] for part in parts.values()]
    both["recorded_mean"] = [_mean(waits) for waits in recorded]
    both["recorded_median"] = [float(waits.median()) for waits in recorded]
    both["recorded_within"] = [
        float((waits.dropna() <= c.INTERACTIVE_TARGET).mean()) if waits.notna().any() else np.nan for waits in recorded
    ]
    return both


def _mean(waits: pd.Series) -> float:
    return float(waits.mean()) if waits.notna().any() else np.nan
