"""The cluster simulator against the rules, job by job, and against what is known."""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from recorded import KTH, needs_log
from reference_scheduler import reference_schedule
from workload_strategies import (
    contended,
    jobs_of,
    outages,
    policies,
    with_emptied_hours,
    with_quotas,
    workloads,
)

from physics.jobs import read_swf
from physics.scheduling import Emptied, Policy, machine, simulate
from physics.scheduling import backfill as loop
from physics.scheduling.policy import BACKFILLS, ORDERS
from physics.scheduling.reservations import compression, conservative

some = workloads(most_jobs=20)
both = st.one_of(contended(), some)
#: From the length LONG of these on a queue is gone through otherwise.
FAST = (machine, loop, conservative, compression)
#: Workloads, policies, and whether GPUs are out of service.
DRAWN = {
    "plain": (some, [lambda capacity, names, *kind: st.just(Policy(*kind))], False),
    "all": (some, [policies], False),
    "preemption": (contended(), [partial(policies, always_preempt=True)], False),
    "quotas": (both, [with_quotas], False),
    "outages": (both, [policies, with_quotas], True),
    "emptied": (some, [with_emptied_hours], False),
    "emptied-outages": (some, [with_emptied_hours], True),
}


@pytest.mark.hypothesis
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("kind", "backfill", "long"),
    [
        (kind, backfill, long)
        for kind, backfill, long in product(DRAWN, BACKFILLS, (64, 2))
        if not (kind.startswith("emptied") and backfill == "conservative")
        and (
            long == 64 or kind in ("plain", "outages") or backfill == "conservative"
        )  # where a loop of FAST runs
    ],
)
def test_every_job_starts_is_stopped_and_ends_when_the_rules_say(
    kind, order, backfill, long, monkeypatch
):
    for module in FAST:
        monkeypatch.setattr(module, "LONG", long)
    drawn, kinds, out = DRAWN[kind]

    @settings(max_examples=settings.default.max_examples // 2)
    @given(st.data())
    def compare(data):
        jobs, capacity, names = data.draw(drawn)
        policy = data.draw(data.draw(st.sampled_from(kinds))(capacity, names, order, backfill))
        if out:
            down = data.draw(outages(capacity))
        else:
            down = []
        ours = simulate(jobs_of(jobs), capacity, policy, down).jobs
        ours = ours[["start", "end", "preemptions", "lost", "requeued"]].astype(object)
        found = list(ours.where(ours.notna(), None).itertuples(index=False, name=None))
        event(
            f"stopped: {any(job[2] for job in found)}, never: "
            f"{any(job[0] is None for job in found)}"
        )
        assert found == [
            (job.first_start, job.end, job.preemptions, job.lost, job.requeued)
            for job in reference_schedule(jobs, capacity, policy, down)
        ]

    compare()


def crowded(rng, count, capacity, whole_seconds):
    """Jobs that arrive faster than they are served, with estimates from right to a hundred times
    too long.
    """
    runtime = np.exp(rng.uniform(0, 8, count))
    gpus = np.minimum(capacity, rng.geometric(rng.uniform(0.05, 0.6), count))
    span = rng.uniform(0, 0.7) * (runtime * gpus).sum() / capacity
    frame = pd.DataFrame(
        {
            "submit": np.sort(rng.uniform(0, span, count)),
            "runtime": runtime,
            "gpus": gpus,
            "estimate": runtime
            * np.where(rng.random(count) < 0.2, 1, np.exp(rng.uniform(0, 4.6, count))),
        }
    )
    if whole_seconds:  # ties abound
        frame = frame.assign(**np.ceil(frame[["submit", "runtime", "estimate"]] / 60) * 60)
    return frame


@pytest.mark.parametrize("count", [300, pytest.param(600, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "policy", [(order, backfill) for order in ORDERS for backfill in BACKFILLS[1:]], ids="-".join
)
def test_a_long_queue_is_gone_through_as_if_job_by_job(policy, count):
    """Long queues, which the slow reference could not do, with and without what makes them fast."""

    @settings(deadline=None, max_examples=8 if policy == ("arrival", "conservative") else 2)
    @given(
        st.integers(0, 2**32),
        st.sampled_from([8, 100]),
        st.booleans(),
        *[st.sampled_from([1, 16])] * 2,
    )
    def compare(seed, capacity, whole_seconds, far, relearn):
        jobs = crowded(np.random.default_rng(seed), count, capacity, whole_seconds)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compression, "FAR", far)
            patch.setattr(compression, "RELEARN", relearn)
            quick = simulate(jobs, capacity, Policy(*policy))
            for module in FAST:
                patch.setattr(module, "LONG", count + 1)
            slow = simulate(jobs, capacity, Policy(*policy))
        event(f"queue: {min(quick.timeline['queue_length'].max() // 50, 5) * 50} or more")
        pd.testing.assert_frame_equal(quick.jobs, slow.jobs)

    compare()


def test_a_machine_that_is_emptied_at_eight_starts_nothing_that_would_run_past_it():
    """Monday, 5 January 1970, from 6:00 on: 2 h fit, 3 h wait for 8:00, 40 h for Friday evening."""
    monday = 4 * 86_400.0
    hour = 3600.0
    jobs = pd.DataFrame(
        {
            "submit": monday + 6 * hour,
            "runtime": [3 * hour, 2 * hour, 40 * hour, 64 * hour],
            "gpus": 1,
        }
    )
    hours = Emptied((8 * hour, 17 * hour))
    found = simulate(jobs, 4, Policy(backfill="easy", emptied=hours)).jobs
    assert ((found["start"] - monday) / hour).tolist()[:3] == [8, 6, 4 * 24 + 17]
    assert found["can_start"].tolist() == [True, True, True, False], (
        "63 hours from Friday to Monday are the most"
    )
    kept = Emptied((8 * hour,), length=9 * hour)  # nothing runs from 8:00 to 17:00
    starts = simulate(jobs[:2], 4, Policy(emptied=kept)).jobs["start"]
    assert ((starts - monday) / hour).tolist() == [17, 17], (
        "without backfill the second waits for the first"
    )
    assert Emptied.read(str(kept)) == kept


@pytest.mark.parametrize("text", ["tue@9:00/1.2.3", "tue@9:00/.", "tue@8:75", "tue@8:00:60"])
def test_emptied_hours_that_are_none_are_refused_with_an_example(text):
    with pytest.raises(ValueError, match="emptied must be such as"):
        Emptied.read(text)


@pytest.fixture(scope="module")
def kth():
    return read_swf(KTH)


@pytest.fixture(scope="module")
def first_jobs(kth):
    """First 5,000 jobs of the log, each cut at its request, with perfect estimates."""
    runtime = np.minimum(kth["runtime"], kth["requested"])
    return kth.assign(runtime=runtime, estimate=runtime).head(5000)


@needs_log
@pytest.mark.parametrize(
    ("backfill", "mean_wait"), [("none", 201_236), ("easy", 8_313.6), ("conservative", 8_314.9)]
)
def test_mean_waits_on_the_kth_log_are_those_of_independent_simulators(
    first_jobs, backfill, mean_wait
):
    wait = simulate(first_jobs, 100, Policy(backfill=backfill)).jobs["wait"].mean()
    assert wait == pytest.approx(mean_wait, abs=0.5 if backfill == "none" else 0.05)
