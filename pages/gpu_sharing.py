"""Sharing a GPU: how much two jobs slow each other on one device, and whom to put beside whom."""

import streamlit as st

from lessons import GPU_SHARING as LESSON
from lessons.gpu_sharing import pair, puzzle, verdict, ways
from lessons.gpu_sharing.settings import Sharing
from ui.page.opening import open_page

page = open_page(LESSON)
page.start()
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
        slower, full = page.side_by_side(3, 2)
        with slower:
            page.figure(page.guessed(pair.figure, sharing, page.look), pair.figure)
        with full:
            page.figure(pair.device(sharing, page.look))
    with page.below:
        st.caption(verdict.BEST_CASE)
        page.challenge()


page.remedies()
page.explain()
page.close()
