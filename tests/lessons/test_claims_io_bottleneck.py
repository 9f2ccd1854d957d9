"""Every sentence of the I/O lesson that holds a number, quoted and proved by hand calculation."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import odd

from lessons.io_bottleneck import LESSON, field, jitter, sample, stages, timeline, values, verdict, workers
from lessons.io_bottleneck.challenge import GPUS, judge
from lessons.io_bottleneck.settings import LOCAL, Job, ms, parts
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS, demand
from physics.dataloading.mlperf import RESULTS, WORKLOADS
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of

JOB = Job()
WORDS = values.live_values(JOB)


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def reflected(option: str) -> str:
    return fill(LESSON.reflection.option(option).feedback, WORDS)


def near(text: str, value: float, within: float = 0.006) -> bool:
    """Whether a share written with three digits is the value, to within the simulation's error."""
    return abs(float(text.removesuffix(" %")) / 100 - value) <= within


def simulated(load: float, depth: int = 2, scv: float = 1.0, compute_scv: float = 0.0) -> float:
    """The utilization by a loop of its own, one step after the other, in many lanes at once."""
    rng, lanes = np.random.default_rng(8), 400
    starts, read, end, began, n = [], np.zeros(lanes), np.zeros(lanes), 0.0, 900
    for i in range(n):
        reading = rng.gamma(1 / scv, scv * load, lanes) if scv else load
        computing = rng.gamma(1 / compute_scv, compute_scv, lanes) if compute_scv else 1.0
        read = np.maximum(read, starts[i - depth] if i >= depth else 0.0) + reading
        starts.append(np.maximum(read, end))
        end = starts[-1] + computing
        began = end.mean() if i == 299 else began
    return (n - 300) / (end.mean() - began)


def utilization(workers=1, latency=6.0, decode=0.5, packing=1) -> float:
    """The message's job by hand: 64 samples of 62.5 kB at 1 GB/s against 50 ms [ms]."""
    return min(1.0, 50 / (64 * (latency / packing + 0.0625 + decode) / workers))


# --- the message ------------------------------------------------------------------------------------------------------
def test_the_messages_arithmetic():
    assert "128 H100s" in LESSON.message and "24 storage nodes of 28 GB/s" in LESSON.message
    assert "64 samples of 62.5 kB in a step of 50 ms, which is 80 MB/s" in LESSON.message
    assert "10.2 GB/s of the 672 GB/s" in LESSON.message and "256 more GPUs" in LESSON.message
    assert demand(64, 62.5e3, 0.050) == pytest.approx(80e6)
    assert 128 * 80e6 == 10.24e9 and 24 * 28e9 == 672e9
    assert "busy 12 % of the time" in LESSON.message and round(100 * JOB.utilization) == 12
    assert k.IO_MORE_ACCELERATORS == 256 and JOB.accelerators == 128 and JOB.storage_bandwidth == 672e9


def test_the_page_shows_11_9_percent_and_the_stores_1_5_and_0_18():
    assert WORDS["utilization"] == "11.9 %"
    assert JOB.pipeline.needs[STORAGE] == pytest.approx(10.24 / 672)
    assert JOB.pipeline.loads[STORAGE] == pytest.approx(10.24 / 672 * 50 / 420, rel=1e-3)
    assert "which is 1.5 %; as it stands it gets 0.18 %" in said("a")
    assert "With 48 storage nodes the GPUs stay at 11.9 %" in said("a")
    assert replace(JOB, storage_nodes=48).utilization == JOB.utilization


def test_more_reads_in_flight_or_more_per_read_help():
    text = said("b")
    assert "6.56 ms: 6 ms until its bytes flow, 0.0625 ms to move them, 0.5 ms to decode" in text
    assert "A batch takes 420 ms and is computed in 50 ms: 11.9 %" in text
    assert "4 workers" not in text  # what helps is the reflection's to find
    assert "(4 workers 46.5 %, 8 workers 80.1 %, 9 workers 85.1 %, without jitter 100 %)" in reflected("b")
    assert "with 32 samples a read a single worker reaches 84 %" in reflected("b")
    for number, share, steady in ((1, "11.9 %", 11.9), (4, "46.5 %", 47.6), (8, "80.1 %", 95.2), (9, "85.1 %", 100)):
        job = replace(JOB, workers=number)
        assert round(100 * utilization(number), 1) == steady
        assert job.without_jitter == pytest.approx(utilization(number))
        assert near(share, simulated(8.4 / number)) and f.share(job.utilization) == share
    assert near("84 %", simulated(64 * (6 / 32 + 0.5625) / 50))


