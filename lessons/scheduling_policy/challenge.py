"""Scheduling policy: the challenge, judged on 32 replications, and the smallest changes that fix what fails.

A change is first tried on a few replications, and decided on all 32. Changes that take too long to simulate are left
out, and the answer says so.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from lessons.scheduling_policy import effort
from lessons.scheduling_policy.runs import MIX, Board, board, missing
from lessons.scheduling_policy.settings import Scenario
from lessons.scheduling_policy.verdict import conditions, feasible_words
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Verdict
from ui.knobs import remedies as search
from ui.knobs.declared import knobs_of, quantities
from ui.page import simulation
from ui.record import ledger

LESSON_ID = "policy"
RUNS = int(k.POLICY_JUDGED)
#: Replications on which a change is tried first, each with how far off it may be before it is given up.
TRIED = {4: 1.0, 12: 0.5}
#: CPU time after which a judgement must do with the replications done, and a search with the changes tried, first those
#: of the policy [s].
MOST_JUDGED, MOST_POLICY, MOST_SEARCH = 10.0, 12.0, 15.0
SLACK = {"interactive": 0.02, "training": 0.12, "lost": 0.004}
#: Knobs of the policy and of load or fleet, in the order in which they are tried: the switches last.
POLICY = (
    "checkpoint_interval",
    "restart_time",
    "reserved",
    "weight_interactive",
    "weight_search",
    "weight_training",
    "estimates",
    "half_life",
    "max_wait",
    "quota_interactive",
    "quota_search",
    "preemption",
    "rule",
    "victims",
    "quotas",
    "order",
    "backfill",
)
LOAD = ("fleet", "training_rate", "interactive_rate", "training_size")
#: Knobs of which more, or less, is taken to be ever better: where their end fails, nothing before it is tried.
STEADY = ("checkpoint_interval", "restart_time", *LOAD)
NAMES = {"interactive": "interactive jobs", "training": "training jobs", "lost": "lost GPU-hours"}


@dataclass(frozen=True)
class Judgement:
    """What the replications that decide say."""

    done: int = 0  #: replications judged so far
    met: dict[str, tuple[bool, str]] = field(default_factory=dict)  #: condition to whether it is met, and words
    own: bool = True  #: the jobs and the fleet are the message's

    @property
    def mended(self) -> bool:
        """Whether all three conditions are met."""
        return bool(self.met) and all(met for met, _ in self.met.values())

    @property
    def won(self) -> bool:
        """Whether they are met on the message's own jobs and fleet."""
        return self.mended and self.own


@dataclass(frozen=True)
class Mend:
    """The smallest changes found, of the policy and of load or fleet, and how much was tried."""

    policy: search.Change | None = None
    load: search.Change | None = None
    tried: int = 0
    left_out: tuple[str, ...] = ()
    met: bool = False  #: nothing has to be fixed


def of_the_message(scenario: Scenario) -> bool:
    """Whether jobs and fleet are the message's: the challenge asks for a policy."""
    story, plain = Scenario(), scenario.effective
    return all(getattr(plain, name) == getattr(story, name) for name in MIX if name not in ("seed", "estimates"))


def judge(scenario: Scenario) -> Iterator[Judgement]:
    """Judge a scenario, one replication at a time; the last judgement holds the conditions."""
    begin, runs = time.thread_time(), effort.runs(scenario.effective, RUNS, 2 * effort.ALL)
    for done in missing(scenario, runs):
        yield Judgement(done)
        if time.thread_time() - begin > MOST_JUDGED:
            runs = done
            break
    yield Judgement(runs, conditions(board(scenario, runs)), of_the_message(scenario))


def judged(scenario: Scenario) -> Verdict:
    """Judge a scenario at once."""
    *_, last = judge(scenario)
    return Verdict(words(last), last.won)


def look(scenario: Scenario) -> Iterator[Mend]:
    """Look for the smallest change of the policy, and of load or fleet, that fixes it; yields after each knob."""
    for _ in missing(scenario, RUNS):
        yield Mend()
    if all(met for met, _ in conditions(board(scenario, RUNS)).values()):
        yield Mend(met=True)
        return
    searches = Search(scenario), Search(scenario)
    begin = time.thread_time()
    for one, names, most in zip(searches, (POLICY, LOAD), (MOST_POLICY, MOST_SEARCH), strict=True):
        one.end = begin + most
        for name in names:
            one.try_knob(name)
            left_out = tuple(dict.fromkeys(why for each in searches for why in each.left_out))
            yield Mend(*(each.best for each in searches), sum(each.tried for each in searches), left_out)


@dataclass
class Search:
    """The smallest change found so far."""

    scenario: Scenario
    best: search.Change | None = None
    tried: int = 0
    left_out: list[str] = field(default_factory=list)
    ends: dict[tuple[str, float], bool] = field(default_factory=dict)  #: which ends of knobs fail
    end: float = np.inf  #: of the thread's clock, after which nothing more is tried [s]

    def try_knob(self, name: str) -> None:
        """Look for a smaller change of this knob; of a switch only as long as nothing is found."""
        if name in self.scenario.idle():
            return
        found = search.remedies(self.scenario, lambda change: self._mends(name, change), [name])
        self.best = found[0] if found else self.best

    def _mends(self, name: str, change: Scenario) -> bool:
        value = getattr(change, name)
        if self.best and search.moved(self.scenario, name, value) >= self.best.moved:
            return False
        if time.thread_time() > self.end:
            self.left_out.append(f"what was not reached in {f.duration(MOST_SEARCH)} of computing")
            return False
        if effort.runs(change.effective, RUNS, 2 * effort.ALL) < RUNS:
            self.left_out.append(f"{search.worded(self.scenario, name, value)}, which takes too long to simulate")
            return False
        if name in STEADY and self.hopeless(name, value):
            return False
        self.tried += 1
        return mends(change)

    def hopeless(self, name: str, value: float) -> bool:
        """Whether the end of a knob, on the side of this value, fails already on the first few replications."""
        values = knobs_of(Scenario)[name].values({})
        end = values[-1] if value > getattr(self.scenario, name) else values[0]
        if (name, end) not in self.ends:
            change, runs = replace(self.scenario, **{name: end}), min(TRIED)
            self.ends[name, end] = change.load >= 1 or not near(board(change, runs), TRIED[runs])
        return self.ends[name, end]


