"""I/O bottleneck: why GPUs starve beside a store that is nearly idle."""

import streamlit as st

from lessons.io_bottleneck import LESSON, charts, field
from lessons.io_bottleneck import values as view
from lessons.io_bottleneck.settings import CONTEXTS
from physics import constants as k
from ui.base import format as f
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs
MS = 1e-3

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.slider("workers", "Workers per GPU", k.IO_WORKERS, step=1, help="Processes that fetch and decode.")
    knobs.number(
        "packing", "Samples per read", k.IO_PACKING, step=1, help="Packing: 1 is one file a sample, more are shards."
    )
    knobs.slider(
        "prefetch_depth",
        "Prefetch depth (batches)",
        k.IO_PREFETCH_DEPTH,
        step=1,
        help="Batches read ahead: 0 is none; beyond 1 it only absorbs jitter.",
    )
    knobs.slider(
        "latency",
        "Latency per read (ms)",
        k.IO_LATENCY,
        step=0.1,
        unit=MS,
        help="Open, lock and look-up, before bytes.",
    )
    knobs.slider(
        "decode_time",
        "Decoding a sample (ms)",
        k.IO_DECODE_TIME,
        step=0.1,
        unit=MS,
        help="JPEG images take 1 to 10 ms.",
    )
    knobs.number(
        "compute_time",
        "Compute per step (ms)",
        k.IO_COMPUTE_TIME,
        step=0.5,
        unit=MS,
        format="%g",
        help="GPU time a step.",
    )
    knobs.slider("storage_nodes", "Storage nodes", k.IO_STORAGE_NODES, step=1, help="28 GB/s each.")
    notes = {"storage_nodes": st.container()} if knobs.enabled else {}
    with knobs.more():
        knobs.choice("context", "Where the data are", CONTEXTS, help="Local drives grow with the GPU nodes.")
        knobs.number("accelerators", "GPUs", k.IO_ACCELERATORS, step=1, help="They step together, 8 to a node.")
        knobs.number("batch", "Batch per GPU (samples)", k.IO_BATCH_SIZE, step=1, help="Samples a GPU and step.")
        knobs.number(
            "sample_size", "Sample size (kB)", k.IO_SAMPLE_SIZE, step=0.5, unit=k.KB, format="%g", help="As stored."
        )
        knobs.slider(
            "stream_bandwidth",
            "Bandwidth of a stream (GB/s)",
            k.IO_STREAM_BANDWIDTH,
            step=0.1,
            unit=k.GB,
            help="One worker's rate once bytes flow.",
        )
        knobs.slider(
            "node_link", "Link of a GPU node (GB/s)", k.IO_NODE_LINK, step=1, unit=k.GB, help="Shared by 8 GPUs."
        )
        notes |= {"node_link": st.container()} if knobs.enabled else {}
        knobs.slider(
            "storage_iops",
            "Reads/s per node (thousands)",
            k.IO_STORAGE_NODE_IOPS,
            step=1,
            unit=1e3,
            help="Of one storage node; one Lustre server gives 750,000 in production.",
        )
        notes |= {"storage_iops": st.container()} if knobs.enabled else {}
        knobs.slider(
            "scv",
            "Jitter of reading (SCV)",
            k.IO_TIME_SCV,
            step=0.1,
            help="How much the time to read a batch varies; 0 is steady, 1 exponential.",
        )
        notes |= {"scv": st.container()} if knobs.enabled else {}
        knobs.slider(
            "compute_scv",
            "Jitter of computing (SCV)",
            k.IO_COMPUTE_SCV,
            step=0.1,
            help="How much the time to compute a step varies; 0 is steady.",
        )
        notes |= {"compute_scv": st.container()} if knobs.enabled else {}

page.start()

job = view.settings(knobs.quantities)
for name, sentence in view.idle_knobs(job).items():
    notes[name].caption(sentence)
pipe, words = job.pipeline, view.live_values(job)
page.metrics(
    [
        Metric("Accelerator utilization", f.share(job.utilization), view.target_words(job), job.on_target),
        Metric("Step time", view.ms(pipe.step_time), f"{view.ms(pipe.compute_time)} of it computing"),
        Metric("Data read", f.data_rate(pipe.achieved_bandwidth), f"of {f.data_rate(pipe.needed_bandwidth, 4)} needed"),
        Metric("Storage load", f.share(pipe.loads["storage"], 2), f"{f.share(pipe.needs['storage'], 2)} at full speed"),
    ]
)
page.verdict(view.verdict(job), job.on_target)
page.figure(*charts.figure("load", job, page.look))
st.caption(view.derived_words(job))
shown = page.views(view.VIEWS)
if shown == "field":
    st.markdown("**Does the model give the published figures?**")
    st.dataframe(field.demand_table(), hide_index=True)
    st.dataframe(field.result_table(), hide_index=True)
    st.caption(field.field_words())
elif shown == "jitter":
    with st.spinner("Simulating the buffer"):
        st.caption(field.jitter_words(job))
    page.figure(*charts.figure("jitter", job, page.look))
else:
    page.figure(*charts.figure(shown, job, page.look))
page.results(view.results(job))
page.explain(words)
page.close(words)
