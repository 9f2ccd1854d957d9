"""What the Corrections page says of aging and of fair queueing, played out in a few lines."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ui.base.words import load

FOUND = [row.found for row in load("fair_queueing").corrections]
amounts = st.integers(0, 1000)


@settings(deadline=None, max_examples=100)
@given(st.tuples(amounts, amounts), st.tuples(amounts, amounts), amounts, amounts, st.integers(1, 20))
def test_two_jobs_that_wait_never_swap_while_both_age_at_one_rate(priorities, arrivals, since, later, rate):
    now = max(arrivals) + since

    def ahead(moment):
        first, second = (p + rate * (moment - t) for p, t in zip(priorities, arrivals, strict=True))
        return first - second

    assert ahead(now) == ahead(now + later)
    assert "Two jobs that wait grow older at the same rate, so the one that is ahead stays ahead." in FOUND[1]


@settings(deadline=None, max_examples=100)
@given(amounts, st.integers(1, 1000), st.integers(1, 20))
def test_aging_puts_a_waiting_job_before_some_of_those_that_arrive_later_and_no_others(arrival, more, rate):
    assert "Aging only puts a waiting job before some of those of a higher class that arrive later." in FOUND[1]
    moments = range(arrival, arrival + 2 * (more // rate + 1))
    # A job that is `more` points ahead by class arrives at each of these moments: who goes first?
    first = [rate * (later - arrival) > more for later in moments]
    assert not first[0] and first[-1] and first == sorted(first)


def served(turns, away, restart):
    """Who is served in each turn: flows "a" and "b" of equal weight, "a" absent for the first `away` turns."""
    virtual, log = {"a": 0, "b": 0}, []
    for turn in range(turns):
        if turn == away and restart:
            virtual["a"] = max(virtual["a"], virtual["b"])
        present = "ab" if turn >= away else "b"
        who = min(present, key=lambda flow: (virtual[flow], flow))
        virtual[who] += 1
        log.append(who)
    return log


def test_a_flow_that_returns_with_its_old_count_is_served_alone_until_it_has_made_up_for_its_absence():
    assert "served alone until it has made up for all that it “missed”" in FOUND[0]
    assert served(25, away=10, restart=False)[10:20] == ["a"] * 10


def test_a_flow_that_returns_at_the_count_of_the_others_takes_turns_with_them():
    assert "goes on from max(V, v)" in FOUND[0]
    assert all(before != after for before, after in pairwise(served(25, away=10, restart=True)[10:]))
