"""Many checkpointing jobs, writes slower than reads, capacity and copies: by hand, and at the ends of every knob."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from driving import all_text, charts, unlocked

from lessons.storage_architecture import LESSON, capacity, crowd, values
from lessons.storage_architecture.settings import PHASES, Design
from physics import constants as k
from physics.checkpointing import writing_at_once
from physics.checkpointing.collisions import writing_shares
from physics.storage.capacity import full_after, grown, staging_time
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of

CTO = Design()


def test_twenty_jobs_that_write_3_of_43_minutes():
    text = crowd.words(CTO)
    assert (CTO.jobs, CTO.crowd_write, CTO.crowd_interval) == (20, 180, 43 * 60)
    assert "1.4 on average at a time" in text and "4 jobs or more write for 4.7 % of the time" in text
    assert crowd.over(CTO) == pytest.approx(writing_at_once(20, 3 / 43, 4))
    aligned = replace(CTO, phases="aligned")
    assert crowd.over(aligned) == pytest.approx(3 / 43) and crowd.most(aligned) == 20
    staggered = replace(CTO, phases="staggered")
    assert crowd.most(staggered) == 2 and "never do more than 3 write" in crowd.words(staggered)


@pytest.mark.parametrize("phases", list(PHASES))
@pytest.mark.parametrize(("jobs", "share"), [(1, 0.3), (7, 0.5), (20, 3 / 43), (40, 1.0), (12, 0.25), (5, 0.0)])
def test_whenever_the_jobs_start_the_mean_is_the_same(phases, jobs, share):
    found = writing_shares(jobs, share, phases)
    assert len(found) == jobs + 1 and min(found) >= 0
    assert sum(found) == pytest.approx(1)
    assert sum(number * part for number, part in enumerate(found)) == pytest.approx(jobs * share)


def test_evenly_staggered_jobs_counted_moment_by_moment():
    jobs, share = 20, 3 / 43
    moments = (np.arange(100_000) + 0.5) / 100_000
    writing = sum(((moments - job / jobs) % 1 < share).astype(int) for job in range(jobs))
    counted = np.bincount(writing, minlength=jobs + 1) / len(moments)
    assert counted == pytest.approx(writing_shares(jobs, share, "staggered"), abs=1e-3)


def test_staggering_never_collides_more_than_any_other_way():
    for jobs, share in itertools.product((1, 5, 20), (0.05, 0.3, 0.9)):
        few = max(i for i, part in enumerate(writing_shares(jobs, share, "staggered")) if part > 1e-12)
        assert few == math.ceil(jobs * share - 1e-12)


def test_unknown_phases_are_refused():
    with pytest.raises(ValueError, match="phases must be random, aligned or staggered, got 'late'"):
        writing_shares(3, 0.1, "late")


def test_writes_at_60_percent_of_the_reads_take_longer_by_5_to_3():
    slow = replace(CTO, write_speed=15 / 25)
    assert slow.burst.duration == pytest.approx(CTO.burst.duration * 5 / 3)
    assert slow.burst.read_share == CTO.burst.read_share
    assert k.STORAGE_WRITE_SPEED == 1 and "best case" in values.write_words(CTO)
    assert "60 % of the rate of reads" in values.write_words(slow)


def test_the_store_holds_1152_tb_and_three_years_of_42_3_percent():
    assert CTO.capacity == 1152e12 and CTO.data == 400e12
    rate = (1152 / 400) ** (1 / 3) - 1
    assert round(100 * rate, 1) == 42.3 and values.fixed_values()["capacity_rate"] == "42.3 %"
    assert full_after(400e12, 1152e12, rate) == pytest.approx(3)
    assert grown(400e12, 0.4, 3) == pytest.approx(400e12 * 1.4**3)
    assert "full after 3.14 years; after 3 years there would be 1,098 TB" in capacity.words(CTO)


def test_a_copy_takes_as_long_as_its_slowest_part():
    assert staging_time(400e12, 512, 1344e9, 25e9, 16e9) == pytest.approx(400e12 / 1344e9)
    assert staging_time(400e12, 512, 1e15, 25e9, 16e9) == pytest.approx(400e12 / 512 / 16e9)
    assert staging_time(400e12, 512, 1e15, 5e9, 16e9) == pytest.approx(400e12 / 512 / 5e9)
    assert staging_time(400e12, 512, 1344e9, 25e9, 16e9, whole=True) == pytest.approx(512 * 400e12 / 1344e9)


def test_every_sentence_and_chart_at_the_ends_of_the_new_knobs():
    names = ("jobs", "crowd_write", "crowd_interval", "reserved", "data", "growth", "node_capacity", "write_speed")
    for name in names:
        knob = knobs_of(Design)[name]
        for value, phases in itertools.product((knob.constant.low, knob.constant.high), PHASES):
            design = replace(CTO, **{name: type(getattr(CTO, name))(value)}, phases=phases)
            live = values.live_values(design)
            for step in LESSON.derivation:
                assert "{" not in fill(step.text, live) and "nan" not in fill(step.text, live)
            assert crowd.figure(design, Look()).spec == crowd.figure(CTO, Look()).spec
            assert capacity.figure(design, Look()).spec == capacity.figure(CTO, Look()).spec
            assert sum(design.crowd) == pytest.approx(1)
    assert "full today" in capacity.words(replace(CTO, data=5000e12))
    assert "never full" in capacity.words(replace(CTO, growth=0.0))


def test_jobs_that_start_together_are_a_preset_and_can_be_mended_on_the_page():
    app = unlocked("storage_architecture", {"reflections": {"storage": "b"}})
    app.button(key="storage_preset_together").click().run()
    assert not app.exception and charts(app)[0].title == "How many checkpoints are written at once?"
    assert "4 jobs or more write for 7 % of the time" in all_text(app)
    app.selectbox(key="storage_phases").set_value("staggered").run()
    assert "never do more than 3 write" in all_text(app)
    app.session_state["storage_view"] = "capacity"
    app.run()
    assert not app.exception and "full after 3.14 years" in all_text(app)


@pytest.mark.parametrize("phases", PHASES)
def test_a_single_job_is_said_in_the_singular(phases):
    text = crowd.words(replace(CTO, jobs=1, phases=phases))
    assert text == "1 job writes 3 min out of every 43 min, whenever it starts, and bandwidth is reserved for it."
