"""What a film shows at a moment."""

import pandas as pd

from physics.films import Film


def seen_at(film: Film, time: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The boxes shown and the jobs waiting at a moment; ends are exclusive, starts inclusive."""
    return tuple(
        rows[(rows["begin"] <= time) & (time < rows["end"])] for rows in (film.boxes, film.waiting)
    )


def values(film: Film, time: float) -> dict[str, float]:
    """The value of each curve at a moment, by kind."""
    return {
        kind: rows.loc[rows["time"] <= time, "value"].iloc[-1]
        for kind, rows in film.curves.groupby("kind")
    }
