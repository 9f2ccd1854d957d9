"""Scheduling policy: a simulated board in words: headline numbers, what binds, and tables."""

import math
from functools import lru_cache

from lessons.scheduling_policy import effort, measures
from lessons.scheduling_policy.runs import FOUR, Board, board, carried_rate, saturation
from lessons.scheduling_policy.settings import CLASSES, DAY, HOUR, Scenario, feasible_rate
from physics import constants as k
from physics.fair_queueing import catch_up_time
from ui.base import format as f
from ui.base.lesson import Metric, Result, Verdict

NOTHING = "no such jobs"


def hours(seconds: float, error: float = 0.0) -> str:
    """Write a time in hours with its standard error, or in the unit that suits it without one."""
    if math.isnan(seconds):
        return "none started"
    if not error > 0:
        return f.duration(seconds)
    unit, name = (HOUR, "h") if seconds >= HOUR else (float(k.MINUTE), "min")
    return f"{f.with_error(seconds / unit, error / unit)}\u00a0{name}"


def percent(share: float, error: float = 0.0, limit: float = math.inf) -> str:
    """Write a share in percent with its standard error in points, or so finely that it is not read as the limit."""
    if math.isnan(share):
        return NOTHING
    if not error > 0:
        return f.apart(share, limit, f.share)
    return f"{f.with_error(100 * share, 100 * error)}\u00a0%"


def gpu_hours(work: float) -> str:
    """Write GPU-seconds as GPU-hours."""
    return f.significant(work / HOUR)


def about(work: float) -> str:
    """Write GPU-seconds as GPU-hours of three digits."""
    return f.rounded(work / HOUR, 3)


def day_rate(rate: float) -> str:
    """Write jobs a second as jobs a day."""
    return f.significant(rate * DAY)


