"""Fair queueing driven through AppTest: from the locked question over strips and challenge to the reflection."""

import json

import pytest
from driving import all_text, chart_frame, charts, keys, metrics, unlocked, visit

from lessons.fair_queueing import LESSON, PRESETS, rules, strips, weights
from lessons.fair_queueing.settings import HALF_LIVES, Teams
from ui.charts.look import Look
from ui.knobs.declared import knobs_of
from ui.knobs.widgets import Knobs

LOOK = Look()


def drawn(teams: Teams, guess: str | None = None):
    """The rows of the first picture that are drawn while nothing is held."""
    frame = strips.figure(teams, LOOK, guess).frame
    return frame[frame.half_life.isna() | (frame.half_life == frame.now)]


def test_from_the_locked_question_to_the_reflection():
    app = visit("fair_queueing")
    assert not app.metric and app.slider(key="fair_alone").proto.disabled
    app.radio(key="fair_prediction").set_value("d").run()
    app.button(key="fair_lock").click().run()
    assert not app.exception and list(metrics(app).values()) == ["7 days", "9.58 days", "6.74 days"]
    frame = chart_frame(charts(app)[0])
    assert frame[frame.label == "you said: day 30"].day.tolist() == [30.5]
    app.selectbox(key="fair_half_life").set_value("never").run()
    assert metrics(app)["A's next job starts"] == "30 days" and "nothing is forgotten" in all_text(app)
    app.radio(key="fair_reflection").set_value("c").run()
    app.button(key="fair_reflection_lock").click().run()
    record = app.session_state["ledger"]["fair"]
    assert not app.exception and record["right"] is False and record["reflection_right"] is True
    assert record["settings"]["half_life"] == "never" and "A half-life is a compromise" in all_text(app)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_opens_the_picture_in_which_it_acts(preset):
    app = unlocked("fair_queueing")
    app.button(key=f"fair_preset_{preset}").click().run()
    assert not app.exception and app.session_state["fair_view"] == (PRESETS[preset].view or "strips")
    assert LESSON.metrics(Teams(**PRESETS[preset].changes))[0].value == metrics(app)["A's next job starts"]
    assert all(value in knobs_of(Teams)[name].values({}) for name, value in PRESETS[preset].changes.items())


def test_the_challenge_is_won_on_the_page():
    app = unlocked("fair_queueing")
    app.button(key="fair_challenge").click().run()
    assert app.session_state["fair_view"] == "memory" and "gets back only 1 day" in all_text(app)
    goals = chart_frame(charts(app)[0])
    assert {"at least 6 days", "at most 14 days"} <= set(goals.label.dropna())
    app.selectbox(key="fair_half_life").set_value("14d").run()
    assert not app.exception and "Won: team B gets back 7 days" in all_text(app)
    assert "won" in app.session_state["ledger"]["fair"]


# --- the picture whose rows hold every half-life ---
@pytest.mark.parametrize("name", HALF_LIVES)
def test_the_rows_of_each_half_life_are_what_its_own_settings_draw(name):
    one, any_other = Teams(half_life=name), strips.figure(Teams(), LOOK).frame
    mine = any_other[any_other.half_life == list(HALF_LIVES).index(name)]
    jobs = mine[(mine.kind == "job") & (mine.day >= 0)].sort_values("day")
    assert "".join(jobs.team) == one.order()[:42]
    assert drawn(one)["label"].dropna().str.contains(f"after {one.wait / 86400:g} day").any()


def test_a_job_of_long_ago_is_as_pale_as_it_counts():
    jobs = drawn(Teams())
    past = jobs[(jobs.kind == "job") & (jobs.day < 0)].set_index("day").counts
    assert len(past) == 30 and past[-7] > 0.5 > past[-8]
    assert drawn(Teams(half_life="never")).query("kind == 'job'").counts.eq(1).all()


def test_the_two_counts_of_use_meet_where_the_dot_is():
    for teams in (Teams(), Teams(half_life="14d"), Teams(alone=3 * 86400.0, half_life="never")):
        rows = drawn(teams)
        use = rows[rows.kind == "use"]
        last = use[use.day == use.day.max()].use
        assert len(last) == 2 and last.max() == pytest.approx(last.min(), rel=1e-6)
        assert last.max() == pytest.approx(rows[(rows.kind == "point") & (rows["size"] == 60)].use.item())


def test_what_is_pressed_is_the_nearest_half_life_in_the_browser_and_on_the_server():
    """The expression of the specification, read as Python, against the function that the server calls."""
    names = list(HALF_LIVES)
    for tenth in range(-420, 421):
        at = tenth / 10
        index = eval(strips.POINTED.replace("grab.at[0]", repr(at)))
        assert names[index] == strips.nearest(at)
    assert [strips.nearest(at) for at in (-41, -29, 7.2, -1.1, 0)] == ["never", "30d", "7d", "1d", "10min"]


def test_a_press_turns_the_choice(monkeypatch):
    put, figure = {}, strips.figure(Teams(), LOOK)
    monkeypatch.setattr("ui.knobs.widgets.state.put", lambda key, value: put.update({key: value}))
    knobs = Knobs(lesson="fair", enabled=True, query={}, entered=False, lesson_ids=("fair",))
    knobs.turn(figure.grab, Teams(), -13.3)
    assert put == {"fair_half_life": "14d"}


def test_turning_a_knob_keeps_each_specification():
    turned = ({"alone": 0.0}, {"half_life": "never", "weight_ratio": 10.0}, {"draws": 10_000}, {"load": 0.95})
    for view in LESSON.pictures:
        specs = {json.dumps(view.figures(Teams(**knob), LOOK)[0].spec) for knob in turned}
        assert len(specs) == 1


# --- going further ---
def test_four_rules_and_seven_weights_have_their_strips():
    frame = rules.figure(Teams(), LOOK).frame
    jobs = frame[(frame.kind == "job") & (frame.day >= 0)].sort_values("day")
    order = {rule: "".join(rows.team) for rule, rows in jobs.groupby("row")}
    assert order["FIFO (by arrival)"][:40] == "A" * 40 and order["SFQ"][:40] == "BA" * 20
    assert order["Banked turns"].startswith("B" * 30 + "A") and order["Fair share"].startswith("B" * 7 + "A")
    late = weights.figure(Teams(half_life="never", weight_ratio=10.0), LOOK).frame
    assert "A starts on day 300 →" in set(late.label.dropna())
    assert late[late.kind == "point"].row.tolist() == ["B weighs 10"]


def test_before_the_lock_there_is_no_choice_of_pictures():
    app = visit("fair_queueing", {"fair_view": "lottery"})
    assert "fair_view" not in keys(app) and "19 of 20" not in all_text(app)
