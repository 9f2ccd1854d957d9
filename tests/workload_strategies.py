"""Tables of jobs, and random workloads and policies for hypothesis, small enough for the slow
reference.
"""

from dataclasses import replace

import pandas as pd
from hypothesis import strategies as st

from physics.scheduling import Emptied, Policy, Preemption

NAMES = (
    "interactive",
    "search",
    "training",
    "odd",
    "strange",
)  # the last two are in no policy's list
COLUMNS = ["submit", "runtime", "gpus", "estimate", "job_class"]


def jobs_of(rows, **columns):
    """Return a table of jobs from tuples in the order of COLUMNS, the last ones of which may be
    left out.
    """
    return pd.DataFrame(rows, columns=COLUMNS[: len(rows[0])]).assign(**columns)


@st.composite
def workloads(draw, most_jobs=14):
    """Draw (jobs, capacity, names): jobs are tuples in the order of COLUMNS, in whole seconds so
    that ties abound.
    """
    capacity = draw(st.sampled_from([1, 2, 4, 8, 16]))
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    span = draw(st.sampled_from([0, 5, 20, 100]))
    longest = draw(st.sampled_from([4, 30]))
    exact = draw(st.booleans())

    def job(values):
        submit, runtime, gpus, slack, name = values
        return float(submit), float(runtime), gpus, float(runtime + (0 if exact else slack)), name

    one = st.tuples(
        st.integers(0, span),
        st.integers(1, longest),
        st.one_of(st.just(1), st.integers(1, capacity + 1)),
        st.integers(0, longest),
        st.sampled_from(names),
    ).map(job)
    return draw(st.lists(one, min_size=1, max_size=most_jobs)), capacity, names


@st.composite
def contended(draw):
    """Draw the same where long jobs of the lower classes fill the machine before short ones of the
    higher arrive.
    """
    capacity = draw(st.sampled_from([4, 8, 16]))

    def jobs(names, latest, shortest, longest, widest):
        one = st.tuples(
            st.integers(0, latest),
            st.integers(shortest, longest),
            st.integers(1, widest),
            st.sampled_from([0, 0, 5, 40]),
            st.sampled_from(names),
        )
        return one.map(lambda v: (float(v[0]), float(v[1]), v[2], float(v[1] + v[3]), v[4]))

    low = draw(
        st.lists(
            jobs(("search", "training", "training", "odd"), 5, 20, 60, capacity // 2),
            min_size=4,
            max_size=8,
        )
    )
    high = draw(
        st.lists(
            jobs(("interactive", "interactive", "search"), 60, 1, 8, capacity),
            min_size=2,
            max_size=8,
        )
    )
    return draw(st.permutations(low + high)), capacity, NAMES


@st.composite
def reservations(draw, capacity, names):
    """Draw reserved GPUs for some classes, or None."""
    if draw(st.booleans()):
        return None
    left = capacity
    reserved = {}
    for name in draw(st.lists(st.sampled_from(names), unique=True, min_size=1)):
        reserved[name] = draw(st.integers(0, left))
        left -= reserved[name]
    return reserved


@st.composite
def outages(draw, capacity):
    """Draw (begin, end, GPUs) of outages, which may overlap."""
    one = st.tuples(st.integers(0, 60), st.integers(1, 40), st.integers(1, capacity))
    return [
        (float(begin), float(begin + length), gpus)
        for begin, length, gpus in draw(st.lists(one, max_size=4))
    ]


@st.composite
def policies(draw, capacity, names, order, backfill, always_preempt=False):
    """Draw the two other choices of a policy and its numbers."""
    pause = st.builds(
        Preemption,
        st.integers(1, 6).map(float),
        st.integers(0, 3).map(float),
        st.sampled_from(["always", "pays"]),
        st.sampled_from(["latest", "least_loss"]),
    )
    if always_preempt:
        preemption = pause
    else:
        preemption = st.one_of(st.none(), pause)
    return Policy(
        order=order,
        backfill=backfill,
        preemption=draw(preemption),
        reserved=draw(reservations(capacity, names)),
        weights=draw(
            st.one_of(
                st.none(),
                st.fixed_dictionaries({name: st.sampled_from([1, 2, 5]) for name in names}),
            )
        ),
        half_life=draw(st.sampled_from([10.0, 100.0, 604800.0])),
        max_wait=draw(st.sampled_from([None, None, 0.0, 1.0, 5.0, 20.0, 60.0])),
    )


@st.composite
def with_quotas(draw, capacity, names, order, backfill, borrowing=None, reclaim=None):
    """Draw a policy with quotas."""
    policy = draw(policies(capacity, names, order, backfill))
    return replace(
        policy,
        reserved=None,
        quotas=draw(reservations(capacity, names)) or {},
        borrowing=draw(st.booleans()) if borrowing is None else borrowing,
        reclaim=draw(st.booleans()) if reclaim is None else reclaim,
    )


@st.composite
def with_emptied_hours(draw, capacity, names, order, backfill):
    """Draw a policy under which the machine is emptied now and then, in the first minutes of some
    days.
    """
    policy = draw(policies(capacity, names, order, backfill))
    times = draw(
        st.lists(st.integers(0, 30).map(lambda one: 7.0 * one), min_size=1, max_size=5, unique=True)
    )
    days = draw(st.sampled_from([(0, 1, 2, 3, 4, 5, 6), (3, 4), (2,)]))
    emptied = Emptied(times, days, draw(st.sampled_from([0.0, 0.0, 3.0, 6.0])))
    return replace(policy, preemption=None, emptied=emptied)
