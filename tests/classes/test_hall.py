"""What the last row of a hall can read."""

import pytest

from lessons import LESSONS
from polls import rule
from ui.charts.look import Look
from ui.classes import bars, hall
from ui.page.projector import STAGE

#: By how much what is drawn in px is enlarged on 1080 lines.
GROWN = 1.95
LOOK = Look(present=True)


@pytest.mark.parametrize("answers", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("votes", [("first vote",), ("first vote", "second vote")])
def test_a_bar_of_a_vote_is_at_least_60_pixels_thick_on_1080_lines(answers, votes):
    names = tuple("ABCDEF"[:answers])
    spec = bars.spec(LOOK, names, votes, stage=True)
    plot = spec["height"] - bars.STAGE_LEGEND
    thick = plot * (1 - bars.STAGE_GAP) / (answers * len(votes))
    assert GROWN * thick >= 60
    assert f"--grown: {GROWN}" in STAGE


def test_in_a_hall_space_around_words_does_not_grow_twice_and_a_legend_is_one_row():
    policy = next(one for one in LESSONS if one.id == "policy")
    week = policy.view("week").figures(policy.settings(), LOOK)[0].spec
    spec = hall.spaced(week)
    assert spec["config"]["axis"]["labelPadding"] == hall.SPACE["axis"]["labelPadding"]
    legends = [layer["encoding"]["color"]["legend"] for layer in spec["layer"]]
    assert not [legend for legend in legends if "columns" in legend]
    assert "columns" in week["layer"][0]["encoding"]["color"]["legend"]


def test_nothing_on_a_hall_s_chart_is_smaller_than_24_pixels():
    spec = bars.spec(LOOK, ("A", "B"), ("first vote",), stage=True)
    sizes = [spec["config"][part]["labelFontSize"] for part in ("axis", "legend")]
    assert min(sizes) * GROWN >= 24


@pytest.mark.parametrize("votes", [("first vote",), ("first vote", "second vote")])
def test_ten_bars_of_numbers_are_at_least_60_pixels_thick_on_1920_columns(votes):
    spec = bars.tenths_spec(LOOK, "h", (0.0, 9.0), votes, stage=True)
    assert spec["height"] >= bars.STAGE_MIN_HEIGHT
    # What margins and the axis leave of the width.
    plot = 1920 - 2 * GROWN * 60
    thick = plot * (1 - bars.STAGE_GAP) / (rule.TENTHS * len(votes))
    assert thick >= 60
