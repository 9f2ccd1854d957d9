"""I/O bottleneck: the challenge, to feed the GPUs on order as well, with little."""

from lessons.io_bottleneck.settings import Job
from physics import constants as k
from physics.dataloading.mlperf import WORKLOADS
from ui.base import format as f
from ui.base.lesson import Challenge, Verdict
from ui.knobs.declared import default_of, knobs_of

GPUS = int(k.IO_ACCELERATORS) + int(k.IO_MORE_ACCELERATORS)
#: What most of the benchmark's workloads ask for.
SHARE = max(workload.required_utilization for workload in WORKLOADS)
WORKERS, NODES = int(k.IO_CHALLENGE_WORKERS), int(k.IO_CHALLENGE_STORAGE_NODES)
#: What may be turned; all else is the message's.
FREE = ("workers", "packing", "prefetch_depth", "storage_nodes", "accelerators")


def task() -> str:
    """State the challenge."""
    return (
        f"Feed the {int(k.IO_MORE_ACCELERATORS)} GPUs on order as well: {GPUS} GPUs, at least {f.share(SHARE)} busy, "
        f"with at most {f.count(WORKERS, 'worker')} each and {f.count(NODES, 'storage node')}."
    )


def judge(job: Job) -> Verdict:
    """Say whether it is won, or all that is missing."""
    moved = [
        knob.label
        for name, knob in knobs_of(Job).items()
        if name not in FREE and getattr(job, name) != default_of(Job, name)
    ]
    missing = [
        (job.accelerators < GPUS, f"{f.count(job.accelerators, 'GPU')} of {GPUS}"),
        (not job.reaches(SHARE), f"{f.share(job.utilization)} busy"),
        (job.workers > WORKERS, f"{f.count(job.workers, 'worker')} per GPU"),
        (job.storage_nodes > NODES, f.count(job.storage_nodes, "storage node")),
        (bool(moved), f"not as in the message: {', '.join(moved)}"),
    ]
    if said := [words for misses, words in missing if misses]:
        return Verdict(f"Not yet: {'; '.join(said)}.", False)
    return Verdict(
        f"Won: {f.count(job.accelerators, 'GPU')} {f.share(job.utilization)} busy, with "
        f"{f.count(job.workers, 'worker')} each and {f.count(job.storage_nodes, 'storage node')}.",
        True,
    )


CHALLENGE = Challenge(task, judge)
