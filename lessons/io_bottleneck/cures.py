"""I/O bottleneck: the smallest changes of single knobs that reach the target, searched with the model."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from lessons.io_bottleneck.settings import LOCAL, SHARED, Job, ms
from physics import constants as k
from ui.base import format as f


@dataclass(frozen=True)
class Cure:
    """A single-knob change that reaches the target, the smallest that its knob allows."""

    quantity: str
    value: float | str
    words: str
    factor: float  #: how many times the old value, or the old value is of the new one


#: Knobs that may mend a job without changing the job itself (GPUs, batch, samples, compute time, jitter):
#: quantity, direction, constant, step in SI, words for a value.
_MENDING: tuple[tuple[str, int, k.Constant, float, Callable[[float], str]], ...] = (
    ("workers", 1, k.IO_WORKERS, 1, lambda v: f"{f.count(v, 'worker')} per GPU"),
    ("packing", 1, k.IO_PACKING, 1, lambda v: f"{f.count(v, 'sample')} per read"),
    ("latency", -1, k.IO_LATENCY, 1e-4, lambda v: f"a latency of {ms(v)}"),
    ("decode_time", -1, k.IO_DECODE_TIME, 1e-4, lambda v: f"decoding in {ms(v)}"),
    ("stream_bandwidth", 1, k.IO_STREAM_BANDWIDTH, 1e8, lambda v: f"streams of {f.data_rate(v)}"),
    ("storage_nodes", 1, k.IO_STORAGE_NODES, 1, lambda v: f.count(v, "storage node")),
    ("node_link", 1, k.IO_NODE_LINK, 1e9, lambda v: f"node links of {f.data_rate(v)}"),
    ("prefetch_depth", 1, k.IO_PREFETCH_DEPTH, 1, lambda v: f"a prefetch depth of {f.significant(v)}"),
    ("storage_iops", 1, k.IO_STORAGE_NODE_IOPS, 1e3, lambda v: f"{f.significant(v, 6)} reads/s per storage node"),
)


@lru_cache(maxsize=2048)
def cures(job: Job) -> tuple[Cure, ...]:
    """Single-knob changes that reach the target, smallest first, each checked by the model."""
    found = [Cure("context", other, words, math.inf) for other, words in _places(job) if _at(job, other).on_target]
    for quantity, direction, constant, step, words in _MENDING:
        if job.local and quantity in ("storage_nodes", "node_link", "storage_iops"):
            continue
        value = _least_change(job, quantity, direction, constant, step)
        if value is not None:
            found.append(Cure(quantity, value, words(value), _factor(job, quantity, value)))
    return tuple(sorted(found, key=lambda cure: cure.factor))


def _places(job: Job) -> list[tuple[str, str]]:
    """The other place where the data may lie, in words: a choice is a knob too."""
    words = {LOCAL: "the data on node-local NVMe drives", SHARED: "the data on the parallel file system"}
    return [(place, said) for place, said in words.items() if place != job.context]


def _at(job: Job, place: str) -> Job:
    return replace(job, context=place)


def _least_change(job: Job, quantity: str, direction: int, constant: k.Constant, step: float) -> float | None:
    """Find the value nearest to the present one, on the knob's steps, that reaches the target; None if none does."""
    now = getattr(job, quantity) / step
    last = round((constant.high if direction > 0 else constant.low) / step)
    first = math.floor(now + 1e-9) + 1 if direction > 0 else math.ceil(now - 1e-9) - 1
    if (last - first) * direction < 0 or not _with(job, quantity, last, step).on_target:
        return None
    misses, reaches = first - direction, last
    while abs(reaches - misses) > 1:
        middle = (misses + reaches) // 2
        if _with(job, quantity, middle, step).on_target:
            reaches = middle
        else:
            misses = middle
    return getattr(_with(job, quantity, reaches, step), quantity)


def _with(job: Job, quantity: str, steps: int, step: float) -> Job:
    value = steps if step == 1 else float(f"{steps * step:.12g}")
    return replace(job, **{quantity: value})


@lru_cache(maxsize=512)
def pair(job: Job) -> tuple[str, str] | None:
    """Two changes that reach the target together where no single one does: the mildest pair found, in words.

    One knob is moved to its end, the other as little as then suffices, and the first back as far as that allows.
    """
    found = []
    for place, words in _places(job):
        found += [(math.inf, words, cure.words) for cure in cures(_at(job, place)) if cure.quantity != "context"]
    for quantity, direction, constant, step, words in _MENDING:
        moved = _with(job, quantity, round((constant.high if direction > 0 else constant.low) / step), step)
        for cure in cures(moved):
            if cure.quantity in (quantity, "context"):
                continue
            value = _least_change(replace(job, **{cure.quantity: cure.value}), quantity, direction, constant, step)
            if value is not None:
                first = Cure(quantity, value, words(value), _factor(job, quantity, value))
                found.append((first.factor * cure.factor, first.words, cure.words))
    return min(found)[1:] if found else None


def _factor(job: Job, quantity: str, value: float) -> float:
    """How many times the old value the new one is, or the old one the new; a first buffer counts from one batch."""
    least = 1 if quantity == "prefetch_depth" else 0
    low, high = sorted((max(getattr(job, quantity), least), value))
    return high / low if low else math.inf
