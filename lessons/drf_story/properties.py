"""DRF story: four fairness properties, which policies have them, and counterexamples."""

import streamlit as st

from lessons.drf_story.settings import Scenario, say
from ui.base.lesson import Metric, View


def metrics(scenario: Scenario) -> list[Metric]:
    """Return no metrics, because a property either applies or does not."""
    return []


def draw(page, scenario: Scenario) -> None:
    """Draw the table of properties, and a button for each counterexample."""
    for name in ("property_table", "glosses", "counterexamples"):
        st.markdown(say(name, scenario))
    with st.container(horizontal=True):
        for name in ("asset", "lie", "whole"):  # presets in which a policy breaks a property
            preset = page.lesson.presets[name]
            st.button(
                preset.words,
                key=f"{page.lesson.id}_case_{name}",
                on_click=page.knobs.apply,
                args=(preset,),
            )


view = View("properties", draw=draw, metrics=metrics)
