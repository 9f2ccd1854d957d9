"""What must be said beside the numbers: what a log holds, whether a model reproduces it, what a change decides."""

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from physics.cluster.happened import Happened
from physics.cluster.jobs import Log
from physics.cluster.say import WORDS, say, time, together
from physics.cluster.weeks import LEAST_WEEKS, effective_weeks, weekly_sums
from physics.queueing import SteadyState
from physics.scheduling import Schedule

RECORD, MARKOV = "record", "M/M/c"
NOT_REPRODUCED = WORDS["says"]["not_reproduced"]
#: More in use than there is, for less than this share of the time, is put down to rounding.
ROUNDING = 0.01
#: A gap beyond which a model does not reproduce a cluster.
POOR = 0.3


def sentences(
    log: Log,
    schedule: Schedule,
    theory: dict[str, SteadyState],
    inputs: dict[str, float],
    waits: pd.DataFrame,
    closest: str,
    baseline: str,
) -> Iterator[str]:
    """Sentences that a reader needs along with the numbers."""
    gap, asked = (float(waits.loc[name, "distance"]) for name in (closest, baseline))
    told = {"baseline": baseline, "closest": closest, "gap": gap, "asked": asked}
    if not math.isnan(asked):
        yield from _fit(waits, baseline)
    if math.isnan(gap):
        yield say("no_starts" if log.recorded.any() else "no_waits", **told)
    else:
        names = [name for name in waits.index if name not in (RECORD, *theory)]
        alike = alike_as(waits, closest, names)
        yield say("closest" if math.isfinite(gap) else "closest_waits", **told)
        if baseline != closest:
            yield say("asked_for" if math.isfinite(asked) else "asked_for_waits", **told)
        yield from _alike(waits, closest, alike, names)
        yield _idle(log, waits, baseline, alike if baseline == closest else [])
    if log.recorded.any():
        yield from _of_jobs("not_compared", int((~log.recorded).sum()))
    yield from _of_jobs("still_running", int(log.running.sum()))
    yield from _of_jobs("still_waiting", len(log.waiting))
    yield from _of_jobs("never_start", len(schedule.never_started))
    yield say("servers", inputs=inputs, unit=log.unit)
    if not theory[MARKOV].stable:
        yield say("overload", inputs=inputs, unit=log.unit)


