"""Every sentence of the I/O lesson that holds a number, quoted and proved by hand calculation."""

import itertools
from dataclasses import replace

import pytest
from driving import charts, unlocked

from lessons.io_bottleneck import LESSON, PRESETS, batch, crew, jitter, stages
from lessons.io_bottleneck.laboratory import direct
from lessons.io_bottleneck.settings import Job, say
from lessons.io_bottleneck.stages import FEWEST, judge
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, WORKERS
from physics.dataloading.pipeline import WORKLOADS
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look

JOB = Job()
WORDS = LESSON.values(JOB)


def said(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, WORDS)


def by_hand(workers=1, latency=6.0, decode=0.5, packing=1, size=62.5e3) -> float:
    """The message's job: time to read a batch of 64 at 1 GB/s, as a multiple of 50 ms."""
    return 64 * (latency / packing + size / 1e6 + decode) / workers / 50


# --- message, question, feedback
# --------------------------------------------------------------------------------------
def test_the_messages_arithmetic_and_its_12_percent():
    assert (
        "In a step of 50 ms, a GPU needs 64 samples of 62.5 kB, which is 80 MB/s" in LESSON.message
    )
    assert (
        "10.2 GB/s of the 672 GB/s" in LESSON.message
        and "24 storage nodes of 28 GB/s" in LESSON.message
    )
    assert (
        JOB.demand == pytest.approx(80e6)
        and 128 * 80e6 == 10.24e9
        and 24 * 28e9 == 672e9 == JOB.storage_bandwidth
    )
    assert "busy 12% of the time" in LESSON.message and by_hand() == pytest.approx(8.4)
    assert JOB.utilization == pytest.approx(1 / 8.4) and k.IO_MORE_ACCELERATORS == 256
    for cause in ("latency", "small", "one after the other", "waiting"):
        assert cause not in LESSON.message


def test_no_option_but_the_right_one_survives_its_test():
    for option in LESSON.prediction.options:
        now = replace(JOB, **option.test.settings)
        assert (now.utilization > 0.12) is option.right and option.test.settings.keys() <= set(
            LESSON.view(option.test.view).knobs
        )
    assert "10.2 GB/s of their 672 GB/s, which is 1.5%; now it uses 0.18%" in said("a")
    assert (
        pytest.approx(0.0152, abs=5e-5) == 10.24 / 672
        and pytest.approx(0.00181, abs=5e-6) == 10.24 / 672 / 8.4
    )
    assert "would use 2.6% of the links of the GPU nodes, and now it uses 0.3%" in said("c")
    assert (
        pytest.approx(0.0256) == 10.24 / 400
        and pytest.approx(0.00305, abs=5e-6) == 10.24 / 400 / 8.4
    )
    assert "busy less than 90% of the time (70% for CosmoFlow)" in said(
        "d"
    ) and "8 GPUs alone would also be 11.9% busy" in said("d")
    assert {w.name.split()[0] for w in WORKLOADS if w.required_utilization == 0.7} == {"CosmoFlow"}
    assert (
        "6.56 ms: 6 ms until its bytes flow, 0.0625 ms to move them, and 0.5 ms to decode them"
        in said("b")
    )
    assert (
        "A batch of 64 takes 420 ms to read and 50 ms to compute, so the GPU is busy 11.9%"
        in said("b")
    )


def test_slow_decoding_looks_the_same_from_outside_and_packing_hardly_helps_it():
    slow = replace(JOB, **PRESETS["decoding"].changes)
    assert slow.utilization == pytest.approx(JOB.utilization) and by_hand(
        latency=2.5, decode=4
    ) == pytest.approx(8.4)
    assert 1 / by_hand(latency=2.5, decode=4, packing=32) == pytest.approx(
        replace(slow, packing=32).utilization
    )
    assert "set 32 samples per read (the GPUs are 18.9% busy)" in fill(LESSON.staff.thirty, WORDS)


