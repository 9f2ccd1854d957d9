"""Sharing a GPU: how much two jobs slow each other on one device, and whom to put beside whom."""

import streamlit as st

from lessons import GPU_SHARING as LESSON
from lessons.gpu_sharing import pair, puzzle, verdict, ways
from lessons.gpu_sharing.settings import Sharing
from ui.page.lesson_page import open_page

page = open_page(LESSON)
page.start()
page.choice.caption(verdict.BEST_CASE)
view = page.views()


@page.explore
def explore(sharing: Sharing) -> None:
    """All that a turn of a knob changes."""
    act = puzzle if view == "puzzle" else verdict
    page.metrics(act.metrics(sharing))
    page.verdict(act.verdict(sharing))
    if view == "puzzle":
        page.figure(puzzle.figure(sharing, page.look))
    elif view == "ways":
        page.figure(ways.figure(sharing, page.look))
        st.caption(ways.explained(sharing))
    elif view == "film":
        page.film("turns")
    else:
        page.figure(pair.figure(sharing, page.look, page.guess), pair.figure)
        page.figure(pair.device(sharing, page.look))
    with page.below:
        page.challenge()


page.remedies()
page.explain()
page.close()
