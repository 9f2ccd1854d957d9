"""Utilization trap, beyond the message: variability of job lengths, and the present setting simulated."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import streamlit as st

from lessons.utilization_trap import chart
from lessons.utilization_trap.settings import Fleet, say
from lessons.utilization_trap.verdict import spread_metrics
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
        return say("nothing_to_simulate", self.fleet)

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
        fleet, now = self.fleet, self.fleet.now
        inside = found.wait_low <= now.mean_wait <= found.wait_high
        numbers = {
            "mean": f.duration(found.mean_wait),
            "low": f.duration(found.wait_low),
            "high": f.duration(found.wait_high),
            "runs": f.count(found.runs, "run"),
            "kept": f.significant(self.jobs * (1 - WARM_UP), 6),
            "formula": _name(now.method),
            "gap": _gap(now.mean_wait, found.mean_wait),
            "least_gap": _gap(now.mean_wait, found.wait_high),
            "most_gap": _gap(now.mean_wait, found.wait_low),
            "in_system": f.significant(found.mean_in_system),
            "rate": f.significant(found.arrival_rate * k.HOUR),
            "response": f.duration(found.mean_response),
            "product": f.significant(found.arrival_rate * found.mean_response),
        }
        if now.exact:
            beside = "formula_inside" if inside else "formula_outside" if self.settled else "formula_often_outside"
        else:
            beside = "gap_within_chance" if inside else "gap"
        lines = ["simulated", beside, "littles_law_measured"]
        lines += ["caution_slow"] if self.forgetful and not self.settled else []
        lines += [] if self.forgetful else ["caution_empty"]
        return "\n".join(f"- {say(line, fleet, **numbers)}" for line in lines)


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


def words(fleet: Fleet) -> str:
    """What follows from the knobs and is no knob itself."""
    return say("derived", fleet)


def below(page: Page, fleet: Fleet) -> None:
    """Put what was simulated into words."""
    if found := held(fleet):
        st.markdown(Trial(fleet).words(found))
