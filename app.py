"""The home page: what the lessons are, and how far you are."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.page import home, shell
from ui.record import local_storage

look = shell.open_plain(shell.NAME, "app")
words, picture = st.columns([5, 6], gap="large")
with words:
    st.markdown(home.WELCOME)
    home.way_on()
with picture:
    home.picture(look)
with st.container(key="way"):
    home.film(look)
    home.lesson_rows()
st.divider()
home.other_pages()
local_storage.start_over()
local_storage.sync()
