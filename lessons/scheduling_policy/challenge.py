"""Scheduling policy: the challenge, judged on 32 replications, and the smallest changes that mend what fails.

Each knob is tried alone, and the smallest change found is named for the policy and for load and fleet. The search is
bounded. A knob on which more is taken to be always better (or worse) is bisected between where it stands and its end,
the others are tried step by step, another order, backfill or preemption is tried as it is. A change is first tried on a
few replications, and decided on all 32. How large it is counts as a share of the knob's range; a switch counts as a
whole range. Changes that take too long to simulate are left out, and the judgement says so.
"""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from lessons.scheduling_policy import effort
from lessons.scheduling_policy.runs import Board, board, missing
from lessons.scheduling_policy.settings import BACKFILLS, ORDERS, Scenario
from lessons.scheduling_policy.words import DAY, HOUR, conditions
from physics import constants as k
from ui.base import format as f
from ui.page import simulation
from ui.record import ledger

RUNS = int(k.POLICY_JUDGED)
#: Replications on which a change is tried first, each with how far off it may be before it is given up.
TRIED = {4: 1.0, 12: 0.5}
#: CPU time after which a judgement must do with the replications done, and a search with the changes tried [s].
MOST_JUDGED, MOST_SEARCH = 10.0, 16.0
SLACK = {"interactive": 0.02, "training": 0.12, "lost": 0.004}


def tidy(value: float) -> float:
    """Undo the last bits of rounding, as the knobs do."""
    return float(f"{value:.12g}")


@dataclass(frozen=True)
class Dial:
    """A numeric knob in the search: its range, its step and the direction that can help (0: both)."""

    range: k.Constant
    step: float  #: in units of the knob
    sign: int
    unit: float = 1.0  #: SI value of one unit of the knob

    def values(self, now: float, sign: int) -> list[float]:
        """Values from the next one to the end of the range, each as the knob itself would give it."""
        end, here = (round(value / self.unit, 6) for value in (self.range.high if sign > 0 else self.range.low, now))
        count = int((end - here) * sign / self.step + 1e-9)
        made = [tidy(tidy(here + sign * number * self.step) * self.unit) for number in range(1, count + 1)]
        return [round(value) for value in made] if isinstance(now, int) else made


POLICY_DIALS = {
    "checkpoint_interval": Dial(k.CHECKPOINT_INTERVAL, 0.25, -1, HOUR),
    "restart_time": Dial(k.RESTART_TIME, 1, -1, float(k.MINUTE)),
    "reserved": Dial(k.POLICY_RESERVED, 8, 0),
    "weight_interactive": Dial(k.POLICY_WEIGHT, 1, 0),
    "weight_search": Dial(k.POLICY_WEIGHT, 1, 0),
    "weight_training": Dial(k.POLICY_WEIGHT, 1, 0),
    "estimates": Dial(k.POLICY_ESTIMATES, 0.5, 0),
}
LOAD_DIALS = {
    "fleet": Dial(k.FLEET_GPUS, 64, 1),
    "training_rate": Dial(k.TRAINING_RATE, 0.5, -1, 1 / DAY),
    "interactive_rate": Dial(k.INTERACTIVE_RATE, 0.25, -1, 1 / HOUR),
    "training_size": Dial(k.POLICY_TRAINING_SIZE, 64, -1),
}


@dataclass(frozen=True)
class Judgement:
    """What 32 replications say, and what would mend it."""

    done: int = 0  #: replications judged so far
    met: dict[str, tuple[bool, str]] = field(default_factory=dict)  #: condition to whether it is met, and words
    mend: Scenario | None = None  #: the smallest change of the policy found
    mend_words: str = ""
    load: Scenario | None = None  #: the smallest change of load or fleet found
    load_words: str = ""
    looked_at: int = 0  #: changes tried
    left_out: tuple[str, ...] = ()  #: changes that were not tried

    @property
    def won(self) -> bool:
        """Whether all three conditions are met."""
        return bool(self.met) and all(met for met, _ in self.met.values())


def judge(scenario: Scenario) -> Iterator[Judgement]:
    """Judge a scenario, one replication at a time, then look for what mends it, one change at a time."""
    begin, runs = time.thread_time(), effort.runs(scenario.effective, RUNS, 2 * effort.ALL)
    for done in missing(scenario, runs):
        yield Judgement(done)
        if time.thread_time() - begin > MOST_JUDGED:
            runs = done
            break
    judged = Judgement(runs, conditions(board(scenario, runs)))
    yield judged
    if judged.won:
        return
    found, tries, left_out = [], 0, ()
    for dials, switches in ((POLICY_DIALS, True), (LOAD_DIALS, False)):
        search = Search(scenario)
        for _ in search.look(dials, switches):
            yield replace(judged, looked_at=tries + search.tries)
            if time.thread_time() - begin > MOST_SEARCH:
                left_out += (f"what was not reached in {f.duration(MOST_SEARCH)} of computing",)
                break
        found += [search.best, search.words]
        tries, left_out = tries + search.tries, left_out + tuple(search.left_out)
    mend, mend_words, load, load_words = found
    yield replace(
        judged,
        mend=mend,
        mend_words=mend_words,
        load=load,
        load_words=load_words,
        looked_at=tries,
        left_out=tuple(dict.fromkeys(left_out)),
    )


