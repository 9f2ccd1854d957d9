"""Sentences to show next to the numbers: contents of a log, the fit of a model, the effect of a
change.

Each function is a table of sentences of `words.toml` and of when they are said.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.happened import Happened
from physics.cluster.jobs import Log
from physics.cluster.machine.parts import AnySchedule
from physics.cluster.say import alike, counted, first, policy, say, together, written
from physics.cluster.trust.doubts import remarks
from physics.cluster.trust.grades import Grade
from physics.cluster.trust.theory import MARKOV
from physics.cluster.weeks import LEAST_WEEKS, effective_weeks, weekly_sums
from physics.queueing import SteadyState

RECORD = "record"
#: A far end of a range beyond so many times the mean is told.
FAR = 4.0
#: More in use than there is, for less than this share of the time, is put down to rounding.
ROUNDING = 0.01


def sentences(
    log: Log,
    schedule: AnySchedule,
    theory: dict[str, SteadyState],
    inputs: dict[str, float],
    waits: pd.DataFrame,
    closest: str,
    baseline: str,
    grade: Grade,
) -> list[str]:
    """Sentences to show with the results of a calibration, such as warnings about the log."""
    row = waits.loc[baseline]
    near = waits.loc[closest]
    mean = waits["mean"]
    recorded = log.recorded.any()
    compared = not math.isnan(near["distance"])
    names = [name for name in waits.index if name not in (RECORD, *theory)]
    others = alike_as(waits, closest, names)
    near_words, *other_words = alike(near["mean"], *mean[others])
    same = mean[[closest, *others] if others else names]
    record_words, simulated_words = alike(mean.get(RECORD, math.nan), row["mean"])
    record = waits["idle"].get(RECORD, math.nan)
    beside = others * (baseline == closest)
    times = (record, row["idle"], max(record - row["idle"], 0.0), *waits["idle"][beside])
    idle, explained, rest, *left = together(time / c.HOUR for time in times)
    explains_all = record <= row["idle"] or idle == explained
    beside_words = ""
    if beside:
        pairs = [f"{policy(name)} {hours}" for name, hours in zip(beside, left, strict=True)]
        beside_words = f" ({', '.join(pairs)})"
    conditions = {
        "far_off": grade.poor and row["distance"] < math.inf,
        "waits_of_nothing": row["distance"] == math.inf,
        "mean_wait": not math.isnan(row["distance"]),
        "unexplained": row["unexplained"] > 0,
        "no_starts": recorded and not compared,
        "no_waits": not recorded,
        "closest": compared,
        "asked_for": compared and baseline != closest,
        "alike": ", ".join(map("{} ({})".format, map(policy, others), other_words)),
        "all_shorter": compared and same.min() < same.max() == mean[closest] < mean[RECORD],
        "idle_all": compared and explains_all,
        "idle_part": compared and not explains_all,
        "not_compared": recorded and int((~log.recorded).sum()),
        "still_running": int(log.running.sum()),
        "still_waiting": len(log.waiting),
        "never_start": len(schedule.never_started),
        "servers": True,
        "overload": not theory[MARKOV].stable,
    }
    return written(
        conditions,
        row=row,
        near=near,
        baseline=baseline,
        closest=closest,
        inputs=inputs,
        record=record_words,
        simulated=simulated_words,
        near_words=near_words,
        unit=log.unit,
        idle=idle,
        explained=explained,
        beside=beside_words,
        rest=rest,
        grade=grade,
    )


def alike_as(waits: pd.DataFrame, closest: str, names: list[str]) -> list[str]:
    """Names of the policies that fit a log about as well as the closest one."""
    mean = waits["mean"]
    left = waits["unexplained"]
    others = [name for name in names if name != closest]
    return [
        name for name in others if abs(mean[name] - mean[closest]) < min(left[name], left[closest])
    ]


def second_half(chosen: str, second: pd.DataFrame) -> str:
    """Sentence on how well the policy closest to the first half of a log predicts the second
    half.
    """
    whole = second.iloc[-1]
    row = second.loc[second["distance"].idxmax()]
    where = ""
    if row["distance"] > whole["distance"]:
        simulated, record = alike(row["simulated"], row["record"])
        where = say("farthest", row=row, simulated=simulated, record=record)
    simulated, record = alike(whole["simulated"], whole["record"])
    return say(
        "second_half", chosen=chosen, all=whole, simulated=simulated, record=record, where=where
    )


def worth(values: np.ndarray, week: np.ndarray, what: str) -> str:
    """Sentence on how many independent weeks a log is worth for a mean, or that it has too few."""
    total, jobs = weekly_sums(values, week)
    if len(total) < LEAST_WEEKS:
        return say("few_weeks", what=what)
    return say("weeks_worth", what=what, weeks=len(total), worth=effective_weeks(total, jobs))


def range_sentences(mean: float, low: float, high: float, what: str) -> list[str]:
    """Sentences on the uncertainty of a mean wait, before its range is cut at 0.

    None without a range.
    """
    if math.isnan(low):
        return []
    factor = math.nan
    if mean > 0:
        factor = high / mean
    conditions = {
        "too_short": low < 0 < mean,
        "may_be": factor > FAR,
        "range_from_the_weeks": True,
    }
    return written(conditions, what=what, factor=factor)


def change_sentences(
    row: pd.Series, gap: float, capped: bool, missing: int, added: int
) -> list[str]:
    """Sentences to show with the results of a change, such as warnings about removed jobs."""
    compared = math.isfinite(row["difference"])
    never = int(row["never_started"])
    factor = 0.0
    if row["difference"] and not math.isnan(row["low"]):
        factor = max(abs(row["low"]), abs(row["high"])) / abs(row["difference"])
    record, before, after = alike(row["record"], row["baseline"], row["changed"])
    conditions = {
        "jobs_never": never,
        "nothing_compared": not compared,
        "change_waits": compared and not math.isnan(row["record"]),
        "change_waits_only": compared and math.isnan(row["record"]),
        "undecided": compared and not never and why_undecided(row),
        "change_may_be": factor > FAR,
        "two_simulations": compared and math.isnan(gap) and not math.isnan(row["unexplained"]),
        "jobs_missing": missing,
        "jobs_added": added,
        "capped": capped,
    }
    return written(conditions, row=row, record=record, before=before, after=after, factor=factor)


def why_undecided(row: pd.Series) -> str:
    """Sentence on why a difference is inconclusive (`physics.cluster.undecided`).

    The result is "" if it is conclusive.
    """
    conditions = {
        "why_never": int(row["never_started"]),
        "why_unknown": math.isnan(row["unexplained"]),
        "why_small": abs(row["difference"]) < row["unexplained"],
        "why_zero": row["low"] <= 0 <= row["high"],
        "why_no_interval": math.isnan(row["low"]),
    }
    return first(conditions, row=row)


def quota_sentence(names: Sequence[str], borrowing: bool) -> str:
    """Sentence on how a policy treats the classes without a quota."""
    return say("no_quota_borrows" if borrowing else "no_quota", names=", ".join(names))


def happened_sentences(found: Happened, dated: bool = True) -> list[str]:
    """Sentences to show with the results of `what_happened`."""
    missing = found.left_out.get("no GPUs", 0)
    waiting = found.still_waiting
    source, _, where = found.size_source.partition(" ")
    kind = source
    if where == "of the header":
        kind = "header"
    row = found.waiting.reindex(["all"]).iloc[0]
    so_far, at_least, started = alike(
        row["mean"], row["at_least"], found.waits["mean"].get("all", math.nan)
    )
    reasons = [f"{counted(many, 'record')} ({reason})" for reason, many in found.left_out.items()]
    conditions = {
        "few_gpus": missing > found.jobs,
        f"size_{kind}": True,
        "over": found.over > 0,
        "never_over": found.recorded and not found.over,
        "part": found.part,
        "remarks": source == "nodes" and " ".join(found.remarks),
        "down": found.down > 0,
        "running": found.running,
        "waiting_one": waiting == 1,
        "waiting": waiting > 1,
        "no_record": not found.recorded,
        "utc": found.recorded and dated,
        "undated": not dated,
        "left_out": ", ".join(reasons),
    }
    lines = written(
        conditions,
        happened=found,
        all=found.jobs + missing,
        header=source,
        share=found.down / (found.gpus * found.span),
        why=say("over_rounded" if found.over < ROUNDING * found.span else "over_wrong"),
        so_far=so_far,
        at_least=at_least,
        started=started,
    )
    last = "the end of the log" if waiting or found.running else "the end of the last one"
    return [*lines, *remarks(found), say("averages", happened=found, last=last)]
