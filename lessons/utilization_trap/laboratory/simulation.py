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

#: Keys of the session state: results by their settings, and number of presses of the button.
RESULTS = "_simulated/trap"
PRESSES = "_presses/trap"
#: Most results to keep for settings to which a visitor may return.
MAX_RESULTS = 16
#: Time after which no further run begins, so that a slow server answers within three seconds [s].
PATIENCE = 2.3
RUNS = 10
#: Fewest and most jobs of a run.
JOBS = 100_000
MOST = 600_000
#: Share of a run that does not count.
WARM_UP = 0.25
#: Length of a run in relaxation times of the queue with which Student's interval is about right.
FAIR = 60


def result_key(fleet: Fleet) -> tuple[float, float, int, float]:
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
    half_width = (result.wait_high - result.wait_low) / 2
    if math.isfinite(half_width):
        result = replace(result, mean_wait=f.Mean(result.mean_wait, half_width))
    values = {
        "found": result,
        "kept": jobs(fleet) * (1 - WARM_UP),
        "rate": result.arrival_rate * k.HOUR,
        "product": result.arrival_rate * result.mean_response,
    }
    return "\n".join(f"- {say(line, fleet, **values)}" for line in lines)


def findings(fleet: Fleet) -> Replications | None:
    """Return the simulation results for these settings, if any."""
    return _results().get(result_key(fleet))


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

    It ends early between two runs if the visitor changes a setting or leaves the page, or if it
    takes too long (`ui.base.time_slices`).
    """
    presses = int(state.get(PRESSES, 0)) + 1
    state.put(PRESSES, presses)
    bar = st.progress(0.0)
    begin = time.monotonic()
    end = time.thread_time() + time_slices.LONGEST
    rng = np.random.default_rng(presses)
    results_so_far = replicate_queue(*result_key(fleet), jobs(fleet), rng, RUNS, WARM_UP)
    try:
        for number in range(1, RUNS + 1):
            text = f"Run {number} of {RUNS}. Changing a setting stops it."
            bar.progress(number / RUNS, text=text)
            with time_slices.turn(end - time.thread_time()):
                last = next(results_so_far)
            if number > 1 and time.monotonic() - begin > PATIENCE:
                break
    except time_slices.TooLong:
        bar.empty()
        words = f"{time_slices.given_up()} Nothing was kept; try a setting with less to simulate."
        st.warning(words, icon=":material/timer_off:")
        return
    results = _results()
    key = result_key(fleet)
    results.pop(key, None)
    newest = list(results.items())[1 - MAX_RESULTS :]
    state.put(RESULTS, dict(newest) | {key: last})
    st.rerun()


def _results() -> dict:
    """Return a copy of the results in the session state."""
    results = state.get(RESULTS)
    if isinstance(results, dict):
        return dict(results)
    return {}


view = View("spread", figure=figure, below=below, findings=findings)
