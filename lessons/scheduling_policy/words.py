"""Scheduling policy: numbers of a simulated board in words. No Streamlit in here."""

import math
from functools import lru_cache

import numpy as np

from lessons.scheduling_policy import effort
from lessons.scheduling_policy.runs import FOUR, Board, board, carried_rate, saturation
from lessons.scheduling_policy.settings import CLASSES, Scenario, feasible_rate
from physics import constants as k
from ui.base import format as f
from ui.record.compare import Result

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
    """The challenge's three conditions: name to whether it is met and what was found; without jobs none is met."""
    share = found.mean("interactive", "share_within_target")
    late = found.mean("training", "share_above_limit")
    return {
        "interactive": (
            share >= k.POLICY_INTERACTIVE_SHARE,
            f"interactive jobs started within {f.duration(k.INTERACTIVE_TARGET)}: {percent(share)}, "
            f"at least {f.share(k.POLICY_INTERACTIVE_SHARE)} wanted",
        ),
        "training": (
            late <= k.POLICY_TRAINING_SHARE,
            f"training jobs above {f.duration(k.TRAINING_LIMIT)}: {percent(late)}, "
            f"at most {f.share(k.POLICY_TRAINING_SHARE)} allowed",
        ),
        "lost": (
            found.lost <= k.POLICY_LOST_SHARE,
            f"executed GPU-hours lost: {f.share(found.lost)}, at most {f.share(k.POLICY_LOST_SHARE)} allowed",
        ),
    }


def close(found: Board) -> bool:
    """Whether more replications may decide otherwise: no target is clearly missed, and one is within two errors."""
    share, late = (("interactive", "share_within_target"), ("training", "share_above_limit"))
    over = (
        (k.POLICY_INTERACTIVE_SHARE - found.mean(*share), found.error(*share)),
        (found.mean(*late) - k.POLICY_TRAINING_SHARE, found.error(*late)),
        (found.lost - k.POLICY_LOST_SHARE, found.lost_se),
    )
    return not any(off >= 2 * error for off, error in over if off > 0) and any(
        abs(off) < 2 * error for off, error in over
    )


def factors(scenario: Scenario, equal: bool = False) -> dict[str, float]:
    """Fair-share exponent of each class, use ÷ share, if it used what it asks for; the lowest goes first [1]."""
    used = {one.name: one.arrival_rate * one.gpu_seconds for one in scenario.mix}
    weights = {name: 1.0 if equal else getattr(scenario, f"weight_{name}") for name in CLASSES}
    return {name: use / sum(used.values()) * sum(weights.values()) / weights[name] for name, use in used.items()}


def by_factor(scenario: Scenario, equal: bool = False) -> list[str]:
    """Classes in the order in which fair share serves them on average."""
    exponents = factors(scenario, equal)
    return sorted(CLASSES, key=lambda name: exponents[name])


def locked_out(alone: float, half_life: float) -> float:
    """Time that a user who had the whole fleet alone goes last beside one of equal share who takes it over [s].

    Use decays by half in each half-life h. After a time a alone it is proportional to 1 − 2^(−a ÷ h); it falls to that
    of the other, who then has all the fleet, after t = h log₂(2 − 2^(−a ÷ h)).

    >>> round(locked_out(30.0, 7.0), 1)
    6.7
    """
    return half_life * math.log2(2 - 2 ** (-alone / half_life))


def idle_notes(scenario: Scenario) -> dict[str, str]:
    """Which knobs have no effect at the moment, by the place where it is said."""
    found = {}
    if not scenario.preemption:
        found["checkpoint"] = "Checkpoints and restarts: no effect without preemption."
    if scenario.order != "fair_share":
        found["weights"] = "Shares: no effect in this order; choose fair share."
    elif (order := by_factor(scenario)) == by_factor(scenario, equal=True):
        found["weights"] = (
            "Shares: for what each class asks for on average, these give the same order as equal ones "
            f"({', '.join(order)}), so they change little."
        )
    if scenario.backfill == "none":
        found["estimates"] = "Estimates: no effect without backfill."
    return found