def test_slow_decoding_looks_the_same_and_packing_hardly_helps():
    assert "2.5 ms of latency and 4 ms of decoding would look the same, 11.9 %" in said("b")
    assert "packing would hardly help (19 %)" in reflected("b")
    assert utilization(latency=2.5, decode=4) == pytest.approx(utilization())
    assert round(100 * utilization(latency=2.5, decode=4, packing=32)) == 19


def test_the_network_is_nearly_idle_too():
    assert "would carry 2.6 % of what they can at full speed, and they carry 0.3 % now" in said("c")
    assert pytest.approx(0.0256) == 10.24 / (16 * 25)
    assert pytest.approx(0.00305, abs=5e-6) == 10.24 / (16 * 25) * 50 / 420


def test_12_percent_is_not_normal():
    assert "does not count a run below 90 % (70 % for CosmoFlow)" in said("d")
    assert {w.required_utilization for w in WORKLOADS} == {0.9, 0.7}
    assert {w.name.split()[0] for w in WORKLOADS if w.required_utilization == 0.7} == {"CosmoFlow"}
    assert "with 256 more of them each would be just as starved, at 11.9 %" in said("d")
    assert replace(JOB, accelerators=384).utilization == pytest.approx(JOB.utilization)


def test_the_reflection_is_right():
    assert LESSON.reflection.right == "b" and "Packing" in LESSON.reflection.option("b").text
    assert "a single worker reaches 84 %" in reflected("b")
    assert "With 48 storage nodes the message's GPUs stay at 11.9 %" in reflected("a")
    assert "At a depth of 64 instead of 2 the message's GPUs stay at 11.9 %" in reflected("c")
    assert "of the 6.56 ms a sample takes, only 0.0625 ms is moving bytes" in reflected("d")


# --- the feedback says which case holds -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "the diagnosis holds: 6 ms of the 6.56 ms"),
        ({"latency": 2.5e-3, "decode_time": 4e-3}, "the case is another one: 4 ms of the 6.56 ms"),
        ({"sample_size": 50e6}, "Large reads are bound by the bandwidth of a stream"),
        ({"node_link": 1e9, "workers": 16, "sample_size": 1e6}, "another stage binds: the link of a GPU node"),
        ({"workers": 12}, "What they wait for is jitter: 94.1 % against 100 % without it"),
        ({"workers": 12, "scv": 0.0}, "latency is not in their way"),
        ({"workers": 12, "prefetch_depth": 0}, "they wait while a batch is read"),
    ],
)
def test_the_feedback_says_which_case_holds(changes, says):
    job = replace(JOB, **changes)
    assert says in values.case_words(job)
    assert says in fill(LESSON.prediction.option("b").feedback, values.live_values(job))


def test_in_the_decoding_case_the_feedback_counts_what_packing_gives():
    words = values.case_words(replace(JOB, latency=2.5e-3, decode_time=4e-3))
    assert "Packing 32 samples a read would give 18.8 %" in words
    assert utilization(latency=2.5, decode=4, packing=32) == pytest.approx(0.188, abs=1e-3)
    packed = values.case_words(replace(JOB, latency=2.5e-3, decode_time=4e-3, packing=100))
    assert "With 100 samples a read packing has done its part" in packed and "Packing 32" not in packed


# --- verdict and remedies ---------------------------------------------------------------------------------------------
def said_of(job: Job) -> str:
    """What binds, and what would mend it."""
    return f"{verdict.verdict(job).text} {verdict.remedies(job)}"


