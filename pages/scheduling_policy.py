"""Scheduling policy: who waits under which rule, found on a simulator of a fleet that is shared by three classes."""

import streamlit as st

from lessons import SCHEDULING_POLICY as LESSON
from lessons.scheduling_policy import challenge, charts, decision, measures, outage, progress, trace, verdict
from lessons.scheduling_policy.runs import FOUR, board
from lessons.scheduling_policy.settings import Scenario
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(scenario: Scenario) -> None:
    """All that a turn of a knob changes."""
    numbers = st.container()
    with page.hand:
        # Progress and sentences of up to three lines have one place.
        sentence = st.container(key=f"{LESSON.id}_sentence").empty()
    found = progress.simulate(scenario, sentence)
    with numbers:
        page.metrics(verdict.metrics(scenario, found))
    page.verdict(verdict.verdict(scenario, found, challenge.decided(scenario)), sentence)
    with page.below:
        week = progress.choose_week(LESSON.id, scenario) if view in ("week", "film") else 0
    if view == "week":
        page.figure(charts.week_figure(scenario, page.look, week))
    elif view == "film":
        page.film("week", week=week)
    elif view == "queue":
        page.figure(charts.queue_figure(scenario, page.look))
    elif view == "waits":
        page.figure(charts.waits_figure(scenario, page.look))
    else:
        page.figure(page.guessed(charts.four_figure, scenario, page.look), charts.four_pinned)
    with page.below:
        st.caption(verdict.load_words(scenario))
        with page.under_presets:
            challenge.draw(scenario)
        with page.fold("How could you fix it?", "remedies", ":material/build:") as wanted:
            if wanted:
                challenge.offer(scenario)
        with page.fold("Every class in numbers", "classes", ":material/table:") as wanted:
            if wanted:
                st.markdown(verdict.scoreboard(found))
                st.caption(verdict.scoreboard_note(scenario, found))
                st.markdown(measures.table(found))
                st.caption(measures.note())
        with page.fold("Scoring a policy", "score", ":material/scale:") as wanted:
            if wanted:
                measures.draw_score(found, challenge.of_the_message(scenario))
        with page.fold("When does preemption pay?", "decision", ":material/balance:") as wanted:
            if wanted:
                st.markdown(decision.table(scenario))
                st.caption(decision.note(scenario))


with page.fold("Outage: half the nodes for a day", "outage", ":material/power_off:") as wanted:
    if wanted:
        outage.draw_fold()
with page.fold("The four policies in numbers", "policies", ":material/table:") as wanted:
    if wanted:
        boards = {answer: board(Scenario(), answer=answer) for answer in FOUR}
        st.markdown(verdict.four_table(boards))
        st.caption(verdict.four_note(boards))
page.explain()
trace.draw(LESSON.id)
page.close()
