"""I/O bottleneck: a training job as a chain of stages, its numbers in words, and what would mend it."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache

from lessons.io_bottleneck.cures import cures, pair
from lessons.io_bottleneck.settings import LOCAL, Job, ms, parts
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS, demand, prefetch_depth_for
from physics.dataloading.draft import draft_batch_time
from physics.dataloading.mlperf import WORKLOADS
from ui.base import format as f
from ui.record.compare import Result

VIEWS = {
    "workers": "Workers",
    "timeline": "Timeline",
    "jitter": "Jitter and prefetch",
    "field": "Checked against the field",
}
PRESETS = {
    "The team lead's job": {},
    "8 workers per GPU": {"workers": 8},
    f"{int(k.IO_PACKED)} samples per read": {"packing": k.IO_PACKED},
    "48 storage nodes": {"storage_nodes": k.IO_MORE_STORAGE_NODES},
    "Slow decoding instead": {"latency": k.IO_SLOW_DECODE_LATENCY, "decode_time": k.IO_SLOW_DECODE_TIME},
    "Fast enough, but jittery (12 workers)": {"workers": 12, "view": "jitter"},
    "Node-local NVMe drives": {"context": LOCAL, "latency": k.IO_LOCAL_LATENCY},
} | {
    f"MLPerf: {w.name}": {"sample_size": w.sample_size, "batch": w.batch_size, "compute_time": w.compute_time}
    for w in WORKLOADS
}
#: What each stage is called in a sentence.
STAGE_WORDS = {
    WORKERS: "the loader workers",
    NODE_LINK: "the link of a GPU node",
    STORAGE: "the bandwidth of the store",
    IOPS: "the reads per second of the store",
    COMPUTE: "the GPU's own computing",
}
LOCAL_STAGE_WORDS = STAGE_WORDS | {
    STORAGE: "the bandwidth of the local drives",
    IOPS: "the reads per second of the local drives",
}

#: What the search for cures leaves alone.
SAME_JOB = "With the job (GPUs, batch, sample size, compute time) and its jitter left as they are"

#: What the knobs vary, by quantity: default and range of each.
KNOBS = {
    "workers": k.IO_WORKERS,
    "packing": k.IO_PACKING,
    "prefetch_depth": k.IO_PREFETCH_DEPTH,
    "latency": k.IO_LATENCY,
    "decode_time": k.IO_DECODE_TIME,
    "compute_time": k.IO_COMPUTE_TIME,
    "storage_nodes": k.IO_STORAGE_NODES,
    "accelerators": k.IO_ACCELERATORS,
    "batch": k.IO_BATCH_SIZE,
    "sample_size": k.IO_SAMPLE_SIZE,
    "stream_bandwidth": k.IO_STREAM_BANDWIDTH,
    "node_link": k.IO_NODE_LINK,
    "storage_iops": k.IO_STORAGE_NODE_IOPS,
    "scv": k.IO_TIME_SCV,
    "compute_scv": k.IO_COMPUTE_SCV,
}


def defaults() -> Job:
    """The job of the message."""
    return Job()


def verdict(job: Job) -> str:
    """One or two sentences: what binds, and the smallest change that mends it."""
    pipe = job.steady
    if job.on_target:
        if pipe.bottleneck != COMPUTE:
            return f"{_binds(job)} Still, {f.share(job.utilization)} meets the target of {f.share(k.IO_TARGET)}."
        if job.prefetch_depth == 0:
            return (
                f"Reading takes {ms(pipe.io_time)} a step and computing {ms(pipe.compute_time)}, in "
                f"turns: {f.share(job.utilization)} meets the target of {f.share(k.IO_TARGET)}."
            )
        following = max((stage for stage in pipe.needs if stage != COMPUTE), key=lambda stage: pipe.needs[stage])
        return (
            f"Computing binds, as it should: on average reading keeps up.{_jitter(job)} Next in line: "
            f"{_stage(job, following)}, loaded to {f.share(job.pipeline.loads[following])}."
        )
    text, found = _binds(job), cures(job)
    if found:
        text += f" The smallest change in reading that reaches {f.share(k.IO_TARGET)}: {found[0].words}"
        others = [cure.words for cure in found[1:3]]
        text += f" (or {', or '.join(others)})." if others else "."
    elif both := pair(job):
        text += f" {SAME_JOB}, no single knob reaches {f.share(k.IO_TARGET)}; {both[0]} together with {both[1]} do."
    else:
        text += f" {SAME_JOB}, no single knob reaches {f.share(k.IO_TARGET)}, nor do two."
    if _nodes_are_idle(job):
        text += " More storage nodes alone change nothing."
    return text


def _nodes_are_idle(job: Job) -> bool:
    """Whether the knob of storage nodes has room and the utilization would not rise at its end."""
    if job.local or job.storage_nodes >= k.IO_STORAGE_NODES.high:
        return False
    most = replace(job, storage_nodes=int(k.IO_STORAGE_NODES.high))
    return most.steady.io_time >= job.steady.io_time * (1 - 1e-9)


def _stage(job: Job, stage: str) -> str:
    """What a stage is called where the data of this job lie."""
    return (LOCAL_STAGE_WORDS if job.local else STAGE_WORDS)[stage]


def _jitter(job: Job) -> str:
    """What jitter takes from the utilization, as a further sentence; nothing where it takes nothing that shows."""
    if not job.jitters:
        return ""
    return (
        f" Jitter, with a buffer of {f.count(job.prefetch_depth, 'batch', 'batches')}, leaves "
        f"{f.share(job.utilization)} of the {f.share(job.without_jitter)} that it would be without jitter."
    )


def _binds(job: Job) -> str:
    """Name the binding stage, with the numbers that say why."""
    pipe = job.steady
    if pipe.bottleneck == WORKERS:
        text = f"The loader workers bind: a sample takes one of them {ms(job.sample_time)}, {_largest_part(job)}."
    elif pipe.bottleneck == NODE_LINK:
        on_node = min(job.accelerators, int(k.IO_ACCELERATORS_PER_NODE))
        rate = on_node * demand(job.batch, job.sample_size, job.compute_time)
        text = (
            f"The node link binds: at full speed {f.count(on_node, 'GPU')} need {f.data_rate(rate)} through a link of "
            f"{f.data_rate(job.node_link)}."
        )
    elif pipe.bottleneck == STORAGE:
        text = (
            f"The bandwidth of the {'local drives' if job.local else 'store'} binds: full speed takes "
            f"{f.data_rate(pipe.needed_bandwidth)} of {f.data_rate(job.storage_bandwidth)}."
        )
    elif pipe.bottleneck == IOPS:
        reads, most = pipe.rates[COMPUTE] / job.packing, pipe.rates[IOPS] / job.packing
        text = (
            f"The reads per second of the {'local drives' if job.local else 'store'} bind: full speed takes "
            f"{f.significant(reads)} of {f.significant(most)} a second."
        )
    elif job.prefetch_depth:
        text = "On average reading keeps up."
    else:
        text = (
            f"No stage is slower than the GPUs, but reading ({ms(pipe.io_time)}) and computing "
            f"({ms(pipe.compute_time)}) take turns."
        )
    if job.prefetch_depth == 0 and pipe.bottleneck != COMPUTE:
        text += " Without prefetch, reading and computing take turns as well."
    return text + _jitter(job)


def _largest_part(job: Job) -> str:
    name, time = max(parts(job).items(), key=lambda part: part[1])
    return f"{ms(time)} of it {name}"


def target_words(job: Job) -> str:
    """Word the utilization against the target."""
    gap = abs(job.utilization - k.IO_TARGET) * 100
    return f"meets {f.share(k.IO_TARGET)}" if job.on_target else f"misses {f.share(k.IO_TARGET)} by {points(gap)}"


def points(gap: float) -> str:
    """Write a gap between two shares."""
    return f.count(float(f"{gap:.3g}"), "point")


def idle_knobs(job: Job) -> dict[str, str]:
    """Sentences for knobs that have no effect at the moment, by quantity."""
    said = {}
    if job.local:
        said["storage_nodes"] = "No effect now: the data are on the GPU nodes' own drives."
        said["node_link"] = "No effect now: local reads cross no link."
        said["storage_iops"] = (
            f"No effect now: the drives in a GPU node answer {f.significant(k.IO_LOCAL_IOPS)} reads a second."
        )
    if job.prefetch_depth == 0:
        for name in ("scv", "compute_scv"):
            said[name] = "No effect now: without prefetch every step takes both times, however they vary."
    return said


def derived_words(job: Job) -> str:
    """What follows from the knobs and is no knob itself."""
    pipe = job.pipeline
    return (
        f"A sample costs one worker {ms(pipe.sample_fetch_time)} of fetching and "
        f"{ms(pipe.sample_decode_time)} of decoding; a batch takes {ms(pipe.io_time)} to read and "
        f"{ms(pipe.compute_time)} to compute. Utilization: {utilization_words(job)}."
    )


def utilization_words(job: Job) -> str:
    """The utilization with jitter beside the mean-value one, each by its name."""
    if job.prefetch_depth == 0 or job.scv == job.compute_scv == 0:
        return (
            f"{f.share(job.utilization)}, {'with jitter or without' if job.prefetch_depth == 0 else 'without jitter'}"
        )
    return (
        f"{f.share(job.utilization)} with jitter (simulated, to within a point), {f.share(job.without_jitter)} without "
        "jitter"
    )


# --- live numbers -----------------------------------------------------------------------------------------------------
def settings(quantities: Mapping[str, float | str]) -> Job:
    """Read the knobs, SI by quantity; they are named as the fields of a job."""
    known = {field.name: type(field.default) for field in fields(Job)}
    return Job(**{name: known[name](value) for name, value in quantities.items() if name in known})


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
    job = defaults()
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
        "story_need": f.data_rate(pipe.needed_bandwidth, 4),
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
        "story_depth_words": f.count(job.prefetch_depth, "batch", "batches"),
        "story_packed": str(int(k.IO_PACKED)),
        "story_packed_utilization": f.share(packed.utilization, 2),
        "story_deep": str(deep.prefetch_depth),
        "story_deep_utilization": f.share(deep.utilization),
        "story_depth": str(job.prefetch_depth),
        "slow_latency": ms(slow.latency),
        "slow_decode": ms(slow.decode_time),
        "slow_utilization": f.share(slow.utilization),
        "slow_packed_utilization": f.share(replace(slow, packing=packed.packing).utilization, 2),
        "field_least": f.share(min(w.required_utilization for w in WORKLOADS)),
        "field_most": f.share(max(w.required_utilization for w in WORKLOADS)),
    } | _draft()


def _draft() -> dict[str, str]:
    """What the draft lab's own formula gives, for the corrections."""
    job = defaults()

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
        "draft_demand": f"{f.significant(demand(job.batch, k.IO_DRAFT_SAMPLE_SIZE, job.compute_time) / k.MB, 4)} MB/s",
        "draft_first": f.share(job.compute_time / first),
        "draft_best": f.share(job.compute_time / best, 2),
        "draft_ahead_time": ms(ahead, 4),
        "draft_ahead": f.share(job.compute_time / ahead),
        "draft_sequential_rate": f.data_rate(batch / sequential),
        "draft_sequential_time": ms(sequential),
        "story_sample": f.data(job.sample_size),
    }


