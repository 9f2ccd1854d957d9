"""Your cluster: how many GPUs a target needs."""

import streamlit as st

from physics.cluster import Needed
from physics.cluster.needed import MEASURES
from ui.base import background, state
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import charts, log_cache
from ui.cluster.log_cache import Log, Study
from ui.page import figures

_ASKED, _FOUND = "_cluster_needed_asked", "_cluster_needed_found"


def draw(log: Log, study: Study, look: Look) -> list[Needed]:
    """Draw the question, and once it was asked the answer and its curve; return what the report should hold of it."""
    unit = study.happened.unit
    st.header("What is needed", anchor=False)
    st.markdown(
        f"The fewest {unit}s with which the same jobs under {literal(study.calibration.baseline)} meet a target."
    )
    first, second, third, fourth = st.columns(4, vertical_alignment="bottom")
    measure = first.selectbox(
        "What is limited", list(MEASURES), 1, format_func=_named, key="cluster_needed_measure", persist_state="session"
    )
    hours = second.number_input(
        "At most (h)", 0.0, 10_000.0, 4.0, 1.0, key="cluster_needed_hours", persist_state="session",
        help="The wait that the measure may reach.",
    )  # fmt: skip
    step = third.number_input(
        f"{unit}s bought at once", 1, 100_000, 1 if study.happened.gpus < 256 else 8, key="cluster_needed_step",
        persist_state="session", help="Sizes are tried in such steps from today's size.",
    )  # fmt: skip
    what = (log.key, study.question, measure, float(hours), int(step))
    if fourth.button("Find the size", key="cluster_needed", icon=":material/search:", width="stretch"):
        state.drop("_cluster_asked")  # one piece of work at a time
        state.put(_ASKED, what)
    held = state.get(_FOUND)
    if state.get(_ASKED) == what and not (isinstance(held, tuple) and held[0] == what):
        found = background.obtain(
            what, "Trying sizes", lambda progress: log_cache.needed(log, study, *what[2:], progress), "cluster_sizes"
        )
        if isinstance(found, Needed):
            state.drop(_ASKED)
            held = what, found
            state.put(_FOUND, held)
    if not isinstance(held, tuple):
        return []
    st.markdown(f"**{literal(held[1].sentence)}** {literal(held[1].caution)}")
    if len(held[1].curve) > 1:
        figures.draw(charts.needed(held[1], look), "cluster")
    return [held[1]]


def _named(measure: str) -> str:
    words = MEASURES[measure]
    return words[:1].upper() + words[1:]


def forget() -> None:
    """Forget what was asked and found, of another log or while another piece of work is done."""
    state.drop(_ASKED)
    state.drop(_FOUND)
