"""Sentences on a log's contents, on the range of a mean, and on the effect of a change.

The sentences come from `words.toml`; each function says under which conditions they are written.
"""

import math

import numpy as np
import pandas as pd

from physics.cluster.happened import Happened
from physics.cluster.say import alike, counted, first, say, written
from physics.cluster.trust.doubts import remarks
from physics.cluster.weeks import LEAST_WEEKS, effective_weeks, weekly_sums

#: A range that ends beyond so many times the mean is mentioned in a sentence.
FAR = 4.0
#: Share of the time with more GPUs in use than there are, below which it is due to rounding.
ROUNDING = 0.01


def worth(values: np.ndarray, week: np.ndarray, what: str) -> str:
    """Sentence on how many independent weeks a log is worth for a mean, or that it has too few."""
    total, jobs = weekly_sums(values, week)
    if len(total) < LEAST_WEEKS:
        return say("few_weeks", what=what)
    return say("weeks_worth", what=what, weeks=len(total), worth=effective_weeks(total, jobs))


def range_sentences(row: pd.Series, wait: np.ndarray, week: np.ndarray) -> list[str]:
    """Sentences on how well a log's weeks determine a mean wait, whose range is not cut at 0."""
    name = "mean wait"
    factor = math.nan
    if row["mean"] > 0:
        factor = row["high"] / row["mean"]
    conditions = {
        "too_short": row["low"] < 0 < row["mean"],
        "may_be": factor > FAR,
        "range_from_the_weeks": not math.isnan(row["low"]),
    }
    return [worth(wait, week, name), *written(conditions, what=name, factor=factor)]


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
