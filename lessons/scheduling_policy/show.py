"""Scheduling policy: what takes a moment, with progress, and what is drawn around it."""

import time
from collections.abc import Callable

import streamlit as st

from lessons.scheduling_policy import effort, runs, words
from lessons.scheduling_policy.runs import Board
from lessons.scheduling_policy.settings import Scenario
from lessons.scheduling_policy.week import WEEKS
from ui.base import state

#: Work that takes less than this needs no sign of progress [s].
AT_ONCE = 0.3


class Bar:
    """A progress bar that appears only if the work takes a while, and is gone when it is done.

    Each call lets Streamlit stop the run when a knob has been turned, and lets other visitors' runs go on.
    """

    def __init__(self, what: str) -> None:
        self.what, self.place, self.begin, self.seen = what, st.empty(), time.monotonic(), False

    def __call__(self, done: int, wanted: int) -> None:
        if self.seen or time.monotonic() - self.begin > AT_ONCE:
            self.seen = True
            self.place.progress(min(1.0, done / wanted), text=f"{self.what}: {done} of {wanted}. A knob stops it.")

    def close(self) -> None:
        """Take the bar away."""
        if self.seen:
            self.place.empty()


def simulated(scenario: Scenario) -> Board:
    """Simulate the present settings, or take them from what is known, with progress if it takes long."""
    bar = Bar("Simulating replications")
    found = runs.board(scenario, progress=bar)
    if runs.saturation_is_slow(scenario):
        bar(1, 1)
    most = runs.saturation(scenario)
    if most is not None and scenario.load > most:
        bar(1, 1)
        runs.carried_rate(scenario, between=lambda: bar(1, 1))
    bar.close()
    return found


def four(scenario: Scenario) -> dict[str, Board]:
    """Simulate the four answers of the prediction on the jobs of these settings, with progress."""
    return _with_progress(
        "Simulating the four policies", lambda answer, bar: runs.board(scenario, answer=answer, progress=bar)
    )


def _with_progress(what: str, make: Callable[[str, Bar], Board]) -> dict[str, Board]:
    bar = Bar(what)
    found = {answer: make(answer, bar) for answer in runs.FOUR}
    bar.close()
    return found


def scoreboard(scenario: Scenario, found: Board) -> None:
    """Draw the table of the classes and what stands behind it."""
    st.markdown(words.scoreboard(found))
    st.caption(words.scoreboard_note(scenario, found))


def reveal() -> None:
    """Draw the four answers on the message's own jobs, simulated."""
    boards = four(Scenario())
    never = boards["d"].mean("training", "never_started") / boards["d"].mean("training", "count")
    st.markdown("**Which of the four policies does it?** Simulated on the message's jobs, whatever your knobs say.")
    st.markdown(words.four_table(boards))
    first = boards["c"]
    st.caption(
        f"{first.runs} replications of 60 days ± standard error, seed {Scenario().seed}, 3.5 trainings a day. "
        "Jobs that can never start count as missed in the shares and are left out of the means. In (d) "
        f"{words.percent(never)} of the training jobs are larger than their partition, and the rest ask for more than "
        "it can carry: their wait grows with the time simulated."
    )


def week(lesson_id: str, scenario: Scenario) -> int:
    """Choose the week of the Gantt chart."""
    key, days = f"{lesson_id}_week", effort.days(scenario.effective)
    last = max(2, min(WEEKS, days // 7))
    held = state.get(key, 4)
    if not isinstance(held, int) or not 1 <= held <= last:
        held = min(4, last)
    state.put(key, held)
    return int(
        st.slider("Week", 1, last, key=key, persist_state="session", help="Of the first replication, drawn from day 0.")
    )
