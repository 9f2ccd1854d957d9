"""I/O bottleneck: what binds, the headline numbers, and the smallest changes that fix it."""

import itertools
from dataclasses import replace

from lessons.io_bottleneck.settings import LOCAL, SHARED, Job, ms, parts, spent
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS, demand
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search
from ui.knobs.declared import default_of

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
#: What the search for remedies leaves alone.
SAME_JOB = "With the job (GPUs, batch, sample size, compute time), its jitter and its cache left as they are"
#: Knobs of reading, the mildest to turn first, and the best that each can do.
READING = {
    "workers": k.IO_WORKERS.high,
    "packing": k.IO_PACKING.high,
    "prefetch_depth": k.IO_PREFETCH_DEPTH.high,
    "storage_nodes": k.IO_STORAGE_NODES.high,
    "node_link": k.IO_NODE_LINK.high,
    "stream_bandwidth": k.IO_STREAM_BANDWIDTH.high,
    "storage_iops": k.IO_STORAGE_NODE_IOPS.high,
    "latency": k.IO_LATENCY.low,
    "decode_time": k.IO_DECODE_TIME.low,
    "context": None,
}
#: Changes that are named at most.
NAMED = 4


def metrics(job: Job) -> list[Metric]:
    """The four headline numbers."""
    pipe = job.pipeline
    load, need = pipe.loads[STORAGE], pipe.needs[STORAGE]
    return [
        Metric("Accelerator utilization", f.share(job.utilization), target_words(job), job.on_target),
        Metric("Step time", ms(pipe.step_time), f"{ms(pipe.compute_time)} of it computing"),
        Metric("Data read", f.data_rate(pipe.achieved_bandwidth), f"of {f.data_rate(pipe.needed_bandwidth)} needed"),
        Metric("Storage load", f.share(load, 2), f"{f.share(need, 2)} at full speed"),
    ]


def target_words(job: Job) -> str:
    """Word the utilization against the target."""
    if job.on_target:
        return f"meets {f.share(k.IO_TARGET)}"
    gap = f.count(float(f"{abs(job.utilization - k.IO_TARGET) * 100:.3g}"), "point")
    return f"misses {f.share(k.IO_TARGET)} by {gap}"


def verdict(job: Job) -> Verdict:
    """Name the bottleneck."""
    return Verdict(_verdict(job), job.on_target)


def _verdict(job: Job) -> str:
    pipe = job.steady
    if not job.on_target:
        return _binds(job)
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
        f"{stage_words(job, following)}, loaded to {f.share(job.pipeline.loads[following])}."
    )


def stage_words(job: Job, stage: str) -> str:
    """What a stage is called where the data of this job lie."""
    return (LOCAL_STAGE_WORDS if job.local else STAGE_WORDS)[stage]


def _binds(job: Job) -> str:
    """Name the binding stage, with the numbers that say why."""
    pipe = job.steady
    store = "local drives" if job.local else "store"
    if pipe.bottleneck == WORKERS:
        name, time = max(parts(job).items(), key=lambda part: part[1])
        text = f"The loader workers bind: a sample takes one of them {ms(job.sample_time)}, {ms(time)} of it {name}."
    elif pipe.bottleneck == NODE_LINK:
        rate = job.on_node * demand(job.batch, job.sample_size, job.compute_time) * (1 - job.hits)
        need = f"{f.count(job.on_node, 'GPU')} {'needs' if job.on_node == 1 else 'need'}"
        text = (
            f"The node link binds: at full speed {need} {f.data_rate(rate)} through a link "
            f"of {f.data_rate(job.node_link)}."
        )
    elif pipe.bottleneck == STORAGE:
        rate = pipe.needed_bandwidth * (1 - job.hits)
        text = (
            f"The bandwidth of the {store} binds: full speed takes {f.data_rate(rate)} of "
            f"{f.data_rate(job.storage_bandwidth)}."
        )
    elif pipe.bottleneck == IOPS:
        reads, most = ((1 - job.hits) * pipe.rates[stage] / job.packing for stage in (COMPUTE, IOPS))
        text = (
            f"The reads per second of the {store} bind: full speed takes {f.rounded(reads, 3)} of "
            f"{f.rounded(most, 3)} a second."
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


def _jitter(job: Job) -> str:
    """What jitter takes from the utilization, as a further sentence; nothing where it takes nothing that shows."""
    if not job.jitters:
        return ""
    return (
        f" Jitter, with a buffer of {f.count(job.prefetch_depth, 'batch', 'batches')}, leaves "
        f"{f.share(job.utilization)} of the {f.share(job.without_jitter)} that it would be without jitter."
    )


def derived_words(job: Job) -> str:
    """What follows from the knobs and is no knob itself."""
    waiting, moving, decoding = (spent(time) for time in parts(job).values())
    pipe = job.pipeline
    return (
        f"A sample costs one worker {waiting} for waiting until the read begins, {moving} for moving bytes and "
        f"{decoding} for decoding; a batch takes {ms(pipe.io_time)} to read and {ms(pipe.compute_time)} to compute. "
        f"Utilization: {utilization_words(job)}."
    )


def utilization_words(job: Job) -> str:
    """The utilization with jitter beside the mean-value one, each by its name."""
    share = f.share(job.utilization)
    if job.prefetch_depth == 0:
        return f"{share}, with jitter or without"
    if job.scv == job.compute_scv == 0:
        return f"{share}, without jitter"
    return f"{share} with jitter (simulated, to within a point), {f.share(job.without_jitter)} without jitter"


# --- what would fix it -----------------------------------------------------------------------------------------------
def remedies(job: Job) -> str:
    """List the smallest change of each knob of reading that reaches the target by itself; else two together."""
    if job.on_target:
        return ""
    found, share = changes(job), f.share(k.IO_TARGET)
    if found:
        text = f"Reaches {share}: {search.listed(found[:NAMED])}."
    elif both := pair(job):
        text = f"{SAME_JOB}, no single knob reaches {share}; these two together do: {' and '.join(both)}."
    else:
        text = f"{SAME_JOB}, no single knob reaches {share}, nor do two."
    return text + (" More storage nodes alone change nothing." if _nodes_are_idle(job) else "")


def changes(job: Job) -> list[search.Change]:
    """Changes of single knobs of reading that reach the target; further along a knob the utilization never falls."""
    return search.remedies(job, _meets, READING, coarse=1)


def pair(job: Job) -> tuple[str, str] | None:
    """Two changes that reach the target together where no single one does; none where not even two knobs' ends do."""
    for one, other in itertools.combinations(READING, 2):
        if _meets(_at_best(_at_best(job, one), other)):
            found = search.pairs(job, _meets, (one,), (other,), coarse=1)
            if found:
                return found[0].words, found[1].words
    return None


def _meets(job: Job) -> bool:
    return job.on_target


def _at_best(job: Job, name: str) -> Job:
    """Return the job with one knob of reading at its best."""
    if name == "context":
        return replace(job, context=SHARED if job.local else LOCAL)
    return replace(job, **{name: type(default_of(Job, name))(READING[name])})


def _nodes_are_idle(job: Job) -> bool:
    """Whether the knob of storage nodes has room and the utilization would not rise at its end."""
    if job.local or job.storage_nodes >= k.IO_STORAGE_NODES.high:
        return False
    return _at_best(job, "storage_nodes").steady.io_time >= job.steady.io_time * (1 - 1e-9)
