"""The rubric: its headings are the report's, its points the app's, and every exemplar is earned as
a student's is.
"""

import re

import pytest
from driving import all_text, keys, undescribed, visit

from lessons import LESSONS
from ui.grades import rubric
from ui.record import report, report_page
from ui.record.plain import ReportError

TOLD = [lesson for lesson in LESSONS if lesson.exemplar]
QUICK = [pytest.param(one, marks=pytest.mark.slow) if one.id == "policy" else one for one in TOLD]


def test_points_are_those_that_grades_start_with_and_add_up():
    points = [cells[1] for cells in rubric.rows()]
    assert points == ["12.5", "12.5", "0", "0", "75", *["2, 1, or 0, by hand"] * 3]


@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.id)
def test_an_exemplar_wins_its_challenge_under_the_rubrics_headings_and_cannot_be_handed_in(lesson):
    found = rubric.exemplar(lesson)
    record = found["lessons"][lesson.id]
    settings = rubric.read_settings(lesson.settings, record["won"])[0]
    assert lesson.challenge.judge(settings).good
    assert record["prediction"] != lesson.prediction.right, (
        "the notes say what a wrong guess taught"
    )
    assert not re.search(r"[{}]", record["note"] + found["rejected"] + found["doubts"])
    assert len(record["note"]) < 1000 and not report.missing(found)
    headings = {"Prediction", "Reflection", *report.by_heading(lesson, record)}
    headings |= {report.TITLES[part] for part in ("rejected", "doubts")}
    rows = " and ".join(cells[0] for cells in rubric.rows())
    assert all(heading in rows for heading in headings)
    shown = report_page.to_html(found).decode()
    assert rubric.WORD.split(",")[0] in shown and all(heading in shown for heading in headings)
    with pytest.raises(ReportError, match="exemplar"):
        report.read(report.to_json(found))
    del found["exemplar"]
    assert report.read(report.to_json(found))["lessons"][lesson.id]["won"] == record["won"]


def test_the_page_has_the_rubric_and_sends_an_exemplar_when_it_is_opened():
    app = visit("rubric", {"rubric_trap": True})
    assert (
        not app.exception and sum("| Prediction | 12.5 |" in one.value for one in app.markdown) == 1
    )
    sent = all_text(app)
    assert sent.count("I predicted") == 1 and rubric.WORD in sent
    assert report.TITLES["first_look"] not in sent  # an exemplar has no such text
    assert not undescribed(key for key in keys(app) if key.startswith("rubric"))
    assert [lesson for lesson in LESSONS if lesson.script] == TOLD
    assert {f"rubric_{lesson.id}" for lesson in TOLD} <= keys(app)
    for page in ("grades", "staff"):
        assert any(link.proto.page.endswith("rubric") for link in visit(page).get("page_link"))
