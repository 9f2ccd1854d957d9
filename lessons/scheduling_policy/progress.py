"""Scheduling policy: what takes a moment, with progress, and the choice of a week."""

import time
from collections.abc import Callable

import streamlit as st

from lessons.scheduling_policy import runs
from lessons.scheduling_policy.runs import Board
from lessons.scheduling_policy.settings import Scenario
from lessons.scheduling_policy.week import last_week
from ui.base import state

#: Work that takes less than this needs no sign of progress [s].
AT_ONCE = 0.3


def bar(place: st.delta_generator.DeltaGenerator, what: str) -> Callable[[int, int], None]:
    """Return what shows progress in this place once the work has taken a while.

    Each call lets Streamlit stop the run when a knob has been turned, and lets other visitors' runs go on.
    """
    begin = time.monotonic()

    def show(done: int, wanted: int) -> None:
        if time.monotonic() - begin > AT_ONCE:
            place.progress(min(1.0, done / wanted), text=f"{what}: {done} of {wanted}. Changing a setting stops it.")

    return show


def simulate(scenario: Scenario, place: st.delta_generator.DeltaGenerator) -> Board:
    """Simulate the present settings and the question's four policies, with progress where the verdict will be."""
    show = bar(place, "Simulating replications")
    found = runs.board(scenario, progress=show)
    if runs.saturation_is_slow(scenario):
        show(1, 1)
    runs.saturation(scenario)
    show = bar(place, "Simulating the four policies")
    for answer in runs.FOUR:
        runs.board(Scenario(), answer=answer, progress=show)
    return found


def choose_week(lesson_id: str, scenario: Scenario) -> int:
    """Choose the week of the Gantt chart."""
    key, last = f"{lesson_id}_week", last_week(scenario)
    held = state.get(key, 4)
    if not isinstance(held, int) or not 1 <= held <= last:
        held = min(4, last)
    state.put(key, held)
    return int(
        st.slider("Week", 1, last, key=key, persist_state="session", help="Of the first replication, drawn from day 0.")
    )