def mends(change: Scenario) -> bool:
    """Whether a scenario meets the targets: tried on a few replications, decided on all."""
    return (
        change.load < 1
        and all(near(board(change, runs), factor) for runs, factor in TRIED.items())
        and all(met for met, _ in conditions(board(change, RUNS)).values())
    )


def near(found: Board, factor: float) -> bool:
    """Whether a few replications leave it open that all of them win."""
    share = found.mean("interactive", "share_within_target")
    late = found.mean("training", "share_above_limit")
    return not (
        share < k.POLICY_INTERACTIVE_SHARE - factor * SLACK["interactive"]
        or late > k.POLICY_TRAINING_SHARE + factor * SLACK["training"]
        or found.lost > k.POLICY_LOST_SHARE + factor * SLACK["lost"]
    )


def remedies(scenario: Scenario) -> str:
    """What would fix it: a load that is carried, or the smallest changes found; computes for some seconds."""
    if feasible := feasible_words(scenario):
        return feasible
    *_, last = look(scenario)
    return mend_words(last)


def mend_words(found: Mend) -> str:
    """The smallest changes in words; empty if nothing has to be fixed."""
    if found.met:
        return ""
    tried = f"{f.count(found.tried, 'change')} tried, each of one knob"
    if found.left_out:
        tried += f"; left out: {', '.join(found.left_out)}"
    changes = [
        f"{what}: **{change.words}**"
        for what, change in (("of the policy", found.policy), ("of load or fleet", found.load))
        if change
    ]
    if not changes:
        return f"No change of one knob found mends it ({tried})."
    return f"Smallest change found that mends it, {'; '.join(changes)} ({tried})."


def task() -> str:
    """What is asked."""
    return (
        "Find a policy for the message's fleet and jobs: at least "
        f"{f.share(k.POLICY_INTERACTIVE_SHARE)} of interactive jobs within {f.duration(k.INTERACTIVE_TARGET)}, at most "
        f"{f.share(k.POLICY_TRAINING_SHARE)} of training above {f.duration(k.TRAINING_LIMIT)}, at most "
        f"{f.share(k.POLICY_LOST_SHARE)} of executed GPU-hours lost: the mean of {RUNS} simulated runs decides."
    )


def words(judged: Judgement) -> str:
    """The judgement in words."""
    marks = "\n".join(
        f"- {':green[:material/check_circle:] met' if met else ':red[:material/warning:] **fails**'}: {text}"
        for met, text in judged.met.values()
    )
    if judged.won:
        return f"**Won.** Mean of {judged.done} replications:\n{marks}"
    if judged.mended:
        head = "**Not yet: these are not the message's jobs and fleet**, and the challenge asks for a policy."
    else:
        failing = [NAMES[name] for name, (met, _) in judged.met.items() if not met]
        what = f"the condition{'s' if len(failing) > 1 else ''} on {' and '.join(failing)}"
        head = f"**Not yet: {what} {'fail' if len(failing) > 1 else 'fails'}.**"
    return f"{head} Mean of {judged.done} replications:\n{marks}"


def decided(scenario: Scenario) -> tuple[int, dict[str, tuple[bool, str]]] | None:
    """How many replications have decided the challenge at these settings, and what they say; None before that."""
    found = simulation.held(LESSON_ID, scenario.effective)
    return (found.done, found.met) if isinstance(found, Judgement) and found.met else None


def draw(scenario: Scenario) -> None:
    """Draw the challenge: what is asked, the button, and the judgement of these settings."""
    key = scenario.effective
    st.markdown(f":material/flag: **Challenge.** {task()}")
    if simulation.button(LESSON_ID, key, RUNS, "Check my policy", f"{RUNS} simulated runs decide."):
        simulation.run(LESSON_ID, key, lambda rng: judge(scenario), RUNS, words=_judging, patience=np.inf)
    found = simulation.held(LESSON_ID, key)
    if isinstance(found, Judgement) and found.met:
        st.markdown(words(found))
        if found.won:
            ledger.keep_won(LESSON_ID, quantities(scenario))


def offer(scenario: Scenario) -> None:
    """Say what load would be carried, or offer to look for the smallest change."""
    if feasible := feasible_words(scenario):
        st.markdown(feasible)
        return
    key = ("mend", scenario.effective)
    help = "Tries one knob after the other, up to half a minute."
    if st.button("Find the smallest fix", key=f"{LESSON_ID}_search", icon=":material/search:", help=help):
        steps = len(POLICY) + len(LOAD)
        simulation.run(LESSON_ID, key, lambda rng: look(scenario), steps, words=_looking, patience=np.inf)
    if isinstance(found := simulation.held(LESSON_ID, key), Mend):
        st.markdown(mend_words(found) or "Nothing needs fixing at these settings.")


def _judging(number: int, found: Judgement) -> str:
    return f"Replication {found.done} of {RUNS}."


def _looking(number: int, found: Mend) -> str:
    return f"Looking for the smallest change that mends it: {f.count(found.tried, 'change')} tried."