def test_the_verdict_names_what_binds_and_the_remedies_the_smallest_changes():
    assert verdict.verdict(JOB).text == (
        "The loader workers bind: a sample takes one of them 6.56 ms, 6 ms of it waiting for the read to begin."
    )
    assert verdict.remedies(JOB) == (
        "Reaches 80 %: bring 24 samples with each read; or bring the latency down to 0.2 ms; or run 8 workers per GPU. "
        "More storage nodes alone change nothing."
    )
    for ratio in (8.4 / 8, 64 * (6 / 24 + 0.5625) / 50, 64 * (0.2 + 0.5625) / 50):
        assert simulated(ratio) >= 0.8 - 0.004
    for ratio in (8.4 / 7, 64 * (6 / 23 + 0.5625) / 50, 64 * (0.3 + 0.5625) / 50):
        assert simulated(ratio) < 0.8


@pytest.mark.parametrize(
    ("changes", "stage", "says"),
    [
        ({"workers": 16, "node_link": 1e9, "sample_size": 1e6}, NODE_LINK, "The node link binds: at full speed 8 GPUs"),
        ({"workers": 16, "storage_nodes": 1, "sample_size": 1e6}, STORAGE, "The bandwidth of the store binds"),
        ({"workers": 16, "storage_iops": 1e3}, IOPS, "The reads per second of the store bind"),
        ({"workers": 16, "prefetch_depth": 0, "compute_time": 0.03}, COMPUTE, "take turns"),
        ({"workers": 4, "prefetch_depth": 0}, WORKERS, "Without prefetch, reading and computing take turns as well"),
        ({"workers": 12}, COMPUTE, "Computing binds, as it should"),
        ({"workers": 8}, WORKERS, "Still, 80.1 % meets the target of 80 %"),
        ({"workers": 12, "scv": 4.0, "compute_scv": 4.0}, COMPUTE, "of the 100 % that it would be without jitter"),
        ({"decode_time": 20e-3, "latency": 50e-3, "workers": 2}, WORKERS, "these two together do"),
        ({"context": LOCAL, "workers": 16, "sample_size": 20e6, "stream_bandwidth": 10e9}, STORAGE, "local drives"),
    ],
)
def test_every_stage_can_bind_and_is_named(changes, stage, says):
    job = replace(JOB, **changes)
    assert job.pipeline.bottleneck == stage
    assert says in said_of(job)


JOBS = st.builds(
    Job,
    workers=st.integers(1, 16),
    packing=st.integers(1, 200),
    prefetch_depth=st.integers(0, 4),
    latency=st.floats(1e-4, 0.05),
    decode_time=st.floats(0, 0.02),
    compute_time=st.floats(0.001, 2),
    storage_nodes=st.integers(1, 96),
    batch=st.integers(1, 1024),
    sample_size=st.floats(1e3, 2e8),
    accelerators=st.integers(1, 4096),
    context=st.sampled_from(["shared", LOCAL]),
)


@given(JOBS)
@settings(deadline=None, max_examples=40)
def test_every_change_reaches_the_target_and_a_step_less_does_not(job):
    if job.on_target:
        return
    found = verdict.changes(job)
    for change in found:
        assert change.name in verdict.READING and replace(job, **{change.name: change.value}).on_target
        if change.name != "context":
            steps, now = knobs_of(Job)[change.name].values({}), getattr(job, change.name)
            between = [step for step in steps if min(now, change.value) < step < max(now, change.value)]
            nearest = between[-1:] if change.value > now else between[:1]
            assert not any(replace(job, **{change.name: step}).on_target for step in nearest)
    assert [change.moved for change in found] == sorted(change.moved for change in found)
    assert verdict.remedies(job) and "nan" not in said_of(job)


def test_where_no_knob_does_two_together_do():
    job = replace(JOB, decode_time=20e-3, latency=50e-3, workers=2)
    assert not verdict.changes(job)
    first, second = verdict.pair(job)
    by_hand = replace(job, workers=14, packing=1, decode_time=0.0)
    assert not by_hand.on_target, "workers and decoding alone leave 50 ms of latency"
    assert f"no single knob reaches 80 %; these two together do: {first} and {second}." in verdict.remedies(job)
    assert (first, second) == ("bring 157 samples with each read", "decode a sample in 1.2 ms")
    two = replace(job, packing=157, decode_time=1.2e-3)
    assert two.on_target and not replace(two, decode_time=1.3e-3).on_target


def test_a_job_beyond_every_knob_says_so():
    job = replace(JOB, compute_time=1e-3, sample_size=200e6, batch=1024)
    assert "no single knob reaches 80 %, nor do two." in verdict.remedies(job)


