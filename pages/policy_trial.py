"""Policy trial: how often the worse of two policies looks better, and what to do about it."""

import streamlit as st

from lessons import POLICY_TRIAL as LESSON
from lessons.policy_trial import ACTS, fresh, often
from lessons.policy_trial.settings import Trial
from ui.page import prediction
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()
act = ACTS.get(view, often)


@page.explore
def explore(trial: Trial) -> None:
    """All that a turn of a knob changes, in the act that is looked at."""
    page.metrics(act.metrics(trial))
    page.verdict(act.verdict(trial))
    if view == "film":
        page.film("trial")
    elif act is often:
        drawn = page.guessed(often.figure, trial, page.look, told=prediction.is_reflected(LESSON))
        page.figure(drawn, often.figure)
    else:
        page.figure(act.figure(trial, page.look))
    with page.below:
        st.caption((fresh.about if act is often else act.words)(trial))
        fresh.show(trial, fresh.offer(trial))
        page.challenge()


page.remedies()
page.explain()
page.close()
