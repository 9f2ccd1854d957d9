"""A run played event by event: nothing is lost twice, and its mean is the closed form's."""

import numpy as np
import pytest

from physics.checkpointing import expected_runtime, expected_runtime_short_tail, play_run
from physics.numerics import mean_interval

RUN = {"work": 100.0, "interval": 2.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours


def play(seed: int = 1, **changes):
    return play_run(rng=np.random.default_rng(seed), **RUN | changes)


def near(expected: float, **changes) -> bool:
    mean, half = mean_interval([play(seed, **changes).end for seed in range(300)], 0.9999)
    return abs(mean - expected) < half


@pytest.mark.parametrize("changes", [{}, {"interval": 7.0}, {"restart": 2.0}, {"work": 3.0, "interval": 16.0}], ids=str)
def test_the_mean_of_runs_played_out_is_the_closed_form_of_a_short_tail(changes):
    given = RUN | changes
    expected = expected_runtime_short_tail(**given | {"interval": min(given["interval"], given["work"])})
    assert near(expected, **changes)


def test_with_a_notice_that_suffices_nothing_is_lost_and_the_mean_is_the_closed_form():
    given = {"dump": 0.03, "notice": 1 / 30}
    assert "lost" not in set(play(**given).rows.kind)
    assert near(expected_runtime(**RUN | given), **given)


def test_spans_follow_one_another_and_the_kept_ones_are_all_segments_with_their_dumps():
    run = play(3)
    rows = run.rows
    assert rows.begin.iloc[0] == 0 and rows.begin.to_numpy()[1:] == pytest.approx(rows.end.to_numpy()[:-1])
    kept = rows[rows.kind == "kept"]
    assert (kept.end - kept.begin).to_numpy() == pytest.approx((kept["last"] - kept["first"] + 1).to_numpy() * 2.05)
    assert (kept["last"] - kept["first"] + 1).sum() == run.saved == 50 and run.done
    assert run.struck == (rows.kind == "restart").sum() >= (rows.kind == "lost").sum()  # broken restarts strike too
    assert ((rows.end - rows.begin)[rows.kind == "lost"] < 2.05).all()


def test_the_same_chances_strike_at_the_same_times_whatever_the_interval():
    rows = [play(5, interval=interval).rows for interval in (0.5, 2.0)]
    one, other = (frame.end[frame.kind == "lost"].to_numpy()[:10] for frame in rows)
    assert one == pytest.approx(other)


def test_a_run_without_an_end_is_played_up_to_the_bound_only():
    cut = play(interval=24.0, mtbf=0.01, restart=50.0, most=20)
    assert (cut.struck, cut.saved, cut.done) == (20, 0, False)
    early = play(until=30.0)
    assert not early.done and early.end >= 30.0
