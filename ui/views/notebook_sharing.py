"""Notebook sharing: notebooks on one node under three schedulers, what that means in words, and what would mend it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from physics import constants as k
from physics.notebook_study import (
    COMBINATIONS,
    OwnNodes,
    break_even_overhead,
    crowding,
    culled,
    own_nodes,
    paused,
    synthetic,
)
from physics.notebooks import Cell, NotebookRun, ThinkTime, alone, antt, greatest_median, least_idle_share, run, stp
from ui import format as f
from ui.compare import Result
from ui.shell import Metric, Page

SCHEDULERS = {"naive": "Naive", "partitioned": "Partitioned", "dynamic": "Dynamic"}
THINK = {"none": "Run top to bottom", "attentive": "Attentive user", "overnight": "Left overnight"}
PAIR = "pair"
Books = tuple[tuple[Cell, ...], ...]
TOGETHER = {PAIR: "Two, of one all-core cell each"} | {names: " + ".join(names) for names in COMBINATIONS}
VIEWS = {
    "combinations": "All combinations",
    "overhead": "Overhead",
    "fit": "How many fit",
    "idle": "Idle core-hours",
}
PRESETS = {
    "The question's two notebooks": {},
    "All four, 20 % loss": {"combination": "ABCD", "loss": 0.2},
    "Attentive users": {"combination": "ABCD", "loss": 0.2, "think": "attentive"},
    "Left overnight": {"combination": "ABCD", "loss": 0.2, "think": "overnight"},
    "Overnight, culled after an hour": {"combination": "ABCD", "loss": 0.2, "think": "overnight", "cull": 3600},
    "Overhead above the gain": {"combination": "AC", "loss": 0.2, "overhead": 10},
    "Rigid, behind a server left running": {"combination": "ABCD", "loss": 0.2, "moldable": False, "endless": 1},
}
MOST = int(k.NOTEBOOK_USERS)
LABELED = 6  # lanes of the Gantt chart that are high enough for a name and for every change of cores


@dataclass(frozen=True)
class Outcome:
    """One scheduler's run and its measures."""

    run: NotebookRun
    antt: float
    stp: float

    @property
    def stuck(self) -> int:
        """Notebooks that never end."""
        return sum(math.isinf(end) for end in self.run.end)


@dataclass(frozen=True)
class Study:
    """Everything that the knobs say; all SI."""

    cores: int = int(k.NOTEBOOK_CORES)
    combination: str = PAIR
    copies: int = int(k.NOTEBOOK_COPIES)
    think: str = "none"
    scheduler: str = "dynamic"
    moldable: bool = True
    overhead: float = float(k.NOTEBOOK_OVERHEAD)
    loss: float = float(k.NOTEBOOK_LOSS)
    cull: float = float(k.NOTEBOOK_CULL)
    bound: float = float(k.NOTEBOOK_ANTT_BOUND)
    endless: int = int(k.NOTEBOOK_ENDLESS)
    draw: int = int(k.NOTEBOOK_DRAW)

    @property
    def names(self) -> str:
        """One letter a notebook."""
        return _letters(self.combination) * self.copies

    @property
    def labels(self) -> list[str]:
        """Names that tell copies apart."""
        names = self.names
        if len(set(names)) == len(names):
            return list(names)
        return [f"{name}{names[: place + 1].count(name)}" for place, name in enumerate(names)]

    @property
    def pauses(self) -> tuple[str, int]:
        """Think-time case and draw; without pauses all draws are one."""
        return (self.think, self.draw) if self.think != "none" else ("none", int(k.NOTEBOOK_DRAW))

    @property
    def notebooks(self) -> Books:
        """The notebooks as their users meant them."""
        return _notebooks(self.names, self.cores, *self.pauses)

    @property
    def lived(self) -> Books:
        """The notebooks with what is run again after a cull."""
        return _lived(self.names, self.cores, *self.pauses, self.cull)

    @property
    def alone(self) -> tuple[float, ...]:
        """How long each takes by itself, never culled [s]."""
        return _alone(self.names, self.cores, *self.pauses)

    def run_key(self, scheduler: str) -> tuple:
        """Everything that a run of this scheduler depends on, and nothing else."""
        naive, dynamic = scheduler == "naive", scheduler == "dynamic"
        books = (
            self.names,
            self.cores,
            *self.pauses,
            self.cull if self.think != "none" else float(k.NOTEBOOK_CULL),
        )
        options = (self.loss if naive else 0.0, self.overhead if dynamic else 0.0, self.moldable or not dynamic)
        return (scheduler, *books, *options, self.endless)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """One outcome a scheduler."""
        return {scheduler: _outcome(*self.run_key(scheduler)) for scheduler in SCHEDULERS}

    @property
    def now(self) -> Outcome:
        """The outcome of the scheduler chosen."""
        return self.outcomes[self.scheduler]

    @cached_property
    def own(self) -> OwnNodes:
        """What the notebooks cost with a node each."""
        return own_nodes(self.notebooks, self.cores, self.cull)

    @property
    def break_even(self) -> float:
        """Overhead a cell from which dynamic scheduling is no longer ahead [s]."""
        return _break_even(replace(self, scheduler="dynamic", overhead=0.0, bound=float(k.NOTEBOOK_ANTT_BOUND)))

    @property
    def good(self) -> bool:
        """Whether the scheduler chosen keeps the mean slowdown within the bound."""
        return turnaround(self, self.scheduler) <= self.bound * (1 + 1e-12)


