"""Verdict on a log: the model's fit, the cause of idle time, and the best change."""

import math
from collections.abc import Mapping

from physics import constants as c
from physics.cluster.calibration import RECORD, Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import why_undecided
from physics.cluster.happened import Happened
from physics.cluster.say import alike, first, hours, share, together
from physics.cluster.spec import in_words


def verdict(
    happened: Happened,
    calibration: Calibration,
    differences: Mapping[str, Difference] | None = None,
) -> tuple[str, str, str]:
    """Return three sentences: on the model's fit, on the cause of idle time, on the best change.

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


def _reproduced(happened: Happened, calibration: Calibration) -> str:
    """Sentence on whether the model reproduces the cluster."""
    means = calibration.waits["mean"]
    recorded = means.get(RECORD, math.nan)
    grade = calibration.grade
    record, simulated = alike(recorded, means[calibration.baseline])
    worst, worst_record = alike(grade.simulated, grade.record)
    within = "a minute"
    if grade.off > 0:
        within = f"{share(grade.off)} (or a minute)"
    conditions = {
        "verdict_all_at_once": happened.recorded and not happened.knows_waits,
        "verdict_no_record": not calibration.recorded or math.isnan(calibration.gap),
        f"verdict_{grade.name}": True,
    }
    waits = {"nobody_started": happened.has_unstarted, "nobody_long": recorded > 0, "nobody": True}
    return first(
        conditions,
        calibration=calibration,
        mean=means[calibration.baseline],
        wait=simulated,
        record=record,
        worst=worst,
        worst_record=worst_record,
        within=within,
        who=first(waits),
    )


def _idle_time(happened: Happened, calibration: Calibration) -> str:
    """Sentence on how much of the time idle while jobs waited the baseline's policy explains."""
    record = happened.wasted / c.HOUR
    simulated = calibration.waits.loc[calibration.baseline, "idle"] / c.HOUR
    recorded, explained, rest = together((record, simulated, max(record - simulated, 0.0)))
    conditions = {
        "idle_unknown": not happened.recorded,
        "idle_all_at_once": not happened.knows_waits,
        "idle_nothing_started": record == 0 and happened.has_unstarted,
        "idle_nothing": record == 0,
        "idle_policy_none": explained == "0",
        "idle_policy": record <= simulated or recorded == explained,
        "idle_policy_part": True,
    }
    percent = 100 * simulated / (record or math.nan)
    return first(
        conditions,
        calibration=calibration,
        whole=recorded,
        explained=explained,
        rest=rest,
        percent=percent,
    )


def _best(differences: Mapping[str, Difference]) -> str:
    """Sentence on the decided change that shortens the mean wait most, or that there is none."""
    # Where jobs are sent away, or never start, the others wait less: that is no answer.
    options = {
        text: option
        for text, option in differences.items()
        if option.compared and option.jobs[1] >= option.jobs[0] and not option.unstarted
    }
    if not options:
        return first({"best_not_all": differences, "best_none": True})
    rows = {text: option.classes.loc["all"] for text, option in options.items()}
    effects = {text: float(row["difference"]) for text, row in rows.items()}
    decided = [text for text, option in options.items() if not option.undecided]
    if decided:
        text = min(decided, key=effects.__getitem__)
    else:
        text = max(options, key=lambda text: abs(effects[text]))
    row = rows[text]
    names = ["baseline", "changed", "difference", "low", "high"]
    before, after, by, low, high = alike(*row[names])
    more = options[text].costs.loc["difference", "provided"]
    costs = {"more_cost": more > 0, "fewer_cost": more < 0, "no_cost": True}
    which = "the one with the largest effect"
    if len(options) == 1:
        which = "the one that was tried"
    ranges = {"best_by": math.isnan(row["low"]), "best_by_interval": True}
    conditions = {
        "best_undecided": not decided,
        "best_longer": effects[text] >= 0,
        "best": True,
    }
    return first(
        conditions,
        words=in_words(text, options[text].unit),
        by=first(ranges, by=by, low=low, high=high),
        before=before,
        after=after,
        which=which,
        why=why_undecided(row),
        cost=first(costs, hours=hours(abs(more)), unit=options[text].unit),
    )
