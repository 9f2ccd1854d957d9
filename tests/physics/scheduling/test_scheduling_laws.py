"""Laws that every schedule obeys, whatever the policy, and the queues whose waits are known."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from workload_strategies import contended, jobs_of, policies, with_quotas, workloads

from physics.numerics import mean_interval
from physics.queueing import priority_waits, simulate_queue
from physics.scheduling import Policy, Preemption, simulate
from physics.scheduling.policy import BACKFILLS, ORDERS

kinds = st.tuples(st.sampled_from(ORDERS), st.sampled_from(BACKFILLS))


@st.composite
def schedules(draw, *drawn):
    """Draw a schedule of a random workload under a random policy, with preemption or quotas at work
    in two of three.
    """
    kind = draw(
        st.sampled_from(drawn or [policies, partial(policies, always_preempt=True), with_quotas])
    )
    jobs, capacity, names = draw(workloads() if kind is policies else contended())
    return simulate(jobs_of(jobs), capacity, draw(kind(capacity, names, *draw(kinds))))


def usage(schedule):
    """GPUs of each class in use at every instant at which something starts or ends."""
    runs = schedule.runs
    classes = schedule.jobs["job_class"].to_numpy()
    for time in np.unique(runs[["start", "end"]]):
        running = runs[(runs["start"] <= time) & (time < runs["end"])]
        yield time, running["gpus"].groupby(classes[running["row"]]).sum().to_dict()


@given(schedules())
def test_neither_the_fleet_nor_its_shared_part_is_ever_exceeded(schedule):
    policy = schedule.policy
    reserved = policy.reserved or ({} if policy.borrowing else policy.quotas) or {}
    shared = schedule.capacity - sum(reserved.values())
    for _, used in usage(schedule):
        assert sum(used.values()) <= schedule.capacity
        assert sum(max(0, gpus - reserved.get(name, 0)) for name, gpus in used.items()) <= shared


@given(schedules())
def test_times_in_the_system_add_up_and_what_cannot_start_has_none(schedule):
    jobs = schedule.jobs
    ran = jobs[jobs["can_start"]]
    assert (ran["start"] >= ran["submit"]).all() and (
        ran["wait"] == ran["start"] - ran["submit"]
    ).all()
    assert (
        ran["end"].notna().all()
        and (ran["slowdown"] == (ran["end"] - ran["submit"]) / ran["runtime"]).all()
    )
    running = (schedule.runs["end"] - schedule.runs["start"]).groupby(schedule.runs["row"]).sum()
    assert (running.loc[ran.index] >= ran["runtime"]).all()
    assert (
        ran["end"] - ran["submit"] == ran["wait"] + running.loc[ran.index] + ran["requeued"]
    ).all()
    assert (ran.loc[ran["preemptions"] == 0, ["lost", "requeued"]] == 0).all(axis=None)
    assert jobs.loc[~jobs["can_start"], ["start", "end", "wait", "slowdown"]].isna().all(axis=None)


@given(schedules())
def test_executed_work_is_useful_work_and_lost_work_to_the_last_gpu_second(schedule):
    jobs = schedule.jobs
    runs = schedule.runs
    timeline = schedule.timeline
    executed = (runs["gpus"] * (runs["end"] - runs["start"])).groupby(runs["row"]).sum()
    ran = jobs[jobs["can_start"]].reset_index()
    useful = ran["gpus"] * ran["runtime"]
    row = ran["index"].to_numpy()
    assert (executed.loc[row].to_numpy() == (useful + ran["lost"]).to_numpy()).all()
    if len(timeline):
        area = (timeline["busy"].iloc[:-1] * np.diff(timeline["time"])).sum()
    else:
        area = 0
    assert area == executed.sum() == schedule.executed


@given(schedules())
def test_the_timeline_begins_and_ends_empty_and_changes_at_every_row(schedule):
    timeline = schedule.timeline
    event(f"preempted: {schedule.jobs['preemptions'].sum() > 0}")
    assert (timeline["busy"] >= 0).all() and (timeline["busy"] <= schedule.capacity).all()
    assert (timeline["queue_length"] >= 0).all() and (np.diff(timeline["time"]) > 0).all()
    assert (timeline[["busy", "queue_length"]].diff().iloc[1:] != 0).any(axis=1).all()
    if len(timeline):
        assert timeline.iloc[-1][["busy", "queue_length"]].tolist() == [0, 0]


@given(schedules(partial(with_quotas, reclaim=False), partial(with_quotas, borrowing=False)))
def test_without_taking_back_or_borrowing_nobody_is_stopped_even_where_preemption_is_given(
    schedule,
):
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


# --- long waits ---
def test_a_job_that_is_stopped_in_the_pass_in_which_it_started_keeps_no_reservation():
    # 16 GPUs at 1 s: the job of 3 starts and is stopped for another one. What it is given then is
    # new, so that the 7-GPU job, stopped next, is planned before it and works on at 2 s, when 9
    # GPUs are free, and not at 3 s.
    short = (0, 1, 1, 1, "interactive")
    long = (0, 2, 1, 2, "interactive")
    jobs = [*[short] * 8, long, (0, 2, 7, 2, "search"), (0, 1, 3, 1, "search"), *[short] * 3]
    jobs += [(0, 2, 3, 2, "interactive"), (0, 2, 4, 2, "interactive")]
    stop = Preemption(1, 0, rule="always")
    policy = Policy(
        "arrival", "conservative", ("interactive", "search"), preemption=stop, max_wait=0
    )
    found = simulate(jobs_of(jobs), 16, policy).jobs
    assert found.loc[9, ["start", "end", "preemptions"]].tolist() == [0, 3, 1]


# --- queues whose waits are known ---
def queue_of(records, gpus=1):
    """The jobs of a simulated queue as a workload."""
    runtime = records["end"] - records["start"]
    return pd.DataFrame({"submit": records["arrival"], "runtime": runtime, "gpus": gpus})


@pytest.mark.parametrize(
    "policy", [Policy(), Policy(backfill="easy"), Policy(backfill="conservative")]
)
def test_equal_jobs_first_come_first_served_are_a_queue_with_as_many_servers_as_fit(policy):
    records = simulate_queue(3.8, 1.0, 4, 1.0, jobs=3_000, rng=np.random.default_rng(7))
    found = simulate(queue_of(records, gpus=8), 35, policy).jobs  # 3 GPUs are of no use
    if policy.backfill == "none":
        np.testing.assert_allclose(found["start"], records["start"], rtol=1e-12)
    else:  # jobs of one width can never overtake without delaying the head
        np.testing.assert_allclose(np.sort(found["start"]), np.sort(records["start"]), rtol=1e-12)


@pytest.mark.slow
def test_one_server_with_priorities_waits_as_cobham_says():
    rates = {"interactive": 0.3, "search": 0.2, "training": 0.3}
    waits = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        parts = []
        for name, rate in rates.items():
            submit = np.cumsum(rng.exponential(1 / rate, int(20_000 * rate)))
            parts.append(
                pd.DataFrame(
                    {
                        "submit": submit,
                        "runtime": rng.exponential(1.0, len(submit)),
                        "job_class": name,
                    }
                )
            )
        jobs = pd.concat(parts, ignore_index=True).assign(gpus=8)
        jobs = simulate(jobs[jobs["submit"] < 19_000], 8, Policy(order="priority")).jobs
        waits.append(jobs[jobs["submit"] > 2_000].groupby("job_class")["wait"].mean())
    for name, exact in zip(rates, priority_waits(list(rates.values()), [1.0] * 3), strict=True):
        mean, half = mean_interval([wait[name] for wait in waits], 0.999)
        assert abs(mean - exact) < half
