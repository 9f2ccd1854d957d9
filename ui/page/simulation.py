"""A button that simulates the present setting: progress while it runs, the result kept as long as the knobs stay.

Turning a knob, leaving the page, or taking too long ends the run between two of its steps (`ui.base.time_slices`).
"""

import time
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

import numpy as np
import streamlit as st

from ui.base import state, time_slices

Result = TypeVar("Result")

#: Results kept for settings that a visitor may come back to.
KEPT = 16
#: After this time the runs that are done must do, so that a slow server answers within three seconds [s].
PATIENCE = 2.3


def held(lesson_id: str, settings: Hashable) -> object | None:
    """Return what was simulated for these settings, or None."""
    return _results(lesson_id).get(settings)


def button(lesson_id: str, settings: Hashable, runs: int) -> bool:
    """Draw the button, with the key `<lesson>_simulate`; True in the run that follows a press."""
    return st.button(
        "Run simulation" if held(lesson_id, settings) is None else "Simulate again",
        key=f"{lesson_id}_simulate",
        icon=":material/casino:",
        help=f"{runs} independent runs to compare with the formula; each press draws new random numbers.",
    )


def run(
    lesson_id: str,
    settings: Hashable,
    start: Callable[[np.random.Generator], Iterator[Result]],
    runs: int,
) -> None:
    """Simulate with a progress bar, keep the result and draw the page again with it.

    The result belongs to these settings. Given a random generator, `start` yields the estimates so far, once after each
    of the runs. After `time_slices.LONGEST` of processor time the run is given up, which is said, and nothing is kept.
    """
    presses = int(state.get(f"_presses/{lesson_id}", 0)) + 1
    state.put(f"_presses/{lesson_id}", presses)
    bar = st.progress(0.0, text="Simulating. Changing a setting stops it.")
    begin, end = time.monotonic(), time.thread_time() + time_slices.LONGEST
    steps, last, number = start(np.random.default_rng(presses)), None, 0
    try:
        while (estimates := _next(steps, end)) is not None:
            last, number = estimates, number + 1
            bar.progress(min(1.0, number / runs), text=f"Run {number} of {runs}. Changing a setting stops it.")
            if number > 1 and time.monotonic() - begin > PATIENCE:
                break
    except time_slices.TooLong:
        bar.empty()
        words = f"{time_slices.given_up()} Nothing was kept; try a setting with less to simulate."
        st.warning(words, icon=":material/timer_off:")
        return
    if last is not None:
        kept = {key: value for key, value in _results(lesson_id).items() if key != settings}
        state.put(f"_simulated/{lesson_id}", dict(list(kept.items())[-(KEPT - 1) :]) | {settings: last})
    st.rerun()


def _next(steps: Iterator[Result], end: float) -> Result | None:
    """Compute one step in turn with the other visitors' simulations, until the thread's clock shows the end."""
    with time_slices.turn(end - time.thread_time()):
        return next(steps, None)


def _results(lesson_id: str) -> dict:
    found = state.get(f"_simulated/{lesson_id}")
    return found if isinstance(found, dict) else {}
