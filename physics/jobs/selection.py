"""Selection of the requested jobs among a log's records."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

#: Most partitions or types of GPU in a list.
MOST_LISTED = 100
#: If so many jobs start at the log's first start, the log is cut off there.
MANY_AT_ONCE = 5
#: States of jobs that somebody gave up before they started.
GIVEN_UP = {"CANCELLED", "DEADLINE"}
#: States of records without an end, and the reason for which those are left out.
UNENDED = {"PENDING": "never started", "RUNNING": "still running", "SUSPENDED": "still running"}
#: States of runs after which a job may wait again.
PUT_BACK = {"REQUEUED", "PREEMPTED", "NODE_FAIL"}


class Names(tuple):
    """Names of a log's jobs, row by row; immutable, so that copies of a frame share them."""

    def __deepcopy__(self, memo: dict) -> "Names":
        return self


def most_common(texts: np.ndarray) -> dict[str, int]:
    """Count each text, most frequent first, except empty texts and comma-separated lists."""
    counts = pd.Series(texts, dtype=object).value_counts()
    named = [
        (name, int(number))
        for name, number in counts.items()
        if name and "," not in name and len(name) < 100
    ]
    return dict(named[:MOST_LISTED])


def refuse_strangers(name: str, requested: Collection[str], present: np.ndarray) -> None:
    """Raise ValueError for a partition or a GPU type that no job has."""
    missing = sorted(set(requested) - set(present.tolist()))
    if missing:
        listed = ", ".join(list(most_common(present))[:10]) or "none that is named"
        raise ValueError(
            f"{name} must be one that jobs of this log have, {listed}, got {missing[0]!r}"
        )


def refuse_several(clusters: dict[str, int], chosen: str) -> None:
    """Raise ValueError for a log of several clusters if none is chosen."""
    if len(clusters) < 2 or chosen:
        return
    names = sorted(clusters, key=clusters.__getitem__, reverse=True)[:10]
    listed = ", ".join(f"{name} ({clusters[name]:,} records)" for name in names)
    raise ValueError(
        f"source must be of one cluster, got {len(clusters):,}: {listed}; choose one with "
        "--cluster NAME (on the page under More)"
    )


def notes(frame: pd.DataFrame, gave_up: np.ndarray) -> dict[str, dict[str, Any]]:
    """Facts that a log contains besides its jobs, such as suspensions, with counts and times [s].

    Returns: suspended (jobs, time [s]); off_by_an_hour (jobs, of so many, early: starts before
    their submission, days); before_eligible (jobs, time [s] of the waits that lies before the job
    was eligible, of so much); gave_up (jobs, time: their waits [s]); throttled (jobs that wait
    behind a limit of their own user's); cut (jobs that all start at the log's first start though
    they were submitted at several times, time: their waits [s], of so much).
    """
    facts: dict[str, dict[str, Any]] = {}
    wait = frame["start"] - frame["submit"]
    stopped = frame["suspended"][frame["suspended"] > 0]
    if len(stopped):
        facts["suspended"] = {"jobs": len(stopped), "time": float(stopped.sum())}
    changed = frame["off_by_an_hour"]
    if changed.any():
        days = np.unique(frame["start"][changed].to_numpy().astype("datetime64[s]").astype("M8[D]"))
        facts["off_by_an_hour"] = {
            "jobs": int(changed.sum()),
            "of": len(frame),
            "early": int((wait < 0).sum()),
            "days": [str(day) for day in days[:3]],
        }
    delay = (frame["eligible"] - frame["submit"]).clip(lower=0)
    delay = np.minimum(delay, wait.where(wait >= 0)).fillna(0)
    if (delay > 0).any():
        facts["before_eligible"] = {
            "jobs": int((delay > 0).sum()),
            "time": float(delay.sum()),
            "of": float(wait[wait >= 0].sum()),
        }
    if len(gave_up):
        facts["gave_up"] = {"jobs": len(gave_up), "time": float(gave_up.sum())}
    waited = wait[wait > 0]
    first = waited[frame["start"][waited.index] == frame["start"].min()]
    if len(first) >= MANY_AT_ONCE and frame["submit"][first.index].nunique() >= MANY_AT_ONCE:
        facts["cut"] = {
            "jobs": len(first),
            "time": float(first.sum()),
            "of": float(waited.sum()),
        }
    if "throttled" in frame and frame["throttled"].any():
        facts["throttled"] = {"jobs": int(frame["throttled"].sum())}
    return facts


def is_of(name: str, chosen: frozenset[str]) -> bool:
    """Whether a job's partition (or one of several, if the job waits) is among the chosen ones."""
    return name in chosen or ("," in name and not chosen.isdisjoint(name.split(",")))


def repeated(jobs: dict[str, np.ndarray], keep: np.ndarray) -> np.ndarray:
    """Mask of duplicate rows: later rows with the same start, and waits of jobs with a known end.

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
