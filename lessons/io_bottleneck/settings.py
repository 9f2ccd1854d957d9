"""I/O bottleneck: settings of a training job, and the model's results."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from physics import constants as k
from physics.dataloading import (
    STORAGE,
    InputPipeline,
    input_pipeline,
    lru_hit_share,
    prefetch_depth_for,
)
from physics.dataloading.cores import core_limit
from physics.dataloading.pipeline import RESULTS, shuffle_randomness
from physics.dataloading.prefetching import (
    PrefetchRun,
    jittered_utilization,
    shallowest,
    simulate_depths,
)
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import knob

MS = 1e-3
#: Difference of two shares that floating-point rounding may cause.
TIE = 1e-12
#: GPUs of the challenge.
ALL = int(k.IO_ACCELERATORS) + int(k.IO_MORE_ACCELERATORS)
#: Simulated buffer depths, and the smallest share of waiting steps that the simulation resolves.
DEPTHS = tuple(range(1, int(k.IO_PREFETCH_DEPTH.high) + 1))
LEAST = 1e-3


@dataclass(frozen=True)
class Job:
    """Data-parallel training job with the path of its samples; all SI."""

    page: ClassVar[str] = "io_bottleneck"
    #: GPU utilization (AU) that the lesson and its challenge require.
    goal: ClassVar[float] = float(k.IO_TARGET)

    workers: int = knob(k.IO_WORKERS, spoken="worker")
    packing: int = knob(k.IO_PACKING, typed=True, spoken="sample")
    latency: float = knob(k.IO_LATENCY, unit=MS)
    storage_nodes: int = knob(k.IO_STORAGE_NODES, spoken="storage node")
    accelerators: int = knob(k.IO_ACCELERATORS, typed=True)
    node_link: float = knob(k.IO_NODE_LINK, unit=k.GB)
    decode_time: float = knob(k.IO_DECODE_TIME, unit=MS, spoken=lambda seconds: ms(seconds))
    cores: int = knob(k.IO_CORES, spoken="CPU core")
    reading: float = knob(k.IO_READING, unit=0.01)
    prefetch_depth: int = knob(k.IO_PREFETCH_DEPTH)
    scv: float = knob(k.IO_TIME_SCV)
    cached: float = knob(k.IO_CACHED, unit=0.01)
    shuffle_buffer: int = knob(k.IO_SHUFFLE_BUFFER, typed=True)

    # The message fixes these; no knob moves them.
    batch: int = int(k.IO_BATCH_SIZE)
    sample_size: float = float(k.IO_SAMPLE_SIZE)
    compute_time: float = float(k.IO_COMPUTE_TIME)
    stream_bandwidth: float = float(k.IO_STREAM_BANDWIDTH)
    storage_iops: float = float(k.IO_STORAGE_NODE_IOPS)
    samples: int = int(k.IO_SAMPLES)
    cache: str = "lru"  #: "keep" drops nothing

    @property
    def hits(self) -> float:
        """Share of the reads served by memory after the first epoch [1]."""
        if self.cache == "lru":
            return lru_hit_share(self.cached)
        return self.cached

    @property
    def storage_bandwidth(self) -> float:
        """Bandwidth of all storage nodes [B/s]."""
        return self.storage_nodes * k.IO_STORAGE_NODE_BANDWIDTH

    @cached_property
    def pipeline(self) -> InputPipeline:
        """Input pipeline of the job, with all times at their means."""
        return input_pipeline(
            batch_size=self.batch,
            sample_size=self.sample_size,
            compute_time=self.compute_time,
            accelerators=self.accelerators,
            workers=self.workers,
            fetch_latency=self.latency,
            stream_bandwidth=self.stream_bandwidth,
            decode_time=self.decode_time,
            prefetch_depth=max(1, self.prefetch_depth),
            samples_per_request=self.packing,
            accelerators_per_node=k.IO_ACCELERATORS_PER_NODE,
            node_bandwidth=self.node_link,
            storage_bandwidth=self.storage_bandwidth,
            storage_iops=self.storage_nodes * self.storage_iops,
            hit_share=self.hits,
            memory_bandwidth=k.IO_MEMORY_BANDWIDTH,
            cores_per_node=self.cores,
        )

    @property
    def cores_limit(self) -> float:
        """GPU utilization (AU) that CPU cores allow with any number of workers; may exceed 1."""
        busy = self.moving + self.decode_time
        sharing = min(self.accelerators, int(k.IO_ACCELERATORS_PER_NODE))
        return core_limit(self.cores, busy, sharing) * self.compute_time / self.batch

    @property
    def cores_load(self) -> float:
        """Busy share of the CPU cores of a full node [1]."""
        return self.utilization / self.cores_limit

    @property
    def cores_bind(self) -> bool:
        """Whether the CPU cores are the bottleneck, so that more workers would only wait."""
        rate = self.workers / self.sample_time * self.compute_time / self.batch
        return self.cores_limit <= rate

    @cached_property
    def utilization(self) -> float:
        """GPU utilization (AU), the share of the time in which a GPU computes [1]."""
        return self.pipeline.accelerator_utilization

    @property
    def on_target(self) -> bool:
        """Whether the utilization meets the lesson's target."""
        return self.utilization >= k.IO_TARGET - TIE

    @property
    def work(self) -> float:
        """Work that all GPUs do, relative to the message's job [1]."""
        return self.accelerators * self.utilization / (k.IO_ACCELERATORS * Job().utilization)

    @property
    def waiting(self) -> float:
        """Time per sample that one worker waits for reads to start [s]."""
        return (1 - self.hits) * self.latency / self.packing

    @property
    def moving(self) -> float:
        """Time per sample in which a worker transfers bytes, without contention [s]."""
        return (1 - self.hits) * self.sample_size / self.stream_bandwidth + (
            self.hits * self.sample_size / k.IO_MEMORY_BANDWIDTH
        )

    @property
    def sample_time(self) -> float:
        """t, time of one worker per sample [s]."""
        return self.waiting + self.moving + self.decode_time

    @property
    def read_size(self) -> float:
        """Number of bytes that one read transfers [B]."""
        return self.packing * self.sample_size

    @property
    def read_time(self) -> float:
        """L + c ÷ β, time of one read without contention [s]."""
        return self.latency + self.read_size / self.stream_bandwidth

    @property
    def read_moving(self) -> float:
        """Time to transfer the bytes of one read, without contention [s]."""
        return self.packing * self.moving

    @property
    def read_decoding(self) -> float:
        """Time to decode the samples of one read [s]."""
        return self.packing * self.decode_time

    @property
    def read_rate(self) -> float:
        """Rate of one worker that only reads [B/s]."""
        return self.read_size / self.read_time

    @property
    def reads(self) -> float:
        """Reads of the job per second [1/s]."""
        return (1 - self.hits) * self.pipeline.throughput / self.packing

    @property
    def in_flight(self) -> float:
        """n, lower bound of the mean number of reads in flight [1]."""
        return self.reads * self.read_time

    @property
    def demand(self) -> float:
        """D, data rate that one GPU needs [B/s]."""
        return self.batch * self.sample_size / self.compute_time

    @property
    def achieved(self) -> float:
        """Data rate that all GPUs get [B/s]."""
        return self.pipeline.needed_bandwidth * self.utilization

    @property
    def step_time(self) -> float:
        """T, time from one step to the next [s]."""
        return self.compute_time / self.utilization

    @property
    def storage_load(self) -> float:
        """Load on the storage's bandwidth [1]."""
        return self.storage_need * self.utilization

    @property
    def storage_need(self) -> float:
        """Load on the storage's bandwidth if the GPUs ran at full speed [1]."""
        return self.pipeline.needs[STORAGE]

    @property
    def jittered(self) -> float:
        """GPU utilization (AU) with jitter of `reading` alone and the finite buffer [1]."""
        return jittered_utilization(self.prefetch_depth, self.reading, self.scv)

    @property
    def smooth(self) -> "Job":
        """The same job without jitter."""
        return replace(self, scv=0.0)

    @property
    def buffers(self) -> tuple[PrefetchRun, ...]:
        """Simulated runs, one for each buffer depth."""
        return runs_of(self.reading, self.scv)

    @property
    def stalled(self) -> float:
        """Share of the simulated steps that wait for their batch [1]; 1 without prefetching."""
        if self.prefetch_depth:
            return self.buffers[self.prefetch_depth - 1].stalled
        return 1.0

    @property
    def enough(self) -> int:
        """Smallest simulated depth at which few enough steps wait; above the deepest if none is."""
        return shallowest(self.buffers, k.IO_STALL)

    @property
    def jittered_job(self) -> float:
        """`jittered` with the pipeline's read time, and with compute jitter [1]."""
        reading = self.pipeline.io_time / self.compute_time
        return jittered_utilization(self.prefetch_depth, reading, self.scv)

    @property
    def depth_rule(self) -> float:
        """Prefetch depth D* by the formula, in batches; infinite if reading is too slow."""
        return prefetch_depth_for(self.reading, self.scv, 0.0, k.IO_STALL)

    @property
    def bounce(self) -> float:
        """Time to copy a sample through the CPU's memory, part of the sample's transfer [s]."""
        return (1 - self.hits) * self.sample_size / k.IO_MEMORY_BANDWIDTH

    @property
    def direct_saving(self) -> float:
        """Share of the time per sample saved by a read that bypasses the CPU's memory [1]."""
        return self.bounce / self.sample_time

    @property
    def direct(self) -> "Job":
        """The same job with reads that bypass the CPU's memory and save one copy."""
        copied = 1 / k.IO_MEMORY_BANDWIDTH
        return replace(self, stream_bandwidth=1 / (1 / self.stream_bandwidth - copied))

    @property
    def keeping(self) -> "Job":
        """The same job with a cache that never evicts."""
        return replace(self, cache="keep")

    @property
    def first_utilization(self) -> float:
        """GPU utilization (AU) in the first epoch, with an empty cache [1]."""
        return replace(self, cached=0.0).utilization

    @property
    def worst_miss(self) -> float:
        """Largest excess of the model's sample rate over a published run's, as a share [1]."""
        return max(result.miss for result in RESULTS)

    @property
    def buffered(self) -> int:
        """Number of samples in the shuffle buffer, at most all samples [1]."""
        return min(self.shuffle_buffer, self.samples)

    @property
    def mixed(self) -> float:
        """Randomness of the order after the shuffle buffer, 1 − rank correlation [1]."""
        return shuffle_randomness(self.buffered, self.samples)


