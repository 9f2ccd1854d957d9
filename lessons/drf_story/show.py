"""DRF story: what its page draws beside the charts: the steps and their reasons, and wide tables."""

import streamlit as st

from lessons.drf_story.acts import checked
from lessons.drf_story.presets import COUNTEREXAMPLES, PRESETS
from lessons.drf_story.settings import Scenario
from lessons.drf_story.verdict import step_words
from ui.base import device, state
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.widgets import Knobs, slug
from ui.page import projector


def steps(look: Look, knobs: Knobs, scenario: Scenario) -> None:
    """Draw the shown step's reason and the buttons; on a phone, whose lines are short, the buttons stand still."""
    parts = [lambda: step_log(look, scenario), lambda: stepper(knobs, scenario)]
    for draw in reversed(parts) if device.on_phone() else parts:
        draw()


def stepper(knobs: Knobs, scenario: Scenario) -> None:
    """Draw the buttons that walk both hand-outs; on a projector each also has a key."""
    key, last = f"{knobs.lesson}_step", max(1, scenario.executors)
    ways = (("previous", "Back", -1, "b"), ("forward", "Next step", 1, "f"))
    with st.container(horizontal=True):
        for name, words, by, letter in ways:
            to = min(max(scenario.step + by, 0), last)
            st.button(
                words,
                key=f"{knobs.lesson}_{name}",
                on_click=state.put,
                args=(key, to),
                disabled=to == scenario.step,
                type="primary" if by > 0 else "secondary",
                shortcut=letter if projector.on() else None,
            )


def step_log(look: Look, scenario: Scenario) -> None:
    """Say who is served at the shown step and why, on a height that does not move the chart from step to step."""
    more = 16 * max(0, len(scenario.jobs) - 3)
    height = 118 + round(1.3 * more) if look.present else 74 + more
    for which, column in enumerate(st.columns(2)):
        # The style sheet knows how many lines three jobs take on this screen.
        key = f"drf_{'reasons' if more else 'reason'}_{which}"
        with column.container(height=height, border=False, key=key):
            st.markdown(safe(f"**{scenario.labels[which]}.** {step_words(scenario, which)}"))


def counterexamples(knobs: Knobs) -> None:
    """Draw one button for each case in which a policy breaks a property."""
    with st.container(horizontal=True):
        for preset in (PRESETS[name] for name in COUNTEREXAMPLES):
            key = f"{knobs.lesson}_case_{slug(preset.words)}"
            st.button(preset.words, key=key, on_click=knobs.apply, args=(preset,))


def check(knobs: Knobs, scenario: Scenario) -> None:
    """Draw the button that checks the properties on the table's own jobs, and what it finds."""
    if st.button("Check the jobs of the table", key=f"{knobs.lesson}_check", icon=":material/fact_check:"):
        with st.spinner("Searching for lies that pay …"):
            wide_table(checked(scenario.jobs, scenario.pool))
        st.caption("Tasks divisible, starts and ceilings as in the table. “No lie pays” means: none of those tried.")


def wide_table(text: str) -> None:
    """Draw a Markdown table whose short cells stay on one line; wider than the screen, it scrolls by itself."""
    lines = [
        "|".join(cell.strip().replace(" ", "\u00a0") if len(cell) < 24 else cell for cell in line.split("|"))
        for line in text.splitlines()
    ]
    st.markdown(safe("\n".join(lines)))


def safe(text: str) -> str:
    """Make words of the lesson safe as Markdown."""
    return fill(text, {})