def defaults() -> Study:
    """Return the settings that the page opens with: the question's two notebooks."""
    return Study()


def settings(quantities: Mapping[str, float | str | bool]) -> Study:
    """Read the knobs, SI or id by quantity."""
    return Study(
        cores=int(quantities["cores"]),
        combination=str(quantities["combination"]),
        copies=int(quantities["copies"]),
        think=str(quantities["think"]),
        scheduler=str(quantities["scheduler"]),
        moldable=bool(quantities["moldable"]),
        overhead=float(quantities["overhead"]),
        loss=float(quantities["loss"]),
        cull=float(quantities["cull"]),
        bound=float(quantities["bound"]),
        endless=int(quantities["endless"]),
        draw=int(quantities["draw"]),
    )


def results(study: Study) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    now = study.now
    return [
        Result("ANTT", now.antt, f.significant(now.antt)),
        Result("STP", now.stp, f.significant(now.stp)),
        Result("Last one ends", now.run.makespan, f.duration(now.run.makespan)),
        Result("Idle core-hours", now.run.idle / k.HOUR, core_hours(now.run.idle)),
    ]


def _letters(combination: str) -> str:
    return "NN" if combination == PAIR else combination


@lru_cache(maxsize=512)
def _notebooks(names: str, cores: int, think: str, draw: int) -> Books:
    """Synthetic notebooks with pauses; one more notebook leaves the others' pauses as they are."""
    return tuple(
        tuple(paused(synthetic(name, cores), think, np.random.default_rng([draw, place])))
        for place, name in enumerate(names)
    )


@lru_cache(maxsize=512)
def _lived(names: str, cores: int, think: str, draw: int, cull: float) -> Books:
    return tuple(tuple(culled(book, cull)) for book in _notebooks(names, cores, think, draw))


@lru_cache(maxsize=512)
def _alone(names: str, cores: int, think: str, draw: int) -> tuple[float, ...]:
    return tuple(alone(_notebooks(names, cores, think, draw), cores))


def _run(scheduler, names, cores, think, draw, cull, loss, overhead, moldable, endless) -> Outcome:
    done = run(
        _lived(names, cores, think, draw, cull),
        cores,
        scheduler,
        overhead=overhead,
        oversubscription_loss=loss,
        moldable=moldable,
        endless=endless,
    )
    single = _alone(names, cores, think, draw)
    return Outcome(done, antt(done.end, single), stp(done.end, single))


_outcome = lru_cache(maxsize=64)(_run)  # few: a crowd's history can take a megabyte


@lru_cache(maxsize=4096)
def _measures(*settings) -> dict[str, float]:
    outcome = _run(*settings)
    return {"antt": outcome.antt, "stp": outcome.stp}


def turnaround(study: Study, scheduler: str) -> float:
    """ANTT of one scheduler, without keeping the run."""
    return _measures(*study.run_key(scheduler))["antt"]


@lru_cache(maxsize=256)
def _break_even(study: Study) -> float:
    return break_even_overhead(
        study.lived,
        study.cores,
        oversubscription_loss=study.loss,
        moldable=study.moldable,
        endless=study.endless,
        highest=float(k.MINUTE),
    )


