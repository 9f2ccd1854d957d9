"""Lanes: no GPU is drawn twice, and what is busy and what is idle add up to the fleet."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.scheduling import Policy, simulate
from physics.scheduling.schedule import assign_lanes, idle_lanes

jobs = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20), st.integers(1, 8)), min_size=1, max_size=25)


def overlap(pieces: pd.DataFrame) -> bool:
    rows = pieces[["start", "end", "low", "high"]].to_numpy()
    return any(
        a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3] for i, a in enumerate(rows) for b in rows[i + 1 :]
    )


@given(rows=jobs, easy=st.booleans())
def test_no_gpu_is_drawn_twice_and_busy_and_idle_fill_the_fleet(rows, easy):
    frame = pd.DataFrame(rows, columns=["submit", "runtime", "gpus"])
    runs = simulate(frame, 8, Policy(backfill="easy" if easy else "none")).runs
    pieces = assign_lanes(runs, 8)
    assert pieces["low"].min() >= 0 and pieces["high"].max() <= 8 and not overlap(pieces)
    widths = (pieces["high"] - pieces["low"]).groupby(pieces["run"]).sum()
    assert widths.sort_index().tolist() == runs["gpus"].tolist()
    end = float(runs["end"].max())
    idle = idle_lanes(pieces, 8, 0.0, end)
    area = [((one["end"] - one["start"]) * (one["high"] - one["low"])).sum() for one in (pieces, idle)]
    assert sum(area) == pytest.approx(8 * end)
    assert not overlap(pd.concat([pieces, idle]))


def test_no_run_at_all_leaves_everything_idle():
    runs = pd.DataFrame({"start": np.zeros(0), "end": np.zeros(0), "gpus": np.zeros(0, int)})
    pieces = assign_lanes(runs, 4)
    assert pieces.empty and idle_lanes(pieces, 4, 0.0, 2.0).to_numpy().tolist() == [[0.0, 2.0, 0.0, 4.0]]