def test_the_reflections_volumes_are_read_about_a_tenth_faster():
    text = LESSON.reflection.text
    assert (
        "volumes of 60 MB" in text
        and "waits 6 ms" in text
        and "1 GB/s" in text
        and "packs 32" in text
    )
    assert (
        pytest.approx(1.1, abs=0.005) == 66 / (6 / 32 + 60)
        and pytest.approx(60.2, abs=0.05) == 6 / 32 + 60
    )
    assert "tenth" in LESSON.reflection.option(LESSON.reflection.right).text
    told = fill(LESSON.reflection.option("b").feedback, WORDS)
    assert "took 66 ms, and 60 ms of that is moving bytes" in told and "60.2 ms per volume" in told
    assert pytest.approx(24.25) == 6.0625 / 0.25 and "24 times as fast" in told


def test_the_reply_answers_both_questions_with_and_without_jitter():
    reply = fill(LESSON.reply, WORDS)
    assert "GPUs 11.9% busy, and 256 more GPUs would be just as starved" in reply
    assert "With 32 samples in each read" in reply and by_hand(packing=32) == pytest.approx(0.96)
    assert "100% busy if all reads take equally long, and 84% if read times vary" in reply
    assert replace(JOB, packing=32).jittered_job == pytest.approx(
        0.84, abs=0.01
    )  # as in test_prefetching's long runs
    assert (
        "up to 8.4 times as much work" in reply
        and "the fleet would do only 3 times as much" in reply
        and 384 / 128 == 3
    )


# --- verdict, fixes, challenge
# ----------------------------------------------------------------------------------------
def test_the_smallest_changes_reach_the_target_and_a_step_less_does_not():
    text = batch.remedies(JOB)
    assert (
        "cut the wait per read to 0.4 ms; or fetch 15 samples with each read; or run 7 workers per "
        "GPU" in text
    )
    for enough, short in (({"latency": 0.4}, {"latency": 0.5}), ({"packing": 15}, {"packing": 14})):
        assert by_hand(**enough) <= 1 / 0.8 < by_hand(**short)
    assert by_hand(workers=7) <= 1 / 0.8 < by_hand(workers=6)
    assert "storage" not in text and replace(JOB, storage_nodes=96).utilization < 0.12


@pytest.mark.parametrize(
    ("changes", "stage", "says"),
    [
        ({}, WORKERS, "they read a batch in 420 ms, and the GPU computes on it for 50 ms"),
        ({"workers": 9}, COMPUTE, "read every 46.7 ms, and computing on it takes 50 ms."),
        (
            {"workers": 9, "storage_nodes": 1, "accelerators": 700},
            STORAGE,
            "need 200% of its capacity",
        ),
    ],
)
def test_the_verdict_names_the_bottleneck(changes, stage, says):
    job = replace(JOB, **changes)
    assert job.pipeline.bottleneck == stage and says in batch.verdict(job).text


def test_the_challenge_asks_for_few_samples_a_read_and_is_not_won_by_the_most_of_anything():
    won = Job(accelerators=384, workers=2, storage_nodes=2, packing=5)
    assert by_hand(workers=2, packing=5) == pytest.approx(1.128) and won.packing == FEWEST
    assert won.goal == k.IO_TARGET == 0.8
    assert not any(replace(won, packing=size).utilization >= won.goal for size in range(1, FEWEST))
    assert judge(won).good and judge(replace(won, storage_nodes=1)).good
    assert judge(won).text.startswith(
        "Won: 384 GPUs are 88.7% busy with 2 workers each, 2 storage nodes, and 5 samples"
    )
    for less in (
        {"packing": 4},
        {"packing": 64},
        {"workers": 1},
        {"workers": 16},
        {"storage_nodes": 96},
    ):
        assert judge(replace(won, **less)).good is False and judge(
            replace(won, **less)
        ).text.startswith("Not yet: ")
    assert judge(Job()).text == "Not yet: only 128 of the 384 GPUs are in use."
    assert "the GPUs are 11.9% busy, and the goal is 80%" in judge(Job(accelerators=384)).text
    assert (
        "the limit is 2 storage nodes, and you have 24"
        in judge(replace(won, storage_nodes=24)).text
    )
    assert "First reset Wait per read (ms)" in judge(replace(won, latency=1e-4)).text


