"""Utilization trap: variability of job lengths, and a simulation of the current settings."""

import math
import time
from dataclasses import replace

import numpy as np
import streamlit as st

from lessons.utilization_trap import chart
from lessons.utilization_trap.settings import Fleet, say
from physics import constants as k
from physics.queueing import Replications, replicate_queue
from ui.base import format as f
from ui.base import state, time_slices
from ui.base.lesson import Figure, View
from ui.charts import Look

#: In session state: results by their settings, and how often the button was pressed.
RESULTS = "_simulated/trap"
PRESSES = "_presses/trap"
#: Results kept for settings that a visitor may come back to.
KEPT = 16
#: After this time the runs that are done must do, so that a slow server answers within three
#: seconds [s].
PATIENCE = 2.3
RUNS = 10
#: Jobs of a run: so many at least, and where the queue remembers long as many as a press has time
#: for.
JOBS = 100_000
MOST = 600_000
WARM_UP = 0.25
#: A run that lasts so many times as long as the queue remembers has a mean that varies about as
#: Student assumes.
FAIR = 60


def of(fleet: Fleet) -> tuple[float, float, int, float]:
    """Key of a simulation result: arrival rate, job length, servers, and SCV."""
    return (fleet.arrival_rate, fleet.job_length, fleet.servers, fleet.scv)


def wanted(fleet: Fleet) -> float:
    """Number of jobs that a simulated run should have at this load and variability [1]."""
    return FAIR * 4 / (1 - fleet.load) ** 2 * max(1.0, fleet.factor)


def jobs(fleet: Fleet) -> int:
    """Jobs per run, enough for the assumptions of Student's interval if possible."""
    return round(min(MOST, max(JOBS, wanted(fleet))))


def found_words(fleet: Fleet, result: Replications) -> str:
    """Simulation results compared with the formula, and Little's law as measured."""
    if result.wait_low <= fleet.wait <= result.wait_high:
        comparison = "formula_inside"
    elif fleet.now.exact:
        comparison = "formula_outside"
    else:
        comparison = "approximation_outside"
    lines = ["simulated", comparison, "littles_law_measured"]
    if round(wanted(fleet)) > jobs(fleet):
        lines.append("caution")
    rate = result.arrival_rate
    half_width = (result.wait_high - result.wait_low) / 2
    if math.isfinite(half_width):
        result = replace(result, mean_wait=f.Mean(result.mean_wait, half_width))
    values = {
        "found": result,
        "kept": jobs(fleet) * (1 - WARM_UP),
        "rate": rate * k.HOUR,
        "product": rate * result.mean_response,
    }
    return "\n".join(f"- {say(line, fleet, **values)}" for line in lines)


def findings(fleet: Fleet) -> Replications | None:
    """Return the simulation results for these settings, if any."""
    return _results().get(of(fleet))


def figure(
    fleet: Fleet, look: Look, found: Replications | None = None, end: float = chart.TOP
) -> Figure:
    """Chart of the curve with the simulation results."""
    return chart.figure(fleet, look, found=found, end=end)


def below(page: object, fleet: Fleet) -> None:
    """Draw the simulation results as text, and the button that simulates."""
    result = findings(fleet)
    if result:
        st.markdown(found_words(fleet, result))
    pressed = st.button(
        "Simulate again" if result else "Run simulation",
        key="trap_simulate",
        icon=":material/casino:",
        help=f"{RUNS} independent runs to compare with the formula; each press draws new random "
        "numbers.",
    )
    if pressed and not fleet.now.stable:
        st.info(say("nothing_to_simulate", fleet), icon=":material/info:")
    elif pressed:
        simulate(fleet)


def simulate(fleet: Fleet) -> None:
    """Simulate with a progress bar, cache the result for these settings, and rerun the page.

    Turning a knob, leaving the page, or taking too long ends it between two of its runs
    (`ui.base.time_slices`).
    """
    presses = int(state.get(PRESSES, 0)) + 1
    state.put(PRESSES, presses)
    bar = st.progress(0.0)
    begin = time.monotonic()
    end = time.thread_time() + time_slices.LONGEST
    steps = replicate_queue(*of(fleet), jobs(fleet), np.random.default_rng(presses), RUNS, WARM_UP)
    try:
        for number in range(1, RUNS + 1):
            bar.progress(
                number / RUNS, text=f"Run {number} of {RUNS}. Changing a setting stops it."
            )
            with time_slices.turn(end - time.thread_time()):
                last = next(steps)
            if number > 1 and time.monotonic() - begin > PATIENCE:
                break
    except time_slices.TooLong:
        bar.empty()
        words = f"{time_slices.given_up()} Nothing was kept; try a setting with less to simulate."
        st.warning(words, icon=":material/timer_off:")
        return
    kept = _results()
    kept.pop(of(fleet), None)
    state.put(RESULTS, dict([*kept.items()][1 - KEPT :]) | {of(fleet): last})
    st.rerun()


def _results() -> dict:
    results = state.get(RESULTS)
    if isinstance(results, dict):
        return dict(results)
    return {}


view = View("spread", figure=figure, below=below, findings=findings)
