"""DRF story: the four properties, which policy has which, and a pool for some that break one."""

import streamlit as st

from lessons.drf_story.settings import Scenario, say
from ui.base.lesson import Metric


def metrics(scenario: Scenario) -> list[Metric]:
    """None: a property holds or not."""
    return []


def draw(page, scenario: Scenario) -> None:
    """Draw the table, what its heads mean, and a button for each counterexample."""
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
