"""Storage architecture: four times the bandwidth needed, and what fails all the same."""

import streamlit as st

from lessons import STORAGE_ARCHITECTURE as LESSON
from lessons.storage_architecture import burst, capacity, crowd, distance, loads, verdict
from lessons.storage_architecture.settings import Design
from ui.base.words import fill
from ui.page.opening import open_page

ACTS = {"checkpoint": burst, "jobs": crowd, "capacity": capacity, "distance": distance}

page = open_page(LESSON)
page.start()
view = page.views(later=ACTS)


@page.explore
def explore(design: Design) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(design))
    page.verdict(LESSON.verdict(design))
    if view in ACTS:
        page.figure(ACTS[view].figure(design, page.look))
    elif view == "film":
        page.film("store")
    elif view == "size":
        page.figure(page.fitted(loads.size_figure, design, page.look), loads.size_figure)
    else:
        page.figure(page.guessed(loads.figure, design, page.look, every=view == "all"), loads.figure)
    with page.below:
        st.caption(fill(ACTS[view].words(design) if view in ACTS else verdict.derived_words(design), {}))
        page.challenge()


page.remedies()
page.explain()
page.close()
