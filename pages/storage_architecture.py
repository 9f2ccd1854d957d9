"""Storage architecture: four times the bandwidth needed, and what fails all the same."""

import streamlit as st

from lessons.storage_architecture import LESSON, charts
from lessons.storage_architecture import knobs as more
from lessons.storage_architecture import settings as given
from lessons.storage_architecture import values as view
from lessons.storage_architecture import verdict as judged
from physics import constants as k
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(given.PRESETS)
    knobs.slider(
        "accelerators", "GPUs", k.STORAGE_FLEET, step=128, help="GPUs that read the dataset, all at the same rate."
    )
    organization = knobs.choice(
        "organization",
        "The dataset is",
        given.ORGANIZATIONS,
        help="Files and shards lie on the parallel file system; objects are fetched from an object store.",
    )
    st.caption(more.idle_words(organization))
    knobs.steps(
        "file_size",
        "File size (MB)",
        k.STORAGE_FILE_SIZE,
        given.FILE_MB,
        unit=k.MB,
        help="One file holds one sample.",
    )
    knobs.steps(
        "request_size",
        "Size of one GET (MB)",
        k.STORAGE_REQUEST_SIZE,
        given.REQUEST_MB,
        unit=k.MB,
        help="A small object a sample, or a range of a large object.",
    )
    metadata_servers = knobs.slider(
        "metadata_servers",
        "Metadata servers",
        k.METADATA_SERVERS,
        step=1,
        help="They look up, open and close files; the bytes do not pass through them.",
    )
    knobs.number(
        "prefixes",
        "Object store prefixes",
        k.OBJECT_PREFIXES,
        step=1,
        help="Beginnings of keys; once partitioned each carries at least 5,500 GETs/s; keys are spread evenly.",
    )
    knobs.slider(
        "storage_nodes", "Storage nodes", k.STORAGE_NODES, step=1, help="Each gives 28 GB/s to the file system."
    )
    with knobs.more():
        more.reading_knobs(knobs)
        st.caption(more.idle_more_words(organization, metadata_servers))
        st.markdown("**Checkpoints**")
        more.checkpoint_knobs(knobs)
        st.markdown("**Move the data or the job?**")
        more.distance_knobs(knobs)

page.start()

design = view.settings(knobs.quantities)
words = view.live_values(design)
page.metrics([Metric(*row) for row in view.metric_rows(design)])
page.verdict(judged.verdict(design), design.good)
page.figure("loads", "Which limit saturates at how many GPUs?", *charts.fleet(design, page.look))
st.caption(judged.derived_words(design))

tried = judged.challenge(design)
st.header("Challenge", anchor=False)
st.markdown(judged.challenge_task())
page.verdict(judged.challenge_words(tried), tried.won)

shown = page.views(given.VIEWS)
if shown == "size":
    page.figure("size", "How does the size of a read change the loads?", *charts.size(design, page.look))
elif shown == "checkpoint":
    page.figure("checkpoint", "What does a checkpoint do to the reads?", *charts.burst(design, page.look))
    st.markdown(view.safe(view.checkpoint_words(design)))
else:
    page.figure("distance", "From what length of run on does moving the data pay?", *charts.distance(design, page.look))
    st.markdown(view.safe(view.distance_words(design)))

page.results(view.results(design))
page.explain(words)
page.close(words)
