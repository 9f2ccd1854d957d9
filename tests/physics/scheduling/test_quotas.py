"""Quotas with borrowing, and preemption that must pay: laws, and cases by hand."""

from hypothesis import event, given
from hypothesis import strategies as st
from workload_strategies import contended, jobs_of, with_quotas, workloads

from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

kinds = st.tuples(st.sampled_from(ORDERS), st.sampled_from(BACKFILLS))


def run(rows, capacity, **policy):
    return simulate(jobs_of(rows), capacity, Policy(**policy))


@st.composite
def schedules(draw, **quotas):
    """Draw a schedule of a random workload with quotas."""
    jobs, capacity, names = draw(st.one_of(contended(), workloads()))
    policy = draw(with_quotas(capacity, names, *draw(kinds), **quotas))
    return simulate(jobs_of(jobs), capacity, policy)


# --- laws ---
@given(st.one_of(schedules(reclaim=False), schedules(borrowing=False)))
def test_without_taking_back_or_borrowing_nobody_is_stopped_even_where_preemption_is_given(schedule):
    assert not schedule.jobs["preemptions"].any() and not schedule.jobs["lost"].any()


@given(contended(), kinds, st.sampled_from(["latest", "least_loss"]))
def test_every_stop_has_paid_by_the_estimates_of_its_moment(drawn, kind, victims):
    jobs, capacity, _ = drawn
    policy = Policy(*kind, preemption=Preemption(5.0, 2.0, "pays", victims))
    schedule = simulate(jobs_of(jobs), capacity, policy)
    made = [one for one in schedule.decisions if one.pays]
    event(f"stopped: {len(made) > 0}")
    assert sum(len(one.victims) for one in made) == schedule.jobs["preemptions"].sum()
    runs = schedule.runs
    for one in made:
        assert one.waited == schedule.jobs["gpus"].iloc[one.head] * one.wait > one.lost
        assert ((runs["row"] == one.head) & (runs["start"] == one.time)).any()
        for victim in one.victims:
            assert ((runs["row"] == victim) & (runs["end"] == one.time)).any()


# --- by hand ---
def test_preemption_waits_until_it_pays():
    # The head of 4 would wait 90 s, 360 GPU-seconds; the victim of 4 has worked 10 s since it began and restarts in 5.
    rows = [(0, 100, 4, 100, "training"), (10, 1, 4, 1, "interactive")]
    found = run(rows, 4, order="priority", preemption=Preemption(20, 5, rule="pays"))
    (one,) = found.decisions
    assert (one.time, one.head, one.victims, one.wait, one.waited, one.lost) == (10, 1, (0,), 90, 360, 60)
    assert one.pays and found.jobs["start"].tolist() == [0, 10]
    # At 80 of 100 the head waits 20 s; 80 s since the start, one restart of 5: not stopped.
    late = [(0, 100, 4, 100, "training"), (80, 1, 4, 1, "interactive")]
    found = run(late, 4, order="priority", preemption=Preemption(200, 5, rule="pays"))
    assert found.jobs["start"].tolist() == [0, 100] and not any(one.pays for one in found.decisions)
    assert run(late, 4, order="priority", preemption=Preemption(200, 5)).jobs["start"].tolist() == [0, 80]
    # As much as it loses is not more than it loses: 20 s against 15 + 5.
    even = run(late, 4, order="priority", preemption=Preemption(65, 5, rule="pays"))
    assert even.decisions[0].waited == even.decisions[0].lost == 80 and even.jobs["start"].tolist() == [0, 100]
