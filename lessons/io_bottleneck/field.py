"""I/O bottleneck: the model beside a simulation (jitter) and beside published figures (the field)."""

from functools import lru_cache

import numpy as np
import pandas as pd

from lessons.io_bottleneck.settings import Job, ms
from physics import constants as k
from physics.dataloading import prefetch_depth_for
from physics.dataloading.mlperf import RESULTS, WORKLOADS
from physics.dataloading.prefetching import PrefetchRun, shallowest, simulate_depths
from ui.base import format as f

# --- jitter -----------------------------------------------------------------------------------------------------------
DEPTHS = tuple(range(1, int(k.IO_PREFETCH_DEPTH.high) + 1))


@lru_cache(maxsize=64)
def jitter_runs(reader_load: float, io_scv: float, compute_scv: float) -> tuple[PrefetchRun, ...]:
    """Simulate every depth of the knob on the same random times."""
    rng = np.random.default_rng(20260301)
    return tuple(
        simulate_depths(DEPTHS, reader_load, io_scv, compute_scv, steps=1000, warmup=1000, replications=100, rng=rng)
    )


def jitter_words(job: Job) -> str:
    """Depth wanted by the rule and by the simulation, in one or two sentences."""
    load, stall = job.reader_load, f.share(k.IO_STALL)
    turns = "" if job.prefetch_depth else " At a depth of 0, as set now, every step waits for its own batch."
    if load >= 1:
        return (
            f"Reading a batch takes {_as_long(load)} as computing on it. Every buffer runs dry, whatever its "
            f"depth: first make the mean rate sufficient, then think of depth.{turns}"
        )
    rule = prefetch_depth_for(load, job.scv, job.compute_scv, k.IO_STALL)
    need = shallowest(jitter_runs(load, job.scv, job.compute_scv), k.IO_STALL)
    simulated = f"{need} in the simulation" if need <= DEPTHS[-1] else f"more than {DEPTHS[-1]} in the simulation"
    text = (
        f"Reading a batch takes {f.share(load)} of the time that computing on it takes. For at most {stall} of "
        f"steps to wait, the rule asks for a depth of {f.significant(max(rule, 1), 6)}, against {simulated}."
    )
    return (
        text
        + " The rule is one of magnitude: between half and 3.4 times the simulated need in the cases tried."
        + turns
    )


def _as_long(load: float) -> str:
    return "as long" if load == 1 else f"{f.times(load, 3)} as long"


# --- checked against the field ----------------------------------------------------------------------------------------
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


def _signed(value: float, decimals: int) -> str:
    text = f"{abs(100 * value):.{decimals}f}"
    sign = "" if float(text) == 0 else "+" if value > 0 else f.MINUS
    return f"{sign}{text} %"
