"""The storage page, driven as a script would."""

import pytest
from driving import chart_frame, charts, unlocked

PAGE = "storage_architecture"


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
