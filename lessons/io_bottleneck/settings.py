"""I/O bottleneck: the settings of a training job, and what the model makes of them."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

from physics import constants as k
from physics.dataloading import InputPipeline, input_pipeline, lru_hit_share
from physics.dataloading.prefetching import with_jitter
from ui.base import format as f
from ui.knobs import MORE, choice, knob

SHARED, LOCAL = "shared", "local"
LRU, KEEP = "lru", "keep"
MS = 1e-3
#: Smallest loss of utilization to jitter that is worth a sentence.
VISIBLE = 5e-4
#: What a comparison of floating-point shares may be off by.
TIE = 1e-12


@dataclass(frozen=True)
class Job:
    """A data-parallel training job and the way its samples take; all SI."""

    page: ClassVar[str] = "io_bottleneck"

    workers: int = knob(k.IO_WORKERS, spoken=partial(f.count, singular="worker"))
    packing: int = knob(k.IO_PACKING, typed=True, spoken=partial(f.count, singular="sample"))
    prefetch_depth: int = knob(k.IO_PREFETCH_DEPTH)
    latency: float = knob(k.IO_LATENCY, unit=MS)
    decode_time: float = knob(k.IO_DECODE_TIME, unit=MS, spoken=lambda seconds: spent(seconds))
    compute_time: float = knob(k.IO_COMPUTE_TIME, unit=MS, typed=True, format="%g")
    storage_nodes: int = knob(k.IO_STORAGE_NODES, spoken=partial(f.count, singular="storage node"))
    context: str = choice({SHARED: "Parallel file system", LOCAL: "Node-local NVMe drives"}, group=MORE)
    accelerators: int = knob(k.IO_ACCELERATORS, typed=True, group=MORE)
    batch: int = knob(k.IO_BATCH_SIZE, typed=True, group=MORE)
    sample_size: float = knob(k.IO_SAMPLE_SIZE, unit=k.KB, typed=True, format="%g", group=MORE)
    stream_bandwidth: float = knob(k.IO_STREAM_BANDWIDTH, unit=k.GB, group=MORE)
    node_link: float = knob(k.IO_NODE_LINK, unit=k.GB, group=MORE)
    storage_iops: float = knob(k.IO_STORAGE_NODE_IOPS, unit=1e3, group=MORE, spoken=lambda rate: f.significant(rate, 6))
    scv: float = knob(k.IO_TIME_SCV, group=MORE)
    compute_scv: float = knob(k.IO_COMPUTE_SCV, group=MORE)
    cached: float = knob(k.IO_CACHED, unit=0.01, group=MORE)
    cache: str = choice({LRU: "Least recently used goes", KEEP: "Keeps what it has"}, group=MORE)
    shuffle_buffer: int = knob(k.IO_SHUFFLE_BUFFER, typed=True, group=MORE)
    samples: int = knob(k.IO_SAMPLES, typed=True, group=MORE)

    def idle(self) -> dict[str, str]:
        """Say of knobs that have no effect at the moment why, by quantity."""
        why = {}
        if self.local:
            drives = f"the drives in a GPU node answer {f.significant(k.IO_LOCAL_IOPS)} reads a second"
            why = {
                "storage_nodes": "the data are on the GPU nodes' own drives",
                "node_link": "local reads cross no link",
                "storage_iops": drives,
            }
        if self.prefetch_depth == 0:
            turns = "without prefetch every step takes both times, however they vary"
            why |= {"scv": turns, "compute_scv": turns}
        if self.cached in (0, 1):
            why["cache"] = "nothing is cached" if self.cached == 0 else "all of the data is cached"
        return why

    @property
    def local(self) -> bool:
        """Whether the data lie on drives inside the GPU nodes."""
        return self.context == LOCAL

    @property
    def hits(self) -> float:
        """Share of the reads that memory serves, from the second epoch on [1]."""
        return lru_hit_share(self.cached) if self.cache == LRU else self.cached

    @property
    def on_node(self) -> int:
        """GPUs in the fullest node."""
        return min(self.accelerators, int(k.IO_ACCELERATORS_PER_NODE))

    @property
    def stores(self) -> float:
        """Storage nodes' worth of bandwidth: with local drives one for each GPU node, the fullest node counting."""
        return self.accelerators / self.on_node if self.local else self.storage_nodes

    @property
    def storage_bandwidth(self) -> float:
        """Of the whole store [B/s]."""
        return self.stores * k.IO_STORAGE_NODE_BANDWIDTH

    @cached_property
    def pipeline(self) -> InputPipeline:
        """The model's answer, with jitter and the finite buffer."""
        return with_jitter(self.steady, self.scv, self.compute_scv)

    @cached_property
    def steady(self) -> InputPipeline:
        """The model's answer without jitter: every time at its mean."""
        return input_pipeline(
            batch_size=self.batch,
            sample_size=self.sample_size,
            compute_time=self.compute_time,
            accelerators=self.accelerators,
            workers=self.workers,
            fetch_latency=self.latency,
            stream_bandwidth=self.stream_bandwidth,
            decode_time=self.decode_time,
            prefetch_depth=self.prefetch_depth,
            samples_per_request=self.packing,
            accelerators_per_node=k.IO_ACCELERATORS_PER_NODE,
            node_bandwidth=None if self.local else self.node_link,
            storage_bandwidth=self.storage_bandwidth,
            storage_iops=self.stores * (k.IO_LOCAL_IOPS if self.local else self.storage_iops),
            hit_share=self.hits,
            memory_bandwidth=k.IO_MEMORY_BANDWIDTH,
        )

    @property
    def utilization(self) -> float:
        """AU, share of the time in which a GPU computes, with jitter and the finite buffer."""
        return self.pipeline.accelerator_utilization

    @property
    def without_jitter(self) -> float:
        """AU if every time were at its mean: never less than with jitter."""
        return self.steady.accelerator_utilization

    @property
    def jitters(self) -> bool:
        """Whether jitter costs anything that a reader would see."""
        return self.without_jitter - self.utilization >= VISIBLE

    def reaches(self, share: float) -> bool:
        """Say whether the GPUs are busy for at least this share of the time."""
        least = share - TIE
        return self.without_jitter >= least and self.utilization >= least  # the first is cheap and necessary

    @property
    def on_target(self) -> bool:
        """Whether the utilization meets the lesson's target."""
        return self.reaches(float(k.IO_TARGET))

    @property
    def sample_time(self) -> float:
        """t, time one worker needs for one sample [s]."""
        return self.steady.sample_fetch_time + self.steady.sample_decode_time

    @property
    def allowed_time(self) -> float:
        """Time a worker may take for one sample if the workers are to be as fast as the GPU, on average [s]."""
        return self.workers * self.compute_time / self.batch

    @property
    def reader_load(self) -> float:
        """ρ of the prefetch buffer: time to read a batch ÷ time to compute on it."""
        return self.steady.io_time / self.steady.compute_time


def parts(job: Job) -> dict[str, float]:
    """What a sample costs one worker on average: waiting for the read to begin, moving its bytes, decoding it [s]."""
    missed, memory = 1 - job.hits, job.hits * job.sample_size / k.IO_MEMORY_BANDWIDTH
    return {
        "waiting for the read to begin": missed * (job.latency / job.packing),
        "moving its bytes": missed * (job.sample_size / job.stream_bandwidth) + memory,
        "decoding": job.decode_time,
    }


def spent(seconds: float) -> str:
    """Write what a part of a sample's time takes; where there is nothing to do, that it takes none.

    >>> spent(0.42), spent(0.0)
    ('420 ms', 'no time')
    """
    return ms(seconds) if seconds else "no time"


def ms(seconds: float, digits: int = 3) -> str:
    """Write a time in ms up to a second, as the knobs of this lesson do, and as usual beyond.

    >>> ms(62.5e-6), ms(0.42), ms(1.5)
    ('0.0625 ms', '420 ms', '1.5 s')
    """
    return f"{f.significant(seconds / MS, digits)} ms" if seconds < 0.9995 else f.duration(seconds, digits)
