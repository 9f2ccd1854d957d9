"""Your cluster: the number of GPUs for a target, and the largest load that meets it."""

import streamlit as st

from physics.cluster import Kept, Needed
from physics.cluster.needed import MEASURES
from ui.base import device, state
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import charts, log_cache, widgets, work
from ui.cluster.log_cache import Log, Study
from ui.cluster.widgets import capital, choice, number
from ui.page import figures

_FOUND = "_cluster_needed_found"
SIZE = "size"
LOAD = "load"
WITHIN = "within"


def draw(log: Log, study: Study, price: float, look: Look) -> list[Needed | Kept]:
    """Draw the question, the answer, and its curve; return the answers for the report."""
    unit = study.happened.unit
    label = f"What is needed: the fewest {unit}s, or the highest load, for a target"
    box = device.expander(label, "cluster_needed_fold", ":material/straighten:")
    if box:
        with box:
            _ask(log, study, price, unit)
    target, answer = state.get(_FOUND, (("", ""), None))
    if answer is None or target[:2] != (log.key, study.question):
        return []
    if box:
        with box:
            doubt = study.calibration.grade.doubt("what it says about sizes and loads")
            if doubt:
                st.warning(literal(doubt), icon=":material/warning:")
            st.markdown(literal(answer.sentence))
            if len(answer.near) > 1:
                figures.draw(charts.needed(answer, look), "cluster")
    return [answer]


def _ask(log: Log, study: Study, price: float, unit: str) -> None:
    """Draw the knobs of the question, and hold its answer once it has come."""
    st.caption(
        f"The same jobs under {literal(study.calibration.baseline)}; as simulated, and if its "
        "error stays."
    )
    what = st.segmented_control(
        "Question",
        [SIZE, LOAD],
        default=SIZE,
        required=True,
        key="cluster_needed_what",
        persist_state="session",
        format_func={SIZE: f"Fewest {unit}s", LOAD: "Highest load"}.__getitem__,
    )
    measures = {name: capital(words) for name, words in MEASURES.items()} | {
        WITHIN: "Share within a limit"
    }
    row = st.container(horizontal=True, vertical_alignment="bottom")
    measure = choice("Measure", measures, "needed_measure", place=row, at=1)
    hours = number(
        "Limit (h)",
        0.0,
        10_000.0,
        4.0,
        1.0,
        "needed_hours",
        "Highest value that the measure may have, in hours.",
        row,
    )
    if measure == WITHIN:
        share = number(
            "Share of the jobs (%)",
            1,
            99,
            90,
            1,
            "needed_share",
            "This share of the jobs waits no longer than the limit.",
            row,
        )
        measure = f"p{share}"
    names = {"": "all jobs"} | {name: name for name in log.classes}
    if len(names) < 3:
        whose = ""
    else:
        whose = choice("Whose waits", names, "needed_class", place=row)
    if what == LOAD:
        step = 1.0
    else:
        step = number(
            f"{unit}s bought at once",
            1,
            100_000,
            1 if study.happened.gpus < 256 else 8,
            1,
            "needed_step",
            "The search changes today's size in steps of this many.",
            row,
        )
    target = (
        log.key,
        study.question,
        what,
        measure,
        float(hours),
        int(step),
        whose if whose in names else "",
        price,
    )
    reply = widgets.answer(
        st.button(f"Find the {what}", key="cluster_needed", icon=":material/search:"),
        target,
        f"Trying {what}s",
        lambda progress: log_cache.answer(log, study, progress, work.needed, *target[2:]),
        "cluster_sizes",
    )
    if reply is not None:
        state.put(_FOUND, (target, reply))
