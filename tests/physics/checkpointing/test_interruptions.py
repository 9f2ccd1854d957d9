"""Chance beside the formula: simulated runs, runs played event by event, and gangs that stand for
missing nodes.
"""

import math

import numpy as np
import pytest

from physics.checkpointing import (
    expected_breakdown,
    expected_runtime,
    expected_runtime_short_tail,
    gang_wait,
    optimal_interval,
    play_run,
    simulate_runs,
    simulate_runtimes,
    spot_cost,
)
from physics.numerics import mean_interval

Z = 3.9  # two-sided normal quantile of 99.99%


def halfwidth(sample):
    return Z * np.std(sample, ddof=1) / math.sqrt(len(sample))


@pytest.mark.parametrize(
    "changes",
    [
        # Daly's figures, in minutes.
        *(
            {
                "work": 30_000.0,
                "interval": optimal_interval(5.0, mtbf),
                "dump": 5.0,
                "restart": 10.0,
                "mtbf": mtbf,
            }
            for mtbf in (24 * 60.0, 6 * 60.0, 15.0)
        ),
        {"mtbf": 20.0},  # 14.3 segments: the last is charged in proportion
        {"interval": 160.0, "mtbf": 60.0},  # less than one segment
        {"interval": 100.0, "restart": 30.0, "mtbf": 4.0},  # overload: an attempt in 7e10 succeeds
        {"interval": 3.0, "restart": 0.0, "mtbf": 5.0},  # restarts that take no time
        {"mtbf": 3.0, "notice": 0.5},
        {"mtbf": 30.0, "notice": 0.5},
    ],
    ids=str,
)
def test_simulated_runs_take_the_expected_time_and_spend_it_alike(changes):
    settings = {"work": 100.0, "interval": 7.0, "dump": 0.5, "restart": 1.0} | changes
    runs = simulate_runs(**settings, rng=np.random.default_rng(5), runs=4000)
    expected = expected_breakdown(**settings)
    for part in ("runtime", "dumps", "lost", "restarts", "interruptions"):
        assert abs(runs[part].mean() - getattr(expected, part)) <= halfwidth(
            runs[part]
        ) + 1e-9 * float(expected)


@pytest.mark.slow
@pytest.mark.parametrize("mtbf", [4.0, 40.0])
def test_drawn_at_once_or_played_event_by_event_runs_have_the_same_distribution(mtbf):
    settings = {"work": 60.0, "interval": 5.0, "dump": 0.5, "restart": 1.0, "mtbf": mtbf}
    rng = np.random.default_rng(21)
    played = np.array([play_run(**settings, rng=rng).end for _ in range(2000)])
    drawn = simulate_runtimes(**settings, rng=rng, runs=2000)
    grid = np.sort(np.concatenate([played, drawn]))
    below = [
        np.searchsorted(np.sort(sample), grid, side="right") / 2000 for sample in (played, drawn)
    ]
    # Kolmogorov-Smirnov at 0.01%: √(ln(2/α)/2) · √(2/n), where runs that met no interruption make
    # it only safer
    assert np.abs(below[0] - below[1]).max() < math.sqrt(math.log(2 / 1e-4) / 2) * math.sqrt(
        2 / 2000
    )


@pytest.mark.slow
def test_the_normal_law_for_many_failed_attempts_keeps_mean_and_spread(monkeypatch):
    settings = {"work": 400.0, "interval": 4.0, "dump": 1.0, "restart": 2.0, "mtbf": 2.0}
    one_by_one = simulate_runtimes(**settings, rng=np.random.default_rng(31), runs=6000)
    monkeypatch.setattr("physics.checkpointing.interruptions.DRAWN_ONE_BY_ONE", 0)
    by_normal_law = simulate_runtimes(**settings, rng=np.random.default_rng(32), runs=6000)
    assert abs(one_by_one.mean() - by_normal_law.mean()) < math.hypot(
        halfwidth(one_by_one), halfwidth(by_normal_law)
    )
    # of the ratio of two standard deviations, generous for a kurtosis of up to 5
    spread = Z / math.sqrt(6000) * 2
    assert one_by_one.std() / by_normal_law.std() == pytest.approx(1, abs=spread)


@pytest.mark.parametrize("notice", [0, 10])
@pytest.mark.parametrize("restart", [0, 0.1])
@pytest.mark.parametrize("mtbf", [5e-324, 1e-3])
def test_a_run_that_cannot_end_is_infinite_and_raises_nothing(mtbf, restart, notice):
    runs = simulate_runs(
        100, 16, 0.05, restart, mtbf, np.random.default_rng(7), runs=3, notice=notice
    )
    expected = expected_runtime(100, 16, 0.05, restart, mtbf, notice)
    assert not runs.isna().any(axis=None)
    if math.isinf(expected):
        assert (runs.runtime > 1e300).all()
    else:
        assert runs.runtime.mean() == pytest.approx(expected, rel=0.01)