def test_storage_nodes_are_said_to_change_nothing_only_where_they_do():
    for job in (JOB, replace(JOB, workers=16, storage_iops=1e3), replace(JOB, workers=4, prefetch_depth=0)):
        more = replace(job, storage_nodes=96)
        unchanged = more.utilization <= job.utilization * (1 + 1e-9)
        assert ("More storage nodes alone change nothing" in verdict.remedies(job)) == unchanged


# --- derivation -------------------------------------------------------------------------------------------------------
def test_the_derivations_numbers():
    text = "\n".join(fill(step.text, WORDS) for step in LESSON.derivation)
    assert "64 samples of 62.5 kB in 50 ms: that is 80 MB/s for one GPU." in text
    assert "All together (128 GPUs) they need 10.2 GB/s" in text
    assert pytest.approx(1.22e9, rel=2e-3) == 80e6 * 128 * 50 / 420 and "get 1.22 GB/s" in text
    assert "A read of 62.5 kB takes 6.06 ms" in text and "would read 10.3 MB/s: 1.03 % of the 1 GB/s" in text
    assert pytest.approx(10.3e6, rel=2e-3) == 62.5e3 / 6.0625e-3
    assert "completes 19,500 reads a second. With 6.06 ms each, at least 118 are in flight" in text
    assert (
        pytest.approx(19_505, abs=0.5) == 128 / 6.5625e-3
        and pytest.approx(19_505, rel=1e-3) == 19_497
        and pytest.approx(118, abs=0.5) == 19_505 * 6.0625e-3
    )
    assert "workers 19,500, node links 6,400,000, storage bandwidth 10,800,000, storage reads 18,000,000" in text
    assert "the GPUs would take 164,000" in text and 128 * 64 / 0.050 == 163_840
    assert (
        "the larger of 50 ms and 420 ms: 420 ms. The GPUs compute 11.9 % of it" in text
        and "11.9 % without jitter" in text
    )
    assert "Your ρ is 8.4" in text and 420 / 50 == 8.4


def test_reads_in_flight_are_never_more_than_workers_unless_something_shared_stretches_them():
    for number in (1, 4, 16):
        job = replace(JOB, workers=number)
        in_flight = job.pipeline.throughput / job.packing * (job.latency + job.packing * job.sample_size / 1e9)
        assert in_flight <= number * job.accelerators * (1 + 1e-9)


def test_the_depth_rule_is_said_for_every_regime():
    assert "no depth is enough" in values.jitter_rule(JOB)
    assert "asks for 8 batches" in values.jitter_rule(replace(JOB, workers=12))
    assert "nothing varies" in values.jitter_rule(replace(JOB, workers=12, scv=0.0))


# --- corrections ------------------------------------------------------------------------------------------------------
def test_the_corrections_are_the_recomputed_ones():
    found = [fill(row.found, WORDS) for row in LESSON.corrections]
    assert "They are 5,120 MB/s. Samples of 62.5 kB make 80 MB/s true" in found[0]
    assert 64 * 4e6 / 0.050 == 5_120e6
    assert "gives 1.09 % at its defaults, and with small random reads 8.6 % at best" in found[1]
    draft = 400e9 * 0.07 * 0.25 / 128
    assert 0.050 / (64 * 4e9 / 1024 / draft) == pytest.approx(0.0109, abs=5e-5)
    assert pytest.approx(0.086, abs=5e-4) == 0.050 / (32 * 4e9 / 1024 / (400e9 * 0.07 * 0.986 / 128))
    assert "a batch then takes 120.7 ms to read and 50 ms to compute: 41.4 % at any depth" in found[2]
    assert pytest.approx(0.1207, abs=5e-5) == 64 * 4e9 / 1024 / (400e9 * 0.78 * 0.85 / 128)
    assert pytest.approx(0.414, abs=5e-4) == 50 / 120.7
    assert "11.9 % at a depth of 2 and 11.9 % at 64" in found[3]
    assert "256 MB at 4.46 GB/s take 57.4 ms" in found[4]
    assert pytest.approx(57.4e-3, abs=5e-5) == 256e6 / (672e9 * 0.85 / 128)
    assert "0.18 % in the message's job, and would be 1.5 % at full speed" in found[5]


