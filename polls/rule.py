"""Peer instruction's rule of thumb after a vote, and the fewest votes that are shown."""

from collections.abc import Mapping, Sequence

#: Share of right answers below which too few voters could explain the idea in a discussion [%].
LOW = 35
#: Share of right answers above which a discussion adds too little [%].
HIGH = 70
#: Smallest number of votes that is shown: fewer would tell who voted for what.
FEWEST = 5
#: Smallest number in a small class, which has agreed to it.
FEWEST_AGREED = 1
#: Number of equal parts into which sorted numeric answers are divided.
TENTHS = 10


def shown(
    rounds: Mapping[int, Mapping[str, int]], fewest: int = FEWEST
) -> dict[int, Mapping[str, int]]:
    """Return the rounds with at least `fewest` votes, which may be shown: `{1: {"a": 3, …}}`.

    >>> shown({1: {"a": 1}, 2: {"a": 3, "b": 2}})
    {2: {'a': 3, 'b': 2}}
    """
    return {number: votes for number, votes in rounds.items() if sum(votes.values()) >= fewest}


def learning_gain(before: float, after: float) -> float | None:
    """Return the normalized gain of two shares of right answers, (after − before) / (1 − before).

    It is the learned part of what could still be learned [1]: negative for a loss, None if all were
    right before (R. R. Hake, Interactive-engagement versus traditional methods, American Journal of
    Physics 66, 1998).

    >>> learning_gain(0.5, 0.75), learning_gain(0.5, 0.25), learning_gain(1, 0.9)
    (0.5, -0.5, None)
    """
    if before >= 1:
        return None
    return (after - before) / (1 - before)


def advice(right: int, votes: int) -> str:
    """Return the next teaching step by the share of right answers.

    It is "explain" below 35%, "discuss" from 35% to 70%, and "go on" above 70% (C. H. Crouch and
    E. Mazur, Peer Instruction: Ten years of experience and results, American Journal of Physics 69,
    2001).

    >>> advice(7, 20), advice(14, 20), advice(15, 20), advice(6, 20)
    ('discuss', 'discuss', 'go on', 'explain')
    """
    # Integers are exact, so that exactly 35% and 70% mean "discuss".
    if 100 * right < LOW * votes:
        return "explain"
    if 100 * right <= HIGH * votes:
        return "discuss"
    return "go on"


def rivals(votes: Mapping[str, int], right: str) -> tuple[str, ...]:
    """Return the two answers to compare in a discussion, in the order of their ids.

    They are the right one and the wrong one with most votes; empty where nobody was wrong, or where
    two wrong ones have as many.

    >>> rivals({"a": 4, "b": 9, "c": 7}, "c"), rivals({"c": 7}, "c")
    (('b', 'c'), ())
    """
    wrong = sorted(
        (number, answer) for answer, number in votes.items() if answer != right and number
    )
    if not wrong or (len(wrong) > 1 and wrong[-1][0] == wrong[-2][0]):
        return ()
    return tuple(sorted((wrong[-1][1], right)))


def tenths(values: Sequence[float]) -> tuple[float, ...]:
    """Return the median of each tenth of the answers, lowest first; empty without answers.

    These are the quantiles at 5, 15, … 95%, each an answer that somebody gave: the least that at
    least so many answers do not exceed (R. J. Hyndman and Y. Fan, Sample quantiles in statistical
    packages, The American Statistician 50, 1996, definition 1).

    >>> tenths(range(1, 21))
    (1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
    >>> tenths([3, 1, 2, 5, 4])
    (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)
    """
    ordered = sorted(values)
    if not ordered:
        return ()
    ranks = []
    for tenth in range(TENTHS):
        # Integers are exact: rounding must not move a rank to the next answer.
        ranks.append(-(-len(ordered) * (2 * tenth + 1) // (2 * TENTHS)))
    return tuple(ordered[rank - 1] for rank in ranks)