def live_values(job: Job) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    pipe = job.pipeline
    read = job.latency + job.packing * job.sample_size / job.stream_bandwidth
    reads = pipe.throughput / job.packing
    return _story() | {
        "case_words": case_words(job),
        "batch": f.count(job.batch, "sample"),
        "sample_size": f.data(job.sample_size, 4),
        "compute_time": ms(job.compute_time),
        "demand": f.data_rate(demand(job.batch, job.sample_size, job.compute_time)),
        "accelerators": f.count(job.accelerators, "GPU"),
        "needed": f.data_rate(pipe.needed_bandwidth, 4),
        "achieved": f.data_rate(pipe.achieved_bandwidth),
        "read_size": f.data(job.packing * job.sample_size, 4),
        "read_time": ms(read),
        "read_rate": f.data_rate(job.packing * job.sample_size / read),
        "stream_bandwidth": f.data_rate(job.stream_bandwidth),
        "read_share": f.share(job.packing * job.sample_size / read / job.stream_bandwidth),
        "reads": f.significant(reads),
        "in_flight": f.significant(reads * read),
        "sample_time": ms(job.sample_time),
        "fetch_time": ms(pipe.sample_fetch_time),
        "decode_time": ms(pipe.sample_decode_time),
        "workers": f.count(job.workers, "worker"),
        "rates_words": rates_words(job),
        "io_time": ms(pipe.io_time),
        "step_words": step_words(job),
        "utilization": f.share(job.utilization),
        "utilization_words": utilization_words(job),
        "steady_utilization": f.share(job.without_jitter),
        "rule_words": jitter_rule(job),
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
        return f"At your settings another stage binds: {_stage(job, stage)}. There the diagnosis would be wrong."
    largest = max(parts(job), key=parts(job).__getitem__)
    cost = f"{ms(parts(job)[largest])} of the {ms(job.sample_time)} of a worker's time for a sample is {largest}"
    if largest == "decoding":
        packed = replace(job, packing=int(k.IO_PACKED)).utilization
        more = f"Packing {int(k.IO_PACKED)} samples a read would give {f.share(packed)}"
        if job.packing >= k.IO_PACKED:
            more = f"With {f.significant(job.packing, 5)} samples a read packing has done its part"
        return (
            f"At your settings the case is another one: {cost}. {more}; more workers or samples stored ready would "
            "help."
        )
    if largest == "moving its bytes":
        return f"At your settings the case is another one: {cost}. Large reads are bound by the bandwidth of a stream."
    return f"At your settings the diagnosis holds: {cost}."


def rates_words(job: Job) -> str:
    """Samples per second of every stage."""
    store = "drive" if job.local else "storage"
    names = {WORKERS: "workers", NODE_LINK: "node links", STORAGE: f"{store} bandwidth", IOPS: f"{store} reads"}
    rates = job.pipeline.rates
    said = [f"{names[stage]} {f.significant(rates[stage])}" for stage in names if rates[stage] != float("inf")]
    return f"{', '.join(said)}; the GPUs would take {f.significant(rates[COMPUTE])}"


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
