"""Elastic jobs in Spot's second act: the marginal worker against its price, and a price that swings."""

from dataclasses import replace

import numpy as np
import pytest
from driving import all_text, frame_of, unlocked

from lessons.spot_training import elastic
from lessons.spot_training.settings import Plan
from physics.checkpointing import speedup

STORY = Plan().elastic
JOBS = [
    STORY,
    Plan(workers=128, latency=1e-3).elastic,
    Plan(price=10.0, worth=0.5).elastic,
    Plan(serial=0.0, gradient=0.0, band=0.9).elastic,
    Plan(gradient=40e9, bandwidth=1e9, swing=0.5, band=0.0, restart=3600.0).elastic,
    Plan(price=0.1, worth=20.0, swing=0.0).elastic,
]


def test_the_seventh_worker_is_the_last_that_is_worth_its_price():
    gains = [0.0] + [speedup(n, 0.02, 2e9, 50e9, 10e-6, 2.0) for n in range(1, 129)]
    brought = 2 * np.diff(gains)  # $2 for an hour's work
    assert STORY.best == (brought > 1).sum() == 7
    words = elastic.answers(STORY)[0]
    assert f"the last one brings ${brought[6]:.2f} an hour, one more would bring ${brought[7]:.3f}" in words
    assert int(np.argmax(2 * np.array(gains) - np.arange(129))) == 7


def test_following_every_price_resizes_at_most_ticks_and_a_band_resizes_less_and_gains_more():
    resizes = [STORY.run(band).resizes for band in (0.0, 0.1, 0.2, 0.3, 0.5)]
    assert resizes == sorted(resizes, reverse=True) and resizes[0] > 192 / 2 > resizes[2]
    gains = {band: STORY.gain(band) for band in (0.0, 0.1, 0.3, 0.9)}
    assert max(gains, key=gains.get) == 0.3  # neither no band nor the widest one
    still = replace(STORY, restart=0.0)
    assert still.gain(0.0) > still.gain(0.3)  # where a resize costs nothing the price is best followed


def test_never_resizing_earns_more_than_any_band_on_the_pages_path_and_on_most_others():
    """Where a resize costs six minutes of all workers; where it costs one minute the band is ahead."""
    speed = speedup(7, 0.02, 2e9, 50e9, 10e-6, 2.0)
    assert STORY.still() == pytest.approx(sum(2 * (speed - price * 7) / 4 for price in STORY.prices))
    assert round(STORY.still()) == 131 and all(STORY.gain(band / 20) < STORY.still() for band in range(19))
    behind = [STORY.gain(0.2, path) < STORY.still(path) for path in range(60)]
    assert sum(behind) / 60 == pytest.approx(0.86, abs=3 * (0.86 * 0.14 / 60) ** 0.5)
    short = replace(STORY, restart=60.0)
    assert (STORY.beyond() > 0).mean() < 0.3 and (short.beyond() > 0).mean() > 0.8
    assert STORY.beyond().mean() < 0 < short.beyond().mean()


@pytest.mark.parametrize("job", JOBS, ids=range(len(JOBS)))
def test_the_baseline_and_the_number_of_paths_are_told_at_every_setting(job):
    words, beyond = " ".join(elastic.answers(job)), job.beyond()
    assert f"**Never resizing**, with {elastic.f.count(job.fixed, 'worker')}: " in words
    assert f"Over 20 such paths the band gains more than never resizing on {(beyond > 0).sum()}, " in words
    line = elastic.path_frame(job).to_pandas()
    assert line[line.kind == "still"].workers.tolist() == [job.fixed] * 2


def test_what_is_gained_is_the_work_less_its_cost_tick_by_tick():
    run, prices = STORY.run(0.2), STORY.prices
    gains = [0.0] + [speedup(n, 0.02, 2e9, 50e9, 10e-6, 2.0) for n in range(1, 129)]
    dollars, before = 0.0, None
    for n, price in zip(run.workers.tolist(), prices.tolist(), strict=True):
        worked = 0.25 - (0.1 if before not in (None, n) else 0.0)  # hours; a restart takes 6 minutes
        dollars += 2 * (gains[n] * worked - price * n * 0.25)
        before = n
    assert STORY.gain(0.2) == pytest.approx(dollars)


def test_the_mean_price_of_the_law_is_the_knobs():
    # Over two days the mean of a path that forgets in 4 h is off by about 0.4 · √(2 · 4/48) = 16 %.
    assert STORY.prices.mean() == pytest.approx(0.5, rel=3.9 * 0.16)
    assert (replace(STORY, swing=0.0).prices == 0.5).all() and replace(STORY, swing=0.0).run(0.0).resizes == 0


@pytest.mark.parametrize("job", JOBS, ids=range(len(JOBS)))
def test_both_charts_stay_within_their_frames_and_say_what_the_model_says(job):
    margin, path = elastic.margin_frame(job).to_pandas(), elastic.path_frame(job).to_pandas()
    assert margin.workers.dropna().between(1, 128).all() and margin.value.dropna().between(0, elastic.TOP).all()
    assert path.workers.dropna().between(0, 128).all() and path.hours.dropna().between(0, 48).all()
    shown = path[path.kind == "banded"].workers.to_numpy()
    assert (np.diff(shown) != 0).sum() == job.run(job.band).resizes
    assert elastic.f.count(job.run(job.band).resizes, "resize") in " ".join(path.label.dropna())
    words = " ".join([*elastic.answers(job), elastic.margin_alt(job), elastic.path_alt(job)])
    assert "nan" not in words and "inf" not in words


def test_the_knobs_and_the_preset_move_the_view():
    app = unlocked("spot_training", {"spot_view": "elastic"})
    assert not app.exception and "7 workers, at \\$1 an hour each" in all_text(app)
    app.button(key="spot_preset_swing").click().run()
    assert app.slider(key="spot_band").value == 0
    frame = frame_of(app, "Workers over")
    plain, banded = (frame[frame.kind == kind].workers.to_list() for kind in ("plain", "banded"))
    assert plain == banded
    app.slider(key="spot_band").set_value(30).run()
    assert f"{STORY.run(0.3).resizes} resizes, " in all_text(app)
    app.slider(key="spot_worth").set_value(0.5).run()
    assert "no worker; the first one brings" in all_text(app)
