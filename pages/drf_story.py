"""DRF story: who gets the next executor of a shared pool, step by step, and what "fair" means."""

import streamlit as st

from lessons import DRF_STORY as LESSON
from lessons.drf_story import acts, charts, show, table, values
from lessons.drf_story.settings import Scenario
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
view = page.views()
table.draw(page.knobs)  # the hand-out is that of the edited table


@page.explore
def explore(scenario: Scenario) -> None:
    """All that a turn of a knob changes."""
    verdict, ended = LESSON.verdict(scenario), scenario.ended
    page.metrics(LESSON.metrics(scenario) if ended else values.so_far(scenario))
    with page.hand:
        show.steps(page.look, page.knobs, scenario)
    if view == "pool":
        page.figure(page.guessed(charts.pool_figure, scenario, page.look))
    elif view == "shares":
        # Side by side they would be too small to be read from the last row.
        columns = [st.container(), st.container()] if page.look.present else st.columns(2)
        for which, column in enumerate(columns):
            with column:
                page.figure(charts.shares_figure(scenario, which, page.look))
    elif view == "before":
        page.figure(charts.ends_figure(scenario, page.look))
        show.wide_table(values.difference_table(scenario))
    elif view == "log":
        for which, label in enumerate(scenario.labels):
            st.markdown(show.safe(f"**{label}: every step**"))
            st.dataframe(values.log_frame(scenario, which), hide_index=True, height=260)
    elif view == "fairness":
        st.markdown("**How fair? It depends on what is counted.**")
        show.wide_table(values.fairness_table(scenario))
        st.caption(show.safe(values.balance_words(scenario)))
    elif view == "properties":
        st.markdown("**Divisible tasks, without starts and ceilings; every job needs some of every resource**")
        show.wide_table(acts.property_table())
        st.markdown("Counterexamples, one click each:")
        show.counterexamples(page.knobs)
        show.check(page.knobs, scenario)
    elif view == "film":
        page.film("pool")
    else:
        page.figure(charts.lie_figure(scenario, page.look))
        st.markdown(show.safe(acts.lie_words(scenario)))
        show.wide_table(acts.lie_table(scenario))
        st.caption("Tasks are divisible here. CEEI divides what the starts leave; DRF counts the starts in the shares.")
    with page.below:
        if ended or not verdict.good:
            page.verdict(verdict, st.container())
        if not ended:
            with page.fold("Skip to the end: totals and fairness", "end", ":material/fast_forward:") as wanted:
                if wanted:
                    page.metrics(LESSON.metrics(scenario), "totals")
                    if verdict.good:
                        page.verdict(verdict, st.container())
        st.caption(show.safe(values.derived_words(scenario)))
        page.challenge()


page.remedies()
page.said["gpu_columns"] = page.values["gpu_columns"]  # the table follows this knob
page.explain()
page.close()
