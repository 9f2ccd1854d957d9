"""The page on notebook sharing through AppTest: from the lock to the end, its further parts."""

import json

from driving import all_text, chart_frame, charts, metrics, unlocked

from lessons.notebook_sharing import pair
from lessons.notebook_sharing.settings import Study
from ui.charts.look import Look

PAGE = "notebook_sharing"
BROWSER = {"_agent": "Mozilla/5.0"}


def test_the_measures_are_named_only_after_they_have_been_seen():
    app = unlocked(PAGE, BROWSER)
    assert "Mean slowdown" in metrics(app)
    assert not [word for word in ("ANTT", "STP") if word in all_text(app)]
    app.button(key="notebooks_explain").click().run()
    app.session_state["notebooks_prediction_others"] = True
    app.session_state["notebooks_derivation"] = True
    app.run()
    assert "ANTT" in all_text(app) and "STP" not in all_text(app)


def test_the_first_picture_has_one_data_set_and_few_marks_at_a_time_below_the_handle():
    drawn = charts(unlocked(PAGE))[0]
    spec = json.loads(drawn.spec)
    rows = chart_frame(drawn)
    assert len(spec["layer"]) == 9
    assert [layer["name"] for layer in spec["layer"][-3:]] == ["hint", "grab", "dot"]
    assert all(len(rows[rows["at"].isin([-1, at])]) < 40 for at in rows["at"])


def test_a_start_of_a_link_between_two_of_the_sliders_is_drawn():
    rows = pair.figure(Study(second_start=7), Look()).frame
    drawn = rows[rows["at"] == rows["held"]]
    assert {"1", "2"} == {*drawn["notebook"].dropna()}
    assert f"2 done: {round(Study(second_start=7).equal.two)} s" in [*drawn["label"]]
