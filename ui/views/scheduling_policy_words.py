"""Scheduling policy: numbers of a simulated board in words. No Streamlit in here."""

import math
from functools import lru_cache

import numpy as np

from physics import constants as k
from ui import format as f
from ui.compare import Result
from ui.views.scheduling_policy_runs import FOUR, Board, board, runs_of, saturation
from ui.views.scheduling_policy_scenario import CLASSES, Scenario, feasible_rate

HOUR, DAY = float(k.HOUR), float(k.DAY)
NOTHING = "no such jobs"


def hours(seconds: float, error: float = 0.0) -> str:
    """Write a time in hours with its standard error, or in the unit that suits it without one."""
    if math.isnan(seconds):
        return "none started"
    if not error > 0:
        return f.duration(seconds)
    unit, name = (HOUR, "h") if seconds >= HOUR else (float(k.MINUTE), "min")
    return f"{f.with_error(seconds / unit, error / unit)}\u00a0{name}"


def percent(share: float, error: float = 0.0) -> str:
    """Write a share in percent with its standard error in points."""
    if math.isnan(share):
        return NOTHING
    if not error > 0:
        return f.share(share)
    return f"{f.with_error(100 * share, 100 * error)}\u00a0%"


def gpu_hours(work: float) -> str:
    """Write GPU-seconds as GPU-hours."""
    return f.significant(work / HOUR)


def day_rate(rate: float) -> str:
    """Write jobs a second as jobs a day."""
    return f.significant(rate * DAY)


def conditions(found: Board) -> dict[str, tuple[bool, str]]:
    """The challenge's three conditions: name to whether it is met and what was found."""
    share = found.mean("interactive", "share_within_target")
    late = found.mean("training", "share_above_limit")
    return {
        "interactive": (
            not share < k.POLICY_INTERACTIVE_SHARE,
            f"interactive jobs started within {f.duration(k.INTERACTIVE_TARGET)}: {percent(share)}, "
            f"at least {f.share(k.POLICY_INTERACTIVE_SHARE)} wanted",
        ),
        "training": (
            not late > k.POLICY_TRAINING_SHARE,
            f"training jobs above {f.duration(k.TRAINING_LIMIT)}: {percent(late)}, "
            f"at most {f.share(k.POLICY_TRAINING_SHARE)} allowed",
        ),
        "lost": (
            not found.lost > k.POLICY_LOST_SHARE,
            f"executed GPU-hours lost: {f.share(found.lost)}, at most {f.share(k.POLICY_LOST_SHARE)} allowed",
        ),
    }


def idle_notes(scenario: Scenario) -> dict[str, str]:
    """Which knobs have no effect at the moment, by the place where it is said."""
    found = {}
    if not scenario.preemption:
        found["checkpoint"] = "Checkpoints and restarts: no effect without preemption."
    if scenario.order != "fair_share":
        found["weights"] = "Shares: no effect in this order; choose fair share."
    if scenario.backfill == "none":
        found["estimates"] = "Estimates: no effect without backfill."
    return found


def metrics_words(scenario: Scenario, found: Board) -> dict[str, tuple[str, str, bool | None]]:
    """The headline numbers: label to value, note, and whether it is good."""
    share, late = found.mean("interactive", "share_within_target"), found.mean("training", "share_above_limit")
    wait, error, most = found.mean("training", "mean_wait"), found.error("training", "mean_wait"), saturation(scenario)
    short = k.POLICY_INTERACTIVE_SHARE - share
    in_time = not short > 0
    carried = scenario.load < (1 if most is None else min(1.0, most))
    note = f"policy carries about {f.share(most, 2)}" if most is not None else "its own limit is not computed"
    if scenario.load >= 1:
        note = "no policy carries it"
    return {
        "Interactive in 5 min": (
            percent(share),
            f"meets {f.share(k.POLICY_INTERACTIVE_SHARE)}"
            if in_time
            else f"misses 95 % by {f.significant(100 * short, 2)} points",
            in_time,
        ),
        "Mean training wait": (
            "none started" if math.isnan(wait) else f.duration(wait),
            f"±{hours(wait, error).partition('±')[2]} standard error"
            if error > 0
            else f.count(found.runs, "replication"),
            None,
        ),
        "Training above 48 h": (
            percent(late),
            f"{'within' if late <= k.POLICY_TRAINING_SHARE else 'above'} {f.share(k.POLICY_TRAINING_SHARE)}",
            late <= k.POLICY_TRAINING_SHARE,
        ),
        "Offered load": (f.share(scenario.load), note, carried),
    }