def second_half(chosen: str, second: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on how well the policy closest to the first half of a log predicts the second half."""
    if not second.empty:
        whole, row = second.iloc[-1], second.loc[second["distance"].idxmax()]
        where = say("farthest", row=row) if row["distance"] > whole["distance"] else ""
        yield say("second_half", chosen=chosen, all=whole, where=where)


def _of_jobs(name: str, jobs: int) -> Iterator[str]:
    """Yield a sentence on so many jobs, if there are any."""
    if jobs:
        yield say(name, jobs=jobs)


def _fit(waits: pd.DataFrame, baseline: str) -> Iterator[str]:
    """Whether the model reproduces the cluster, and what it leaves unexplained."""
    row = waits.loc[baseline]
    if row["distance"] > POOR:
        name = "far_off" if math.isfinite(row["distance"]) else "waits_of_nothing"
        yield say(name, not_reproduced=NOT_REPRODUCED, gap=row["distance"])
    yield say("mean_wait", record=waits.loc[RECORD, "mean"], row=row, baseline=baseline)
    if row["unexplained"] > 0:
        yield say("unexplained", row=row)


def _alike(waits: pd.DataFrame, closest: str, alike: list[str], names: list[str]) -> Iterator[str]:
    """Policies that cannot be told apart from the closest, each within what the other leaves unexplained."""
    mean = waits["mean"]
    if alike:
        others = ", ".join(f"{name} ({time(mean[name])})" for name in alike)
        yield say("alike", others=others, closest=closest, wait=mean[closest])
    means = [float(mean[name]) for name in ([closest, *alike] if alike else names)]
    if min(means) < max(means) == mean[closest] < mean[RECORD]:
        yield say("all_shorter")


def alike_as(waits: pd.DataFrame, closest: str, names: Iterable[str]) -> list[str]:
    """Names of the policies that cannot be told apart from the closest."""
    mean, left = waits["mean"], waits["unexplained"]
    others = [name for name in names if name != closest]
    return [name for name in others if abs(mean[name] - mean[closest]) < min(left[name], left[closest])]


def _idle(log: Log, waits: pd.DataFrame, baseline: str, alike: list[str]) -> str:
    """How much of what was idle while something waited a policy explains."""
    record, simulated, *others = (float(waits.loc[name, "idle"]) / 3600 for name in (RECORD, baseline, *alike))
    shown, explained, rest, *more = together((record, simulated, max(record - simulated, 0.0), *others))
    also = ", ".join(f"{name} {idle}" for name, idle in zip(alike, more, strict=True))
    explained += f" ({also})" if also else ""
    name = "idle_all" if record <= simulated else "idle_part"
    return say(name, shown=shown, explained=explained, rest=rest, baseline=baseline, unit=log.unit)


def worth(values: np.ndarray, week: np.ndarray, what: str) -> str:
    """Say how many independent weeks a log is worth for a mean over its jobs, or that there are too few."""
    total, jobs = weekly_sums(values, week)
    if len(total) < LEAST_WEEKS:
        return say("few_weeks", what=what)
    return say("weeks_worth", what=what, weeks=len(total), worth=effective_weeks(total, jobs))


def change_sentences(row: pd.Series, gap: float, capped: bool, missing: int, added: int) -> Iterator[str]:
    """Sentences that a reader needs along with the numbers of a change, given how many jobs it lacks and adds."""
    if not math.isfinite(row["difference"]):
        yield say("nothing_compared")
    else:
        if gap > POOR:
            yield say("not_true", not_reproduced=NOT_REPRODUCED)
        yield say("change_waits_only" if math.isnan(row["record"]) else "change_waits", row=row)
        yield from _verdict(row, gap)
    yield from _of_jobs("jobs_missing", missing)
    yield from _of_jobs("jobs_added", added)
    yield from _of_jobs("jobs_never", int(row["never_started"]))
    if capped:
        yield say("capped")


def _verdict(row: pd.Series, gap: float) -> Iterator[str]:
    """Why a difference is undecided, if it is."""
    difference, low, high, unknown = row[["difference", "low", "high", "unexplained"]].tolist()
    if math.isnan(unknown):
        yield say("undecided_unknown")
    elif abs(difference) < unknown:
        yield say("undecided_small", size=abs(difference), row=row)
    elif low <= 0 <= high:
        yield say("undecided_zero", row=row)
    elif math.isnan(low):
        yield say("undecided_chance")
    if math.isnan(gap) and not math.isnan(unknown):
        yield say("two_simulations")


def happened_sentences(found: Happened, dated: bool = True) -> Iterable[str]:
    """Sentences that a reader needs along with the numbers of `what_happened`."""
    if (missing := found.left_out.get("no GPUs", 0)) > found.jobs:
        yield say("few_gpus", found=found, asked=found.jobs + missing)
    if found.part:
        yield say("part", found=found)
    yield from _size_sentences(found)
    if found.running:
        yield say("running", found=found, jobs=found.running)
    if not found.waiting.empty:
        row, started = found.waiting.loc["all"], found.waits["mean"].get("all", math.nan)
        name = "waiting_one" if row["jobs"] == 1 else "waiting"
        yield say(name, row=row, jobs=int(row["jobs"]), started=started)
    if not found.recorded:
        yield say("no_record")
    elif dated:
        yield say("utc")
    if not dated:
        yield say("undated")
    if found.left_out:
        yield say("left_out", parts=", ".join(f"{many:,} {reason}" for reason, many in found.left_out.items()))
    last = "the last one" if found.waiting.empty and not found.running else "the end of the log"
    yield say("averages", days=found.span / 86400, last=last)


def _size_sentences(found: Happened) -> Iterable[str]:
    """How large the cluster is, and how that is known."""
    header, _, where = found.size_source.partition(" ")
    name = f"size_{'header' if where == 'of the header' else header}"
    yield say(name, found=found, size=say("size", found=found), header=header)
    if header == "nodes":
        yield from found.remarks
    if found.down > 0:
        yield say("down", found=found, part=found.down / (found.gpus * found.span))
    if found.over > 0:
        why = say("over_rounded" if found.over < ROUNDING * found.span else "over_wrong")
        yield say("over", found=found, why=why)
