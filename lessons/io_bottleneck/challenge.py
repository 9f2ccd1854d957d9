"""I/O bottleneck: the challenge, to feed the GPUs on order as well, with little."""

from dataclasses import replace
from functools import lru_cache

from lessons.io_bottleneck.settings import ALL, TIE, Job, say
from physics import constants as k
from physics.dataloading.mlperf import WORKLOADS
from ui.base import format as f
from ui.base.lesson import Challenge, Preset, Verdict
from ui.knobs.declared import moved

#: Wanted: what most of the benchmark's workloads ask for.
SHARE = max(workload.required_utilization for workload in WORKLOADS)
WORKERS, NODES = int(k.IO_CHALLENGE_WORKERS), int(k.IO_CHALLENGE_STORAGE_NODES)
#: What may be turned; all else is the message's.
FREE = ("workers", "packing", "storage_nodes", "accelerators", "prefetch_depth", "scv", "reading", "shuffle_buffer")


def task() -> str:
    """The task in words."""
    return say("task", Job(), share=f.share(SHARE))


def judge(job: Job) -> Verdict:
    """Say whether it is won, or what is missing."""
    if labels := moved(job, FREE):
        return Verdict(f"Not yet: reset these settings first: {', '.join(labels)}.", False)
    missing = [
        (job.accelerators < ALL, f"only {f.count(job.accelerators, 'GPU')} of {ALL}"),
        (job.utilization < SHARE - TIE, f"the GPUs are {f.share(job.utilization)} busy"),
        (job.workers > WORKERS, f"{f.count(job.workers, 'worker')} per GPU"),
        (job.storage_nodes > NODES, f.count(job.storage_nodes, "storage node")),
    ]
    if said := [words for misses, words in missing if misses]:
        return Verdict(f"Not yet: {'; '.join(said)}.", False)
    if job.packing > fewest() and not job.former:  # the task before did not ask for few
        return Verdict(say("too_many", job), False)
    return Verdict(say("won", job), True)


@lru_cache(maxsize=1)
def fewest() -> int:
    """Fewest samples in a read with which all that may be used at most reaches the goal."""
    start = Job(accelerators=ALL, workers=WORKERS, storage_nodes=NODES)
    sizes = range(1, int(k.IO_PACKING.high) + 1)
    return next(size for size in sizes if replace(start, packing=size).utilization >= SHARE - TIE)


CHALLENGE = Challenge(task, judge, Preset("", {"accelerators": ALL}, "load"))
