"""Corrections: where the draft labs and this app differ, each number computed when the page is drawn."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.base import device
from ui.base import format as f
from ui.page import corrections, shell
from ui.record import ledger, local_storage

shell.open_plain("Corrections", "corrections")
st.markdown(
    "The lessons retell the draft labs of *Machine Learning Systems*, volume 2 (first draft, March 2026), lecture "
    "notes on GPU scheduling, a notebook on fair sharing and a talk on notebooks. We are grateful for all of them: "
    "good questions are harder to come by than right numbers. Drafts are there to be mended, and here is what came "
    "out differently when we computed it. If one of our numbers is wrong, the same holds for us."
)
for lesson in corrections.corrected():
    fresh = ledger.progress(lesson) == "new"
    shell.link(lesson.path, f"**{lesson.title}**", shell.PROGRESS[ledger.progress(lesson)][0])
    st.caption(
        f"{lesson.origin or 'Draft of March 2026'}."
        + (" Not predicted yet: the rows give answers away." if fresh else "")
    )
    label, key = f"{f.count(len(lesson.corrections), 'correction')} to {lesson.title}", f"corrections_{lesson.id}"
    if fresh:
        box, wanted = device.expander(label, key, answers=True)
    else:
        box, wanted = st.expander(label, expanded=True), True
    if wanted:
        box.markdown(corrections.table(corrections.rows(lesson)))
local_storage.sync()
