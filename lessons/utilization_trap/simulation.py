"""Utilization trap, beyond the message: variability of job lengths, and the present setting simulated."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import streamlit as st

from lessons.utilization_trap import chart
from lessons.utilization_trap.settings import Fleet
from lessons.utilization_trap.verdict import derived_words, spread_metrics
from physics import constants as k
from physics.queueing import Replications, replicate_queue
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts.look import Look
from ui.page import simulation
from ui.page.lesson_page import Page

RUNS = 10
#: Jobs of a run: so many at least, and where the queue remembers long as many as a press has time for.
JOBS, MOST = 100_000, 600_000
WARM_UP = 0.25
#: A run that lasts so many times as long as the queue remembers has a mean that varies about as Student assumes.
FAIR = 60


@dataclass(frozen=True)
class Trial:
    """What the button simulates: the fleet's queue, its servers and its arrivals."""

    fleet: Fleet

    @property
    def settings(self) -> tuple[float, float, int, float]:
        """Arrival rate, job length, servers and SCV: what the result belongs to."""
        fleet = self.fleet
        return (fleet.arrival_rate, fleet.job_length, fleet.servers, fleet.scv)

    @property
    def refusal(self) -> str | None:
        """Why there is nothing to simulate."""
        if self.fleet.now.stable:
            return None
        return (
            f"At {f.share(self.fleet.now.utilization)} there is no steady state: the longer the simulation, the longer "
            "the mean wait. Lower the load below 100 % first."
        )

    @property
    def jobs(self) -> int:
        """Jobs of each run: enough for its mean to vary as Student's interval assumes, if that can be had."""
        return round(min(MOST, max(JOBS, FAIR * self._memory)))

    @property
    def forgetful(self) -> bool:
        """Whether the warm-up is long enough for the queue to forget that it started empty."""
        return self._memory < WARM_UP * self.jobs

    @property
    def settled(self) -> bool:
        """Whether a run is long enough for its mean to vary as Student's interval assumes."""
        return round(FAIR * self._memory) <= self.jobs

    @property
    def _memory(self) -> float:
        """Arrivals within which the queue forgets: 4 / (1 − ρ)² in M/M/1, more in a variable one by (1 + SCV) / 2."""
        slack = 1 - self.fleet.now.utilization
        return 4 / slack**2 * max(1.0, (1 + self.fleet.scv) / 2)

    def start(self, rng: np.random.Generator) -> Iterator[Replications]:
        """Simulate, with the estimates so far after each run."""
        return replicate_queue(*self.settings, self.jobs, rng, runs=RUNS, warm_up=WARM_UP)

    def words(self, found: Replications) -> str:
        """What was found beside the formula, and Little's law as measured."""
        now = self.fleet.now
        kept = f.significant(self.jobs * (1 - WARM_UP), 6)
        inside = found.wait_low <= now.mean_wait <= found.wait_high
        lines = [
            f"**Simulated:** mean wait {f.duration(found.mean_wait)}, 95 % interval {f.duration(found.wait_low)} to "
            f"{f.duration(found.wait_high)} ({f.count(found.runs, 'run')} of {kept} jobs after a warm-up)."
        ]
        if now.exact:
            outside = (
                "as it will in about one press of 20" if self.settled else "as it will more often than in one of 20"
            )
            place = "lies inside" if inside else f"lies outside, {outside}"
            lines.append(f"**Formula:** {_name(now.method)} says {f.duration(now.mean_wait)}, which {place}.")
        else:
            chance = " That is within chance." if inside else ""
            lines.append(
                f"**Gap:** Allen–Cunneen says {f.duration(now.mean_wait)}, {_gap(now.mean_wait, found.mean_wait)} the "
                f"simulated mean of gamma job lengths (95 % interval: {_gap(now.mean_wait, found.wait_high)} to "
                f"{_gap(now.mean_wait, found.wait_low)}).{chance}"
            )
        product = found.arrival_rate * found.mean_response
        lines.append(
            f"**Little's law, each measured by itself:** L = {f.significant(found.mean_in_system)} jobs in the "
            f"system; λ W = {f.significant(found.arrival_rate * k.HOUR)} jobs an hour × "
            f"{f.duration(found.mean_response)} = {f.significant(product)} jobs."
        )
        if self.forgetful and not self.settled:
            lines.append(
                f"**Caution:** at {f.share(now.utilization)} and this variability waits rise and fall so slowly that a "
                "run sees few ups and downs, so its mean comes out low more often than high."
            )
        if not self.forgetful:
            lines.append(
                f"**Caution:** at {f.share(now.utilization)} a queue forgets that it started empty only after more "
                "jobs than the warm-up has, so the simulated mean comes out low."
            )
        return "\n".join(f"- {line}" for line in lines)


def _name(method: str) -> str:
    return f"the {method.removesuffix(' exact')} formula"


def _gap(formula: float, simulated: float) -> str:
    """Write the formula against the simulation: "2.9 % above"."""
    if simulated <= 0:
        return "far above"
    gap = formula / simulated - 1
    percent = f.share(abs(gap), 2)
    return "equal to" if percent == "0 %" else f"{percent} {'above' if gap > 0 else 'below'}"


def held(fleet: Fleet) -> Replications | None:
    """Return what was simulated for these settings."""
    return simulation.held("trap", Trial(fleet).settings)


def offer(page: Page) -> None:
    """Draw the button that simulates, and simulate; its words follow the knobs."""
    trial = Trial(page.settings)
    pressed = simulation.button("trap", trial.settings, RUNS)
    page.follow(lambda fleet: fleet if pressed else held(fleet))
    if pressed:
        simulation.run("trap", trial.settings, trial.start, RUNS, trial.refusal)


def figure(fleet: Fleet, look: Look, end: float = chart.TOP) -> Figure:
    """The curve with what was simulated."""
    return chart.figure(fleet, look, found=held(fleet), end=end, small=True)


pinned = chart.figure
metrics = spread_metrics
words = derived_words


def below(page: Page, fleet: Fleet) -> None:
    """Put what was simulated into words."""
    if found := held(fleet):
        st.markdown(Trial(fleet).words(found))
