"""Caches over epochs and shuffle buffers in the I/O lesson: hand calculations, and every sentence at many settings."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from driving import all_text, charts, metrics, unlocked

from lessons.io_bottleneck import LESSON, cache, shuffle, values, verdict
from lessons.io_bottleneck.settings import KEEP, LOCAL, LRU, Job, parts
from physics import constants as k
from physics.dataloading import COMPUTE, IOPS, NODE_LINK, STORAGE, input_pipeline
from ui.base import format as f
from ui.base.words import fill
from ui.charts.look import Look

JOB = Job(scv=0.0)


def test_without_room_the_cache_changes_nothing():
    assert Job().cached == 0 == Job().hits
    assert replace(Job(), cache=KEEP).steady == Job().steady


def test_room_for_65_percent_serves_28_3_under_lru_and_65_if_it_keeps_what_it_has():
    assert f.share(replace(JOB, cached=0.65).hits) == "28.3 %"
    assert f.share(replace(JOB, cached=0.5).hits) == "15.3 %"
    assert replace(JOB, cached=0.65, cache=KEEP).hits == 0.65
    assert "serves 65 %" in cache.alt_words(replace(JOB, cached=0.65)) and "28.3 %" in cache.alt_words(
        replace(JOB, cached=0.65)
    )


def test_an_lru_cache_that_is_simulated_over_shuffled_epochs_serves_what_the_lesson_says():
    rng, samples, room = np.random.default_rng(2), 2000, 1300
    held: dict[int, None] = {}
    hits = 0
    for epoch in range(4):
        for one in rng.permutation(samples).tolist():
            hits += epoch > 0 and one in held
            held.pop(one, None)
            held[one] = None
            if len(held) > room:
                held.pop(next(iter(held)))
    assert hits / (3 * samples) == pytest.approx(replace(JOB, cached=0.65).hits, abs=0.02)


def test_a_hit_spares_the_latency_the_link_and_the_store():
    now = replace(JOB, cached=0.4, cache=KEEP)
    sample = 0.6 * (6e-3 + 62.5e3 / 1e9) + 0.4 * 62.5e3 / 10e9 + 0.5e-3
    assert now.sample_time == pytest.approx(sample) == pytest.approx(sum(parts(now).values()))
    assert now.utilization == pytest.approx(50e-3 / (64 * sample))
    for stage in (NODE_LINK, STORAGE, IOPS):
        assert now.steady.needs[stage] == pytest.approx(0.6 * JOB.steady.needs[stage])
    assert now.steady.needs[COMPUTE] == 1


def test_a_cache_of_all_the_data_leaves_the_store_alone():
    all_of_it = replace(JOB, cached=1.0)
    assert all_of_it.hits == 1 and all_of_it.steady.loads[STORAGE] == all_of_it.steady.loads[NODE_LINK] == 0
    assert math.isinf(all_of_it.steady.rates[IOPS])
    assert "all reads are served from memory" in cache.words(all_of_it)


def test_what_a_binding_store_is_asked_for_is_what_misses():
    slow = replace(JOB, storage_nodes=1, workers=16, packing=64, accelerators=4096, latency=1e-4, node_link=100e9)
    assert slow.steady.bottleneck == STORAGE
    text = verdict.verdict(replace(slow, cached=0.5, cache=KEEP)).text
    assert f"full speed takes {f.data_rate(4096 * 80e6 / 2)} of {f.data_rate(28e9)}" in text
    assert replace(slow, cached=0.5, cache=KEEP).utilization == pytest.approx(2 * slow.utilization)


def test_a_hit_share_outside_0_to_1_is_refused():
    job = dict(batch_size=1, sample_size=1.0, compute_time=1.0, accelerators=1, workers=1, fetch_latency=0.0)
    store = dict(stream_bandwidth=1.0, decode_time=0.0, prefetch_depth=1, node_bandwidth=None, storage_bandwidth=1.0)
    with pytest.raises(ValueError, match="hit_share"):
        input_pipeline(**job, **store, hit_share=1.1)


@pytest.mark.parametrize("cached", [0.0, 0.01, 0.3, 0.65, 0.99, 1.0])
@pytest.mark.parametrize("rule", [LRU, KEEP])
def test_every_sentence_can_be_said_at_every_room(cached, rule):
    for changes in ({}, {"workers": 16, "packing": 64}, {"context": LOCAL}, {"prefetch_depth": 0, "decode_time": 0.0}):
        job = replace(JOB, cached=cached, cache=rule, **changes)
        live = values.live_values(job)
        for step in LESSON.derivation:
            assert "{" not in fill(step.text, live) and "nan" not in fill(step.text, live)
        assert verdict.verdict(job).text and cache.figure(job, Look()).alt
        assert job.utilization >= replace(job, cached=0.0).utilization - 1e-12
        assert (
            replace(job, cache=KEEP).utilization >= replace(job, cache=LRU).utilization - 1e-12
        )  # what the caption compares


def test_more_room_never_slows_an_epoch():
    for rule in (LRU, KEEP):
        shares = [replace(JOB, cached=part / 20, cache=rule).utilization for part in range(21)]
        assert all(one <= other for one, other in itertools.pairwise(shares))


def test_the_staffs_numbers():
    live, notes = values.live_values(Job()), LESSON.staff.thirty
    assert (live["cached_lru"], live["cached_room"]) == ("28.3 %", "65 %")
    assert live["cached_lru_utilization"] == f.share(replace(Job(), cached=0.65).utilization)
    assert live["cached_keep_utilization"] == f.share(replace(Job(), cached=0.65, cache=KEEP).utilization)
    assert live["shuffle_buffer"] == "1,000" and live["shuffle_tenth"].startswith("5.")
    assert "{cached_lru}" in notes and "{shuffle_tenth}" in notes


def test_the_shuffle_buffers_sentence_counts_places():
    job = replace(JOB, shuffle_buffer=1000, samples=1_000_000)
    assert "A sample is used 999 places from where it is stored" in shuffle.words(job)
    assert f"it would be {f.rounded(1e6 / math.sqrt(6), 3)}." in shuffle.words(job)
    assert "100 % random" in shuffle.words(replace(job, shuffle_buffer=10_000_000))
    for buffer, samples in itertools.product((1, 2, 10_000_000), (2, 3, 100_000_000)):
        assert shuffle.figure(replace(job, shuffle_buffer=buffer, samples=samples), Look()).frame["held"].max() <= 1


def test_the_second_epoch_is_a_preset_and_its_knobs_are_on_the_page():
    app = unlocked("io_bottleneck")
    app.button(key="io_preset_epoch").click().run()
    assert not app.exception and charts(app)[0].title == "What does a cache serve from the second epoch on?"
    assert "28.3 % of the reads are served from memory that has room for 65 %" in all_text(app)
    busy = metrics(app)["Accelerator utilization"]
    app.selectbox(key="io_cache").set_value(KEEP).run()
    assert metrics(app)["Accelerator utilization"] != busy
    app.session_state["io_view"] = "shuffle"
    app.run()
    assert not app.exception and "of the two orders" in all_text(app)
    assert k.IO_SAMPLES == 1_281_167
