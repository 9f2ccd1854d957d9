"""The page The last answer, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, keys, unlocked, visit

PAGE = "last_answer"
BROWSER = {"_agent": "Mozilla/5.0"}
TESTED = BROWSER | {"ledger": {"last": {"steps": {"tested": "2026-03-01T10:00:00+00:00"}}}}


def rows(app):
    return chart_frame(charts(app)[0])


def test_the_page_shows_the_numbers_after_the_lock_and_not_before():
    assert "13.3%" not in all_text(visit(PAGE))
    assert "The slots are busy only 13% of the time" in all_text(unlocked(PAGE)).replace(
        "\u00a0", " "
    )


@pytest.mark.parametrize(("answer", "minutes"), [("a", 15), ("b", 11), ("c", 8), ("d", 9.5)])
def test_a_guess_is_drawn_where_it_says_that_the_step_ends(answer, minutes):
    frame = rows(unlocked(PAGE, answer=answer))
    said = frame[frame["label"] == f"you said: {minutes} min"]
    assert list(said["minutes"]) == [minutes]


def test_between_the_lock_and_the_test_no_idle_time_is_sent():
    locked = rows(unlocked(PAGE, BROWSER))
    assert not locked["kind"].isin(["idle", "share"]).any()
    assert (locked["kind"] == "answer").any()


def test_the_goal_is_drawn_during_the_challenge_and_the_win_is_kept():
    app = unlocked(PAGE)
    app.button(key="last_challenge").click().run()
    assert "goal" in set(rows(app)["kind"])
    app.slider(key="last_gpus").set_value(12).run()
    app.slider(key="last_extra").set_value(1).run()
    assert "Won: 12 GPUs instead of 64" in all_text(app).replace("\u00a0", " ")
    won = app.session_state["ledger"]["last"]["won"]
    assert (won["gpus"], won["extra"]) == (12, 0.01)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("carry", "an older model began 4.7% of the kept answers"),
        ("spreads", "half the GPUs make it 16%"),
    ],
)
def test_a_part_opens_after_a_guess_in_a_state_that_shows_something(part, words):
    app = unlocked(PAGE, TESTED)
    assert f"last_part_{part}" in keys(app)
    app.button(key=f"last_part_{part}").click().run()
    app.button(key=f"last_guess_{part}_0").click().run()
    assert words in all_text(app).replace("\u00a0", " ")
