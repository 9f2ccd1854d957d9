"""Verdict on a log: the model's fit, the cause of idle time, and the best change."""

import math
from collections.abc import Mapping

from physics import constants as c
from physics.cluster.calibration import Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import RECORD, why_undecided
from physics.cluster.happened import Happened
from physics.cluster.say import alike, hours, say, share, together
from physics.cluster.spec import in_words
from physics.cluster.trust.doubts import gave_up_or_waits

HOUR = float(c.HOUR)


def verdict(
    happened: Happened,
    calibration: Calibration,
    differences: Mapping[str, Difference] | None = None,
) -> tuple[str, str, str]:
    """Return three sentences: whether the model fits, whether the policy causes idle time, and the
    best change.

    Each sentence is a finding, a colon and its numbers; the arguments are those of `report`.

    >>> from physics.cluster import calibrate, synthetic_log, what_happened
    >>> jobs = synthetic_log(days=30)
    >>> verdict(what_happened(jobs, 1024), calibrate(jobs, 1024))[2]
    'No change was tried: this report does not say what would shorten the wait.'
    """
    return (
        _reproduced(happened, calibration),
        _idle_time(happened, calibration),
        _best(differences or {}),
    )


def _reproduced(happened: Happened, found: Calibration) -> str:
    """Whether the model reproduces the cluster: its grade, record and simulation, worst group."""
    wait = found.waits.loc[found.baseline, "mean"]
    if happened.recorded and not happened.knows_waits:
        return say("verdict_all_at_once")
    if not found.recorded or math.isnan(found.gap):
        return say("verdict_no_record", found=found, wait=alike(wait)[0])
    grade = found.grade
    record, simulated = alike(found.waits.loc[RECORD, "mean"], wait)
    worst, worst_record = alike(grade.simulated, grade.record)
    within = "a minute"
    if grade.off > 0:
        within = f"{share(grade.off)} (or a minute)"
    who = ""
    if gave_up_or_waits(happened):
        who = say("nobody_started")
    elif found.waits.loc[RECORD, "mean"] > 0:
        who = say("nobody_long")
    return say(
        f"verdict_{grade.name}",
        found=found,
        wait=simulated,
        record=record,
        worst=worst,
        worst_record=worst_record,
        within=within,
        who=who,
    )


def _idle_time(happened: Happened, found: Calibration) -> str:
    """How much of what was idle while jobs waited is explained by the baseline's policy."""
    if not happened.recorded:
        return say("idle_unknown")
    if not happened.knows_waits:
        return say("idle_all_at_once")
    record = happened.wasted / HOUR
    simulated = found.waits.loc[found.baseline, "idle"] / HOUR
    if record == 0 and gave_up_or_waits(happened):
        return say("idle_nothing_started")
    if record == 0:
        return say("idle_nothing", found=found)
    whole, part, rest = together((record, simulated, max(record - simulated, 0.0)))
    if part == "0":
        return say("idle_policy_none", found=found, whole=whole)
    if record <= simulated or whole == part:
        return say("idle_policy", found=found, whole=whole, part=part)
    return say(
        "idle_policy_part",
        found=found,
        whole=whole,
        part=part,
        rest=rest,
        percent=100 * simulated / record,
    )


def _best(differences: Mapping[str, Difference]) -> str:
    """The decided change that shortens the mean wait most, with its error and cost, or that there
    is none.
    """
    if not differences:
        return say("best_none")
    # Where jobs are sent away, or never start, the others wait less: that is no answer.
    options = {
        text: found
        for text, found in differences.items()
        if found.compared and found.jobs[1] >= found.jobs[0] and not found.unstarted
    }
    if not options:
        return say("best_not_all")
    change = {
        text: float(found.classes.loc["all", "difference"]) for text, found in options.items()
    }
    decided = [text for text, found in options.items() if not found.undecided]
    text = min(decided or options, key=lambda one: change[one] if decided else -abs(change[one]))
    found = options[text]
    row = options[text].classes.loc["all"]
    times = alike(row["baseline"], row["changed"], row["difference"], row["low"], row["high"])
    before, after, apart, low, high = times
    by = say(
        "best_by" if math.isnan(row["low"]) else "best_by_interval", by=apart, low=low, high=high
    )
    told = {"words": in_words(text, found.unit), "by": by, "before": before, "after": after}
    if not decided:
        if len(options) > 1:
            which = "the largest"
        else:
            which = "the one that was tried"
        return say("best_undecided", which=which, why=why_undecided(row), **told)
    if change[text] >= 0:
        return say("best_longer", **told)
    more = found.costs.loc["difference", "provided"]
    if more:
        cost = say(
            "more_cost" if more > 0 else "fewer_cost", hours=hours(abs(more)), unit=found.unit
        )
    else:
        cost = say("no_cost")
    return say("best", cost=cost, **told)