@dataclass
class Search:
    """The smallest change found so far."""

    scenario: Scenario
    best: Scenario | None = None
    words: str = ""
    size: float = np.inf
    tries: int = 0
    left_out: list[str] = field(default_factory=list)

    def look(self, dials: dict[str, Dial], switches: bool) -> Iterator[None]:
        """Try changes of these knobs, yielding after each replication."""
        for name, dial in dials.items():
            now = getattr(self.scenario, name)
            if replace(self.scenario, **{name: dial.values(now, 1 if dial.values(now, 1) else -1)[0]}).effective == (
                self.scenario.effective
            ):
                continue  # a knob without effect
            if dial.sign and dial.values(now, dial.sign):
                yield from self._bisect(name, dial, dial.values(now, dial.sign))
            elif not dial.sign or now == 0:
                yield from self._scan(name, dial, now)
        if switches and self.best is None:
            for change, words in _switched(self.scenario):
                if self.best is None and (yield from self._mends(change, words)):
                    self.best, self.words, self.size = change, words, 1.0

    def _scan(self, name: str, dial: Dial, now: float) -> Iterator[None]:
        """Try the values of a knob from the nearest on, as long as they are nearer than the best."""
        for value in sorted(dial.values(now, 1) + dial.values(now, -1), key=lambda value: abs(value - now)):
            if self._amount(name, dial, value) >= self.size:
                return
            if (yield from self._try(name, value)):
                self._keep(name, dial, value)
                return

    def _bisect(self, name: str, dial: Dial, values: list[float]) -> Iterator[None]:
        """Find the first value that mends, if the last one does and those between are ever better."""
        low, high = 0, len(values) - 1
        if not (yield from self._try(name, values[high])):
            return
        while low < high:
            middle = (low + high) // 2
            if (yield from self._try(name, values[middle])):
                high = middle
            else:
                low = middle + 1
        if self._amount(name, dial, values[high]) < self.size:
            self._keep(name, dial, values[high])

    def _amount(self, name: str, dial: Dial, value: float) -> float:
        return abs(value - getattr(self.scenario, name)) / (dial.range.high - dial.range.low)

    def _keep(self, name: str, dial: Dial, value: float) -> None:
        self.best, self.size = replace(self.scenario, **{name: value}), self._amount(name, dial, value)
        self.words = f"{change_words(name, value)} ({f.share(self.size, 2)} of the knob's range)"

    def _try(self, name: str, value: float) -> Generator[None, None, bool]:
        return self._mends(replace(self.scenario, **{name: value}), change_words(name, value))

    def _mends(self, change: Scenario, words: str) -> Generator[None, None, bool]:
        """Whether a change wins; what cannot be judged on all replications is left out."""
        if effort.runs(change.effective, RUNS, 2 * effort.ALL) < RUNS:
            self.left_out.append(f"{words}, which takes too long to simulate")
            return False
        self.tries += 1
        yield
        return (yield from mends(change))


def _switched(scenario: Scenario) -> Iterator[tuple[Scenario, str]]:
    """Yield other orders and backfills and the other preemption, each in words."""
    yield (
        replace(scenario, preemption=not scenario.preemption),
        "preemption switched " + ("off" if scenario.preemption else "on"),
    )
    for name, options in (("order", ORDERS), ("backfill", BACKFILLS)):
        for option, text in options.items():
            if option != getattr(scenario, name):
                yield replace(scenario, **{name: option}), f"{LABELS[name]} “{text}”"


def mends(change: Scenario) -> Generator[None, None, bool]:
    """Whether a scenario wins: tried on a few replications, decided on all; yields after each replication."""
    if change.load >= 1:
        return False
    for runs, factor in TRIED.items():
        for _ in missing(change, runs):
            yield
        if not near(board(change, runs), factor):
            return False
    for _ in missing(change, RUNS):
        yield
    return all(met for met, _ in conditions(board(change, RUNS)).values())


def near(found: Board, factor: float) -> bool:
    """Whether a few replications leave it open that all of them win."""
    share = found.mean("interactive", "share_within_target")
    late = found.mean("training", "share_above_limit")
    return not (
        share < k.POLICY_INTERACTIVE_SHARE - factor * SLACK["interactive"]
        or late > k.POLICY_TRAINING_SHARE + factor * SLACK["training"]
        or found.lost > k.POLICY_LOST_SHARE + factor * SLACK["lost"]
    )