def metrics_words(scenario: Scenario, found: Board) -> dict[str, tuple[str, str, bool | None]]:
    """The headline numbers: label to value, note, and whether it is good."""
    share, late = found.mean("interactive", "share_within_target"), found.mean("training", "share_above_limit")
    wait, error, most = found.mean("training", "mean_wait"), found.error("training", "mean_wait"), saturation(scenario)
    short = k.POLICY_INTERACTIVE_SHARE - share
    in_time = None if math.isnan(share) else not short > 0
    carried = scenario.load < (1 if most is None else min(1.0, most))
    note = f"policy carries about {f.share(most, 2)}" if most is not None else "its own limit is not computed"
    if scenario.load >= 1:
        note = "no policy carries it"
    return {
        "Interactive in 5 min": (
            percent(share),
            f"meets {f.share(k.POLICY_INTERACTIVE_SHARE)}"
            if in_time
            else "nothing to meet"
            if in_time is None
            else f"misses 95 % by {f.count(float(f'{100 * short:.2g}'), 'point')}",
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


def verdict(
    scenario: Scenario, found: Board, decided: tuple[int, dict[str, tuple[bool, str]]] | None = None
) -> tuple[str, bool]:
    """One or two sentences: what binds, and what would be feasible; and whether all is well.

    `decided`: number of replications that have decided the challenge, and what they say of its conditions.
    """
    most = saturation(scenario)
    if scenario.load >= 1:
        return overload_words(scenario, most), False
    if most is not None and scenario.load > most:
        return (
            f"{f.share(scenario.load)} is offered, and this policy keeps up with about {f.share(most, 2)} of this mix: "
            f"it has no steady state, and {growth_words(scenario)}. {keeps_up_words(scenario)}",
            False,
        )
    number, met = decided or (found.runs, conditions(found))
    which = f"the {f.count(number, 'replication')} that decide" if decided else f"these {number} replications"
    if math.isnan(found.mean("interactive", "share_within_target")):
        which = f"{which}; without interactive jobs theirs is not put to the test"
    missed = [words for name, (met, words) in met.items() if not met and "no such jobs" not in words]
    unsure = "" if decided or not close(found) else f" It is a close call: {int(k.POLICY_JUDGED)} decide below."
    if missed:
        return f"Not there yet on {which}: {'; '.join(missed)}.{unsure} {binding_words(scenario, found)}", False
    tested = sum("no such jobs" not in words for _, words in met.values())
    how_many = {3: "All three targets are", 2: "Two of three targets are"}[tested]
    return f"{how_many} met on {which}.{unsure} {binding_words(scenario, found)}", tested == 3


def growth_words(scenario: Scenario) -> str:
    """Whose waits depend on the time simulated, where the backlog grows."""
    span = f.duration(effort.simulated_time(scenario.effective))
    if scenario.order == "priority":
        return f"training's wait depends on the {span} simulated; the classes before it keep up"
    if scenario.order == "arrival" and scenario.backfill == "none":
        return f"every wait below depends on the {span} simulated"
    return f"the wait of a class whose queue grows depends on the {span} simulated"


def keeps_up_words(scenario: Scenario) -> str:
    """What rate of trainings this policy carries."""
    rate = carried_rate(scenario)
    if not rate:
        return "It does not even keep up with one training a day."
    return (
        f"It keeps up with {f.count(rate * DAY, 'training')} a day, the highest of the knob's steps that is a point of "
        "load below its own limit."
    )


def overload_words(scenario: Scenario, most: float | None) -> str:
    """What more than the whole fleet means, and what would be feasible."""
    daily, have, able = (rate * DAY for rate in (scenario.work_rate, scenario.fleet, scenario.startable_rate))
    at_most = feasible_rate(scenario, 1.0)
    words = f"{f.share(scenario.load)} is offered: {gpu_hours(daily)} of {gpu_hours(have)} GPU-hours a day. "
    # What cannot start is told from rounding by a millionth.
    if able < daily * (1 - 1e-6):
        words += (
            f"{gpu_hours(daily - able)} of them are training jobs larger than the "
            f"{f.significant(scenario.fleet - scenario.reserved, 5)} GPUs that they may use: these never start. "
        )
    if able < have:
        words += f"The others ask for {f.share(able / have)} of the fleet"
        if most is not None and scenario.load > most:
            return f"{words}, more than this policy carries: {growth_words(scenario)}."
        return f"{words}."
    words += (
        f"No policy has a steady state: the backlog grows by at least {gpu_hours(able - have)} GPU-hours a day, and "
        f"{growth_words(scenario)}. "
    )
    if not at_most:
        return words + "Even without any training job the others fill the fleet."
    limit = "" if most is None else f" {keeps_up_words(scenario)}"
    return words + (
        f"Feasible: fewer than {day_rate(at_most)} trainings a day under any policy, or more than "
        f"{f.significant(scenario.work_rate, 4)} GPUs.{limit}"
    )


def binding_words(scenario: Scenario, found: Board) -> str:
    """Why those wait who wait."""
    wait = found.mean("training", "mean_wait")
    on_time = found.mean("interactive", "share_within_target") >= k.POLICY_INTERACTIVE_SHARE
    if math.isnan(found.mean("interactive", "share_within_target")):
        on_time = True
    if on_time and wait <= k.INTERACTIVE_TARGET:
        return "Hardly anybody waits: there are more GPUs than these jobs need at once."
    if scenario.order == "arrival" and scenario.backfill == "none":
        return "A large job at the head of the queue blocks everyone behind it while GPUs stand idle."
    if not on_time:
        if not scenario.preemption:
            return "Nothing that runs is stopped, so a job at the head still waits until GPUs are given back."
        return "Only classes below a job's own are stopped for it, and only for the head of the queue."
    if math.isnan(wait):
        return "No training job of these sizes can ever start."
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
    few, span = effort.words(scenario.effective, scenario.replications), effort.simulated_time(scenario.effective)
    return (
        f"Means over {f.count(found.runs, 'replication')} ± their standard error; median and P95 (95 of 100 of the "
        "jobs that start wait no longer) of all their jobs together ± half the interval that one standard error makes. "
        f"Seed {scenario.seed}; each simulates {f.duration(span)} with random jobs of its own, "
        f"and jobs and GPU-hours are those of one. {few}{' ' if few else ''}{never_words(found)}"
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
        f"Jobs waiting over {f.count((len(found.queue) - 1) / 4, 'day')}: "
        f"{f.significant(float(np.mean(found.queue)))} on average, "
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
    words = (
        f"Offered load {f.share(scenario.load)} of {f.significant(scenario.fleet, 5)} GPUs ({', '.join(parts)}). "
        "Same seed, same jobs: a pinned result and the present one differ by the knobs alone."
    )
    if scenario.order != "fair_share":
        return words
    half_life = float(k.FAIR_SHARE_HALF_LIFE)
    last = f.duration(locked_out(30 * DAY, half_life))
    return (
        f"{words} Fair share remembers: past use counts half after {f.duration(half_life)}, so a team that had the "
        f"fleet alone for 30 days goes last for {last} beside one of equal share that takes it all."
    )


def message_words() -> str:
    """Why the page does not simulate the message's ten trainings a day."""
    story, ten = Scenario(), Scenario(training_rate=float(k.POLICY_TEN_A_DAY))
    found = board(story, answer="a")
    wait = hours(found.mean("interactive", "mean_wait"), found.error("interactive", "mean_wait"))
    return (
        f"The message's ten trainings a day are {f.share(ten.load)} of the fleet, which no policy carries; the page "
        f"opens with {day_rate(story.training_rate)} a day, {f.share(story.load)}. Even there interactive jobs wait "
        f"{wait} on FIFO: the message's 2 to 4 h take 52 to 59 % load."
    )
