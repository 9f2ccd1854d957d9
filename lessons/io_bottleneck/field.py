"""I/O bottleneck: the model beside published figures."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from lessons.io_bottleneck.settings import ms
from physics.dataloading.mlperf import RESULTS, WORKLOADS
from ui.base import format as f


@lru_cache(maxsize=1)
def demand_table() -> pd.DataFrame:
    """The benchmark's workloads: as published, and what one GPU needs, which follows from its definition."""
    return pd.DataFrame(
        {
            "Workload": w.name,
            "Sample": f.data(w.sample_size, 4),
            "Batch": w.batch_size,
            "Step": ms(w.compute_time),
            "Need of a GPU": f.data_rate(w.demand, 4),
        }
        for w in WORKLOADS
    )


@lru_cache(maxsize=1)
def result_table() -> pd.DataFrame:
    """Measured runs: the samples per second that go with their utilization by this model, and as published."""
    return pd.DataFrame(
        {
            "Run": f"{r.workload.name}, {r.accelerators} GPUs",
            "Published utilization": f.share(r.utilization, 4),
            "Published samples/s": f.significant(r.published_rate, 4),
            "Model samples/s": f.significant(r.model_rate, 4),
            "Miss": _signed(r.miss, 1),
        }
        for r in RESULTS
    )


def field_words() -> str:
    """Say what the two tables show."""
    worst = max(1 - r.published_rate / r.model_rate for r in RESULTS)
    return (
        "The need follows from its definition, batch × sample size ÷ step time; the workload files give these three "
        "and not the need. Measured runs "
        f"read up to {f.share(worst, 2)} fewer samples per second than their own utilization implies in this model. "
        "The starts and ends of epochs, which a model of means does not have, are a likely part of it."
    )


def show() -> None:
    """Draw the two tables and what they show."""
    st.markdown("**Does the model give the published figures?**")
    st.dataframe(demand_table(), hide_index=True)
    st.dataframe(result_table(), hide_index=True)
    st.caption(field_words())


def _signed(value: float, decimals: int) -> str:
    text = f"{abs(100 * value):.{decimals}f}"
    sign = "" if float(text) == 0 else "+" if value > 0 else f.MINUS
    return f"{sign}{text} %"
