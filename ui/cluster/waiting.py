"""Your cluster: why one job of the log still waits, and when it could start."""

import streamlit as st

from physics.cluster.report import WHY
from physics.cluster.trust.why import Waiting
from ui.base import device, state
from ui.base.words import literal
from ui.cluster import log_cache, widgets, work
from ui.cluster.log_cache import Log, Study

_EXPLAINED = "_cluster_why_found"


def draw(log: Log, study: Study) -> list[Waiting]:
    """Draw the question about a log with waiting jobs; list its answer for the report."""
    if not study.happened.still_waiting:
        return []
    box = device.expander(WHY, "cluster_why_fold", ":material/hourglass_top:")
    if box:
        with box:
            _ask(log, study)
    key, explained = state.get(_EXPLAINED, (None, None))
    job = str(state.get("cluster_why", "")).strip()
    if explained is None or key != (log.key, study.question, job):
        return []
    if box:
        with box:
            widgets.warn(study.calibration.grade.doubt("what it says about starts"))
            st.markdown(literal(explained.sentence))
    return [explained]


def _ask(log: Log, study: Study) -> None:
    """Draw the question, and store its answer once it is computed."""
    row = widgets.row()
    job = widgets.field("why", row, placeholder=", ".join(study.waiting)).strip()
    pressed = row.button("Explain this job", key="cluster_why_ask", icon=":material/help:")
    key = (log.key, study.question, job)
    explained = widgets.answer(
        pressed and bool(job),
        key,
        "Planning the queue",
        lambda progress: log_cache.answer(log, study, progress, work.why, job),
        "cluster_explaining",
    )
    if explained is not None:
        state.put(_EXPLAINED, (key, explained))
