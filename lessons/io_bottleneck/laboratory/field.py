"""I/O bottleneck, part 6: the model compared with published results."""

import pandas as pd
import streamlit as st

from lessons.io_bottleneck.settings import Job, ms
from physics.dataloading.pipeline import RESULTS, WORKLOADS
from ui.base import format as f
from ui.base.lesson import View


def demand_table() -> pd.DataFrame:
    """Table of the benchmark's workloads, and the data rate that one GPU needs."""
    return pd.DataFrame(
        {
            "Workload": workload.name,
            "Sample": f.data(workload.sample_size, 4),
            "Batch": workload.batch_size,
            "Step": ms(workload.compute_time),
            "Need per GPU": f.data_rate(workload.demand, 4),
        }
        for workload in WORKLOADS
    )


def result_table() -> pd.DataFrame:
    """Table of measured runs: samples per second by this model and as published."""
    return pd.DataFrame(
        {
            "Run": f"{run.workload.name}, {run.accelerators} GPUs",
            "Published utilization": f.share(run.utilization, 4),
            "Published samples/s": f.significant(run.published_rate, 4),
            "Model samples/s": f.significant(run.model_rate, 4),
            "Difference": f"{100 * run.miss:+.1f}%".replace("-", f.MINUS),
        }
        for run in RESULTS
    )


def draw(page: object, job: Job) -> None:
    """Draw the tables of workloads and measured runs."""
    st.dataframe(demand_table(), hide_index=True)
    st.dataframe(result_table(), hide_index=True)


view = View("field", draw=draw)
