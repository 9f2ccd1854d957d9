"""What must be said beside the numbers: what a log holds, whether a model reproduces it, what a change decides."""

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.happened import Happened
from physics.cluster.jobs import Log
from physics.cluster.say import counted, number, share, time, together
from physics.cluster.weeks import LEAST_WEEKS, effective_weeks, weekly_sums
from physics.queueing import SteadyState
from physics.scheduling import Schedule

RECORD, MARKOV = "record", "M/M/c"
NOT_REPRODUCED = "This model does not reproduce your cluster"
#: What the simulator does not know of a cluster, and what no log tells.
NOT_KNOWN = (
    "Priorities by age, size, quality of service and a user's past use (Slurm's multifactor plugin) are not "
    "simulated: the orders that are tried take their place.",
    "Dependencies, holds, jobs that begin at a set time, and limits of users and accounts are not simulated.",
    "Where on the machine a job runs, and what it shares there, is not simulated: a job fits as soon as enough is "
    "free.",
    "People who wait less submit more jobs. The simulation leaves that out: the same jobs come at the same times.",
)
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
    yield from _fit(log, waits, baseline)
    recorded = bool(log.recorded.any())
    gap, asked = (float(waits.loc[name, "distance"]) for name in (closest, baseline))
    if not recorded:
        yield f"The log records no waits: there is nothing to compare with, and the baseline is {baseline}."
    elif math.isnan(gap):
        yield (
            "No job with a recorded wait starts in a simulation: there is nothing to compare with, and the baseline is "
            f"{baseline}."
        )
    elif math.isfinite(gap):
        yield f"Closest to the record is {closest}, {share(gap)} off the recorded waits of the classes."
    else:
        yield f"Closest to the record is {closest}, but the log records no wait above zero and it has some."
    if baseline != closest and not math.isnan(gap):
        far = f"{share(asked)} off" if math.isfinite(asked) else "and waits where the record does not"
        yield f"The baseline is {baseline}, as asked for, {far}."
    if recorded and not math.isnan(gap):
        names = [name for name in waits.index if name not in (RECORD, *theory)]
        yield from _alike(waits, closest, names)
        alike = [name for name in alike_as(waits, closest, names) if name != baseline]
        yield _idle(log, waits, baseline, alike if baseline == closest else [])
    many = int((~log.recorded).sum() * recorded)
    yield from _of_jobs(many, "without a recorded wait {is} not compared")
    yield from _of_jobs(int(log.running.sum()), "still running {is} simulated with the run time so far")
    yield from _of_jobs(len(log.waiting), "still waiting {is} not simulated, since nobody knows the run time")
    yield from _of_jobs(len(schedule.never_started), "wider than the cluster never start{s}")
    yield (
        f"The formulas see {counted(inputs['servers'], 'server')}: the cluster's {log.unit}s divided by the "
        f"{number(inputs['running_width'])} of a job that is running at a random moment. That is an approximation "
        "unless all jobs are alike."
    )
    if not theory[MARKOV].stable:
        yield (
            f"The jobs ask for {share(inputs['load'])} of the {log.unit} time between the first and the last "
            "submission: the formulas have no steady state, and their waits are infinite."
        )


