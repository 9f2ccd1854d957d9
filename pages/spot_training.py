"""Spot training: how often to write a checkpoint on machines that are taken away, and what the run costs."""

import streamlit as st

from lessons import SPOT_TRAINING as LESSON
from lessons.spot_training import charts, elastic, mix, runs, values, workers
from lessons.spot_training.settings import Plan
from ui.page import prediction
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views(later={"workers", "elastic", "mix"})


@page.explore
def explore(plan: Plan) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(plan))
    page.verdict(LESSON.verdict(plan))
    if view == "workers":
        for column, figure in zip(st.columns(3), workers.figures(plan, page.look), strict=True):
            with column:
                page.figure(figure)
        st.markdown("  \n".join(workers.answers(plan.crew)).replace("$", "\\$"))
    elif view == "elastic":
        for column, figure in zip(st.columns(2), elastic.figures(plan.elastic, page.look), strict=True):
            with column:
                page.figure(figure)
        st.markdown("  \n".join(elastic.answers(plan.elastic)).replace("$", "\\$"))
    elif view == "mix":
        page.figure(mix.figure(plan.mix, page.look))
        st.markdown("  \n".join(mix.answers(plan.mix)).replace("$", "\\$"))
    elif view == "money":
        page.figure(page.fitted(charts.money_figure, plan, page.look))
    elif view == "cost":
        told = prediction.is_reflected(LESSON)
        page.figure(page.guessed(charts.cost_figure, plan, page.look, told=told), charts.cost_figure)
    elif view == "runs":
        page.figure(page.guessed(runs.figure, plan, page.look), runs.pinned)
    elif view == "film":
        page.film("run")
    elif charts.drawable(plan):
        page.figure(charts.finish_figure(plan, page.look))
        st.caption(values.finish_words(plan).replace("$", "\\$"))
    else:
        st.info("Such a run takes centuries: shorten the interval to see when it is done.", icon=":material/hourglass:")
    with page.below:
        st.caption(runs.words(plan) if view == "runs" else values.derived_words(plan))
        page.challenge()


page.remedies()
page.explain()
page.close()