# --- the field --------------------------------------------------------------------------------------------------------
def test_the_field_tables_show_model_beside_published_and_the_miss():
    table = field.demand_table()
    assert table["Need of a GPU"].tolist() == [
        "3.177 GB/s", "1.614 GB/s", "204.8 MB/s", "105.4 MB/s", "808.1 MB/s", "513.3 MB/s",
    ]  # fmt: skip
    assert "follows from its definition" in field.field_words()
    assert field.result_table()["Miss"].tolist() == ["+3.0 %", "+0.3 %", "+2.3 %"]
    assert "up to 2.9 % fewer samples per second" in field.field_words()
    assert max(1 - r.published_rate / r.model_rate for r in RESULTS) == pytest.approx(0.029, abs=5e-4)


# --- charts -----------------------------------------------------------------------------------------------------------
def test_the_bottleneck_bar_is_marked_and_split_into_waiting_bytes_and_decoding():
    frame = stages.figure(JOB, Look()).frame
    bars = frame[(frame["kind"] == "bar") & (frame["tone"] == "bad")]
    assert bars["stage"].tolist() == ["loader workers"] * 3
    assert bars["label"].tolist() == ["waiting", "moving bytes", "decoding"]
    assert bars["end"].tolist() == pytest.approx([6 / 6.5625, 6.0625 / 6.5625, 1], rel=1e-3)
    assert "99.96 %, binds" in frame["label"].tolist(), "now and then two fast reads fill the buffer"
    assert "0.18 % (1.5 % at full speed)" in frame["label"].tolist()


@pytest.mark.parametrize(
    ("guess", "stage"), [("a", STORAGE), ("b", WORKERS), ("c", NODE_LINK), ("d", None), (None, None)]
)
def test_the_stage_that_the_visitor_called_full_is_marked(guess, stage):
    frame = stages.figure(JOB, Look(), guess).frame
    marked = frame[frame["kind"] == "point"]
    assert marked["stage"].tolist() == ([stages.LABELS[stage]] if stage else [])
    assert ("you said: full" in frame["label"].tolist()) == (stage is not None)
    assert marked["start"].tolist() == [1.0] * len(marked)


def test_of_6_06_ms_of_fetching_a_sample_6_are_waiting_and_0_06_are_bytes():
    drawn = sample.figure(JOB, Look())
    bars = drawn.frame[drawn.frame["kind"] == "bar"]
    assert bars["tone"].tolist() == ["bad", "accent", "accent"]
    assert (bars["x2"] - bars["x"]).tolist() == pytest.approx([6, 0.0625, 0.5]) and bars["x2"].iloc[1] == 6.0625
    assert "6 ms waiting for the read to begin, 0.0625 ms moving its bytes, 0.5 ms decoding" in drawn.alt
    assert (
        "For the workers to keep up with the GPU it may take 0.781 ms" in drawn.alt
        and JOB.allowed_time == pytest.approx(50e-3 / 64)
    )
    assert "6 ms for waiting until the read begins, 0.0625 ms for moving bytes" in verdict.derived_words(JOB)


@pytest.mark.parametrize(
    "change",
    [{"prefetch_depth": 0}, {"scv": 4.0, "workers": 12, "packing": 1}, {"storage_nodes": 1, "accelerators": 4096}],
)
def test_a_worker_that_keeps_up_does_not_yet_keep_the_gpu_busy(change):
    job = replace(JOB, **{"workers": 16, "packing": 16} | change)
    assert job.sample_time < job.allowed_time and job.utilization < 0.99
    assert "keep the GPU busy" not in sample.figure(job, Look()).alt + str(sample.rows(job))


@given(JOBS)
@settings(deadline=None, max_examples=30)
def test_a_worker_within_the_time_it_has_for_a_sample_never_holds_up_the_gpu(job):
    keeps_up = job.sample_time <= job.allowed_time
    assert keeps_up == (job.steady.needs[WORKERS] <= 1) or job.sample_time == pytest.approx(job.allowed_time)


