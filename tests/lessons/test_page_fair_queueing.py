"""Fair queueing driven through AppTest: from the locked question over strips and challenge to the
reflection.
"""

import pytest

from lessons.fair_queueing import memory, rules, strips
from lessons.fair_queueing.settings import HALF_LIVES, Teams, days
from ui.charts.look import Look
from ui.knobs.widgets import Knobs

LOOK = Look()


def drawn(teams: Teams, guess: str | None = None):
    """The rows of the first picture that are drawn while nothing is held."""
    frame = strips.figure(teams, LOOK, guess).frame
    return frame[frame.half_life.isna() | (frame.half_life == frame.now)]


# --- the picture whose rows hold every half-life ---
@pytest.mark.parametrize("name", HALF_LIVES)
def test_the_rows_of_each_half_life_are_what_its_own_settings_draw(name):
    one = Teams(half_life=name)
    any_other = strips.figure(Teams(), LOOK).frame
    mine = any_other[any_other.half_life == list(HALF_LIVES).index(name)]
    jobs = mine[(mine.kind == "job") & (mine.day >= 0)].sort_values("day")
    assert "".join(jobs.team) == one.order()[:42]
    assert drawn(one)["label"].dropna().str.contains(f"after {days(one.wait)}").any()


def test_a_job_of_long_ago_is_as_pale_as_it_counts():
    jobs = drawn(Teams())
    past = jobs[(jobs.kind == "job") & (jobs.day < 0)].set_index("day").counts
    assert len(past) == 42 and past[-7] > 0.5 > past[-8]
    assert drawn(Teams(half_life="never")).query("kind == 'job'").counts.eq(1).all()


def test_the_two_counts_of_use_meet_where_the_dot_is():
    for teams in (Teams(), Teams(half_life="14d"), Teams(alone=3 * 86400.0, half_life="never")):
        rows = drawn(teams)
        use = rows[rows.kind.str.startswith("use")]
        last = use[use.day == use.day.max()].use
        assert len(last) == 2 and last.max() == pytest.approx(last.min(), rel=1e-6)
        assert last.max() == pytest.approx(
            rows[(rows.kind == "point") & (rows["size"] == 60)].use.item()
        )


def test_what_is_pressed_is_the_nearest_half_life_in_the_browser_and_on_the_server():
    """The expression of the specification, read as Python, against the function that the server
    calls.
    """
    names = list(HALF_LIVES)
    for tenth in range(-420, 421):
        at = tenth / 10
        index = eval(strips.POINTED.replace("held.at", repr(at)))
        assert names[index] == strips.nearest(at)
    assert [strips.nearest(at) for at in (-41, -29, 7.2, -1.1, 0)] == [
        "never",
        "30d",
        "7d",
        "1d",
        "10min",
    ]


def test_a_press_turns_the_choice(monkeypatch):
    put = {}
    figure = strips.figure(Teams(), LOOK)
    monkeypatch.setattr("ui.knobs.widgets.state.put", lambda key, value: put.update({key: value}))
    knobs = Knobs(lesson="fair", enabled=True, query={}, entered=False, settings=Teams)
    knobs.turn(figure.grab, Teams(), -13.3)
    assert put == {"fair_half_life": "14d"}


# --- going further ---
@pytest.mark.parametrize("alone", [0, 3, 30])
def test_the_strips_name_a_where_its_days_alone_begin(alone):
    frame = rules.figure(Teams(alone=alone * 86400.0), LOOK).frame
    days_of_a = frame.loc[(frame["kind"] == "A") & (frame["day"] < 0), "day"]
    named = frame.loc[frame["label"] == "A", "day"].tolist()
    assert named == ([days_of_a.min()] if alone else [])


def test_four_rules_and_seven_weights_have_their_strips():
    frame = rules.figure(Teams(alone=30 * 86400.0), LOOK).frame
    jobs = frame[frame.kind.isin(["A", "B"]) & (frame.day >= 0)].sort_values("day")
    order = {rule: "".join(rows.kind) for rule, rows in jobs.groupby("row")}
    assert order["FIFO (by arrival)"][:40] == "A" * 40 and order["SFQ"][:40] == "BA" * 20
    assert order["Banked turns"].startswith("B" * 30 + "A") and order["Fair share"].startswith(
        "B" * 7 + "A"
    )
    late = rules.weights_figure(Teams(30 * 86400.0, "never", 10.0), LOOK).frame
    assert "A starts on day 300 →" in set(late.label.dropna())
    assert late[late.kind == "point"].row.tolist() == ["B's weight: 10"]


def test_what_the_visitor_said_and_the_challenges_goals_stand_in_the_pictures():
    rows = drawn(Teams(), "b")
    assert rows[rows.label == "you said: a month"].day.tolist() == [30.5]
    rows = drawn(Teams(), "d")
    assert rows[rows.label == "you said: 10 years →"].day.tolist() == [41]
    assert "goal: at most 10 days" in memory.figure(Teams(), LOOK, playing=True).labels


def test_the_half_life_stands_in_the_picture_of_the_time_alone():
    frame = memory.figure(Teams(), LOOK).frame
    assert frame[frame.kind == "limit"].y.tolist() == [7]
    assert "the half-life: 7 days" in set(frame.label.dropna())
    assert frame[frame.kind == "curve"].y.max() == 7
    heavy = memory.figure(Teams(weight_ratio=3.0), LOOK).frame
    assert "longest wait: 14 days" in set(heavy.label.dropna())


def test_a_wait_beyond_the_picture_of_the_time_alone_is_an_arrow_at_its_top():
    for half_life, shape, words in (
        ("never", "triangle-up", "10 years ↑"),
        ("7d", "circle", "7 days"),
    ):
        rows = memory.figure(Teams(half_life=half_life), LOOK).cells
        point = next(row for row in rows if row.get("role") == "here")
        assert point["shape"] == shape and point["y"] <= memory.SHOWN
        assert words in [row.get("label") for row in rows]


def test_no_line_of_use_leaves_the_picture():
    for name in HALF_LIVES:
        for alone in (30, 365, 3650):
            rows = drawn(Teams(alone=alone * 86400.0, half_life=name))
            assert not (rows[rows.kind.str.startswith("use")].use > strips.MOST_USE).any()
