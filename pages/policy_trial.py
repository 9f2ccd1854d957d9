"""Policy trial: how often the worse of two policies looks better, and what to do about it."""

import streamlit as st

from lessons import POLICY_TRIAL as LESSON
from lessons.policy_trial import ACTS, bandits, fresh, needed, often, single
from lessons.policy_trial.settings import Trial
from ui.page import prediction
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()


@page.explore
def explore(trial: Trial) -> None:
    """All that a turn of a knob changes, in the act that is looked at."""
    head, place = st.container(), st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        view = page.views()
        found = fresh.offer(trial)
    act = ACTS.get(view, often)
    with head:
        page.metrics(act.metrics(trial))
        page.verdict(act.verdict(trial))
    with place:
        if act is often:
            page.figure(often.figure(trial, page.look, page.guess, prediction.is_reflected(LESSON)))
        else:
            page.figure(act.figure(trial, page.look))
    fresh.show(trial, found)
    st.caption({"trial": single.words, "needed": needed.words, "bandit": bandits.words}.get(view, fresh.about)(trial))
    page.challenge()
    page.remedies()


page.explain()
page.close()