@pytest.mark.parametrize("changes", [{"sample_size": 147e6}, {"latency": 50e-3}, {"workers": 16}, {"packing": 10_000}])
def test_what_leaves_the_samples_frame_leaves_it_with_an_arrow_and_its_number(changes):
    job = replace(JOB, **changes)
    frame = sample.figure(job, Look()).frame
    assert frame[["x", "x2"]].max().max() <= sample.EDGE
    times = [*parts(job).values(), job.allowed_time]
    ends = [*np.cumsum(times[:3]), times[3]]
    labels = frame[frame["kind"] == "label"]["label"].tolist()
    for time, end in zip(times, ends, strict=True):
        assert any(ms(time) in label and label.endswith("▸") == (end * 1e3 > sample.EDGE) for label in labels)


@pytest.mark.parametrize("figure", [stages.figure, sample.figure, workers.figure])
def test_axes_stand_still_and_the_specification_serves_every_setting(figure):
    look = Look()
    jobs = [JOB, replace(JOB, workers=16), replace(JOB, packing=32), replace(JOB, sample_size=147e6, prefetch_depth=0)]
    drawn = [figure(job, look) for job in jobs]
    assert all(one.spec is drawn[0].spec for one in drawn)
    assert len({frozenset(one.frame["kind"]) for one in drawn}) == 1, "a layer would come or go"
    scales = re.findall(r"'domain': \[[^]]*\]", str(drawn[0].spec))
    assert len(scales) >= 1


def test_the_workers_chart_keeps_the_fewest_that_do_for_after_the_reflection():
    before = workers.figure(JOB, Look()).frame
    assert "8 workers" not in before["label"].tolist() and "you are here: 11.9 %" in before["label"].tolist()
    after = workers.figure(JOB, Look(), answered=True).frame
    marked = after[(after["kind"] == "point") & (after["shape"] == "diamond")]
    assert marked["workers"].tolist() == [8] and "8 workers" in after["label"].tolist()
    assert replace(JOB, workers=8).on_target and not replace(JOB, workers=7).on_target


def test_the_timeline_shows_both_ways_and_ends_with_five_steps():
    frame = timeline.frame(JOB)
    for lane, step in (("yours: GPU", 420), ("in turns: GPU", 470)):
        computing = frame[(frame["lane"] == lane) & (frame["activity"] == "compute")]
        assert len(computing) == 5
        assert computing["end"].max() * 1e3 == pytest.approx(420 + 50 + 4 * step)
    assert {"fetch", "decode", "compute", "idle"} == set(frame["activity"])


def test_the_jitter_panel_sets_the_rule_beside_the_simulation():
    job = replace(JOB, workers=12)
    assert job.reader_load == pytest.approx(0.7)
    words = jitter.caption(job)
    assert (
        "takes 70 % of the time that computing on it takes" in words
        and "depth of 8, against 5 in the simulation" in words
    )
    assert "between half and 3.4 times the simulated need" in words
    frame = jitter.frame(job).set_index("kind")
    assert frame.loc["rule needs", "depth"] == 8 and frame.loc["simulation needs", "depth"] == 5
    assert "8.4 times as long as computing" in jitter.caption(JOB)
    assert "every step waits for its own batch" in jitter.caption(replace(JOB, prefetch_depth=0))


def test_a_simulated_share_too_rare_to_tell_is_not_given_a_number():
    assert jitter.waiting(0.0) == jitter.waiting(0.0009) == "less than 0.1 %"
    assert jitter.waiting(0.0862) == "8.6 %"


@pytest.mark.parametrize("figure", [stages, sample, workers, timeline, jitter], ids=lambda module: module.__name__)
@pytest.mark.parametrize(
    "job",
    [JOB, replace(JOB, prefetch_depth=0), replace(JOB, context=LOCAL, workers=16), replace(JOB, workers=16, scv=0.0)],
    ids=["default", "no prefetch", "local", "no jitter"],
)
def test_every_chart_can_be_drawn_and_says_what_it_shows(figure, job):
    drawn = figure.figure(job, Look())
    assert drawn.title.endswith("?") and len(drawn.frame) and drawn.spec["layer"] and drawn.alt.endswith(".")
    kinds = set(drawn.frame["kind"])
    filtered = {kind for kind in kinds if f"datum.kind === '{kind}'" in str(drawn.spec)}
    assert figure is timeline or kinds == filtered, "a kind of row that no layer draws"
    places = {"load": ["start", "stage"], "sample": ["x", "y"], "workers": ["workers", "utilization"]}
    assert not drawn.frame[places.get(drawn.name, [])].isna().any().any()


