"""I/O bottleneck: what the bottleneck is, the headline numbers, and the smallest changes that fix it."""

from operator import attrgetter

from lessons.io_bottleneck.settings import Job, say
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Metric, Verdict
from ui.knobs import remedies as search

#: What each stage is called.
STAGES = {
    WORKERS: "loader workers",
    NODE_LINK: "node links",
    STORAGE: "storage bandwidth",
    IOPS: "storage reads/s",
    COMPUTE: "GPU computing",
}
#: Settings that the search for a fix turns, the mildest first.
READING = ("workers", "packing", "latency", "storage_nodes", "node_link", "decode_time")


def metrics(job: Job) -> list[Metric]:
    """The four headline numbers."""
    target = say("target" if job.on_target else "off_target", job)
    return [
        Metric("Accelerator utilization", f.share(job.utilization), target, job.on_target),
        Metric("Step time", say.written("step_time:ms", job), say("computing", job)),
        Metric("Data read", f.data_rate(job.achieved), say("of_needed", job)),
        Metric("Storage load", f.share(job.storage_load, 2), say("full_speed", job)),
    ]


def verdict(job: Job) -> Verdict:
    """Say what the bottleneck is, and why."""
    stage = job.pipeline.bottleneck
    if stage == COMPUTE:
        pipe = job.pipeline
        following = max((one for one in pipe.needs if one != COMPUTE), key=pipe.needs.__getitem__)
        text = say("gpus_bind", job, next=STAGES[following], load=f.share(pipe.loads[following]))
    elif stage == WORKERS:
        text = say("workers_bind", job)
    else:
        text = say("stage_binds", job, stage=STAGES[stage], need=f.share(job.pipeline.needs[stage]))
    return Verdict(text, job.on_target)


def remedies(job: Job) -> str:
    """List the smallest change of each setting of reading that reaches the target by itself."""
    if job.on_target:
        return ""
    text = search.told(say, job, attrgetter("on_target"), READING, coarse=1)
    idle = job.pipeline.bottleneck not in (STORAGE, IOPS) and job.storage_nodes < k.IO_STORAGE_NODES.high
    return f"{text} {say('nodes_idle', job)}" if idle else text
