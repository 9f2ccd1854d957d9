"""Peer instruction's rule of thumb after a vote, and the fewest votes that are shown."""

from collections.abc import Mapping, Sequence

#: Below this share of right answers a discussion has too few to learn from [%].
LOW = 35
#: Above this share of right answers a discussion has too little to add [%].
HIGH = 70
#: With fewer votes than this, what is said of them would tell who voted what.
FEWEST = 5
#: The same in a small class, which has agreed to it.
FEWEST_AGREED = 1
#: Into how many equal parts answers that are numbers are divided.
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
    """Return the normalized gain g = (after − before) / (1 − before) of two shares of right answers
    [1].

    It is the part of what could be learned that was: negative for a loss, None if all were right
    before (R. R. Hake, Interactive-engagement versus traditional methods, American Journal of
    Physics 66, 1998).

    >>> learning_gain(0.5, 0.75), learning_gain(0.5, 0.25), learning_gain(1, 0.9)
    (0.5, -0.5, None)
    """
    if before >= 1:
        return None
    return (after - before) / (1 - before)


def advice(right: int, votes: int) -> str:
    """Return the next teaching step by the share of right answers: "explain" below 35%, "discuss"
    to 70%, "go on" above.

    The source is C. H. Crouch and E. Mazur, Peer Instruction: Ten years of experience and results,
    American Journal of Physics 69, 2001.

    >>> advice(7, 20), advice(14, 20), advice(15, 20), advice(6, 20)
    ('discuss', 'discuss', 'go on', 'explain')
    """
    # Whole numbers: exactly 35% and 70% belong to the middle.
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
        # Whole numbers: a share of exactly one answer must not become the next one.
        ranks.append(-(-len(ordered) * (2 * tenth + 1) // (2 * TENTHS)))
    return tuple(ordered[rank - 1] for rank in ranks)
