"""Spot's eight runs and its film are the runs that the model played, and both can be drawn at every setting."""

import json
from dataclasses import replace

import numpy as np
import pytest
from driving import charts, frame_of, unlocked

from lessons.spot_training import LESSON, film, runs
from lessons.spot_training.charts import LATE
from lessons.spot_training.settings import SEED, Plan
from physics.checkpointing import play_run
from ui.base import format as f
from ui.charts.look import Look
from ui.films import message

HOUR = 3600.0
HARD = (
    Plan(interval=60.0, work=1000 * HOUR),
    Plan(interval=24 * HOUR, mtbf=900.0, nodes=64, dump=1800.0, restart=HOUR),
    Plan(interval=24 * HOUR, work=10 * HOUR),
    Plan(restart=0.0, dump=30.0, notice=True),
    Plan(nodes=64, mtbf=900.0, delay=HOUR),
    Plan(nodes=16, interval=540.0, delay=600.0),
)
PLANS = [*HARD, *(replace(Plan(), **preset.changes) for preset in LESSON.presets.values())]


def own(plan: Plan, number: int, interval: float | None = None, most: int = runs.MOST):
    """The run as the model plays it, past the lesson's own memory."""
    given = (interval or plan.segment, plan.dump, plan.restart, plan.gang_mtbf)
    rng = np.random.default_rng([SEED, number])
    return play_run(plan.work, *given, rng, plan.warning, LATE * plan.work, most, plan.delay, plan.nodes)


def test_the_first_picture_after_the_lock_is_eight_runs_that_are_struck_and_not_a_curve():
    app = unlocked("spot_training", {"_agent": "Mozilla/5.0"}, answer="c")
    assert len(charts(app)) == 1
    frame = frame_of(app, "8 simulated runs at a checkpoint every 2 h: 8 are seen to be done")
    assert not (frame.kind == "curve").any() and set(frame.run[frame.kind == "span"]) == set(range(1, 9))
    assert (frame.label == "you said: every 5 h").sum() == 1


def test_the_spans_of_the_chart_and_its_bills_are_those_of_the_runs_that_were_played():
    plan = Plan()
    frame = runs.frame(plan).to_pandas()
    spans = frame[frame.kind == "span"]
    for number in range(8):
        run = own(plan, number)
        shown = spans[spans.run == number + 1]
        assert (shown.begin * plan.work).to_numpy() == pytest.approx(run.rows.begin.to_numpy())
        assert (shown.label == "lost work").sum() == (run.rows.kind == "lost").sum() > 0
        label = frame[(frame.kind == "label") & (frame.run == number + 1)].iloc[0]
        assert label.label == f"{f.money(run.end / HOUR)}, {run.struck} strikes"  # an hour is a dollar


def test_the_guess_is_where_the_same_chances_would_have_ended_the_runs_at_that_interval():
    frame = runs.frame(Plan(), "c").to_pandas()
    rings = frame[(frame.kind == "point") & (frame["shape"] == "circle")]
    ends = [own(Plan(), number, 5 * HOUR).end / (100 * HOUR) for number in range(8)]
    assert len(rings) == 8 and rings.begin.to_numpy() == pytest.approx(ends)
    never = runs.frame(Plan(), "d").to_pandas()
    assert "you said: every 24 h, later still →" in set(never.label) and (never["shape"] == "triangle-right").any()


@pytest.mark.parametrize("plan", PLANS, ids=range(len(PLANS)))
def test_eight_runs_and_the_film_can_be_drawn_at_every_setting(plan):
    frame = runs.frame(plan, "d").to_pandas()
    assert frame.begin.dropna().between(0, LATE).all() and frame.end.dropna().between(0, LATE).all()
    assert len(frame) < 2500 and runs.spec(Look()) is runs.spec(Look())
    sent = message(film.showing(plan), Look())
    assert sent["boxes"] and len(json.dumps(sent)) < 50_000
    assert "nan" not in runs.words(plan) + runs.alt_words(plan) + film.showing(plan).caption


@pytest.mark.parametrize("plan", [Plan(), Plan(interval=40 * 60.0), Plan(nodes=3), PLANS[-2], HARD[-1]], ids=range(5))
def test_the_film_shows_the_run_that_was_played_and_its_bill(plan):
    played, rows, wide = film.struck(plan), own(plan, film.SHOWN, most=film.STRUCK).rows, film.columns(plan)
    for moment in np.linspace(played.begin, played.end, 101)[:-1] + 1e-3:
        boxes, _ = played.at(moment)
        span = rows[(rows.begin <= moment) & (moment < rows.end)].iloc[0]
        each = (span.end - span.begin) / (span["last"] - span["first"] + 1)
        past = int((moment - span.begin) / each)
        assert (boxes.kind == "saved").sum() == span["first"] + past
        now = boxes[boxes.kind.isin(("now", "restart", "wait"))].iloc[0]
        kind = span.kind if span.kind in ("restart", "wait") else "now"
        assert (now["first"] - wide, now.kind) == (span["first"] + past, kind)
        words = boxes.words[boxes.kind == "bill"].iloc[0]
        assert (
            words
            == f"bill so far: {f.money(plan.nodes * (rows[rows.end <= span.begin].paid.sum() + past * each) / HOUR, 4)}"
        )


def test_a_struck_segment_leaves_its_place_and_what_is_saved_stays():
    played = film.struck(Plan())
    saved = [(played.at(moment)[0].kind == "saved").sum() for moment in played.moments[:-1]]
    assert saved == sorted(saved) and saved[-1] == 49  # the fiftieth is saved as the film ends
    lost = own(Plan(), film.SHOWN).rows.query("kind == 'lost'").iloc[0]
    place = film.columns(Plan()) + lost["first"]
    kinds = []
    for moment in (lost.end - 1, lost.end + 1):
        boxes, _ = played.at(moment)
        kinds.append(set(boxes.kind[boxes["first"] == place]))
    assert kinds == [{"now"}, {"restart"}]


def test_the_longest_loss_is_never_longer_than_a_segment_with_its_dump():
    for plan in PLANS[len(HARD) :]:
        for number in range(runs.RUNS):
            lost = own(plan, number).rows.query("kind == 'lost'")
            assert ((lost.end - lost.begin) <= plan.segment + plan.dump).all()


def test_the_film_is_sent_when_it_is_chosen_only():
    assert "spot_film_run" not in str(unlocked("spot_training"))
    app = unlocked("spot_training", {"spot_view": "film"})
    assert not app.exception and not charts(app)
    assert any("one of many" in caption.value for caption in app.caption)


def test_where_a_run_at_three_minutes_would_end_is_not_under_what_the_run_cost():
    """Letters of the chart are about 6.5 px wide, and its frame has at least 800 px at a desk."""
    rows = runs.frame(Plan(), "a").to_pandas()
    rings = rows[(rows.kind == "point")].begin
    widest = rows[(rows.kind == "label") & rows.label.str.contains("strike", na=False)].label.str.len().max()
    assert len(rings) == runs.RUNS and rings.max() + 0.02 < runs.LATE * (1 - (6.5 * widest + 6) / 800)
