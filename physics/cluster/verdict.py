"""The verdict: does the model reproduce the cluster, is idle time policy, and which change is the best?"""

import math
from collections.abc import Mapping

from physics import constants as c
from physics.cluster.calibration import Calibration
from physics.cluster.change import Difference
from physics.cluster.explain import POOR, RECORD
from physics.cluster.happened import Happened
from physics.cluster.say import counted, share, time, together
from physics.cluster.say import number as digits
from physics.cluster.spec import in_words


def verdict(
    happened: Happened, calibration: Calibration, differences: Mapping[str, Difference] | None = None
) -> tuple[str, str, str]:
    """Answer three questions: does the model reproduce the cluster, is idle time policy, which change is the best?

    Each sentence is a finding, a colon and its numbers; the arguments are those of `report`.

    >>> from physics.cluster import calibrate, synthetic_log, what_happened
    >>> jobs = synthetic_log(days=30)
    >>> verdict(what_happened(jobs, 1024), calibrate(jobs, 1024))[2]
    'No change was tried: nothing is said of what would shorten the wait.'
    """
    return _reproduced(calibration), _idle(happened, calibration), _best(differences or {})


def _reproduced(found: Calibration) -> str:
    """Whether the model reproduces the cluster: record, simulation and gap."""
    simulated = f"{time(found.waits.loc[found.baseline, 'mean'])} under {found.baseline}"
    if not found.recorded or math.isnan(found.gap):
        return f"There is no record to compare with: as simulated, the mean wait is {simulated}."
    finding = "The model does not reproduce this cluster" if found.gap > POOR else "The model reproduces this cluster"
    record = time(found.waits.loc[RECORD, "mean"])
    gap = f"a calibration gap of {share(found.gap)}" if math.isfinite(found.gap) else "where nothing should wait"
    return f"{finding}: the mean wait is {record} in the record and {simulated}, {gap}."


def _idle(happened: Happened, found: Calibration) -> str:
    """How much of what was idle while something waited is explained by the baseline's policy."""
    if not happened.recorded:
        return "Nobody knows what was idle while something waited: the log records no waits."
    hours = f"{found.unit}-hours"
    record, simulated = happened.wasted / float(c.HOUR), found.waits.loc[found.baseline, "idle"] / float(c.HOUR)
    whole, part, rest = together((record, simulated, max(record - simulated, 0.0)))
    if record <= simulated:
        return (
            f"Policy explains all of the idle time: {whole} {hours} were idle while a job waited, and {found.baseline} "
            f"leaves {part} idle on the same jobs."
        )
    return (
        f"Policy explains {digits(100 * simulated / record, 2)}% of the idle time: {whole} {hours} were idle while a "
        f"job waited; {found.baseline} leaves {part} idle on the same jobs, and {rest} are not explained."
    )


def _best(differences: Mapping[str, Difference]) -> str:
    """The decided change that shortens the mean wait most, with its error and cost, or that there is none."""
    if not differences:
        return "No change was tried: nothing is said of what would shorten the wait."
    # Where jobs are sent away, or never start, the others wait less: that is no answer.
    options = {text: found for text, found in differences.items() if found.compared and found.jobs[1] >= found.jobs[0]
               and not (found.gpus[1] < found.gpus[0] and found.classes.loc["all", "never_started"])}  # fmt: skip
    if not options:
        return "No change that keeps all jobs was tried: nothing is said of what would shorten the wait."
    change = {text: float(found.classes.loc["all", "difference"]) for text, found in options.items()}
    decided = [text for text, found in options.items() if not found.undecided]
    text = min(decided or options, key=lambda one: change[one] if decided else -abs(change[one]))
    found, words = options[text], in_words(text, options[text].unit)
    row = found.classes.loc["all"] / float(c.HOUR)
    by = f"{digits(row['difference'])} h"
    by += "" if math.isnan(row["low"]) else f" (95%: {digits(row['low'])} to {digits(row['high'])} h)"
    if not decided:
        which = "the largest" if len(options) > 1 else "the one that was tried"
        return f"None of the changes is decided: {which}, {words}, changes the mean wait by {by}, {_why(found)}."
    if change[text] >= 0:
        return f"None of the changes shortens the wait: of those that are decided, {words} is nearest to it, with {by}."
    more = found.costs.loc["difference", "provided"] / float(c.HOUR)
    cost = f"{digits(abs(more))} {found.unit}-hours {'more' if more > 0 else 'fewer'}" if more else "no more hardware"
    return (
        f"The best of {counted(len(differences), 'change')} is {words}: it changes the mean wait from "
        f"{digits(row['baseline'])} to {digits(row['changed'])} h as simulated, by {by}, for {cost}."
    )


def _why(found: Difference) -> str:
    """Why a change is undecided."""
    row = found.classes.loc["all"]
    if math.isnan(found.unexplained):
        return "and the log records no waits that the model could be compared with"
    if abs(row["difference"]) < found.unexplained:
        return f"less than the {time(found.unexplained)} that the model leaves unexplained"
    return "and fewer than eight weeks give no interval" if math.isnan(row["low"]) else "and its interval holds 0"