LABELS = {"order": "the order", "backfill": "backfill"}


def change_words(name: str, value: float) -> str:
    """Write a changed knob."""
    return {
        "reserved": f"a slice of {f.count(value, 'GPU')} for interactive jobs",
        "checkpoint_interval": f"a checkpoint every {f.duration(value)}",
        "restart_time": f"restarts of {f.duration(value)}",
        "training_rate": f"{f.count(value * DAY, 'training job')} a day",
        "interactive_rate": f"{f.count(value * HOUR, 'interactive job')} an hour",
        "training_size": f"training jobs of at most {f.significant(value)} GPUs",
        "fleet": f"a fleet of {f.significant(value, 5)} GPUs",
        "estimates": "exact estimates" if value == 1 else f"estimates of {f.times(value)} the runtime",
        "weight_interactive": f"a share of {f.significant(value)} for interactive",
        "weight_search": f"a share of {f.significant(value)} for search",
        "weight_training": f"a share of {f.significant(value)} for training",
    }[name]


def words(judged: Judgement) -> str:
    """The judgement in words."""
    marks = "\n".join(
        f"- {':green[:material/check_circle:] met' if met else ':red[:material/warning:] **fails**'}: {text}"
        for met, text in judged.met.values()
    )
    if judged.won:
        return f"**Won.** Mean of {judged.done} replications:\n{marks}"
    failing = [NAMES[name] for name, (met, _) in judged.met.items() if not met]
    what = f"the condition{'s' if len(failing) > 1 else ''} on {' and '.join(failing)}"
    head = f"**Not yet: {what} {'fail' if len(failing) > 1 else 'fails'}.** Mean of {judged.done} replications:"
    found = [
        f"{what}: **{change}**"
        for what, change in (("of the policy", judged.mend_words), ("of load or fleet", judged.load_words))
        if change
    ]
    tried = f"{f.count(judged.looked_at, 'change')} tried, each of one knob"
    if judged.left_out:
        tried += f"; left out: {', '.join(judged.left_out)}"
    mend = (
        f"Smallest change found that mends it, {'; '.join(found)}" if found else "No change of one knob found mends it"
    )
    return f"{head}\n{marks}\n\n{mend} ({tried})."


NAMES = {"interactive": "interactive jobs", "training": "training jobs", "lost": "lost GPU-hours"}


def decided(lesson_id: str, scenario: Scenario) -> tuple[int, dict[str, tuple[bool, str]]] | None:
    """How many replications have decided the challenge at these settings, and what they say; None before that."""
    judged = simulation.held(lesson_id, scenario.effective)
    return (judged.done, judged.met) if isinstance(judged, Judgement) and judged.met else None


def hint(lesson_id: str, scenario: Scenario) -> str:
    """What to change, once it has been looked for; before that, how to find out."""
    judged = simulation.held(lesson_id, scenario.effective)
    if not isinstance(judged, Judgement) or not judged.met:
        return "“Judge this policy” below looks for the smallest change that mends it."
    change = judged.mend_words or judged.load_words
    return f"The smallest change found that wins the challenge: {change}." if change else ""


def draw(lesson_id: str, scenario: Scenario) -> None:
    """Draw the challenge: what is asked, the button, and the judgement of these settings."""
    key = scenario.effective
    st.markdown(
        f"**Challenge.** At least {f.share(k.POLICY_INTERACTIVE_SHARE)} of interactive jobs within "
        f"{f.duration(k.INTERACTIVE_TARGET)}, at most {f.share(k.POLICY_TRAINING_SHARE)} of training above "
        f"{f.duration(k.TRAINING_LIMIT)}, at most {f.share(k.POLICY_LOST_SHARE)} of executed GPU-hours lost: the mean "
        f"of {RUNS} simulated runs decides."
    )
    judged = simulation.held(lesson_id, key)
    pressed = simulation.button(
        lesson_id, key, RUNS, "Judge this policy", f"{RUNS} replications; if it fails, what would mend it."
    )
    if pressed:
        simulation.run(lesson_id, key, lambda rng: judge(scenario), RUNS, words=progress_words, patience=np.inf)
    if isinstance(judged, Judgement) and judged.met:
        st.markdown(words(judged))
        ledger.update(lesson_id, challenge="won" if judged.won else "not yet")


def progress_words(number: int, judged: Judgement) -> str:
    """What the progress bar says."""
    if judged.done < RUNS or not judged.looked_at:
        return f"Replication {judged.done} of {RUNS}."
    return f"Not yet won. Looking for the smallest change that mends it: {f.count(judged.looked_at, 'change')} tried."
