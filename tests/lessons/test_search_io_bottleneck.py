"""A search for a false sentence on the I/O page: knob ends, presets, ties and random settings by own sums."""

import itertools
import math
import random
import re
from dataclasses import replace

import pytest

from lessons.io_bottleneck import PRESETS, jitter, stages, values, verdict
from lessons.io_bottleneck.settings import KEEP, LOCAL, LRU, SHARED, Job
from ui.knobs.declared import knobs_of

TARGET, RANDOM = 0.8, 40
READING = {  # the best value of every knob of reading
    "workers": 16, "packing": 10_000, "latency": 1e-4, "decode_time": 0.0, "stream_bandwidth": 10e9,
    "storage_nodes": 96, "node_link": 100e9, "prefetch_depth": 64, "storage_iops": 1e6,
}  # fmt: skip
#: Constant of every number that the page lets a visitor set.
RANGES = {name: knob.constant for name, knob in knobs_of(Job).items() if knob.constant}
#: Addresses that once had a false sentence, and exact ties.
FOUND = [
    {"workers": 12, "scv": 4.0, "compute_scv": 4.0},
    {"prefetch_depth": 0, "workers": 16, "packing": 16, "storage_nodes": 1},
    {"accelerators": 512, "storage_nodes": 1},
    {"sample_size": 146600628.0, "batch": 7, "compute_time": 0.323, "accelerators": 4096, "workers": 16},
    {"scv": 0.0, "latency": 0.0021875, "decode_time": 0.0, "stream_bandwidth": 62.5e3 / 0.0021875 * 1.0, "workers": 4},
    {"scv": 0.0, "latency": 0.4e-3, "decode_time": 0.5e-3, "sample_size": 76.5625e3 / 1.0},
    {"prefetch_depth": 0, "latency": 0.1e-3, "decode_time": 0.0, "sample_size": 95_312.5},
]


def presets() -> list[Job]:
    return [replace(Job(), **preset.changes) for preset in PRESETS.values()]


def ends() -> list[Job]:
    found = []
    for name, constant in RANGES.items():
        kind = type(getattr(Job(), name))
        found += [replace(Job(), **{name: kind(value)}) for value in (constant.low, constant.high)]
    return found


def drawn(number: int, seed: int = 17) -> list[Job]:
    rng, found = random.Random(seed), []
    for _ in range(number):
        given: dict[str, object] = {"context": rng.choice([SHARED, LOCAL]), "cache": rng.choice([LRU, KEEP])}
        for name, constant in RANGES.items():
            if rng.random() < 0.3:
                continue
            low, high, kind = float(constant.low), float(constant.high), type(getattr(Job(), name))
            if name == "prefetch_depth":
                given[name] = rng.choice([0, 1, 2, 5])  # each new depth or SCV is a simulation
                continue
            value = low * (high / low) ** rng.random() if low > 0 else high * rng.choice([0, 0.25])
            given[name] = kind(value) if kind is int else float(f"{value:.4g}")
        found.append(Job(**given))
    return found


def load(job: Job) -> float:
    """Mean time to read a batch ÷ mean time to compute on it, by hand."""
    x = job.cached
    missed = 1 - x if job.cache == KEEP or x == 1 else 1 - x - (1 - x) * math.log(1 - x)
    read, copy = job.latency / job.packing + job.sample_size / job.stream_bandwidth, job.sample_size / 10e9
    sample = missed * read + (1 - missed) * copy + job.decode_time
    on_node = min(job.accelerators, 8)
    times = [job.batch * sample / job.workers]
    if job.context == LOCAL:
        bandwidth, reads = 28e9 / on_node, 3.6e6 / on_node
    else:
        bandwidth = 28e9 * job.storage_nodes / job.accelerators
        reads = job.storage_iops * job.storage_nodes / job.accelerators
        times.append(job.batch * job.sample_size * on_node / job.node_link)
    times += [job.batch * job.sample_size / bandwidth, job.batch / job.packing / reads]
    times[1:] = [missed * time for time in times[1:]]
    return max(times) / job.compute_time


def bounds(job: Job) -> tuple[float, float]:
    """What the utilization cannot leave: turns, and the slower of both at its mean."""
    busy = load(job)
    return 1 / (1 + busy), 1 / max(1.0, busy) if job.prefetch_depth else 1 / (1 + busy)


def improved(job: Job, *names: str) -> Job:
    """The job with these knobs at their best, the place moved where it is named."""
    best = {name: max(READING[name], getattr(job, name)) for name in names if name != "context"}
    best |= {name: READING[name] for name in names if name in ("latency", "decode_time")}
    place = {"context": SHARED if job.local else LOCAL} if "context" in names else {}
    return replace(job, **best, **place)