# --- the pictures
# ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "changes", [{}, {"packing": 32}, {"workers": 4}, {"workers": 4, "packing": 8}]
)
def test_a_batch_is_drawn_as_its_reads_waits_and_transfers(changes):
    job = replace(JOB, **changes)
    found = batch.reads(job)
    time = {
        kind: sum(end - begin for *_, one, begin, end in found if one == kind)
        for kind in ("wait", "bytes", "decode")
    }
    reads = 64 / job.packing
    assert time["wait"] == pytest.approx(reads * 6e-3) and time["bytes"] == pytest.approx(
        64 * 62.5e-6
    )
    assert time["decode"] == pytest.approx(64 * 0.5e-3)
    assert sum(one == "bytes" for *_, one, _, _ in found) >= 64
    if job.workers == 1:
        assert [sum(one == kind for *_, one, _, _ in found) for kind in time] == [reads, 64, 64]
    assert (
        max(end for *_, end in found)
        == pytest.approx(job.pipeline.io_time)
        == pytest.approx(0.05 * by_hand(**changes))
    )
    for worker in range(job.workers):  # one thing at a time
        mine = [(begin, end) for one, *_, begin, end in found if one == worker]
        assert all(one[1] <= other[0] + 1e-12 for one, other in itertools.pairwise(mine))


def test_lines_of_the_picture_are_steps_of_the_gpu():
    drawn = batch.figure(JOB, Look()).frame
    bars = drawn[drawn["kind"].isin(["bar", "wait"])]
    assert bars["x2"].max() == pytest.approx(50) and sorted(bars["y"].astype(int).unique()) == list(
        range(9)
    )
    assert "batch read: 420 ms" in batch.figure(JOB, Look()).labels
    assert (
        "… the batch is read after 3.24 s ↓"
        in batch.figure(replace(JOB, latency=0.05), Look()).labels
    )


@pytest.mark.parametrize("workers", range(1, 17))
@pytest.mark.parametrize("latency", [0.1e-3, 6e-3, 50e-3])
def test_every_lane_is_high_enough_to_be_tapped_and_no_line_leaves_the_frame(workers, latency):
    lines, height = batch.lanes(replace(JOB, workers=workers, latency=latency))
    assert 0.5 <= height <= 1 and lines * workers * height <= batch.LINES + 1e-9


@pytest.mark.parametrize("latency", [0.0, 6e-3])
def test_a_read_that_can_be_tapped_is_in_the_lane_of_one_worker(latency):
    job = replace(JOB, workers=3, packing=8, latency=latency)
    drawn = batch.figure(job, Look()).frame
    bars = drawn[drawn["kind"].isin(["bar", "wait"])]
    _, height = batch.lanes(job)
    worker = (bars["y"] / height).astype(int) % job.workers
    assert worker.groupby(bars["read"]).nunique().max() == 1
    assert bars["read"].nunique() >= 64 / 8


def test_a_tap_on_a_read_says_what_it_waits_for():
    job = replace(JOB, packing=4)
    drawn = batch.figure(job, Look()).frame
    told = drawn[drawn["kind"] == "tapped"]["label"].item()
    assert (
        "waits 6 ms while its file is looked up, opened, and locked. Then its bytes move "
        "for 0.25 ms"
    ) in told
    reads = drawn[drawn["does"].notna()].groupby("read")
    assert len(reads) - 1 == 16 == 64 / 4  # and the GPU's step, which is no read
    assert not (batch.figure(replace(JOB, cached=1.0), Look()).frame["kind"] == "tapped").any()


def test_the_tour_claims_what_its_steps_show():
    packed = replace(JOB, packing=4)
    assert packed.waiting == JOB.waiting / 4
    assert (packed.moving, packed.decode_time) == (JOB.moving, JOB.decode_time)
    four = replace(JOB, workers=4)
    assert four.pipeline.io_time == pytest.approx(JOB.pipeline.io_time / 4)
    assert four.storage_bandwidth == JOB.storage_bandwidth and JOB.waiting / JOB.sample_time > 0.9


