"""The page Stuttering answers, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, keys, unlocked, visit

PAGE = "stuttering_answers"
BROWSER = {"_agent": "Mozilla/5.0"}


def rows(app):
    return chart_frame(charts(app)[0])


def test_the_page_shows_the_answer_after_the_lock_and_not_before():
    assert "542" not in all_text(visit(PAGE))
    assert "The longest pause of an answer is 542 ms" in all_text(unlocked(PAGE)).replace(
        "\u00a0", " "
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("a", "four GPUs"),
        ("b", "memory twice as fast"),
        ("c", "at most 512 tokens per step"),
        ("d", "documents half as long"),
    ],
)
def test_a_guess_is_written_on_the_picture(answer, words):
    labels = set(rows(unlocked(PAGE, answer=answer))["label"].dropna())
    assert f"you said: {words}" in labels


def test_between_the_lock_and_the_test_no_stop_is_sent():
    locked = rows(unlocked(PAGE, BROWSER))
    assert not (locked["kind"] == "stop").any() and (locked["kind"] == "prompt").any()
    assert not [words for words in locked["label"].dropna() if words.endswith(" ms")]


def test_the_goals_stand_on_the_numbers_during_the_challenge_and_the_win_is_kept():
    app = unlocked(PAGE)
    app.button(key="stutter_challenge").click().run()
    assert "goal: longest pause at most 25 ms" in " ".join(rows(app)["label"].dropna())
    app.slider(key="stutter_rate").set_value(7.5).run()
    app.selectbox(key="stutter_piece").set_value("1024").run()
    assert "Won: 7.5 questions per second" in all_text(app).replace("\u00a0", " ")
    won = app.session_state["ledger"]["stutter"]["won"]
    assert (won["piece"], won["rate"]) == ("1024", 7.5)


def test_the_part_opens_after_a_guess_in_a_state_where_its_split_fits():
    tested = BROWSER | {"ledger": {"stutter": {"steps": {"tested": "2026-03-01T10:00:00+00:00"}}}}
    app = unlocked(PAGE, tested)
    assert "stutter_part_apart" in keys(app)
    app.button(key="stutter_part_apart").click().run()
    app.button(key="stutter_guess_apart_0").click().run()
    assert "The split fits" in all_text(app)
