"""Key terms: the words of the field that the lessons use, each in one plain clause."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.page import glossary, shell, sources
from ui.record import local_storage

shell.open_plain("Key terms", "glossary")
st.markdown(
    "The words of the field that the lessons use, each in one plain clause, with the lesson that explains it. A lesson "
    "has those that it uses first behind **Key terms**, beside its question. Symbols and units stand under Sources."
)
search = st.text_input(
    "Search words and meanings",
    key="glossary_search",
    placeholder="for example: backfill, or notebook",
    icon=":material/search:",
    bind="query-params",
    max_chars=100,
)
found = sources.matching(glossary.frame(), search)
st.caption(f"{sources.counted(found, glossary.frame())}.")
if len(found):
    st.table(found.set_index("Word"))
else:
    st.markdown("No matches. Try a shorter search.")
local_storage.sync()