@lru_cache(maxsize=64)
def runs_of(reading: float, scv: float) -> tuple[PrefetchRun, ...]:
    """Simulate a buffer of every depth on the same random times."""
    sizes = {"steps": 1000, "warmup": 1000, "replications": 100}
    return tuple(
        simulate_depths(DEPTHS, reading, scv, 0.0, **sizes, rng=np.random.default_rng(20260301))
    )


def seldom(share: float) -> str:
    """Write a simulated share of waiting steps; a tiny share as "less than" the smallest one."""
    if share >= LEAST:
        return f.share(share, 2)
    return f"less than {f.share(LEAST)}"


def batches(depth: int) -> str:
    """Write a buffer's necessary depth in batches."""
    if depth <= DEPTHS[-1]:
        return f.count(depth, "batch", "batches")
    return f"more than {DEPTHS[-1]} batches"


def ms(seconds: float, digits: int = 3) -> str:
    """Write a time in ms up to one second, and in the usual units above.

    >>> ms(62.5e-6), ms(0.42), ms(1.5), ms(0.0)
    ('0.0625 ms', '420 ms', '1.5 s', 'no time')
    """
    if not seconds:
        return "no time"
    if seconds < 0.9995:
        return f"{f.significant(seconds / MS, digits)} ms"
    return f.duration(seconds, digits)


def lacking(utilization: float) -> str:
    """Write by how many percentage points a utilization misses the lesson's target.

    The result is "" if it meets the target.

    >>> lacking(0.119), lacking(0.8)
    (' by 68.1 points', '')
    """
    points = float(f"{(k.IO_TARGET - utilization) * 100:.3g}")
    if points > 1e-9:
        return f" by {f.count(points, 'point')}"
    return ""


def drafted(job: Job, answer: str, right: bool) -> dict[str, object]:
    """Return part 1 of the ledger of draft lab 04: values by the ledger's keys."""
    return {
        "context": "distributed_fs",
        "data_workers_per_gpu": job.workers,
        "io_throughput_gbs": job.achieved / k.GB,
        "act1_prediction": answer.upper() or "none",
        "act1_correct": right,
    }


say = Sentences(
    Job,
    formats={"ms": ms, "lacking": lacking, "seldom": seldom, "batches": batches},
)
