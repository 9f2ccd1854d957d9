"""Scheduling policy: the challenge, judged on 32 replications, and the smallest single knob that mends what fails.

The search is bounded. A knob on which more is always better (or worse) is bisected between where it stands and its end,
the slice is tried step by step, another order, backfill or preemption is tried as it is. A change is first tried on a
few replications, and decided on all 32. How large it is counts as a share of the knob's range; a switch counts as a
whole range. If no knob of the policy does it, those of the load and the fleet are tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from physics import constants as k
from ui import format as f
from ui import ledger, simulation
from ui.views.scheduling_policy_runs import KEPT, Board, board
from ui.views.scheduling_policy_scenario import BACKFILLS, ORDERS, Scenario
from ui.views.scheduling_policy_words import DAY, HOUR, conditions

RUNS = int(k.POLICY_JUDGED)
#: Replications on which a change is tried first, each with how far off it may be before it is given up.
TRIED = {4: 1.0, 12: 0.5}
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
}
LOAD_DIALS = {
    "training_rate": Dial(k.TRAINING_RATE, 0.5, -1, 1 / DAY),
    "interactive_rate": Dial(k.INTERACTIVE_RATE, 0.25, -1, 1 / HOUR),
    "training_size": Dial(k.POLICY_TRAINING_SIZE, 64, -1),
    "fleet": Dial(k.FLEET_GPUS, 64, 1),
}


@dataclass(frozen=True)
class Judgement:
    """What 32 replications say, and what would mend it."""

    done: int = 0  #: replications judged so far
    met: dict[str, tuple[bool, str]] = field(default_factory=dict)  #: condition to whether it is met, and words
    mend: Scenario | None = None
    mend_words: str = ""
    looked_at: int = 0  #: changes tried

    @property
    def won(self) -> bool:
        """Whether all three conditions are met."""
        return bool(self.met) and all(met for met, _ in self.met.values())


def judge(scenario: Scenario) -> Iterator[Judgement]:
    """Judge a scenario, one replication at a time, then look for what mends it, one change at a time."""
    for done in range(1, RUNS):
        # The whole is summed once, at the end.
        if done - 1 not in KEPT.get((scenario.effective, False)):
            board(scenario, done)
        yield Judgement(done)
    judged = Judgement(RUNS, conditions(board(scenario, RUNS)))
    yield judged
    if judged.won:
        return
    search = Search(scenario)
    for dials, switches in ((POLICY_DIALS, True), (LOAD_DIALS, False)):
        for _ in search.look(dials, switches):
            yield replace(judged, looked_at=search.tries)
        if search.best:
            break
    yield replace(judged, mend=search.best, mend_words=search.words, looked_at=search.tries)


@dataclass
class Search:
    """The smallest change found so far."""

    scenario: Scenario
    best: Scenario | None = None
    words: str = ""
    size: float = np.inf
    tries: int = 0

    def look(self, dials: dict[str, Dial], switches: bool) -> Iterator[None]:
        """Try changes of these knobs, yielding after each."""
        for name, dial in dials.items():
            if name in ("checkpoint_interval", "restart_time") and not self.scenario.preemption:
                continue
            now = getattr(self.scenario, name)
            if dial.sign:
                yield from self._bisect(name, dial, dial.values(now, dial.sign))
                continue
            both = sorted(dial.values(now, 1) + dial.values(now, -1), key=lambda value: abs(value - now))
            for value in both:
                if self._amount(name, dial, value) < self.size:
                    self._try(name, dial, value)
                    yield
        if switches and self.best is None:
            for change, text in _switched(self.scenario):
                self.tries += 1
                if self.best is None and mends(change):
                    self.best, self.words, self.size = change, text, 1.0
                yield

    def _bisect(self, name: str, dial: Dial, values: list[float]) -> Iterator[None]:
        """Find the first value that mends, if the last one does and those between are ever better."""
        low, high = 0, len(values) - 1
        if not values or not self._try(name, dial, values[high], keep=False):
            yield
            return
        yield
        while low < high:
            middle = (low + high) // 2
            if self._try(name, dial, values[middle], keep=False):
                high = middle
            else:
                low = middle + 1
            yield
        if self._amount(name, dial, values[high]) < self.size:
            self._try(name, dial, values[high])

    def _amount(self, name: str, dial: Dial, value: float) -> float:
        return abs(value - getattr(self.scenario, name)) / (dial.range.high - dial.range.low)

    def _try(self, name: str, dial: Dial, value: float, keep: bool = True) -> bool:
        change = replace(self.scenario, **{name: value})
        self.tries += 1
        won = mends(change)
        if won and keep and self._amount(name, dial, value) < self.size:
            self.best, self.words, self.size = change, change_words(name, value), self._amount(name, dial, value)
        return won


def _switched(scenario: Scenario) -> Iterator[tuple[Scenario, str]]:
    """Yield other orders and backfills and the other preemption, each in words."""
    yield (
        replace(scenario, preemption=not scenario.preemption),
        "preemption switched " + ("off" if scenario.preemption else "on"),
    )
    for name, options in (("order", ORDERS), ("backfill", BACKFILLS)):
        for option, text in options.items():
            # Conservative backfill takes seconds a replication when the queue is long: not part of the search.
            if option not in (getattr(scenario, name), "conservative"):
                yield replace(scenario, **{name: option}), f"{LABELS[name]} “{text}”"


def mends(change: Scenario) -> bool:
    """Whether a scenario wins: tried on a few replications, decided on all."""
    if change.load >= 1 or not all(near(board(change, runs), factor) for runs, factor in TRIED.items()):
        return False
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
    if judged.mend is None:
        mend = f"No single knob mends it within {f.count(judged.looked_at, 'change')} tried."
    else:
        tried = f.count(judged.looked_at, "change")
        mend = f"The smallest single-knob change that mends it: **{judged.mend_words}** ({tried} tried)."
    return f"{head}\n{marks}\n\n{mend}"


NAMES = {"interactive": "interactive jobs", "training": "training jobs", "lost": "lost GPU-hours"}


def hint(lesson_id: str, scenario: Scenario) -> str:
    """What to change, once it has been looked for; before that, how to find out."""
    judged = simulation.held(lesson_id, scenario.effective)
    if not isinstance(judged, Judgement) or not judged.met:
        return "“Judge this policy” below looks for the smallest change that mends it."
    return f"The smallest change that wins the challenge: {judged.mend_words}." if judged.mend_words else ""


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
