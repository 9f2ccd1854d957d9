"""Your cluster: the number of GPUs for a target, and the largest load that meets it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from physics.cluster import Kept, Needed
from physics.cluster.machine.target import MEASURES
from physics.cluster.say import policy as policy_words
from ui.base import device, state
from ui.base.format import capital
from ui.base.words import literal
from ui.charts.look import Look
from ui.cluster import charts, log_cache, pictures, widgets, work
from ui.cluster.log_cache import Log, Study

_ANSWER = "_cluster_needed_found"
#: Ids of the two questions, and of the measure that needs a share.
SIZE = "size"
LOAD = "load"
WITHIN = "within"


def draw(log: Log, study: Study, price: float, look: Look) -> list[Needed | Kept]:
    """Draw the question, its answer, and the answer's curve; list the answer for the report."""
    unit = study.happened.unit
    label = f"Fewest {unit}s, or highest load, that meets a target"
    box = device.expander(label, "cluster_needed_fold", ":material/straighten:")
    if box:
        with box:
            _ask(log, study, price, unit)
    target, answer = state.get(_ANSWER, (("", ""), None))
    if answer is None or target[:2] != (log.key, study.question):
        return []
    if isinstance(answer, Needed):
        answer = replace(answer, price=price)  # the search does not depend on it
    if box:
        with box:
            widgets.warn(study.calibration.grade.doubt("what it says about sizes and loads"))
            st.markdown(literal(answer.sentence))
            if len(answer.near) > 1:
                policy = {"Policy": study.calibration.baseline}
                pictures.draw(charts.needed(answer, look), look, study, policy)
    return [answer]


def _ask(log: Log, study: Study, price: float, unit: str) -> None:
    """Draw the settings of the question, and store its answer once it is computed."""
    baseline = literal(policy_words(study.calibration.baseline))
    st.caption(f"The same jobs run under {baseline}; the band shows the model's error.")
    kinds = {SIZE: f"Fewest {unit}s", LOAD: "Highest load"}
    quantity = widgets.field("needed_what", options=kinds)
    measures = {name: capital(label) for name, label in MEASURES.items()}
    measures[WITHIN] = "Share of jobs within a limit"
    field = partial(widgets.field, container=widgets.row(), unit=unit)
    measure = field("needed_measure", options=measures)
    hours = field("needed_hours")
    if measure == WITHIN:
        measure = f"p{field('needed_share')}"
    job_class = ""
    names = {"": "all jobs"} | {name: name for name in log.classes}
    if len(names) > 2:
        job_class = field("needed_class", options=names)
    step = 1
    if quantity == SIZE:
        default = 1 if study.happened.gpus < 256 else 8
        step = field("needed_step", range=[1, 100_000, default, 1])
    if job_class not in names:
        job_class = ""
    question = (quantity, measure, float(hours), int(step), job_class, price)
    target = (log.key, study.question, *question)
    reply = widgets.answer(
        st.button(f"Find the {quantity}", key="cluster_needed", icon=":material/search:"),
        target,
        f"Trying {quantity}s",
        lambda progress: log_cache.answer(log, study, progress, work.needed, *question),
        "cluster_sizes",
    )
    if reply is not None:
        state.put(_ANSWER, (target, reply))