def second_half(chosen: str, second: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on how well the policy closest to the first half of a log predicts the second half."""
    if second.empty:
        return
    record, simulated, off = second.iloc[-1][1:].tolist()
    worst = second["distance"].idxmax()
    least, most, farthest = second.loc[worst, ["simulated", "record", "distance"]].tolist()
    where = (
        f"; it is farthest off for {worst} ({time(least)}, and {time(most)} in the record)" if farthest > off else ""
    )
    yield (
        f"The policy closest to the first half of the log, {chosen}, gives a mean wait of {time(simulated)} in the "
        f"second, where the record has {time(record)} ({share(off)} off by class){where}."
    )


def _of_jobs(many: int, what: str) -> Iterator[str]:
    """Yield a sentence on so many jobs, if there are any; "{is}" and "{s}" follow the number."""
    if many:
        yield f"{counted(many, 'job')} {what.format(**{'is': 'are' if many > 1 else 'is', 's': 's' * (many == 1)})}."


def _fit(log: Log, waits: pd.DataFrame, baseline: str) -> Iterator[str]:
    """Whether the model reproduces the cluster, and what it leaves unexplained."""
    gap = float(waits.loc[baseline, "distance"])
    if math.isnan(gap) or not log.recorded.any():
        return
    record, mean, left = waits.loc[RECORD, "mean"], waits.loc[baseline, "mean"], waits.loc[baseline, "unexplained"]
    if gap > POOR:
        yield (
            f"{NOT_REPRODUCED}: simulated waits are {share(gap)} off the recorded ones. Jobs "
            "held back by hand or by dependencies, limits of users, partitions or a wrong size of the cluster may be "
            "the reason."
            if math.isfinite(gap)
            else f"{NOT_REPRODUCED}: it makes jobs wait where the record has no wait at all. "
            "A wrong size of the cluster, or waits that are not in the log, may be the reason."
        )
    yield f"Mean wait: {time(record)} in the record, {time(mean)} under {baseline}."
    if left > 0:
        yield (
            f"In blocks of eight weeks, so that errors of two seasons do not cancel, {time(left)} of it stay "
            "unexplained, so a smaller change is undecided."
        )


def _alike(waits: pd.DataFrame, closest: str, names: list[str]) -> Iterator[str]:
    """Policies that cannot be told apart from the closest, each within what the other leaves unexplained."""
    mean, alike = waits["mean"], alike_as(waits, closest, names)
    if alike:
        yield (
            f"{', '.join(f'{name} ({time(mean[name])})' for name in alike)} and {closest} ({time(mean[closest])}) "
            "cannot be told apart, because their means differ by less than either leaves unexplained."
        )
    group = [closest, *alike] if alike else names
    means = [float(mean[name]) for name in group]
    if min(means) < max(means) == mean[closest] < mean[RECORD]:
        yield "They all simulate shorter waits than the record: the closest is merely the slowest of them."


def alike_as(waits: pd.DataFrame, closest: str, names: Iterable[str]) -> list[str]:
    """Names of the policies that cannot be told apart from the closest."""
    mean, left = waits["mean"], waits["unexplained"]
    others = [name for name in names if name != closest]
    return [name for name in others if abs(mean[name] - mean[closest]) < min(left[name], left[closest])]


def _idle(log: Log, waits: pd.DataFrame, baseline: str, alike: list[str]) -> str:
    """How much of what was idle while something waited a policy explains."""
    record, simulated, *others = (float(waits.loc[name, "idle"]) / 3600 for name in (RECORD, baseline, *alike))
    shown, explained, rest, *more = together((record, simulated, max(record - simulated, 0.0), *others))
    hours = f"{log.unit}-hours"
    also = ", ".join(f"{name} {idle}" for name, idle in zip(alike, more, strict=True))
    explained += f" ({also})" if also else ""
    if record <= simulated:
        return f"Idle while something waited: {shown} {hours}, and {explained} under {baseline} on the same jobs."
    return (
        f"Idle while something waited: {shown} {hours}. On the same jobs {baseline} leaves {explained} idle; the other "
        f"{rest} are not explained by the policies tried (holds, dependencies, limits, node types, down time)."
    )


def worth(values: np.ndarray, week: np.ndarray, what: str) -> str:
    """Say how many independent weeks a log is worth for a mean over its jobs, or that there are too few."""
    total, jobs = weekly_sums(values, week)
    if len(total) < LEAST_WEEKS:
        return f"The log has fewer than eight weeks, so no interval of a {what} is given."
    return (
        f"Weeks that follow each other are alike: for its {what} the log's {len(total):,} weeks are worth "
        f"{number(effective_weeks(total, jobs), 2)} independent ones."
    )


def change_sentences(everyone: pd.Series, gap: float, capped: bool, missing: int, added: int) -> Iterator[str]:
    """Sentences that a reader needs along with the numbers of a change, given how many jobs it lacks and adds."""
    record, base, changed = everyone[["record", "baseline", "changed"]].tolist()
    if not math.isfinite(everyone["difference"]):
        yield "No job starts both before and with the change: there is no wait to compare."
    else:
        if gap > POOR:
            yield f"{NOT_REPRODUCED}: what it says about a change may not be true there."
        in_record = "" if math.isnan(record) else f"{time(record)} in the record, "
        yield f"Mean wait: {in_record}{time(base)} in the baseline, {time(changed)} with the change."
        yield from _verdict(everyone, gap)
    yield from _of_jobs(missing, "of the log {is} not in the change")
    yield from _of_jobs(added, "drawn from the log's own weeks come{s} on top")
    never = int(everyone["never_started"])
    yield from _of_jobs(never, "can never start with the change and stay{s} out of the comparison")
    if capped:
        yield "Capped jobs do the same work in a longer time, a best case that assumes perfect scaling."


def _verdict(everyone: pd.Series, gap: float) -> Iterator[str]:
    """Why a difference is undecided, if it is."""
    difference, low, high, unknown = everyone[["difference", "low", "high", "unexplained"]].tolist()
    if math.isnan(unknown):
        yield "Undecided: the log records no waits, so nobody knows what the model leaves unexplained."
    elif abs(difference) < unknown:
        yield f"Undecided: a change by {time(abs(difference))} is less than the {time(unknown)} left unexplained."
    elif low <= 0 <= high:
        yield f"Undecided: the interval by weeks, {time(low)} to {time(high)}, holds 0."
    elif math.isnan(low):
        yield "Undecided: without an interval by weeks, a difference may be chance."
    if math.isnan(gap) and not math.isnan(unknown):
        yield "Two simulations are compared without a record, so nobody knows how far the model is from the cluster."


def happened_sentences(found: Happened, dated: bool = True) -> Iterable[str]:
    """Sentences that a reader needs along with the numbers of `what_happened`."""
    if (missing := found.left_out.get("no GPUs", 0)) > found.jobs:
        yield (
            f"Only {found.jobs:,} of {found.jobs + missing:,} jobs ask for GPUs, and the others are left out. Count "
            "CPUs instead, on the command line with --resource cpu."
        )
    if found.part:
        yield f"Only jobs of {found.part} are counted, and the log's others are left out."
    yield from _size_sentences(found)
    part = f"{share(found.running_share)} of the {found.unit} time in use"
    yield from _of_jobs(found.running, f"still run{{s}} at the end, with {part}")
    if not found.waiting.empty:
        row = found.waiting.loc["all"]
        one, started = bool(row["jobs"] == 1), found.waits["mean"].get("all", math.nan)
        yield (
            f"{counted(int(row['jobs']), 'job')} still wait{'s' * one}, {time(row['mean'])} so far"
            f"{'' if one else ' on average'}. That is a lower bound: with {'it' if one else 'them'} the mean wait is "
            f"at least {time(row['at_least'])}; jobs that have started waited {time(started)}."
        )
    if not found.recorded:
        yield "The log records no waits: utilization, waits, Little's law and what was wasted are not known."
    elif dated:
        yield "Hours of the day are UTC."
    if not dated:
        yield "The log does not say when it began: weekdays and hours of the day count from its time 0."
    if found.left_out:
        parts = ", ".join(f"{many:,} {reason}" for reason, many in found.left_out.items())
        yield f"Left out: {parts}."
    last = "the last one" if found.waiting.empty and not found.running else "the end of the log"
    days = number(found.span / 86400)
    yield f"Averages are over the {days} days that the records cover, from the first end of a job to {last}."


def _size_sentences(found: Happened) -> Iterable[str]:
    """How large the cluster is, and how that is known."""
    size = counted(found.gpus, found.unit)
    if found.size_source == "given":
        yield f"The cluster has {size}, as given."
    elif found.size_source == "nodes":
        yield f"The cluster has {size}, as its nodes say."
        yield from found.remarks
    elif found.size_source.startswith("largest"):
        yield (
            f"The size, {size}, is the {found.size_source}: a cluster that was never full is larger, and "
            f"{found.unit}s that were down for a time are counted as idle."
        )
    else:
        yield f"The cluster has {size}, as the log's header says ({found.size_source.partition(' ')[0]})."
    if found.down > 0:
        hours, part = found.down / float(c.HOUR), found.down / (found.gpus * found.span)
        yield (
            f"Nodes were down for {number(hours)} {found.unit}-hours, {share(part)} of all, which count neither as "
            "idle nor in the utilization."
        )
    if found.over > 0:
        yield (
            f"The recorded times put up to {counted(found.largest, found.unit)} in use at once, more than that, for "
            f"{time(found.over)} in all: "
            + ("jobs overlap there, as times that are rounded make them." if found.over < ROUNDING * found.span
               else "the cluster is larger, or the times are wrong.")
        )  # fmt: skip