def table(study: Study) -> dict[str, dict[str, dict[str, float]]]:
    """ANTT and STP of every combination A … ABCD and scheduler at these settings."""
    found = {}
    for names in COMBINATIONS:
        other = replace(study, combination=names)
        found[names] = {scheduler: _measures(*other.run_key(scheduler)) for scheduler in SCHEDULERS}
    return found


def crowds(study: Study) -> dict[str, list[tuple[int, float]]]:
    """(n, ANTT) for the first n notebooks, the combination repeated, by scheduler; ends well above the bound."""
    return _crowds(replace(study, scheduler="dynamic", copies=1))


@lru_cache(maxsize=64)
def _crowds(study: Study) -> dict[str, list[tuple[int, float]]]:
    letters = _letters(study.combination)
    names = (letters * MOST)[:MOST]
    lived = _lived(names, study.cores, *study.pauses, study.cull)
    options = {"moldable": study.moldable, "overhead": study.overhead, "oversubscription_loss": study.loss}
    return {
        scheduler: list(crowding(lived, study.cores, scheduler, 1.6 * study.bound, endless=study.endless, **options))
        for scheduler in SCHEDULERS
    }


# --- in words ---------------------------------------------------------------------------------------------------------
def metrics(study: Study) -> list[Metric]:
    """Return the four headline numbers."""
    now, others = study.now, [name for name in SCHEDULERS if name != study.scheduler]
    count = len(study.names)
    beside = "; ".join(f"{SCHEDULERS[name].lower()} {f.significant(study.outcomes[name].antt)}" for name in others)
    ends = "others: " + "; ".join(f.duration(study.outcomes[name].run.makespan) for name in others)
    return [
        Metric(
            "Mean slowdown (ANTT)", f.significant(now.antt), beside, study.good, "Time together ÷ time alone, mean."
        ),
        Metric("Throughput (STP)", f.significant(now.stp), f"of at most {count}", help="Sum of time alone ÷ together."),
        Metric("Last one ends", f.duration(now.run.makespan), ends),
        Metric("Idle core-hours", core_hours(now.run.idle), f"a node each: {core_hours(study.own.idle)}"),
    ]


def seconds(time: float) -> str:
    """Write a short time in seconds, also below one, so that it can be compared with others."""
    return f"{f.significant(time, 2)} s"


def core_hours(core_seconds: float) -> str:
    """Write core-seconds as core-hours."""
    return "without limit" if math.isinf(core_seconds) else f.significant(core_seconds / k.HOUR)


def verdict(study: Study) -> tuple[str, bool]:
    """Return what binds and the smallest change that mends it, and whether all is well."""
    for failure in (_stuck, _overhead, _state_lost, _too_slow):
        if text := failure(study):
            return text, False
    now, best = study.now, min(outcome.antt for outcome in study.outcomes.values())
    text = f"ANTT {f.significant(now.antt)} stays within {f.significant(study.bound)}."
    if now.antt > best * (1 + 1e-9):
        ahead = [words for name, words in SCHEDULERS.items() if study.outcomes[name].antt <= best * (1 + 1e-9)]
        return f"{text} {' and '.join(ahead)} would do better here: {f.significant(best)}.", True
    equal = all(outcome.antt <= best * (1 + 1e-9) for outcome in study.outcomes.values())
    return text + (" Here all three do equally well." if equal else " No other scheduler does better here."), True


def _stuck(study: Study) -> str:
    stuck = study.now.stuck
    if not stuck:
        return ""
    who = f"{stuck} of {f.count(len(study.names), 'notebook')} never {'ends' if stuck == 1 else 'end'}"
    if study.endless >= study.cores:
        return (
            f"Without limit: {who}, because a cell that never ends holds all {study.cores} cores. Stop one of its "
            "threads, and moldable cells go on; naive sharing goes on as it is."
        )
    text = (
        f"A rigid request waits for ever: {who}. Rigid cells ask for all {study.cores} cores, a cell that never ends "
        f"holds {study.endless} of them, and those behind may not overtake."
    )
    moldable = replace(study, moldable=True).now
    return f"{text} Make cells moldable: ANTT {f.significant(moldable.antt)}."


def _overhead(study: Study) -> str:
    if study.scheduler != "dynamic" or not study.overhead or study.overhead < study.break_even:
        return ""
    best = min((study.outcomes[name].antt, name) for name in SCHEDULERS if name != "dynamic")
    if study.now.antt < best[0] * (1 - 1e-9):
        return ""
    text = (
        f"Overhead above the gain: at {f.duration(study.overhead)} a cell ANTT is {f.significant(study.now.antt)}, "
        f"{SCHEDULERS[best[1]].lower()} has {f.significant(best[0])}."
    )
    if study.break_even == 0:
        return f"{text} Here dynamic scheduling is not ahead even without overhead; switch to {best[1]}."
    return f"{text} It pays below {f.duration(study.break_even)} a cell; lower the overhead or switch to {best[1]}."


