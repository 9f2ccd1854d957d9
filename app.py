"""The home page: what the lessons are, and how far you are."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.page import home, shell
from ui.record import keep

look = shell.open_plain(shell.NAME, "app")
st.markdown(
    "Many people share one fleet of GPUs: it has queues, schedulers, storage, fair shares and bills. Turn its knobs "
    "and see what its physics does. Each lesson is one question; a wrong guess costs nothing and teaches most."
)
for step, column in zip(home.STEPS, st.columns(len(home.STEPS), gap="medium"), strict=True):
    column.markdown(step)
st.caption(f"{home.plan()}Each one stands alone; the order is a suggestion.")
with st.container(key="way"):
    home.way_on()
    home.film(look)
    home.lesson_rows()
st.divider()
home.other_pages()
keep.start_over()
keep.sync()
