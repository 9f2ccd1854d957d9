"""Reads that pass two stages in series, metadata server and data path, each at its mean time."""

import numpy as np
import pandas as pd

from physics.arguments import Count, NonNegative, within_range


@within_range
def tandem(first_load: NonNegative, second_load: NonNegative, reads: Count) -> pd.DataFrame:
    """Table of evenly spaced reads through two stages with a queue before each [time between two reads].

    Args:
        first_load, second_load: ρ₁, ρ₂: what is asked of a stage over what it can do, which is its time for one read
            over the time from one read to the next [1].
        reads: Reads to follow [1], at most 100,000.

    One row a read: `asked`, `opens`, `opened` (begin and end at the first stage), `sends`, `sent` (at the second one).

    A read begins at a stage when it has come there and the one before it has left: b(i) = max(a(i), e(i − 1)),
    e(i) = b(i) + ρ. The servers of a stage are drawn as one of their joint rate.

    Source: D. V. Lindley, "The theory of queues with a single server", Mathematical Proceedings of the Cambridge
    Philosophical Society 48(2), 1952, for the recursion.

    >>> tandem(2.0, 0.5, 3)["sent"].tolist()
    [2.5, 4.5, 6.5]
    """
    if reads > 100_000:
        raise ValueError(f"reads must be at most 100,000, got {reads}")
    asked = np.arange(reads, dtype=float)
    opens, opened = _stage(asked, first_load)
    sends, sent = _stage(opened, second_load)
    return pd.DataFrame({"asked": asked, "opens": opens, "opened": opened, "sends": sends, "sent": sent})


def _stage(comes: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Begin and end of each at one server, in the order in which they come."""
    steps = time * np.arange(len(comes))
    begins = np.maximum(np.maximum.accumulate(comes - steps) + steps, comes)  # the last against rounding
    return begins, begins + time
