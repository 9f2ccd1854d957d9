"""Sentences to show next to the numbers: contents of a log, the fit of a model, the effect of a
change.

Each function is a table of sentences of `words.toml` and of when they are said.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from physics import constants as c
from physics.cluster.happened import Happened
from physics.cluster.jobs import Log
from physics.cluster.machine.parts import AnySchedule
from physics.cluster.say import WORDS, alike, counted, days, number, say, together
from physics.cluster.trust.doubts import remarks
from physics.cluster.trust.grades import Grade
from physics.cluster.trust.theory import MARKOV
from physics.cluster.weeks import LEAST_WEEKS, effective_weeks, weekly_sums
from physics.queueing import SteadyState

RECORD = "record"
NOT_REPRODUCED = WORDS["says"]["not_reproduced"]
#: A far end of a range beyond so many times the mean is told.
FAR = 4.0
#: More in use than there is, for less than this share of the time, is put down to rounding.
ROUNDING = 0.01


def written(when: dict[str, Any], **values: Any) -> list[str]:
    """Write the sentences whose condition holds."""
    return [say(name, **values) for name, holds in when.items() if holds]


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
    if compared:
        others = alike_as(waits, closest, names)
    else:
        others = []
    same = mean[[closest, *others] if others else names]
    record = waits["idle"].get(RECORD, math.nan)
    if baseline == closest:
        beside = others
    else:
        beside = []
    idle, alone, rest, *left = together(
        one / float(c.HOUR)
        for one in (record, row["idle"], max(record - row["idle"], 0.0), *waits["idle"][beside])
    )
    explained = alone + f" ({', '.join(map(' '.join, zip(beside, left, strict=True)))})" * bool(
        beside
    )
    explains_all = record <= row["idle"] or idle == alone
    record_words, simulated_words = alike(mean.get(RECORD, math.nan), row["mean"])
    near_words, *other_words = alike(near["mean"], *mean[others])
    named_others = ", ".join(map("{} ({})".format, others, other_words))
    missing = int((~log.recorded).sum())
    running = int(log.running.sum())
    waiting = len(log.waiting)
    never = len(schedule.never_started)
    when = {
        "far_off": grade.poor and row["distance"] < math.inf,
        "waits_of_nothing": row["distance"] == math.inf,
        "mean_wait": not math.isnan(row["distance"]),
        "unexplained": row["unexplained"] > 0,
        "no_starts": recorded and not compared,
        "no_waits": not recorded,
        "closest": compared,
        "asked_for": compared and baseline != closest,
        "alike": others,
        "all_shorter": compared and same.min() < same.max() == mean[closest] < mean[RECORD],
        "idle_all": compared and explains_all,
        "idle_part": compared and not explains_all,
        "not_compared": recorded and missing,
        "still_running": running,
        "still_waiting": waiting,
        "never_start": never,
        "servers": True,
        "overload": not theory[MARKOV].stable,
    }
    return written(
        when,
        not_reproduced=NOT_REPRODUCED,
        row=row,
        near=near,
        baseline=baseline,
        closest=closest,
        inputs=inputs,
        record=record_words,
        simulated=simulated_words,
        near_words=near_words,
        others=named_others,
        unit=log.unit,
        width=number(inputs["running_width"]),
        idle=idle,
        explained=explained,
        rest=rest,
        missing=missing,
        running=running,
        waiting=waiting,
        never=never,
    )


def alike_as(waits: pd.DataFrame, closest: str, names: list[str]) -> list[str]:
    """Names of the policies indistinguishable from the closest one, within its unexplained
    error.
    """
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
    """Sentence on the number of independent weeks in a log for a mean over its jobs, or on their
    lack.
    """
    total, jobs = weekly_sums(values, week)
    if len(total) < LEAST_WEEKS:
        return say("few_weeks", what=what)
    return say("weeks_worth", what=what, weeks=len(total), worth=effective_weeks(total, jobs))


def range_sentences(mean: float, low: float, high: float, what: str) -> list[str]:
    """Sentences on the uncertainty of a mean wait, before its range is cut at 0; none without a
    range.
    """
    if math.isnan(low):
        return []
    factor = math.nan
    if mean > 0:
        factor = high / mean
    when = {
        "too_short": low < 0 < mean,
        "may_be": factor > FAR,
        "range_from_the_weeks": True,
    }
    return written(when, what=what, factor=factor)


def change_sentences(
    row: pd.Series, gap: float, capped: bool, missing: int, added: int
) -> list[str]:
    """Sentences to show with the results of a change, such as warnings about removed or added
    jobs.
    """
    compared = math.isfinite(row["difference"])
    why = why_undecided(row)
    never = int(row["never_started"])
    factor = 0.0
    if row["difference"] and not math.isnan(row["low"]):
        factor = max(abs(row["low"]), abs(row["high"])) / abs(row["difference"])
    record, before, after = alike(row["record"], row["baseline"], row["changed"])
    when = {
        "jobs_never": never,
        "nothing_compared": not compared,
        "change_waits": compared and not math.isnan(row["record"]),
        "change_waits_only": compared and math.isnan(row["record"]),
        "undecided": compared and why and not never,
        "change_may_be": factor > FAR,
        "two_simulations": compared and math.isnan(gap) and not math.isnan(row["unexplained"]),
        "jobs_missing": missing,
        "jobs_added": added,
        "capped": capped,
    }
    return written(
        when,
        row=row,
        record=record,
        before=before,
        after=after,
        why=why,
        factor=factor,
        missing=missing,
        added=added,
        never=never,
    )


def why_undecided(row: pd.Series) -> str:
    """Sentence on why a difference is inconclusive (`physics.cluster.undecided`); "" if it is
    conclusive.
    """
    when = {
        "why_never": row["never_started"] > 0,
        "why_unknown": math.isnan(row["unexplained"]),
        "why_small": abs(row["difference"]) < row["unexplained"],
        "why_zero": row["low"] <= 0 <= row["high"],
        "why_no_interval": math.isnan(row["low"]),
    }
    return next(iter(written(when, row=row, never=int(row["never_started"]))), "")


def quota_sentence(names: Sequence[str], borrowing: bool) -> str:
    """Sentence on how a policy treats the classes without a quota."""
    return say("no_quota_borrows" if borrowing else "no_quota", names=", ".join(names))


def happened_sentences(found: Happened, dated: bool = True) -> list[str]:
    """Sentences to show with the results of `what_happened`."""
    missing = found.left_out.get("no GPUs", 0)
    waiting = found.still_waiting
    header, _, where = found.size_source.partition(" ")
    kind = header
    if where == "of the header":
        kind = "header"
    more = remarks(found)
    so_far = ""
    at_least = ""
    started = ""
    if waiting:
        row = found.waiting.loc["all"]
        waits = (row["mean"], row["at_least"], found.waits["mean"].get("all", math.nan))
        so_far, at_least, started = alike(*waits)
    when = {
        "few_gpus": missing > found.jobs,
        f"size_{kind}": True,
        "over": found.over > 0,
        "never_over": found.recorded and not found.over,
        "part": found.part,
        "remarks": header == "nodes" and found.remarks,
        "down": found.down > 0,
        "running": found.running,
        "waiting_one": waiting == 1,
        "waiting": waiting > 1,
        "no_record": not found.recorded,
        "utc": found.recorded and dated,
        "undated": not dated,
        "left_out": found.left_out,
        "averages": True,
    }
    lines = written(
        when,
        found=found,
        asked=found.jobs + missing,
        size=say("size", found=found),
        header=header,
        remarks=" ".join(found.remarks),
        share=found.down / (found.gpus * found.span),
        why=say("over_rounded" if found.over < ROUNDING * found.span else "over_wrong"),
        so_far=so_far,
        at_least=at_least,
        started=started,
        parts=_left_out(found.left_out),
        days=days(found.span),
        last="the end of the log" if waiting or found.running else "the last one",
    )
    return lines[:-1] + more + lines[-1:]


def _left_out(reasons: Mapping[str, int]) -> str:
    """Records that are left out, by reason, in words."""
    return ", ".join(f"{counted(many, 'record')} ({reason})" for reason, many in reasons.items())