def conditions(found: Board) -> dict[str, tuple[bool, str]]:
    """The challenge's three conditions: name to whether it is met and what was found; without jobs none is met."""
    share = found.mean("interactive", "share_within_target")
    late = found.mean("training", "share_above_limit")
    enough, most, spare = map(float, (k.POLICY_INTERACTIVE_SHARE, k.POLICY_TRAINING_SHARE, k.POLICY_LOST_SHARE))
    return {
        "interactive": (
            share >= k.POLICY_INTERACTIVE_SHARE,
            f"interactive jobs started within {f.duration(k.INTERACTIVE_TARGET)}: {percent(share, limit=enough)}, "
            f"at least {f.share(k.POLICY_INTERACTIVE_SHARE)} wanted",
        ),
        "training": (
            late <= k.POLICY_TRAINING_SHARE,
            f"training jobs above {f.duration(k.TRAINING_LIMIT)}: {percent(late, limit=most)}, "
            f"at most {f.share(k.POLICY_TRAINING_SHARE)} allowed",
        ),
        "lost": (
            found.lost <= k.POLICY_LOST_SHARE,
            f"executed GPU-hours lost: {percent(found.lost, limit=spare)}, at most {f.share(spare)} allowed",
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


def metrics(scenario: Scenario, found: Board | None = None) -> list[Metric]:
    """The four headline numbers."""
    found = found or board(scenario)
    share, late = found.mean("interactive", "share_within_target"), found.mean("training", "share_above_limit")
    wait, most = found.mean("training", "mean_wait"), saturation(scenario)
    short = k.POLICY_INTERACTIVE_SHARE - share
    in_time = None if math.isnan(share) else not short > 0
    carried = scenario.load < (1 if most is None else min(1.0, most))
    load_note = f"policy carries about {f.share(most, 2)}" if most is not None else "its own limit is not computed"
    if scenario.load >= 1:
        load_note = "no policy carries it"
    wanted = f.share(k.POLICY_INTERACTIVE_SHARE)
    share_note = {
        True: f"meets {wanted}",
        False: f"misses {wanted} by {f.count(float(f'{100 * short:.2g}'), 'point')}",
        None: "nothing to meet",
    }[in_time]
    on_time = late <= k.POLICY_TRAINING_SHARE
    return [
        Metric("Interactive in 5 min", percent(share, limit=float(k.POLICY_INTERACTIVE_SHARE)), share_note, in_time),
        Metric(
            "Mean training wait",
            "none started" if math.isnan(wait) else f.duration(wait),
            f"mean of {f.count(found.runs, 'replication')}",
        ),
        Metric(
            "Training above 48 h",
            percent(late, limit=float(k.POLICY_TRAINING_SHARE)),
            f"{'within' if on_time else 'above'} {f.share(k.POLICY_TRAINING_SHARE)}",
            on_time,
        ),
        Metric("Offered load", f.share(scenario.load), load_note, carried),
    ]


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
        *measures.results(found),
    ]


def verdict(
    scenario: Scenario, found: Board | None = None, decided: tuple[int, dict[str, tuple[bool, str]]] | None = None
) -> Verdict:
    """Name the bottleneck.

    `decided`: number of replications that have decided the challenge, and what they say of its conditions.
    """
    found, most = found or board(scenario), saturation(scenario)
    if scenario.load >= 1:
        return Verdict(overload_words(scenario, most), False)
    if most is not None and scenario.load > most:
        return Verdict(
            f"{f.share(scenario.load)} is offered, and this policy keeps up with about {f.share(most, 2)} of this mix: "
            f"it has no steady state, and {growth_words(scenario)}.",
            False,
        )
    number, met = decided or (found.runs, conditions(found))
    which = f"the {f.count(number, 'replication')} that decide" if decided else f"these {number} replications"
    if math.isnan(found.mean("interactive", "share_within_target")):
        which = f"{which}; without interactive jobs theirs is not put to the test"
    missed = [words for name, (met, words) in met.items() if not met and "no such jobs" not in words]
    unsure = "" if decided or not close(found) else f" It is a close call: {int(k.POLICY_JUDGED)} decide below."
    if missed:
        return Verdict(
            f"Not there yet on {which}: {'; '.join(missed)}.{unsure} {binding_words(scenario, found)}", False
        )
    tested = sum("no such jobs" not in words for _, words in met.values())
    how_many = {3: "All three targets are", 2: "Two of three targets are"}[tested]
    return Verdict(f"{how_many} met on {which}.{unsure} {binding_words(scenario, found)}", tested == 3)


def growth_words(scenario: Scenario) -> str:
    """Whose waits depend on the time simulated, where the backlog grows."""
    span = f.duration(effort.simulated_time(scenario.effective))
    if scenario.order == "priority" and not scenario.max_wait and scenario.quotas == "none":
        return f"training's wait depends on the {span} simulated; the classes before it keep up"
    if scenario.order == "arrival" and scenario.backfill == "none" and scenario.quotas == "none":
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
    """What more than the whole fleet means."""
    daily, have, able = (rate * DAY for rate in (scenario.work_rate, scenario.fleet, scenario.startable_rate))
    words = f"{f.share(scenario.load)} is offered: {about(daily)} of {about(have)} GPU-hours a day. "
    # What cannot start is told from rounding by a millionth.
    if able < daily * (1 - 1e-6):
        words += (
            f"{about(daily - able)} of them are training jobs larger than the "
            f"{f.significant(scenario.training_room, 5)} GPUs that they may use: these never start. "
        )
    if able < have:
        words += f"The others ask for {f.share(able / have)} of the fleet"
        if most is not None and scenario.load > most:
            return f"{words}, more than this policy carries: {growth_words(scenario)}."
        return f"{words}."
    return words + (
        f"No policy has a steady state: the backlog grows by at least {about(able - have)} GPU-hours a day, and "
        f"{growth_words(scenario)}."
    )


def feasible_words(scenario: Scenario) -> str:
    """What load the fleet, and this policy, would carry; "" where it carries what is offered."""
    most = saturation(scenario)
    if scenario.startable_rate < scenario.fleet:
        return keeps_up_words(scenario) if most is not None and scenario.load > most else ""
    at_most = feasible_rate(scenario, 1.0)
    if not at_most:
        return "Even without any training job the others fill the fleet."
    return (
        f"Feasible: fewer than {day_rate(at_most)} trainings a day under any policy, or more than "
        f"{f.significant(scenario.work_rate, 4)} GPUs.{'' if most is None else f' {keeps_up_words(scenario)}'}"
    )


def binding_words(scenario: Scenario, found: Board) -> str:
    """Why those wait who wait."""
    wait = found.mean("training", "mean_wait")
    on_time = found.mean("interactive", "share_within_target") >= k.POLICY_INTERACTIVE_SHARE
    if math.isnan(found.mean("interactive", "share_within_target")):
        on_time = True
    if on_time and wait <= k.INTERACTIVE_TARGET:
        return "Hardly anybody waits: there are more GPUs than these jobs need at once."
    quotas = scenario.quotas != "none"
    if scenario.order == "arrival" and scenario.backfill == "none" and not quotas:
        return "A large job at the head of the queue blocks everyone behind it while GPUs stand idle."
    if not on_time:
        if scenario.quotas == "reclaimed":
            return "GPUs are taken back only for a job within its class's quota, and the quota is too small for all."
        if scenario.quotas == "own":
            return "A class that needs more than its own GPUs waits, whether others are idle or not."
        if scenario.quotas == "lent" or not scenario.preemption:
            return "Nothing that runs is stopped, so a job at the head still waits until GPUs are given back."
        often = ", where that pays" if scenario.rule == "pays" else ""
        return f"Only classes below a job's own are stopped for it, and only for the head of the queue{often}."
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


def four_note(boards: dict[str, Board]) -> str:
    """What stands behind that table."""
    never = boards["d"].mean("training", "never_started") / boards["d"].mean("training", "count")
    return (
        f"{boards['c'].runs} replications of 60 days ± standard error, seed {Scenario().seed}, "
        f"{day_rate(Scenario().training_rate)} trainings a day. Jobs that can never start count as missed in the "
        f"shares and are left out of the means. In (d) {percent(never)} of the training jobs are larger than their "
        "partition, and the rest ask for more than it can carry: their wait grows with the time simulated."
    )


@lru_cache(maxsize=64)
def load_words(scenario: Scenario) -> str:
    """Offered load and where it comes from; under fair share, what is remembered and what the shares change."""
    parts = [f"{one.name} {f.share(one.arrival_rate * one.gpu_seconds / scenario.fleet)}" for one in scenario.mix]
    words = (
        f"Offered load {f.share(scenario.load)} of {f.significant(scenario.fleet, 5)} GPUs ({', '.join(parts)}). "
        "Same seed, same jobs: a pinned result and the present one differ by the knobs alone."
    )
    if scenario.order != "fair_share":
        return words
    last = f.duration(catch_up_time(30 * DAY, scenario.half_life))
    words += (
        f" Fair share remembers: past use counts half after {f.count(scenario.half_life / DAY, 'day')}, so a team that "
        f"had the fleet alone for 30 days goes last for {last} beside one of equal share that takes it all, and for "
        "longer if its jobs are long."
    )
    if (order := by_factor(scenario)) == by_factor(scenario, equal=True):
        words += (
            " For what each class asks for on average, your shares give the same order as equal ones "
            f"({', '.join(order)}), so they change little."
        )
    return words
