"""The closing page: every station as far as its visitor is, and no answer of an untested lesson."""

import re

import pytest
from driving import BROWSER, all_text, visit

from ui.base.lesson import menu, with_page
from ui.base.words import PLACEHOLDER
from ui.record import report
from ui.year import page, stations

CORE = [lesson for lesson in menu() if not lesson.theme]
IDS = [lesson.id for lesson in CORE]


def locked(answers: dict[str, str]) -> dict:
    return {"predictions": answers}


def records_of(*ids: str) -> dict:
    """Records of lessons whose predictions were tested."""
    at = "2026-11-01T10:00:00+00:00"
    return {"ledger": {one: {"schema": 1, "steps": {"tested": at}} for one in ids}}


def model_of(lesson, answer: str) -> str:
    record = {"prediction": answer, "reflection": "a"}
    return report.model(with_page(lesson.page), record, "Prediction")


def test_a_year_that_has_not_begun_says_not_yet_of_each_station_and_links_there():
    app = visit("your_year")
    assert not app.exception
    assert [text.value for text in app.markdown].count("Not yet.") == len(CORE)
    links = {link.proto.page for link in app.get("page_link")}
    assert {lesson.page for lesson in CORE} <= {link.rpartition("/")[2] for link in links}


@pytest.mark.parametrize("lesson", CORE, ids=IDS)
def test_no_answer_of_an_untested_lesson_is_sent_to_a_browser(lesson):
    wrong = next(one.id for one in lesson.prediction.options if not one.right)
    app = visit("your_year", BROWSER | locked({lesson.id: wrong}))
    sent = all_text(app)
    assert "Not tested yet." in sent
    assert lesson.learned not in sent
    assert model_of(lesson, wrong) not in sent and "as you predicted" not in sent


def test_a_tested_prediction_stands_beside_the_models_answer_and_the_sentence_of_its_lesson():
    for lesson in CORE:
        right = lesson.prediction.right
        app = visit("your_year", BROWSER | locked({lesson.id: right}) | records_of(lesson.id))
        sent = all_text(app)
        assert lesson.learned and lesson.learned in sent
        model = model_of(lesson, right)
        assert model and not PLACEHOLDER.search(model)
        assert "You predicted 1 of 1 answers correctly." in sent


def test_the_sum_names_where_one_was_certain_and_wrong():
    trap = CORE[0]
    wrong = next(one.id for one in trap.prediction.options if not one.right)
    records = records_of("trap")
    records["ledger"]["trap"]["sure"] = "certain"
    app = visit("your_year", BROWSER | locked({"trap": wrong}) | records)
    assert (
        "You predicted 0 of 1 answers correctly. You were certain and wrong in Utilization trap."
        in all_text(app)
    )


def test_what_the_lessons_share_is_said_once_all_of_them_are_tested():
    answers = {lesson.id: lesson.prediction.right for lesson in CORE}
    before = visit("your_year", BROWSER | locked(answers) | records_of(*IDS[1:]))
    assert page.COURSE not in all_text(before)
    after = visit("your_year", BROWSER | locked(answers) | records_of(*IDS))
    assert page.COURSE in all_text(after)


def test_the_paper_is_one_page_that_asks_nothing_from_elsewhere():
    found = [
        stations.Station(1, CORE[0], stations.TESTED, "<b>mine</b>", "4 h", True),
        stations.Station(2, CORE[1], stations.NOT_YET),
    ]
    paper = page.to_html(found).decode()
    assert "&lt;b&gt;mine&lt;/b&gt;" in paper and "Not yet." in paper
    assert not re.search(r"(src|href)=", paper)


def test_home_shows_what_a_finished_lesson_leaves_in_the_visitors_own_words_or_ours():
    trap = CORE[0]
    done = {"predictions": {"trap": "c"}, "reflections": {"trap": "c"}}
    assert trap.learned in all_text(visit("app", BROWSER | done))
    note = {"ledger": {"trap": {"schema": 1, "note": "Ask how many jobs fit."}}}
    home = all_text(visit("app", BROWSER | done | note))
    assert "Ask how many jobs fit." in home and trap.learned not in home


def test_home_folds_the_electives_for_a_browser_and_lists_all_lessons_for_a_script():
    pages = [link.proto.page for link in visit("app").get("page_link")]
    assert all(any(lesson.page in link for link in pages) for lesson in menu())
    browser = [link.proto.page for link in visit("app", BROWSER).get("page_link")]
    elective = next(lesson for lesson in menu() if lesson.theme)
    assert not any(elective.page in link for link in browser)


def test_a_winning_plan_of_the_capstone_is_told_with_its_own_numbers():
    lesson = with_page("where_the_hours_go")
    won = {"gpus": 768, "workers": 2, "metadata": 8, "nodes": 3, "order": "urgent"}
    told = stations.plan(lesson, won)
    assert "after 1.78 h instead of 9.17 h" in told and "622,688 less" in told
    answers = {lesson.id: lesson.prediction.right for lesson in CORE}
    records = records_of(*IDS)
    records["ledger"]["hours"]["won"] = won
    app = visit("your_year", BROWSER | locked(answers) | records)
    assert "after 1.78 h instead of 9.17 h" in all_text(app)


def test_winning_settings_that_the_lesson_no_longer_has_leave_the_plan_out():
    lesson = with_page("where_the_hours_go")
    assert stations.plan(lesson, {"order": "an option of an older version"}) == ""
