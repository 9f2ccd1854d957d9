"""I/O bottleneck: a training job as a chain of stages, its numbers in words."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from lessons.io_bottleneck import cache, shuffle
from lessons.io_bottleneck.settings import KEEP, Job, ms, parts, spent
from lessons.io_bottleneck.verdict import stage_words, utilization_words
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS, demand, lru_hit_share, prefetch_depth_for
from physics.dataloading.draft import draft_batch_time
from physics.dataloading.mlperf import WORKLOADS
from physics.dataloading.shuffling import shuffle_randomness
from ui.base import format as f
from ui.record.compare import Result

#: Share of the data for which the staff's example has room: the larger one of Mohan et al.
CACHED = 0.65
#: The notes' dataset: its samples, and how many of them are packed into one file.
PACKED_SAMPLES, SAMPLES_PER_FILE = 100_000_000, 10_000


def results(job: Job) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    pipe = job.pipeline
    return [
        Result("Accelerator utilization", job.utilization, f.share(job.utilization)),
        Result("Step time", pipe.step_time, ms(pipe.step_time)),
        Result("Data read", pipe.achieved_bandwidth, f.data_rate(pipe.achieved_bandwidth)),
        Result("Storage load", pipe.loads[STORAGE], f.share(pipe.loads[STORAGE], 2)),
    ]


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own job, whatever the knobs say."""
    job = Job()
    slow = replace(job, latency=float(k.IO_SLOW_DECODE_LATENCY), decode_time=float(k.IO_SLOW_DECODE_TIME))
    packed = replace(job, packing=int(k.IO_PACKED))
    nodes = replace(job, storage_nodes=int(k.IO_MORE_STORAGE_NODES))
    nine = replace(job, workers=9)
    more = replace(job, accelerators=job.accelerators + int(k.IO_MORE_ACCELERATORS))
    deep = replace(job, prefetch_depth=int(k.IO_PREFETCH_DEPTH.high))
    by_workers = {n: f.share(replace(job, workers=n).utilization) for n in (4, 8, 9)}
    pipe = job.pipeline
    return {
        "story_utilization": f.share(job.utilization),
        "story_need": f.data_rate(pipe.needed_bandwidth),
        "story_store": f.data_rate(job.storage_bandwidth),
        "story_needed_share": f.share(pipe.needs[STORAGE], 2),
        "story_achieved_share": f.share(pipe.loads[STORAGE], 2),
        "story_link_needed": f.share(pipe.needs[NODE_LINK], 2),
        "story_link_achieved": f.share(pipe.loads[NODE_LINK], 2),
        "story_demand": f.data_rate(demand(job.batch, job.sample_size, job.compute_time)),
        "story_sample_time": ms(job.sample_time),
        "story_latency": ms(job.latency),
        "story_transfer": ms(job.sample_size / job.stream_bandwidth),
        "story_decode": ms(job.decode_time),
        "story_io_time": ms(pipe.io_time),
        "story_compute_time": ms(job.compute_time),
        "story_nodes": str(int(k.IO_MORE_STORAGE_NODES)),
        "story_nodes_utilization": f.share(nodes.utilization),
        "story_more_gpus": str(int(k.IO_MORE_ACCELERATORS)),
        "story_more_gpus_utilization": f.share(more.utilization),
        "story_four_workers": by_workers[4],
        "story_eight_workers": by_workers[8],
        "story_nine_workers": by_workers[9],
        "story_nine_steady": f.share(nine.without_jitter),
        "story_packed": str(int(k.IO_PACKED)),
        "story_packed_utilization": f.share(packed.utilization, 2),
        "story_packed_factor": f.times(packed.utilization / job.utilization),
        "story_order_factor": f.times(more.accelerators * more.utilization / (job.accelerators * job.utilization)),
        "story_deep": str(deep.prefetch_depth),
        "story_deep_utilization": f.share(deep.utilization),
        "story_depth": str(job.prefetch_depth),
        "slow_latency": ms(slow.latency),
        "slow_decode": ms(slow.decode_time),
        "slow_utilization": f.share(slow.utilization),
        "slow_packed_utilization": f.share(replace(slow, packing=packed.packing).utilization, 2),
        "cached_room": f.share(CACHED),
        "cached_lru": f.share(lru_hit_share(CACHED)),
        "cached_lru_utilization": f.share(replace(job, cached=CACHED).utilization),
        "cached_keep_utilization": f.share(replace(job, cached=CACHED, cache=KEEP).utilization),
        "shuffle_buffer": f.significant(job.shuffle_buffer),
        "shuffle_samples": f.significant(job.samples),
        "shuffle_mixed": f.share(shuffle_randomness(job.shuffle_buffer, job.samples)),
        "shuffle_tenth": f.share(shuffle_randomness(job.samples // 10, job.samples)),
        "field_least": f.share(min(w.required_utilization for w in WORKLOADS)),
        "field_most": f.share(max(w.required_utilization for w in WORKLOADS)),
    } | _draft()


def _draft() -> dict[str, str]:
    """What the draft lab's own formula gives, for the corrections."""
    job = Job()

    def time(batch: float, size: float, links: float, pattern: float, workers: float) -> float:
        return draft_batch_time(batch, size, job.storage_bandwidth, links, job.accelerators, pattern, workers)

    loaded, links, least = k.IO_DRAFT_LOADED_SIZE, k.IO_DRAFT_LINKS, k.IO_DRAFT_SMALLEST_BATCH
    first = time(job.batch, loaded, links, k.IO_DRAFT_RANDOM, k.IO_DRAFT_ONE_WORKER)
    best = time(least, loaded, links, k.IO_DRAFT_RANDOM, k.IO_DRAFT_ALL_WORKERS)
    ahead = time(job.batch, loaded, links, k.IO_DRAFT_PREFETCH, k.IO_DRAFT_FOUR_WORKERS)
    sequential = time(job.batch, k.IO_DRAFT_SAMPLE_SIZE, job.storage_bandwidth, k.IO_DRAFT_SEQUENTIAL, 1)
    batch = job.batch * k.IO_DRAFT_SAMPLE_SIZE
    return {
        "draft_batch": f.data(batch),
        "packed_files": f.significant(PACKED_SAMPLES / SAMPLES_PER_FILE),
        "draft_demand": f"{f.significant(demand(job.batch, k.IO_DRAFT_SAMPLE_SIZE, job.compute_time) / k.MB, 4)} MB/s",
        "draft_first": f.share(job.compute_time / first),
        "draft_best": f.share(job.compute_time / best, 2),
        "draft_ahead_time": ms(ahead, 4),
        "draft_ahead": f.share(job.compute_time / ahead),
        "draft_sequential_rate": f.data_rate(batch / sequential),
        "draft_sequential_time": ms(sequential),
        "story_sample": f.data(job.sample_size),
    }


@lru_cache(maxsize=256)
def live_values(job: Job) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    pipe = job.pipeline
    read = job.latency + job.packing * job.sample_size / job.stream_bandwidth
    reads = (1 - job.hits) * pipe.throughput / job.packing
    return _story() | {
        "case_words": case_words(job),
        "batch": f.count(job.batch, "sample"),
        "sample_size": f.data(job.sample_size, 4),
        "compute_time": ms(job.compute_time),
        "demand": f.data_rate(demand(job.batch, job.sample_size, job.compute_time)),
        "accelerators": f.count(job.accelerators, "GPU"),
        "needed": f.data_rate(pipe.needed_bandwidth),
        "achieved": f.data_rate(pipe.achieved_bandwidth),
        "read_size": f.data(job.packing * job.sample_size, 4),
        "read_time": ms(read),
        "read_rate": f.data_rate(job.packing * job.sample_size / read),
        "stream_bandwidth": f.data_rate(job.stream_bandwidth),
        "read_share": f.share(job.packing * job.sample_size / read / job.stream_bandwidth),
        "reads": f.rounded(reads, 3),
        "in_flight": f.significant(reads * read),
        "sample_time": ms(job.sample_time),
        "fetch_time": ms(pipe.sample_fetch_time),
        "decode_time": spent(pipe.sample_decode_time),
        "workers": f.count(job.workers, "worker"),
        "rates_words": rates_words(job),
        "io_time": ms(pipe.io_time),
        "step_words": step_words(job),
        "utilization": f.share(job.utilization),
        "utilization_words": utilization_words(job),
        "steady_utilization": f.share(job.without_jitter),
        "rule_words": jitter_rule(job),
        "cache_words": cache.words(job),
        "shuffle_words": shuffle.words(job),
    }


def case_words(job: Job) -> str:
    """Say whether the message's diagnosis holds at the present settings."""
    stage = job.pipeline.bottleneck
    if stage == COMPUTE and job.prefetch_depth == 0:
        return (
            "At your settings no stage is slower than the GPUs, but they wait while a batch is read: without prefetch "
            "all of its time, latency too, is in their way."
        )
    if stage == COMPUTE and job.jitters:
        return (
            "At your settings no stage is slower than the GPUs on average. What they wait for is jitter: "
            f"{f.share(job.utilization)} against {f.share(job.without_jitter)} without it."
        )
    if stage == COMPUTE:
        return "At your settings no stage is slower than the GPUs, so latency is not in their way."
    if stage != WORKERS:
        return f"At your settings another stage binds: {stage_words(job, stage)}. There the diagnosis would be wrong."
    largest = max(parts(job), key=parts(job).__getitem__)
    cost = f"{ms(parts(job)[largest])} of the {ms(job.sample_time)} of a worker's time for a sample is {largest}"
    if largest == "decoding":
        packed = replace(job, packing=int(k.IO_PACKED)).utilization
        more = f"Packing {int(k.IO_PACKED)} samples a read would give {f.share(packed)}"
        if job.packing >= k.IO_PACKED:
            more = f"With {f.significant(job.packing, 5)} samples a read packing has done its part"
        return f"At your settings the case is another one: {cost}. {more}."
    if largest == "moving its bytes":
        return f"At your settings the case is another one: {cost}. Large reads are bound by the bandwidth of a stream."
    return f"At your settings the diagnosis holds: {cost}."


def rates_words(job: Job) -> str:
    """Samples per second of every stage."""
    store = "drive" if job.local else "storage"
    names = {WORKERS: "workers", NODE_LINK: "node links", STORAGE: f"{store} bandwidth", IOPS: f"{store} reads"}
    rates = job.pipeline.rates
    said = [f"{names[stage]} {f.rounded(rates[stage], 3)}" for stage in names if rates[stage] != float("inf")]
    return f"{', '.join(said)}; the GPUs would take {f.rounded(rates[COMPUTE], 3)}"


def step_words(job: Job) -> str:
    """Max or sum, with the numbers."""
    pipe = job.steady
    times = f"{ms(pipe.compute_time)} and {ms(pipe.io_time)}"
    how = "the larger of" if job.prefetch_depth else "the sum of"
    return f"Without jitter your step takes {how} {times}: {ms(pipe.step_time)}"


def jitter_rule(job: Job) -> str:
    """The depth rule with the numbers, without a simulation."""
    if job.reader_load >= 1:
        return (
            f"Your ρ is {f.significant(job.reader_load)}: at 1 or more no depth is enough, because the buffer runs dry "
            "however deep it is."
        )
    depth = prefetch_depth_for(job.reader_load, job.scv, job.compute_scv, k.IO_STALL)
    if depth == 0:
        return (
            f"Your ρ is {f.significant(job.reader_load)} and nothing varies: a depth of 1 overlaps reading and "
            "computing, and more has nothing to absorb."
        )
    return (
        f"Your ρ is {f.significant(job.reader_load)}, and with SCV {f.significant(job.scv)} of reading and "
        f"{f.significant(job.compute_scv)} of computing the rule asks for {f.count(depth, 'batch', 'batches')}."
    )
