"""The storage page, driven as a script would."""

import pytest
from driving import chart_frame, charts, put, unlocked

from physics.storage.demands import tandem

PAGE = "storage_architecture"


@pytest.mark.parametrize(
    ("answer", "words", "crossing"),
    [
        ("a", "you said: the storage nodes", "you said: bandwidth first →"),
        ("b", "you said: the metadata server", "you said: metadata servers first"),
        ("c", "you said: nothing fails", "nothing reaches 100%"),
        ("d", "you said: single reads", ""),
    ],
)
def test_a_guess_is_drawn_in_both_pictures(answer, words, crossing):
    app = unlocked(PAGE, answer=answer)
    for expected in (words, crossing):
        labels = chart_frame(charts(app)[0])["label"].dropna()
        assert any(expected in label for label in labels)
        put(app, "storage_view", "loads")


def test_the_goal_is_drawn_while_the_challenge_is_on():
    app = unlocked(PAGE)
    assert not any("goal" in label for label in chart_frame(charts(app)[0])["label"].dropna())
    assert "goal" not in set(chart_frame(charts(app)[0])["kind"])
    app.button(key="storage_challenge").click().run()
    chart = chart_frame(charts(app)[0])
    assert chart[chart["kind"] == "goal"]["y"].tolist() == [0.8]
    assert chart[chart["kind"] == "fleet"]["x"].tolist() == [8192]


@pytest.mark.parametrize(("first", "second"), [(0.2, 0.5), (4.9, 0.24), (0.3, 3.0), (2.0, 2.5)])
def test_two_stages_let_through_what_the_higher_load_lets_through(first, second):
    rows = tandem(first, second, 5000)
    pace = (rows["sent"].iloc[-1] - rows["sent"].iloc[1000]) / 3999
    assert 1 / pace == pytest.approx(1 / max(1, first, second), rel=1e-9)
    assert (rows["opens"] >= rows["asked"]).all() and (rows["sends"] >= rows["opened"]).all()
    if max(first, second) < 1:
        assert rows["opens"].tolist() == rows["asked"].tolist()