RUN = {"work": 100.0, "interval": 2.0, "dump": 0.05, "restart": 0.1, "mtbf": 5.0}  # hours


def play(seed: int = 1, **changes):
    return play_run(rng=np.random.default_rng(seed), **RUN | changes)


def near(expected: float, **changes) -> bool:
    mean, half = mean_interval([play(seed, **changes).end for seed in range(300)], 0.9999)
    return abs(mean - expected) < half


@pytest.mark.parametrize(
    "changes", [{}, {"interval": 7.0}, {"restart": 2.0}, {"work": 3.0, "interval": 16.0}], ids=str
)
def test_the_mean_of_runs_played_out_is_the_closed_form_of_a_short_tail(changes):
    given = RUN | changes
    expected = expected_runtime_short_tail(
        **given | {"interval": min(given["interval"], given["work"])}
    )
    assert near(expected, **changes)


def test_with_a_notice_that_suffices_nothing_is_lost_and_the_mean_is_the_closed_form():
    given = {"dump": 0.03, "notice": 1 / 30}
    assert "lost" not in set(play(**given).rows.kind)
    assert near(expected_runtime(**RUN | given), **given)


def test_spans_follow_one_another_and_the_kept_ones_are_all_segments_with_their_dumps():
    run = play(3)
    rows = run.rows
    assert rows.begin.iloc[0] == 0 and rows.begin.to_numpy()[1:] == pytest.approx(
        rows.end.to_numpy()[:-1]
    )
    kept = rows[rows.kind == "kept"]
    assert (kept.end - kept.begin).to_numpy() == pytest.approx(
        (kept["last"] - kept["first"] + 1).to_numpy() * 2.05
    )
    assert (kept["last"] - kept["first"] + 1).sum() == run.saved == 50 and run.done
    assert (
        run.struck == (rows.kind == "restart").sum() >= (rows.kind == "lost").sum()
    )  # broken restarts strike too
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


def within(sample, expected):
    mean, half = mean_interval(sample, 0.9999)
    return abs(mean - expected) <= half + 1e-9


def stood(delay, node_mtbf, nodes, rng, fixed=False):
    """One wait, each node by itself: how long it takes and what of it is paid, in time of the
    gang.
    """

    def away():
        if fixed:
            return delay
        return rng.exponential(delay)

    clock = 0.0
    paid = 0.0
    back = np.zeros(nodes)
    back[0] = away()  # when the node is there again; in the past if it is there
    while (back > clock).any():
        there = back <= clock
        if there.any():
            strike = clock + rng.exponential(node_mtbf / there.sum())
        else:
            strike = math.inf
        until = min(strike, back[~there].min())
        paid = paid + (until - clock) * there.mean()
        clock = until
        if until == strike:
            back[np.flatnonzero(there)[0]] = clock + away()
    return clock, paid


@pytest.mark.parametrize("fixed", [False, True], ids=["exponential delays", "fixed delays"])
@pytest.mark.parametrize(("delay", "nodes"), [(1.0, 1), (0.7, 6)])
def test_the_mean_wait_and_what_is_paid_of_it_are_those_of_nodes_that_fail_one_by_one(
    delay, nodes, fixed
):
    rng = np.random.default_rng(1)
    waits = np.array([stood(delay, 4.0, nodes, rng, fixed) for _ in range(3000)])
    assert within(waits[:, 0], gang_wait(delay, 4.0, nodes).mean)
    assert within(waits[:, 1], gang_wait(delay, 4.0, nodes, paid=True).mean)


@pytest.mark.parametrize("nodes", [1, 16])
def test_the_run_takes_its_time_without_a_delay_divided_by_the_share_in_which_all_nodes_are_there(
    nodes,
):
    node_mtbf = 5.0 * nodes
    delay = 0.5
    there = node_mtbf / (node_mtbf + delay)
    wait = gang_wait(delay, node_mtbf, nodes)
    paid = gang_wait(delay, node_mtbf, nodes, paid=True)
    at_once = expected_runtime(**RUN)
    assert expected_runtime(**RUN, wait=wait) == pytest.approx(at_once / there**nodes)
    assert spot_cost(**RUN, price=3.0, wait=paid) == pytest.approx(
        3 * at_once / there ** (nodes - 1)
    )


def test_a_gang_that_is_never_complete_waits_without_limit():
    assert (
        gang_wait(1e300, 1.0, 64).mean
        == math.inf
        == expected_runtime(**RUN, wait=gang_wait(1e300, 1.0, 64))
    )
