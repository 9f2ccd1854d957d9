"""Sources: every constant with its unit, source and kind, and what the words mean."""

import streamlit as st

import lessons
from ui.base import device
from ui.page import shell, sources
from ui.record import local_storage

shell.open_plain("Sources", "sources")
st.markdown(
    "Every constant of the models is declared once, with its unit and its source, and these tables are read from "
    "there. **Exact** holds by definition, a **datasheet** is a maker's or a standard's word, **measured** was "
    "published by somebody who measured it, and **assumed** was chosen for a lesson, for the reason given."
)
box, wanted = device.expander("What the sources describe and where it is here", "sources_systems", ":material/list:")
if wanted:
    titles = (*((one.page, one.title) for one in lessons.LESSONS), ("your_cluster", "Your cluster"))
    box.markdown(sources.systems(lessons.SYSTEMS, titles))
search = st.text_input(
    "Search constants, words and quantities",
    key="sources_search",
    placeholder="for example: assumed GPU, or utilization",
    icon=":material/search:",
    bind="query-params",
    max_chars=100,
)

constants = sources.matching(sources.constants_frame(), search)
st.header("Constants", anchor=False)
st.caption(f"{sources.counted(constants, sources.constants_frame())}. Values are in SI units.")
st.dataframe(constants, hide_index=True, height=420, row_height=64, column_config=sources.CONSTANT_COLUMNS)

words = sources.matching(sources.words_frame(), search)
st.header("Nomenclature", anchor=False)
st.caption(f"{sources.counted(words, sources.words_frame())}.")
st.dataframe(words, hide_index=True)

fields = sources.matching(sources.fields_frame(), search)
st.header("Quantities of the models", anchor=False)
st.caption(f"{sources.counted(fields, sources.fields_frame())}. Named as in the code of the folder physics.")
st.dataframe(fields, hide_index=True, height=420)
local_storage.sync()
