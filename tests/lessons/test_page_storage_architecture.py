"""The storage page, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, metrics, unlocked

PAGE = "storage_architecture"


def test_the_page_opens_on_the_messages_numbers_and_its_test_moves_one_line():
    app = unlocked(PAGE, answer="c")
    assert metrics(app)["Reads that get through"] == "20.3%" and metrics(app)["Load of metadata servers"] == "492%"
    app.button(key="storage_test").click().run()
    assert metrics(app)["Load of bandwidth"] == "12.2%" and "20.3% with 96" in all_text(app) and not app.exception


@pytest.mark.parametrize(
    ("answer", "words"),
    [("a", "you said: bandwidth first →"), ("b", "you said: metadata servers first"), ("c", "nothing gets up here")],
)
def test_a_guess_is_drawn_where_its_limit_is_reached(answer, words):
    assert any(words in label for label in chart_frame(charts(unlocked(PAGE, answer=answer))[0])["label"].dropna())


def test_the_goal_is_drawn_while_the_challenge_is_on():
    app = unlocked(PAGE)
    assert "goal" not in set(chart_frame(charts(app)[0])["kind"])
    app.button(key="storage_challenge").click().run()
    chart = chart_frame(charts(app)[0])
    assert chart[chart["kind"] == "goal"]["y"].tolist() == [0.8]
    assert chart[chart["kind"] == "fleet"]["x"].tolist() == [8192]
