"""The home page: what the lessons are, and how far you are."""

import streamlit as st

from ui import keep, ledger, shell
from ui.words import fill, lessons

shell.open_plain(shell.NAME, "app")
st.markdown(
    "Turn the knobs of a shared GPU fleet and see what its physics does. Every lesson asks for a prediction first, "
    "keeps it, and then lets the model answer. A wrong guess costs nothing and teaches most."
)
for lesson in lessons():
    icon, words = shell.PROGRESS[ledger.progress(lesson)]
    with st.container(border=True):
        shell.link(lesson.path, f"**{lesson.title}**", icon)
        st.markdown(fill(lesson.question, {}))
        st.caption(f"{words.capitalize()}.")

keep.start_over()
keep.sync()