# --- workers and the cores that they share
# ----------------------------------------------------------------------------
def test_workers_do_not_scale_beyond_the_cores_of_their_node():
    few = replace(JOB, **LESSON.view("sample").opens)
    assert (few.cores, few.workers) == (32, 16)
    by_cores = 4 / 4.0625e-3 * 0.05 / 64  # four cores for each GPU, 4.0625 ms a sample
    for workers in (7, 8, 12, 16):
        assert replace(few, workers=workers).utilization == pytest.approx(by_cores)
    assert by_cores < k.IO_TARGET and f.share(by_cores) == "76.9%"
    assert replace(few, workers=6).utilization == pytest.approx(6 / 6.5625e-3 * 0.05 / 64)
    assert "The CPU cores are the bottleneck: 32 of them" in batch.verdict(few).text
    assert replace(few, cores=112).utilization == 1  # as many as a DGX H100 has
    limits = crew.figure(few, Look()).labels
    assert "32 CPU cores: at most 76.9%" in limits and "target 80%" in limits


def test_cores_have_room_where_workers_mostly_wait():
    for cores in (8, 112):
        assert replace(JOB, cores=cores, workers=16).utilization == 1
    assert replace(JOB, cores=8).cores_load == pytest.approx(0.5625 / 6.5625)
    assert not any("cores" in label for label in crew.figure(JOB, Look()).labels)


def test_the_curve_is_the_model_at_each_number_of_workers():
    drawn = crew.figure(JOB, Look()).frame
    curve = drawn[drawn["kind"] == "curve"]
    assert curve["workers"].tolist() == list(range(1, 17))
    assert curve["share"].tolist() == pytest.approx([min(1, n / 8.4) for n in range(1, 17)])


@pytest.mark.parametrize("view", ["sample", "jitter"])
def test_each_guess_is_the_models(view):
    part = LESSON.view(view)
    job = replace(JOB, **part.opens)
    shown = {
        "sample": job.utilization,
        "jitter": job.jittered,
    }[view]
    guess = LESSON.guesses[view]
    assert f.share(shown) == fill(guess.model, LESSON.values(job))


def test_loads_of_the_stages_follow_the_pipeline():
    assert "goal: 80%" in stages.figure(JOB, Look(), "a", playing=True).labels
    drawn = stages.figure(JOB, Look(), "a")
    assert {"100%, bottleneck", "you said: at its limit"} <= set(drawn.labels)
    slow = replace(JOB, cached=0.4)
    for stage in (NODE_LINK, STORAGE, IOPS):
        assert slow.pipeline.needs[stage] == pytest.approx(
            (1 - slow.hits) * JOB.pipeline.needs[stage]
        )


# --- going further
# ------------------------------------------------------------------------------------------
def test_the_depth_rule_stands_beside_the_simulation():
    assert (
        "is too shallow: 8.6% of the steps wait. In the simulation 5 batches would be enough."
        in jitter.verdict(JOB).text
    )
    assert JOB.depth_rule == 8
    assert (
        jitter.verdict(replace(JOB, prefetch_depth=5)).good
        and not jitter.verdict(replace(JOB, prefetch_depth=4)).good
    )
    assert "any depth runs empty" in jitter.verdict(replace(JOB, reading=1.0)).text
    assert "every step waits" in jitter.verdict(replace(JOB, prefetch_depth=0)).text
    assert replace(JOB, prefetch_depth=64).jittered_job == pytest.approx(1 / 8.4, abs=0.001)


def test_a_cache_of_65_percent_serves_28_3_under_lru_and_65_if_it_keeps_what_it_has():
    room = replace(JOB, **PRESETS["epoch"].changes)
    assert "With room for 65% of the data, memory serves 28.3% of the reads" in say(
        "cache_verdict", room
    )
    assert room.keeping.hits == 0.65  # the other share is played in test_shuffling
    sample = 0.35 * (6e-3 + 62.5e-6) + 0.65 * 62.5e3 / 10e9 + 0.5e-3
    assert (
        room.keeping.utilization == pytest.approx(50e-3 / (64 * sample))
        and room.first_utilization == JOB.utilization
    )


def test_a_buffer_of_few_samples_hardly_mixes_the_order():
    assert k.IO_SAMPLES == 1_281_167
    assert JOB.mixed == pytest.approx(6 * (1000 / 1_281_167) ** 2, rel=0.01)
    assert replace(JOB, shuffle_buffer=10_000_000).mixed == pytest.approx(1)


