"""The home page: what the lessons are, and how far you are."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.page import home, shell
from ui.record import local_storage

look = shell.open_plain(shell.NAME, "app")
home.opening(look)
home.come_back()
with st.container(key="way", gap="xsmall"):
    home.course()
    home.electives()
st.divider()
home.other_pages()
local_storage.start_over()
local_storage.sync()
