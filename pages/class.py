"""Class, under the address that people type: leads to the page where a class votes."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them

st.switch_page("pages/class_poll.py", query_params=st.query_params.to_dict())
