"""Forecasts against a second, literal implementation, and errors by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.forecasting import holt_winters, mape, rmse, seasonal_naive

values = st.floats(-1e3, 1e3)
weights = st.floats(0, 1)


def literal(y, m, alpha, beta, gamma, horizon):
    """The recurrences with all values kept in arrays indexed by time, as in the book."""
    level, trend, season = {-1: sum(y[:m]) / m}, {-1: sum((y[m + i] - y[i]) / m for i in range(m)) / m}, {}
    for i in range(m):
        season[i - m] = y[i] - level[-1]
    for t, value in enumerate(y):
        level[t] = alpha * (value - season[t - m]) + (1 - alpha) * (level[t - 1] + trend[t - 1])
        trend[t] = beta * (level[t] - level[t - 1]) + (1 - beta) * trend[t - 1]
        season[t] = gamma * (value - level[t - 1] - trend[t - 1]) + (1 - gamma) * season[t - m]
    last = len(y) - 1
    return [level[last] + h * trend[last] + season[last - m + 1 + (h - 1) % m] for h in range(1, horizon + 1)]


@given(st.data(), st.integers(1, 5), weights, weights, weights, st.integers(1, 12))
def test_holt_winters_is_its_literal_twin(data, season, alpha, beta, gamma, horizon):
    history = data.draw(st.lists(values, min_size=2 * season, max_size=4 * season + 3))
    expected = literal(history, season, alpha, beta, gamma, horizon)
    assert holt_winters(history, season, alpha, beta, gamma, horizon) == pytest.approx(expected, rel=1e-9, abs=1e-7)


@given(values, st.lists(values, min_size=1, max_size=6), st.integers(2, 4), weights, weights, weights)
def test_a_season_without_a_trend_is_forecast_without_error_at_any_weights(level, season, times, alpha, beta, gamma):
    history = [level + one for one in season] * times
    ahead = holt_winters(history, len(season), alpha, beta, gamma, 2 * len(season))
    assert ahead == pytest.approx(history[: len(season)] * 2, abs=1e-6)
    assert seasonal_naive(history, len(season), 2 * len(season)).tolist() == history[: len(season)] * 2


@given(st.lists(st.tuples(st.floats(1, 1e3), st.floats(1, 1e3)), min_size=1))
def test_errors_are_those_of_numpy(pairs):
    actual, forecast = np.array(pairs).T
    assert mape(actual, forecast) == pytest.approx(np.mean(np.abs(actual - forecast) / actual))
    assert rmse(actual, forecast) == pytest.approx(math.sqrt(np.mean((actual - forecast) ** 2)))
    assert mape(actual, actual) == rmse(actual, actual) == 0
