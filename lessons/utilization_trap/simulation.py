"""Utilization trap, beyond the message: variability of job lengths, and the present setting simulated."""

import streamlit as st

from lessons.utilization_trap import chart
from lessons.utilization_trap.settings import Fleet, say
from physics import constants as k
from physics.queueing import Replications, replicate_queue
from ui.base.lesson import Figure
from ui.charts import Look
from ui.page import simulation

RUNS = 10
#: Jobs of a run: so many at least, and where the queue remembers long as many as a press has time for.
JOBS, MOST = 100_000, 600_000
WARM_UP = 0.25
#: A run that lasts so many times as long as the queue remembers has a mean that varies about as Student assumes.
FAIR = 60


def of(fleet: Fleet) -> tuple[float, float, int, float]:
    """Arrival rate, job length, servers and SCV: what a result belongs to."""
    return (fleet.arrival_rate, fleet.job_length, fleet.servers, fleet.scv)


def wanted(fleet: Fleet) -> float:
    """Jobs that a run should have: the queue forgets in 4 / (1 − ρ)² arrivals in M/M/1, a variable one in more."""
    return FAIR * 4 / (1 - fleet.load) ** 2 * max(1.0, fleet.factor)


def jobs(fleet: Fleet) -> int:
    """Jobs of each run: enough for its mean to vary as Student's interval assumes, if that can be had."""
    return round(min(MOST, max(JOBS, wanted(fleet))))


def found_words(fleet: Fleet, found: Replications) -> str:
    """What was found beside the formula, and Little's law as measured."""
    inside = found.wait_low <= fleet.wait <= found.wait_high
    beside = "formula_inside" if inside else "formula_outside" if fleet.now.exact else "approximation_outside"
    lines = ["simulated", beside, "littles_law_measured", *["caution"] * (round(wanted(fleet)) > jobs(fleet))]
    kept, rate = jobs(fleet) * (1 - WARM_UP), found.arrival_rate
    more = {"found": found, "kept": kept, "rate": rate * k.HOUR, "product": rate * found.mean_response}
    return "\n".join(f"- {say(line, fleet, **more)}" for line in lines)


def held(fleet: Fleet) -> Replications | None:
    """Return what was simulated for these settings."""
    return simulation.held("trap", of(fleet))


def figure(fleet: Fleet, look: Look, found: Replications | None = None, end: float = chart.TOP) -> Figure:
    """The curve with what was simulated."""
    return chart.figure(fleet, look, found=found, end=end)


def below(page: object, fleet: Fleet) -> None:
    """Draw what was simulated, in words, and the button that simulates."""
    if found := held(fleet):
        st.markdown(found_words(fleet, found))
    settings = of(fleet)
    pressed = simulation.button("trap", settings, RUNS)
    if pressed and not fleet.now.stable:
        st.info(say("nothing_to_simulate", fleet), icon=":material/info:")
    elif pressed:
        simulation.run("trap", settings, lambda rng: replicate_queue(*settings, jobs(fleet), rng, RUNS, WARM_UP), RUNS)
