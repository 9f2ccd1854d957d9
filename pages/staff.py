"""For staff: how to run each lesson, what students say, how to link to it and how to put the app on the web."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.page import shell, staff
from ui.record import local_storage

shell.open_plain("For staff", "staff")
st.markdown(
    "Every lesson works by itself. Let students commit before anything is shown: predicting first is what makes a "
    "demonstration teach (Crouch, Fagen, Callan and Mazur, *Classroom demonstrations: learning tools or "
    "entertainment?*, American Journal of Physics 72, 2004)."
)
staff.projector_help()
staff.lock_help()
st.header("The lessons", anchor=False)
staff.lesson_plans()
st.header("From a link to grades", anchor=False)
staff.grades_help()
st.header("Links", anchor=False)
staff.links_help()
st.header("Words of your own", anchor=False)
staff.own_words_help()
st.header("Putting it on the web", anchor=False)
staff.deploying_help()
local_storage.sync()