def _state_lost(study: Study) -> str:
    own = study.own
    if not own.culls:
        return ""
    kept = replace(study, cull=float(k.NOTEBOOK_CULL.high)).own
    longest = max(cell.think for book in study.notebooks for cell in book[:-1])
    lost = sum(any(cell.think > study.cull for cell in book[:-1]) for book in study.notebooks)
    return (
        f"The cull costs state: {lost} of {f.count(len(study.names), 'notebook')} lose it and run "
        f"{core_hours(own.rerun)} core-hours again, {f.duration(own.delay)} in all. On nodes of their own it saves "
        f"{core_hours(kept.idle - own.idle)} idle core-hours. A time-out of {_hours_up(longest)} loses nothing."
    )


def _hours_up(seconds: float) -> str:
    return f.count(math.ceil(seconds / k.HOUR), "hour")


def _too_slow(study: Study) -> str:
    if study.good:
        return ""
    text = f"ANTT {f.significant(study.now.antt)} misses the bound of {f.significant(study.bound)}."
    found = cures(study)
    if not found:
        return f"{text} No single knob on this page meets it; turn two of them."
    if len(found) == 1:
        return f"{text} One knob alone meets it: {found[0]}."
    return f"{text} Any one of these meets it: {'; '.join(found)}."


@lru_cache(maxsize=256)
def cures(study: Study) -> tuple[str, ...]:
    """Single-knob changes that meet the bound, each the smallest its knob allows, tried in the model."""
    found = [f"switch to {name}" for name in SCHEDULERS if replace(study, scheduler=name).good]
    if study.scheduler == "dynamic" and not study.moldable and replace(study, moldable=True).good:
        found.append("make cells moldable")
    for copies in range(study.copies - 1, 0, -1):
        if replace(study, copies=copies).good:
            found.append(f"run {'one copy' if copies == 1 else f'{copies} copies'} of each")
            break
    if study.combination != PAIR:
        fewer = [names for names in COMBINATIONS if set(names) < set(study.combination)]
        for names in sorted(fewer, key=lambda names: -len(names)):
            if replace(study, combination=names).good:
                left = "".join(name for name in study.combination if name not in names)
                found.append(f"leave out {' and '.join(left)}")
                break
    if len(study.names) <= 8:
        enough = (n for n in range(study.cores + 1, int(k.NOTEBOOK_CORES.high) + 1) if replace(study, cores=n).good)
        if cores := next(enough, 0):
            found.append(f"take a node of {cores} cores")
    if study.scheduler == "dynamic" and study.overhead:
        steps = range(int(study.overhead / 0.5 - 1e-9), -1, -1)
        if (fewer := next((n for n in steps if replace(study, overhead=n * 0.5).good), None)) is not None:
            found.append(f"lower the overhead to {f.duration(fewer * 0.5)}")
    return tuple(found)


def derived_words(study: Study) -> str:
    """What follows from the knobs and is no knob itself, and how to read the chart."""
    work = sum(cell.work for book in study.notebooks for cell in book) / k.HOUR
    count = sum(len(book) for book in study.notebooks)
    crowded = len(study.names) > LABELED
    thick = " on average" if crowded else ""
    lanes = f" Lanes from the top: {study.labels[0]}, {study.labels[1]}, … {study.labels[-1]}." if crowded else ""
    return (
        f"{f.count(len(study.names), 'notebook')}, {f.count(count, 'cell')}, {f.significant(work)} core-hours of work. "
        f"A bar is a cell, the thicker the more of the {study.cores} cores it holds{thick}; hollow: overhead; dotted: "
        f"waits for cores; thin gray line: pause.{lanes} Notebooks are synthetic."
    )


def knob_notes(study: Study) -> str:
    """Which knobs have no effect at the moment."""
    notes = []
    if study.combination == PAIR:
        notes.append(
            "These notebooks have one cell each and no pauses, so think time, draw and culling have no effect."
        )
    elif study.think == "none":
        notes.append("Without pauses the draw and the culling time-out have no effect.")
    elif not study.own.culls:
        notes.append("No pause is longer than the culling time-out, so it has no effect.")
    return " ".join(notes)


