"""Your cluster: a log in, the what-if out."""

import streamlit as st

from lessons import LESSONS  # noqa: F401 -- all of them, as they share packages of `physics`
from physics.cluster import report
from ui.cluster import computing, export, needed, replay, sections, source, waiting
from ui.page import shell
from ui.record import local_storage

look = shell.open_plain("Your cluster", "cluster")
st.markdown(
    "See what happened on a cluster, whether theory explains it, and what another policy or 64 "
    "more GPUs would have done. You need one file, such as the output of `sacct`."
)
log = source.choose()
if log is not None:
    question, price = sections.question(log)
    study = sections.study(log, question)
    if study is not None:
        dated = log.attrs["dated"]
        first = st.container()
        document = report(study.happened, study.calibration, dated=dated, promises=study.promises)
        by_title = {section["title"]: section for section in document["sections"]}
        sections.what_happened(study, by_title, look, dated)
        differences = sections.what_if(log, study, price, look)
        with first:
            sections.answer(study, differences)
        sizes = needed.draw(log, study, price, look)
        reasons = waiting.draw(log, study)
        computing.draw(study)
        sections.trust(study, by_title, look)
        export.take_along(log, study, differences, price, sizes, reasons)
replay.draw()
local_storage.sync()
