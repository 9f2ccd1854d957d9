"""Forecasts from the history of a series, and measures of their error."""

import math
from collections.abc import Sequence

import numpy as np

from physics.arguments import Count, Finite, Finites, Share, count, within_range

__all__ = ["HoltWinters", "holt_winters", "mape", "moving_average", "rmse", "seasonal_naive"]

MOST_AHEAD = 10_000_000


@within_range
class HoltWinters:
    """Additive Holt–Winters smoothing, updated value by value; see `holt_winters`.

    Its first state is set by the first two seasons of the history, of which it has not yet learned
    a value.
    """

    def __init__(
        self, history: Finites, season: Count, alpha: Share, beta: Share, gamma: Share
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        first = history[:season]
        second = history[season : 2 * season]
        if len(second) < season:
            raise ValueError(
                f"history must hold at least two seasons of {season}, got {len(history)} values"
            )
        self.level = math.fsum(first) / season
        self.trend = math.fsum([*second, *(-value for value in first)]) / season / season
        self.seasons = [value - self.level for value in first]
        self.index = 0

    def learn(self, *values: float) -> None:
        """Update the smoothing with the next values of the series."""
        # Local names make the loop twice as fast.
        alpha = self.alpha
        beta = self.beta
        gamma = self.gamma
        level = self.level
        trend = self.trend
        seasons = self.seasons
        index = self.index
        for value in values:
            expected = level + trend
            season = seasons[index]
            previous = level
            level = alpha * (value - season) + (1 - alpha) * expected
            trend = beta * (level - previous) + (1 - beta) * trend
            seasons[index] = gamma * (value - expected) + (1 - gamma) * season
            index = (index + 1) % len(seasons)
        self.level = level
        self.trend = trend
        self.index = index

    def ahead(self, horizon: int) -> np.ndarray:
        """Forecast the next `horizon` values: level + h · trend + season."""
        step = np.arange(1, horizon + 1)
        seasons = np.resize(np.roll(self.seasons, -self.index), horizon)
        return self.level + step * self.trend + seasons


@within_range
def holt_winters(
    history: Finites, season: Count, alpha: Share, beta: Share, gamma: Share, horizon: int
) -> np.ndarray:
    """Forecast by additive Holt–Winters smoothing with level, trend, and season [its unit].

    Args:
        history: y, at least two seasons, any unit.
        season: m, values in a season.
        alpha, beta, gamma: Weights of the newest value in level, trend and season, 0 to 1.
        horizon: Values to forecast, each level + h · trend + season.

    The state before the first value: level = mean of the first season, trend = mean over the season
    of (second − first) ÷ m, season = first season − level. Then, for each value from the first:
    level ← α (y − season) + (1 − α) (level + trend), trend ← β (level − level before) + (1 − β)
    trend, season ← γ (y − level before − trend before) + (1 − γ) season.

    Source: Winters, "Forecasting sales by exponentially weighted moving averages", 1960; in this
    form Hyndman and Athanasopoulos, *Forecasting: Principles and Practice*, 3rd edition, 2021,
    section 8.3.

    >>> history = [1, 3, 2, 4, 3, 5]
    >>> ahead = holt_winters(history, season=2, alpha=0.5, beta=0.5, gamma=0.5, horizon=2)
    >>> ahead.round(3).tolist()
    [3.941, 5.927]
    """
    model = HoltWinters(history, season, alpha, beta, gamma)
    model.learn(*history)
    forecast = model.ahead(count("horizon", horizon, most=MOST_AHEAD))
    if not np.isfinite(forecast).all():
        raise OverflowError
    return forecast


@within_range
def seasonal_naive(history: Finites, season: Count, horizon: int) -> np.ndarray:
    """Forecast of `horizon` values that repeats the last `season` values of the history [its unit].

    Source: Hyndman and Athanasopoulos, *Forecasting: Principles and Practice*, 3rd edition, 2021,
    section 5.2.

    >>> seasonal_naive([9, 1, 2, 3], season=3, horizon=4).tolist()
    [1.0, 2.0, 3.0, 1.0]
    """
    return np.resize(_last("season", history, season), count("horizon", horizon, most=MOST_AHEAD))


@within_range
def moving_average(history: Finites, window: Count, horizon: int) -> np.ndarray:
    """Forecast of `horizon` values, each the mean of the last `window` values [its unit].

    Source: Brown, *Smoothing, Forecasting and Prediction of Discrete Time Series*, 1963, chapter 7.

    >>> moving_average([9, 1, 2, 3], window=3, horizon=2).tolist()
    [2.0, 2.0]
    """
    last = _last("window", history, window)
    return np.full(count("horizon", horizon, most=MOST_AHEAD), math.fsum(last) / len(last))


@within_range
def mape(actual: Finites, forecast: Finites) -> Finite:
    """Mean absolute error of a forecast f relative to actual values a: mean of |a − f| ÷ |a| [1].

    Source: Hyndman and Koehler, "Another look at measures of forecast accuracy", 2006.

    >>> mape([2, 4], [1, 5])  # (1/2 + 1/4) / 2
    0.375
    """
    pairs = _pairs(actual, forecast)
    if 0 in actual:
        raise ValueError("actual must not hold a zero, of which no error is a share")
    return math.fsum(abs((a - f) / a) for a, f in pairs) / len(pairs)


@within_range
def rmse(actual: Finites, forecast: Finites) -> Finite:
    """Root mean squared error of a forecast f of actual values a: √(mean of (a − f)²) [its unit].

    >>> rmse([2, 4], [3, 11])  # √((1 + 49) / 2)
    5.0
    """
    pairs = _pairs(actual, forecast)
    return math.hypot(*(a - f for a, f in pairs)) / math.sqrt(len(pairs))


def _last(name: str, history: Sequence[float], number: int) -> Sequence[float]:
    """Return the last so many values."""
    if len(history) < number:
        raise ValueError(
            f"history must hold at least a {name} of {number}, got {len(history)} values"
        )
    return history[-number:]


def _pairs(actual: Sequence[float], forecast: Sequence[float]) -> list[tuple[float, float]]:
    """Return two series side by side; refuse different lengths, and empty ones."""
    if len(actual) != len(forecast) or not actual:
        counts = f"{len(actual)} and {len(forecast)}"
        raise ValueError(f"actual and forecast must be as many, one or more, got {counts} values")
    return list(zip(actual, forecast, strict=True))
