"""I/O bottleneck: the settings of a training job, and what the model makes of them."""

from dataclasses import dataclass
from functools import cached_property

from physics import constants as k
from physics.dataloading import InputPipeline, input_pipeline
from physics.dataloading.prefetching import with_jitter
from ui.base import format as f

SHARED, LOCAL = "shared", "local"
#: Smallest loss of utilization to jitter that is worth a sentence.
VISIBLE = 5e-4
CONTEXTS = {SHARED: "Parallel file system", LOCAL: "Node-local NVMe drives"}


@dataclass(frozen=True)
class Job:
    """A data-parallel training job and the way its samples take; all SI."""

    workers: int = int(k.IO_WORKERS)
    packing: int = int(k.IO_PACKING)
    prefetch_depth: int = int(k.IO_PREFETCH_DEPTH)
    latency: float = float(k.IO_LATENCY)
    decode_time: float = float(k.IO_DECODE_TIME)
    compute_time: float = float(k.IO_COMPUTE_TIME)
    storage_nodes: int = int(k.IO_STORAGE_NODES)
    batch: int = int(k.IO_BATCH_SIZE)
    sample_size: float = float(k.IO_SAMPLE_SIZE)
    accelerators: int = int(k.IO_ACCELERATORS)
    context: str = SHARED
    stream_bandwidth: float = float(k.IO_STREAM_BANDWIDTH)
    node_link: float = float(k.IO_NODE_LINK)
    storage_iops: float = float(k.IO_STORAGE_NODE_IOPS)  #: of one storage node
    scv: float = float(k.IO_TIME_SCV)
    compute_scv: float = float(k.IO_COMPUTE_SCV)

    @property
    def local(self) -> bool:
        """Whether the data lie on drives inside the GPU nodes."""
        return self.context == LOCAL

    @property
    def stores(self) -> float:
        """Storage nodes' worth of bandwidth: with local drives one for each GPU node, the fullest node counting."""
        if not self.local:
            return self.storage_nodes
        return self.accelerators / min(self.accelerators, int(k.IO_ACCELERATORS_PER_NODE))

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

    @property
    def on_target(self) -> bool:
        """Whether the utilization meets the lesson's target."""
        least = k.IO_TARGET - 1e-12
        return self.without_jitter >= least and self.utilization >= least  # the first is cheap and necessary

    @property
    def sample_time(self) -> float:
        """t, time one worker needs for one sample [s]."""
        return self.steady.sample_fetch_time + self.steady.sample_decode_time

    @property
    def reader_load(self) -> float:
        """ρ of the prefetch buffer: time to read a batch ÷ time to compute on it."""
        return self.steady.io_time / self.steady.compute_time


def parts(job: Job) -> dict[str, float]:
    """What a sample costs one worker: waiting for the read to begin, moving its bytes, decoding it [s]."""
    return {
        "waiting for the read to begin": job.latency / job.packing,
        "moving its bytes": job.sample_size / job.stream_bandwidth,
        "decoding": job.decode_time,
    }


def ms(seconds: float, digits: int = 3) -> str:
    """Write a time in ms up to a second, as the knobs of this lesson do, and as usual beyond.

    >>> ms(62.5e-6), ms(0.42), ms(1.5)
    ('0.0625 ms', '420 ms', '1.5 s')
    """
    return f"{f.significant(seconds / 1e-3, digits)} ms" if seconds < 0.9995 else f.duration(seconds, digits)
