"""The page Where the hours go, driven as a script would."""

import pytest
from driving import all_text, chart_frame, charts, keys, unlocked, visit

PAGE = "where_the_hours_go"
BROWSER = {"_agent": "Mozilla/5.0"}


def rows(app):
    return chart_frame(charts(app)[0])


@pytest.mark.parametrize(
    ("answer", "words"),
    [("a", "without limit"), ("b", "about 12 h"), ("c", "about 9 h"), ("d", "about 2.5 h")],
)
def test_a_guess_is_drawn_where_it_says_that_the_result_comes(answer, words):
    labels = rows(unlocked(PAGE, answer=answer))["label"].dropna()
    assert f"you said: {words}" in set(labels)


def test_the_bars_of_a_job_and_of_the_fleet_shrink_to_their_green_part():
    for address in ({}, {"hours_gpus": "768", "hours_workers": "2"}):
        chart = rows(unlocked(PAGE, **address)).set_index("kind")
        compute = chart.loc["compute"]
        assert compute["x2"] - compute["hours"] == pytest.approx(1)
        assert chart.loc["fleet compute"]["x2"] == pytest.approx(579 / 1536 * 14)


def test_earlier_repairs_stand_above_as_ghosts():
    address = {"hours_gpus": "768", "hours_workers": "2", "hours_nodes": "3"}
    chart = rows(unlocked(PAGE, **address))
    assert (chart["kind"] == "ghost bar").sum() == 3
    labels = set(chart["label"].dropna())
    assert {
        "today: 9.17 h",
        "2 loader workers per GPU: 2.51 h",
        "3 storage nodes: 2.11 h",
    } <= labels


def test_a_page_that_is_opened_first_says_which_lessons_it_builds_on():
    words = all_text(visit(PAGE))
    assert "It builds on Utilization trap, Scheduling policy, I/O bottleneck" in words
    assert "and DRF story." in words
    assert "It builds on" not in all_text(visit("utilization_trap"))


def test_the_goal_is_drawn_and_the_winning_plan_is_kept():
    app = unlocked(PAGE)
    app.button(key="hours_challenge").click().run()
    assert "goal" in set(rows(app)["kind"])
    for key, value in {"gpus": 768, "workers": 2, "metadata": 8, "nodes": 3}.items():
        app.slider(key=f"hours_{key}").set_value(value).run()
    app.selectbox(key="hours_order").set_value("urgent").run()
    assert "Won: a result comes after 1.78 h" in all_text(app).replace("\u00a0", " ")
    won = app.session_state["ledger"]["hours"]["won"]
    assert (won["gpus"], won["nodes"], won["order"]) == (768, 3, "urgent")


def test_the_part_that_tells_the_reflections_answer_waits_for_it():
    tested = BROWSER | {"ledger": {"hours": {"steps": {"tested": "2026-03-01T10:00:00+00:00"}}}}
    assert "hours_part_more" not in keys(unlocked(PAGE, tested))
    assert "hours_part_more" in keys(unlocked(PAGE, tested | {"reflections": {"hours": "a"}}))
