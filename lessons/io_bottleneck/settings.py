"""I/O bottleneck: the settings of a training job, and what the model makes of them."""

from dataclasses import dataclass
from functools import cached_property, partial

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

    workers: int = knob(
        k.IO_WORKERS,
        "Workers per GPU",
        help="Processes that fetch and decode.",
        change="run {} per GPU",
        spoken=partial(f.count, singular="worker"),
    )
    packing: int = knob(
        k.IO_PACKING,
        "Samples per read",
        typed=True,
        help="Packing: 1 is one file a sample, more are shards.",
        change="bring {} with each read",
        spoken=partial(f.count, singular="sample"),
    )
    prefetch_depth: int = knob(
        k.IO_PREFETCH_DEPTH,
        "Prefetch depth (batches)",
        help="Batches read ahead: 0 is none; beyond 1 it only absorbs jitter.",
        change="set the prefetch depth to {}",
    )
    latency: float = knob(
        k.IO_LATENCY,
        "Latency per read (ms)",
        unit=MS,
        help="Open, lock and look-up, before bytes.",
        change="bring the latency down to {} ms",
    )
    decode_time: float = knob(
        k.IO_DECODE_TIME,
        "Decoding a sample (ms)",
        unit=MS,
        help="JPEG images take 1 to 10 ms.",
        change="decode a sample in {}",
        spoken=lambda seconds: spent(seconds),
    )
    compute_time: float = knob(
        k.IO_COMPUTE_TIME,
        "Compute per step (ms)",
        unit=MS,
        typed=True,
        format="%g",
        help="GPU time a step.",
    )
    storage_nodes: int = knob(
        k.IO_STORAGE_NODES,
        "Storage nodes",
        help="28 GB/s each.",
        change="use {}",
        spoken=partial(f.count, singular="storage node"),
    )
    context: str = choice(
        {SHARED: "Parallel file system", LOCAL: "Node-local NVMe drives"},
        "Where the data are",
        help="Local drives grow with the GPU nodes.",
        group=MORE,
    )
    accelerators: int = knob(k.IO_ACCELERATORS, "GPUs", typed=True, help="They step together, 8 to a node.", group=MORE)
    batch: int = knob(
        k.IO_BATCH_SIZE, "Batch per GPU (samples)", typed=True, help="Samples a GPU and step.", group=MORE
    )
    sample_size: float = knob(
        k.IO_SAMPLE_SIZE,
        "Sample size (kB)",
        unit=k.KB,
        typed=True,
        format="%g",
        help="As stored.",
        group=MORE,
    )
    stream_bandwidth: float = knob(
        k.IO_STREAM_BANDWIDTH,
        "Bandwidth of a stream (GB/s)",
        unit=k.GB,
        help="One worker's rate once bytes flow.",
        group=MORE,
        change="speed each stream up to {} GB/s",
    )
    node_link: float = knob(
        k.IO_NODE_LINK,
        "Link of a GPU node (GB/s)",
        unit=k.GB,
        help="Shared by 8 GPUs.",
        group=MORE,
        change="widen the node links to {} GB/s",
    )
    storage_iops: float = knob(
        k.IO_STORAGE_NODE_IOPS,
        "Reads/s per node (thousands)",
        unit=1e3,
        help="Of one storage node; one Lustre server gives 750,000 in production.",
        group=MORE,
        change="use storage nodes of {} reads/s each",
        spoken=lambda rate: f.significant(rate, 6),
    )
    scv: float = knob(
        k.IO_TIME_SCV,
        "Jitter of reading (SCV)",
        help="How much the time to read a batch varies; 0 is steady, 1 exponential.",
        group=MORE,
    )
    compute_scv: float = knob(
        k.IO_COMPUTE_SCV,
        "Jitter of computing (SCV)",
        help="How much the time to compute a step varies; 0 is steady.",
        group=MORE,
    )
    cached: float = knob(
        k.IO_CACHED,
        "Cached share of the data (%)",
        unit=0.01,
        help="Share of the dataset for which the GPU nodes' memory has room, from the second epoch on.",
        group=MORE,
    )
    cache: str = choice(
        {LRU: "Least recently used goes", KEEP: "Keeps what it has"},
        "When the cache is full",
        help="An operating system's cache drops what was not used for longest; MinIO drops nothing.",
        group=MORE,
    )
    shuffle_buffer: int = knob(
        k.IO_SHUFFLE_BUFFER,
        "Shuffle buffer (samples)",
        typed=True,
        help="Of a reader that reads shards in sequence; it mixes the order and changes no rate.",
        group=MORE,
    )
    samples: int = knob(
        k.IO_SAMPLES, "Samples in sequence", typed=True, help="Samples that pass through the buffer.", group=MORE
    )

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