def test_gpudirect_saves_one_copy_which_is_little_of_a_small_read_and_a_tenth_of_a_large_one():
    assert JOB.bounce == pytest.approx(
        62.5e3 / 10e9
    ) and JOB.direct.stream_bandwidth == pytest.approx(1e9 / 0.9)
    assert JOB.direct.sample_time == pytest.approx(JOB.sample_time - JOB.bounce)
    assert JOB.direct_saving == pytest.approx(0.00625 / 6.5625)
    assert f.share(JOB.direct.utilization) == f.share(JOB.utilization) == "11.9%"
    assert direct.saved(JOB, 60.0) == pytest.approx(6e-3 / 66.5e-3)
    assert all(direct.saved(JOB, size) < direct.MOST == pytest.approx(0.1) for size in direct.SIZES)
    drawn = direct.figure(JOB, Look()).frame
    points = drawn[drawn["kind"] == "point"]
    assert sorted(points["megabytes"]) == [0.0625, 60.0] and points["share"].max() < direct.MOST
    assert "GPUDirect Storage saves 0.095% of a sample's time" in say("direct", JOB)


def test_the_model_reads_at_most_3_percent_more_than_was_published():
    assert "up to 3% more" in say("field", JOB) and JOB.worst_miss == pytest.approx(0.03, abs=5e-4)


# --- derivation, corrections, every sentence
# --------------------------------------------------------------------------
def test_the_derivations_numbers():
    text = "\n".join(fill(step.text, WORDS) for step in LESSON.derivation)
    assert (
        "need 10.2 GB/s and get 1.22 GB/s" in text and pytest.approx(1.219, abs=1e-3) == 10.24 / 8.4
    )
    assert (
        "takes 6.06 ms" in text
        and "would read 10.3 MB/s, although its stream could carry 1 GB/s" in text
    )
    assert (
        "19,500 reads per second. Each takes 6.06 ms, so at least 118 reads are in flight" in text
    )
    assert (
        pytest.approx(19_505, abs=1) == 128 / 6.5625e-3
        and pytest.approx(118, abs=0.5) == 19_505 * 6.0625e-3
    )
    assert "the rule gives a depth of 8 batches" in text


def test_the_corrections_are_the_recomputed_ones():
    found = [fill(row.found, WORDS) for row in LESSON.corrections]
    assert (
        "They make 5,120 MB/s. The rate is 80 MB/s with samples of 62.5 kB" in found[0]
        and 64 * 4e6 / 0.050 == 5_120e6
    )
    assert "formula gives 1.09%; with small random reads it gives at most 8.6%" in found[1]
    per_gpu = 400e9 / 128
    loaded = 4e9 / 1024
    assert 0.050 / (64 * loaded / (per_gpu * 0.07 * 0.25)) == pytest.approx(0.0109, abs=5e-5)
    assert 0.050 / (32 * loaded / (per_gpu * 0.07 * 0.986)) == pytest.approx(0.086, abs=5e-4)
    assert "120.7 ms to read and 50 ms to compute, so the GPUs are 41.4% busy" in found[2]
    assert 64 * loaded / (per_gpu * 0.78 * 0.85) == pytest.approx(0.1207, abs=5e-5)
    assert "11.9% busy at a depth of 2 and 11.9% at a depth of 64" in found[3]
    assert "and 8 GPUs share 32 cores, the GPUs are at most 76.9% busy" in found[4]
    del found[4]
    assert (
        found[4] == "256 MB at 4.46 GB/s take 57.4 ms."
        and 64 * 4e6 == 256e6
        and pytest.approx(0.0574, abs=5e-5) == 256e6 / (672e9 * 0.85 / 128)
    )
    assert (
        "0.18% in the message's job, and would be 1.5%" in found[5]
        and found[6] == "That makes only 10,000 files."
    )
    assert 100e6 / 10_000 == 10_000 and round(k.SHARE_BANDWIDTH / k.IO_DRIVE_BANDWIDTH) == 479


def test_what_the_utilization_lacks_is_said_in_points():
    notes = [LESSON.metrics(Job(workers=workers))[0].note for workers in (1, 9)]
    assert notes == ["misses the 80% goal by 68.1 points", "meets the 80% goal"]


def test_the_published_figures_are_two_tables():
    app = unlocked("io_bottleneck", {"io_view": "field"})
    text = "\n".join(str(frame.value) for frame in app.dataframe)
    assert not app.exception and "3.177 GB/s" in text and "+3.0%" in text and not charts(app)