def told(page: Page, asked: bool) -> Page:
    """Leave out what is said about pauses as long as the second question is open."""
    if asked:
        return page
    lesson = page.lesson
    return replace(
        page,
        lesson=replace(
            lesson,
            derivation=tuple(step for step in lesson.derivation if not step.title.startswith("Pauses")),
            takeaways=tuple(text for text in lesson.takeaways if not text.startswith("Pauses")),
        ),
    )


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the questions' own cases, whatever the knobs say."""
    pair, four = Study(), replace(Study(), copies=2)
    naive, dynamic = pair.outcomes["naive"], pair.outcomes["dynamic"]
    law = ThinkTime()
    return {
        "pair_length": f.duration(k.NOTEBOOK_PAIR_CELL),
        "pair_first": f.duration(min(dynamic.run.end)),
        "pair_together": f.duration(min(naive.run.end)),
        "pair_last": f.duration(dynamic.run.makespan),
        "pair_work": f"{f.significant(sum(cell.work for book in pair.notebooks for cell in book))} core-seconds",
        "pair_antt_naive": f.significant(naive.antt),
        "pair_antt_dynamic": f.significant(dynamic.antt),
        "pair_stp_naive": f.significant(naive.stp),
        "pair_stp_dynamic": f.significant(dynamic.stp),
        "pair_break_even": f.duration(pair.break_even),
        "four_antt_naive": f.significant(four.outcomes["naive"].antt),
        "four_antt_dynamic": f.significant(four.outcomes["dynamic"].antt),
        "four_stp_naive": f.significant(four.outcomes["naive"].stp),
        "four_stp_dynamic": f.significant(four.outcomes["dynamic"].stp),
        "think_mean": f.duration(k.THINK_MEAN),
        "think_deviation": f.significant(k.THINK_DEVIATION) + " s",
        "think_maximum": f.significant(k.THINK_MAXIMUM) + " s",
        "median_bound": f.duration(greatest_median(), 2),
        "least_share": f.share(least_idle_share(k.HOUR)),
        "least_share_exact": f.share(least_idle_share(k.HOUR), 4),
        "above_twelve": f.share(k.THINK_MEAN / (12 * k.MINUTE), 2),
        "above_hour": f.share(k.THINK_MEAN / k.HOUR, 2),
        "mixture_median": seconds(law.median),
        "mixture_share": f.share(law.idle_share(k.HOUR)),
        "mixture_gaps": f"1 in {f.significant(1 / law.pause_share(k.HOUR), 2)}",
    }


def live_values(study: Study) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    now = study.now
    work = sum(cell.work for book in study.lived for cell in book)
    shown = [f"{label} {f.duration(time)}" for label, time in zip(study.labels, study.alone, strict=True)][:8]
    return _story() | {
        "cores": str(study.cores),
        "alone_words": ", ".join(shown) + (", …" if len(study.names) > 8 else ""),
        "loss": f.share(study.loss),
        "measures_words": (
            f"With your settings ({SCHEDULERS[study.scheduler].lower()}): ANTT {f.significant(now.antt)}, "
            f"STP {f.significant(now.stp)} of at most {len(study.names)}."
        ),
        "work_words": _work_words(study, work),
        "break_even_words": _break_even_words(study),
    }


def _work_words(study: Study, work: float) -> str:
    least = f"With your settings {f.significant(work)} core-seconds on {f.count(study.cores, 'core')} take at least"
    start = f"{least} {f.duration(work / study.cores)}"
    if math.isinf(study.now.run.makespan):
        return f"{start}; {SCHEDULERS[study.scheduler].lower()} never comes to an end."
    apart = " The cores that the endless cell holds are not idle and come on top." if study.endless else ""
    return (
        f"{start}; {SCHEDULERS[study.scheduler].lower()} takes {f.duration(study.now.run.makespan)} and leaves "
        f"{f.significant(study.now.run.idle)} core-seconds without work.{apart}"
    )


def _break_even_words(study: Study) -> str:
    limit = study.break_even
    if limit == 0:
        return "For your notebooks dynamic scheduling is not ahead of both others even without overhead."
    if math.isinf(limit):
        return "For your notebooks it is ahead of both others at any overhead up to a minute a cell."
    return f"For your notebooks it is ahead of both others below {f.duration(limit)} of overhead a cell."
