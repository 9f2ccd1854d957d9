"""I/O bottleneck: why GPUs starve beside a store that is nearly idle."""

import streamlit as st

from lessons import IO_BOTTLENECK as LESSON
from lessons.io_bottleneck import cache, field, jitter, sample, shuffle, stages, timeline, verdict, workers
from lessons.io_bottleneck.settings import Job
from ui.page.opening import open_page
from ui.page.prediction import is_reflected

READING = {"cache": cache, "shuffle": shuffle}

page = open_page(LESSON)
page.start()
view = page.views()


@page.explore
def explore(job: Job) -> None:
    """All that a turn of a knob changes."""
    page.metrics(LESSON.metrics(job))
    page.verdict(LESSON.verdict(job))
    if view == "load":
        page.figure(page.guessed(stages.figure, job, page.look), stages.pinned)
    elif view == "sample":
        page.figure(page.fitted(sample.figure, job, page.look))
    elif view == "workers":
        page.figure(workers.figure(job, page.look, is_reflected(LESSON)), workers.figure)
    elif view == "timeline":
        page.figure(timeline.figure(job, page.look))
    elif view == "jitter":
        with st.spinner("Simulating the buffer"):
            drawn = jitter.figure(job, page.look)
        page.figure(drawn)
    elif view == "film":
        page.film("worker")
    elif view in READING:
        page.figure(READING[view].figure(job, page.look))
    else:
        field.show()
    with page.below:
        said = READING[view].words if view in READING else jitter.caption if view == "jitter" else verdict.derived_words
        st.caption(said(job))
        page.challenge()


page.remedies()
page.explain()
page.close()