# --- the challenge ----------------------------------------------------------------------------------------------------
def test_the_challenge_is_won_with_two_of_24_storage_nodes_and_not_by_the_most_of_everything():
    assert GPUS == 384 == 128 + 256
    assert judge(JOB).text == "Not yet: 128 GPUs of 384; 11.9 % busy; 24 storage nodes."
    won = replace(JOB, accelerators=384, workers=2, packing=16, storage_nodes=2)
    assert judge(won).good and judge(won).text.startswith("Won: 384 GPUs")
    assert 384 * 80e6 < 2 * 28e9 and pytest.approx(0.911, abs=1e-3) == 28e9 / (384 * 80e6)
    for storage_nodes in (1, 3):
        assert not judge(replace(won, storage_nodes=storage_nodes, prefetch_depth=2)).good
    most = {name: knob.constant.high for name, knob in knobs_of(Job).items() if knob.constant}
    assert not judge(replace(JOB, **{name: type(getattr(JOB, name))(value) for name, value in most.items()})).good
    assert not judge(replace(won, packing=1)).good, "two workers alone do not feed a GPU one read a sample"


@pytest.mark.parametrize(("name", "value"), [("latency", 1e-4), ("decode_time", 0.0), ("scv", 0.0), ("context", LOCAL)])
def test_the_challenge_names_a_knob_of_the_message_that_was_moved(name, value):
    judged = judge(replace(JOB, accelerators=384, workers=2, packing=16, storage_nodes=2, **{name: value}))
    assert not judged.good and f"not as in the message: {knobs_of(Job)[name].label}" in judged.text


# --- the reply --------------------------------------------------------------------------------------------------------
def test_the_reply_answers_both_questions_with_the_messages_numbers():
    reply = fill(LESSON.reply, WORDS)
    assert "of the 6.56 ms that a worker spends on a sample, 6 ms are waiting for the read to begin" in reply
    assert "0.0625 ms are moving bytes" in reply and "Put the order on hold" in reply
    assert "256 more GPUs would be just as starved, at 11.9 % each" in reply
    packed = simulated(64 * (6 / 32 + 0.5625) / 50)
    assert "32 samples in each read" in reply and "84 % busy" in reply
    assert "7.1 times the work of today" in reply and packed / 0.119 == pytest.approx(7.1, abs=0.06)
    assert "would make it 3 times" in reply and 384 / 128 == 3


# --- words that hold numbers without placeholders ---------------------------------------------------------------------
def test_the_numbers_in_the_knobs_help_are_the_models():
    assert k.IO_STORAGE_NODE_BANDWIDTH == 28e9 and k.IO_ACCELERATORS_PER_NODE == 8
    assert parts(JOB)["decoding"] == 0.5e-3 and k.IO_DECODE_TIME.high >= 10e-3
    assert ms(0.00656) == "6.56 ms" and ms(1.0) == "1 s" and math.isfinite(JOB.reader_load)


def test_a_hundred_million_samples_in_files_of_ten_thousand_are_ten_thousand_files():
    found = [fill(row.found, LESSON.values(LESSON.settings())) for row in LESSON.corrections]
    assert "They are 10,000 files." in found and 100e6 / 10e3 == 10_000


def test_samples_that_need_no_decoding_are_not_said_to_take_0_ms():
    assert LESSON.values(LESSON.settings(decode_time=0.0))["decode_time"] == "no time"
    assert LESSON.values(LESSON.settings())["decode_time"].endswith("ms")


def test_where_samples_need_no_decoding_one_samples_chart_says_so_too():
    job = LESSON.settings(decode_time=0.0)
    drawn = sample.figure(job, Look())
    assert "no time decoding" in drawn.alt
    assert not [text for text in (drawn.alt, *drawn.rows["label"].to_pylist()) if text and odd(text)]


def test_one_gpu_behind_a_full_link_is_said_in_the_singular():
    alone = replace(JOB, accelerators=1, sample_size=1e6, packing=1024, workers=16, decode_time=0.0, node_link=1e9)
    assert alone.steady.bottleneck == NODE_LINK
    assert "at full speed 1 GPU needs 1.28 GB/s through a link of 1 GB/s" in verdict.verdict(alone).text