def reaches(job: Job) -> bool:
    return bounds(job)[1] >= TARGET - 1e-12 and job.utilization >= TARGET - 1e-12


def contradictions(job: Job) -> list[str]:
    """Every sentence about this job that own arithmetic contradicts."""
    low, high = bounds(job)
    text, found = f"{verdict.verdict(job).text} {verdict.remedies(job)}", []

    def claim(true: bool, words: str) -> None:
        if not true:
            found.append(words)

    claim(low * (1 - 1e-9) <= job.utilization <= high * (1 + 1e-9), "the utilization leaves its bounds")
    claim(job.without_jitter == pytest.approx(high), "the figure without jitter")
    claim(job.on_target == (job.utilization >= TARGET - 1e-12), "on target")
    claim(job.pipeline.step_time == pytest.approx(job.compute_time / job.utilization), "step time")
    claim(job.pipeline.throughput == pytest.approx(job.accelerators * job.batch / job.pipeline.step_time), "data read")
    claim(not job.local or not re.search(r"\bstore\b|storage node", text + stages.words(job)), "local drives")
    knobs = [*READING, "context"]
    if "no single knob" in text:
        claim(not any(reaches(improved(job, name)) for name in knobs), "no single knob")
    if "nor do two" in text:
        claim(not any(reaches(improved(job, *two)) for two in itertools.combinations(knobs, 2)), "nor do two")
    if "Reaches 80 %" in text:
        changes = verdict.changes(job)
        claim(all(reaches(replace(job, **{one.name: one.value})) for one in changes), "a remedy")
        claim(all(one.words in text for one in changes[: verdict.NAMED]), "the nearest are named")
    if not job.on_target:
        claim(bool(verdict.changes(job)) == ("Reaches 80 %" in text), "a remedy is left out")
        any_alone = any(reaches(improved(job, name)) for name in knobs)
        claim(any_alone == ("Reaches 80 %" in text), "a remedy exists")
    if not job.on_target:
        more = improved(job, "storage_nodes")
        idle = not job.local and job.storage_nodes < 96 and load(more) >= load(job) * (1 - 1e-9)
        claim(("More storage nodes alone change nothing" in text) == idle, "more storage nodes")
        single = "no single knob" not in text and "storage nodes" in text.split("More storage")[0]
        claim(not (single and idle), "storage nodes mend and change nothing")
    if "Computing binds, as it should" in text:
        claim(load(job) <= 1 + 1e-9 and job.on_target, "computing binds")
    if "Without jitter your step takes the larger" in values.step_words(job):
        claim(job.steady.step_time == pytest.approx(max(1, load(job)) * job.compute_time), "maximum")
    claim("nan" not in text and "inf" not in text.replace("info", ""), "a number that is none")
    return found


def every(number: int) -> list[Job]:
    return [*presets(), *ends(), *(replace(Job(), **changes) for changes in FOUND), *drawn(number)]


@pytest.mark.slow
def test_no_sentence_of_the_page_is_contradicted_at_ends_presets_ties_and_random_settings():
    wrong = [(job, found) for job in every(RANDOM) if (found := contradictions(job))]
    assert not wrong, wrong[:3]


@pytest.mark.parametrize(
    ("changes", "shown", "steady"),
    [
        ({"workers": 12, "scv": 4.0, "compute_scv": 4.0}, 0.718, 1.0),
        ({"workers": 12}, 0.944, 1.0),
        ({"workers": 9}, 0.855, 1.0),
    ],
)
def test_the_headline_is_the_simulated_utilization_and_not_the_mean_value_one(changes, shown, steady):
    job = replace(Job(), **changes)
    assert job.utilization == pytest.approx(shown, abs=0.01) and job.without_jitter == steady
    assert "without jitter" in verdict.derived_words(job) and "without jitter" in verdict.verdict(job).text
    if shown < TARGET:
        assert not job.on_target and "misses 80 %" in verdict.target_words(job)


def test_what_keeps_the_workers_busy_is_not_said_of_what_keeps_the_store_busy():
    job = replace(Job(), workers=16, packing=16, storage_nodes=1, storage_iops=1e5)
    assert load(job) == pytest.approx(0.366, abs=2e-3)
    assert "workers" not in jitter.caption(job).split(".")[0]


def test_a_choice_is_a_knob_too():
    job = replace(Job(), **FOUND[3])
    said = verdict.remedies(job)
    assert "Where the data are → Node-local NVMe drives" in said and "no single" not in said