def results(scenario: Scenario) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in; the same seed gives the same numbers."""
    found = board(scenario)
    rows = (
        ("Interactive in 5 min", "interactive", "share_within_target", percent),
        ("Mean interactive wait", "interactive", "mean_wait", hours),
        ("Mean search wait", "search", "mean_wait", hours),
        ("Mean training wait", "training", "mean_wait", hours),
        ("Training above 48 h", "training", "share_above_limit", percent),
    )
    made = [
        Result(label, found.mean(name, column), write(found.mean(name, column), found.error(name, column)))
        for label, name, column, write in rows
    ]
    return [
        *made,
        Result("GPU-hours lost", found.lost, percent(found.lost, found.lost_se)),
        Result("Offered load", scenario.load, f.share(scenario.load)),
    ]


def verdict(scenario: Scenario, found: Board) -> tuple[str, bool]:
    """One or two sentences: what binds, and what would be feasible; and whether all is well."""
    most = saturation(scenario)
    if scenario.load >= 1:
        return overload_words(scenario, most), False
    if most is not None and scenario.load > most:
        rate = feasible_rate(scenario, most)
        cure = f"It would keep up with about {day_rate(rate)} trainings a day" if rate else "The other classes fill it"
        return (
            f"{f.share(scenario.load)} is offered, and this policy keeps up with about {f.share(most, 2)}: it has no "
            f"steady state, and every wait below depends on the {f.duration(k.SIMULATED_TIME)} simulated. "
            f"{cure}.",
            False,
        )
    missed = [words for met, words in conditions(found).values() if not met]
    if missed:
        return f"Not there yet: {'; '.join(missed)}. {binding_words(scenario, found)}", False
    return (
        f"All three targets are met on these {f.count(found.runs, 'replication')}. {binding_words(scenario, found)}",
        True,
    )


def overload_words(scenario: Scenario, most: float | None) -> str:
    """What more than the whole fleet means, and what would be feasible."""
    daily, have, able = (rate * DAY for rate in (scenario.work_rate, scenario.fleet, scenario.startable_rate))
    at_most = feasible_rate(scenario, 1.0)
    words = f"{f.share(scenario.load)} is offered: {gpu_hours(daily)} of {gpu_hours(have)} GPU-hours a day. "
    if able < daily:
        words += (
            f"{gpu_hours(daily - able)} of them are training jobs larger than the "
            f"{f.significant(scenario.fleet - scenario.reserved, 5)} GPUs that they may use: these never start. "
        )
    if able < have:
        return words + f"The others ask for {f.share(able / have)} of the fleet."
    words += (
        f"No policy has a steady state; the backlog grows by at least {gpu_hours(able - have)} GPU-hours a day, and "
        f"every wait below depends on the {f.duration(k.SIMULATED_TIME)} simulated. "
    )
    if not at_most:
        return words + "Even without any training job the others fill the fleet."
    limit = "" if most is None else f" (about {day_rate(feasible_rate(scenario, min(most, 1.0)))} under this policy)"
    return words + (
        f"Feasible: fewer than {day_rate(at_most)} trainings a day{limit}, or more than "
        f"{f.significant(scenario.work_rate, 4)} GPUs."
    )


def binding_words(scenario: Scenario, found: Board) -> str:
    """Why those wait who wait."""
    wait = found.mean("training", "mean_wait")
    on_time = found.mean("interactive", "share_within_target") >= k.POLICY_INTERACTIVE_SHARE
    if on_time and wait <= k.INTERACTIVE_TARGET:
        return "Hardly anybody waits: there are more GPUs than these jobs need at once."
    if scenario.order == "arrival" and scenario.backfill == "none":
        return "A large job at the head of the queue blocks everyone behind it while GPUs stand idle."
    if found.mean("interactive", "share_within_target") < k.POLICY_INTERACTIVE_SHARE:
        if not scenario.preemption:
            return "Nothing that runs is stopped, so a job at the head still waits until GPUs are given back."
        return "Only classes below a job's own are stopped for it, and only for the head of the queue."
    return f"Training pays: it waits {f.duration(wait, 2)} on average for many GPUs to be free at once."


def never_words(found: Board) -> str:
    """How jobs that can never start are counted."""
    never = [
        f"{f.significant(100 * found.mean(name, 'never_started') / found.mean(name, 'count'))} % of {name} jobs"
        for name in CLASSES
        if found.mean(name, "never_started") > 0
    ]
    rule = "Jobs that can never start count as missed in the shares and are left out of the means."
    return f"{rule} Here: {', '.join(never)}, larger than the part of the fleet that they may use." if never else rule


def _jobs(number: float, error: float) -> str:
    return f.significant(number, 4)


def _lost(work: float, error: float) -> str:
    return f.with_error(work / HOUR, error / HOUR) if error > 0 else gpu_hours(work)


#: Rows of the scoreboard: label, column, how it is written.
MEASURES = (
    ("Jobs", "count", _jobs),
    ("Mean wait", "mean_wait", hours),
    ("Median wait", "median_wait", hours),
    ("P95 wait", "p95_wait", hours),
    ("Within 5 min", "share_within_target", percent),
    ("Above 48 h", "share_above_limit", percent),
    ("GPU-hours lost", "lost", _lost),
)


def scoreboard(found: Board) -> str:
    """The table of the classes, Markdown, each number with its standard error."""
    present = [name for name in CLASSES if found.mean(name, "count") > 0]
    rows = [f"| | {' | '.join(CLASSES)} |", "|---" * (len(CLASSES) + 1) + "|"]
    for label, column, write in MEASURES:
        cells = [write(found.mean(c, column), found.error(c, column)) if c in present else "–" for c in CLASSES]
        rows.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(rows)


def scoreboard_note(scenario: Scenario, found: Board) -> str:
    """What stands behind the table."""
    few = ""
    if runs_of(scenario) < scenario.replications:
        few = " Conservative backfill takes seconds a replication at this load, so there are only so many."
    return (
        f"P95: 95 of 100 jobs wait less. Means of {f.count(found.runs, 'replication')} ± their standard error, seed "
        f"{scenario.seed}; each simulates {f.duration(k.SIMULATED_TIME)} with random jobs of its own, and jobs and "
        f"GPU-hours are those of one.{few} {never_words(found)}"
    )


def four_table(boards: dict[str, Board]) -> str:
    """The four answers of the prediction side by side, Markdown."""
    rows = [
        "| | Interactive in 5 min | Mean interactive wait | Mean training wait | Training above 48 h |",
        "|---|---|---|---|---|",
    ]
    for answer, found in boards.items():
        cells = [f"({answer}) {FOUR[answer][0]}"]
        for name, column, write in (
            ("interactive", "share_within_target", percent),
            ("interactive", "mean_wait", hours),
            ("training", "mean_wait", hours),
            ("training", "share_above_limit", percent),
        ):
            cells.append(write(found.mean(name, column), found.error(name, column)))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def waits_alt(found: Board) -> str:
    """The main chart in one sentence with its numbers."""
    parts = [
        f"{name} {percent(found.mean(name, 'share_within_target'))}"
        for name in CLASSES
        if found.mean(name, "count") > 0
    ]
    return f"Share of jobs started within a wait, by class; within 5 minutes: {', '.join(parts)}."


def queue_alt(found: Board) -> str:
    """The queue over time in one sentence."""
    return (
        f"Jobs waiting over {f.duration(k.SIMULATED_TIME)}: {f.significant(float(np.mean(found.queue)))} on average, "
        f"{f.significant(float(found.queue[-1]))} at the end."
    )


def week_alt(scenario: Scenario, week: int, frame) -> str:
    """The Gantt chart in one sentence."""
    area = (frame["end"] - frame["start"]) * (frame["high"] - frame["low"])
    busy = area[frame["state"].isin(CLASSES)].sum() / area.sum()
    return (
        f"Gantt chart of week {week} of one run on {f.significant(scenario.fleet, 5)} GPUs: {f.share(float(busy))} of "
        "the GPU-hours are used."
    )


@lru_cache(maxsize=64)
def load_words(scenario: Scenario) -> str:
    """Offered load and where it comes from."""
    parts = [f"{one.name} {f.share(one.arrival_rate * one.gpu_seconds / scenario.fleet)}" for one in scenario.mix]
    return (
        f"Offered load {f.share(scenario.load)} of {f.significant(scenario.fleet, 5)} GPUs ({', '.join(parts)}). "
        "Same seed, same jobs: a pinned result and the present one differ by the knobs alone."
    )
