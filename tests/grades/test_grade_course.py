"""What a report claims is judged again: answers, results, challenges; and what reports have in
common is marked.
"""

import random
import statistics
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import many_reports as made
import pytest
from driving import BY_ID, ROOT
from grade_reports import (
    NOTEBOOKS,
    RECORD,
    RESULTS,
    SETTINGS,
    TRAP,
    WON,
    course,
    file,
    handed,
    written,
)

from lessons import LESSONS
from physics import pace
from ui.base import time_slices
from ui.grades import by_hand, rubric, tables
from ui.grades import course as courses
from ui.grades.course import Checked, Course, Scheme
from ui.record import report

#: Only the trap counts.
ONLY = Scheme({lesson.id: float(lesson.id == "trap") for lesson in LESSONS})


def of_trap(found: Course, number: int = 0):
    sheet = found.sheets[number]
    return sheet, sheet.records["trap"], sheet.checked["trap"]


def test_an_honest_report_differs_in_nothing():
    sheet, _, checked = of_trap(course(written()))
    assert checked.differences == () and not sheet.alike
    given = [(kind, answer, right) for kind, _, answer, right, _ in sheet.answers[TRAP.id]]
    assert given == [
        ("Prediction", RECORD["prediction"], True),
        ("Reflection", RECORD["reflection"], True),
    ]


def test_a_forged_result_is_marked_with_both_numbers():
    _, _, checked = of_trap(course(written({"results": RESULTS | {"Mean wait": "1 s"}})))
    assert checked.differences == ("Mean wait: 1 s, computed 24 min",)


def test_a_prediction_that_was_never_tested_has_no_results_to_differ_in():
    untested = {"prediction": RECORD["prediction"], "settings": SETTINGS}
    found = course(written(lessons={"trap": untested}))
    assert of_trap(found)[2].differences == () and tables.to_look_at(found.sheets[0]) == ""


def test_a_quantity_that_no_visitor_can_set_does_not_make_forged_results_agree():
    lesson = BY_ID["io"]
    settings = {"storage_iops": 100.0}
    forged = lesson.results(replace(lesson.settings(), **settings))
    record = {"settings": settings, "results": {one.label: one.text for one in forged}}
    assert report.recomputed(lesson, record)
    found = course(written(lessons={"io": record}))
    assert found.sheets[0].checked["io"].differences


def test_the_students_word_is_never_below_zero_points():
    found = course(written({"won": WON}))
    mark = {by_hand.key_of("trap", RECORD["note"]): by_hand.Mark(1)}
    weights = {"predicted": 0.0, "reflected": 0.0}
    for percent in range(101):
        scheme = Scheme(weights, assigned=["trap"], texts=percent / 100, marks=mark)
        assert f"{scheme.split(found.sheets[0])[0]:.2f}" == "0.00"


def test_a_challenge_is_won_if_the_lesson_judges_so():
    found = course(written({"won": WON}), written({"won": SETTINGS}), written())
    forged = "reported as won, but not won when rechecked"
    assert [tables.challenge(sheet, TRAP) for sheet in found.sheets] == ["won", forged, "not won"]
    assert f"Challenge: {forged}" in of_trap(found, 1)[2].differences


def test_whatever_a_lesson_stumbles_over_the_others_are_graded(monkeypatch):
    monkeypatch.setattr(courses, "read_settings", lambda *_: {}["missing"])
    _, _, checked = of_trap(course(written()))
    assert "cannot be computed again" in checked.differences[-1]


def test_a_record_that_takes_too_long_is_given_up_and_says_so(monkeypatch):
    def long(*_):
        raise time_slices.TooLong

    monkeypatch.setattr(courses, "read_settings", long)
    found = course(written(), written())
    assert found.left == 0 and "takes more than 5 s" in of_trap(found, 1)[2].differences[-1]


def test_without_time_nothing_is_computed_again_and_the_table_says_so():
    found = handed(file("a.json", written({"won": WON})))
    assert list(found.go_on(0.0)) == [] and found.left == 1
    assert tables.differences(found.sheets[0], TRAP) == "not computed again yet"
    assert ONLY.points(found.sheets[0]) < 100.0
    assert list(found.go_on(60.0)) == [0] and ONLY.points(found.sheets[0]) == 100.0


def test_time_goes_to_the_lesson_that_has_used_least(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(courses.time, "thread_time", lambda: clock[0])
    cost = {"trap": 3.0, "io": 1.0}
    order = []

    def check(self, lesson, record):
        order.append(lesson.id)
        clock[0] += cost[lesson.id]
        return Checked((), None)

    monkeypatch.setattr(Course, "check", check)
    both = {"trap": {"prediction": "a"}, "io": {"prediction": "a"}}
    found = handed(*(file(f"{n}.json", written(lessons=both)) for n in range(4)))
    assert len(list(found.go_on(9.0))) == len(order) and order == ["trap", "io", "io", "io", "trap"]
    assert found.left == 3


def test_equal_settings_are_computed_once(monkeypatch):
    asked = []
    counting = replace(
        TRAP, results=lambda settings: asked.append(settings) or TRAP.results(settings)
    )
    monkeypatch.setattr(courses, "lessons", lambda: (counting,))
    found = handed(*(file(f"{n}.json", written()) for n in range(5)))
    assert [*found.go_on(60.0)] == [4, 3, 2, 1, 0] and len(asked) == 1


def test_reports_with_a_browser_a_login_or_notes_in_common_are_marked():
    token = "a" * 32
    other = "b" * 32
    found = course(
        written(tokens=[token], login="one@example.org"),
        written(
            {"note": "My own words, and enough of them."},
            tokens=[other, token],
            login="two@example.org",
        ),
        written(
            {"note": RECORD["note"].upper() + "  "}, tokens=["c" * 32], login="Two@example.org"
        ),
        written({"note": "Fine."}, tokens=["d" * 32], login="", name="D"),
        written({"note": "Fine."}, tokens=[], login="", name="E"),
    )
    alike = [sheet.alike for sheet in found.sheets]
    assert alike[0] == ["Same browser as b.json", f"Same notes on “{TRAP.title}” as c.json"]
    assert alike[1] == ["Same browser as a.json", "Same login as c.json"]
    assert alike[3] == alike[4] == []  # two may say that it was fine


def notes() -> Iterator[dict]:
    """Records that have no notes in common."""
    return ({"note": str(number)} for number in range(99))


def test_one_name_with_and_without_a_login_is_marked_and_two_students_of_one_name_are_not():
    one = notes()
    two = "Zoë M."
    none = "ZOE\u0308  M.\u200b"
    other = "Zoë N."
    students = [(two, "zoe"), (none, ""), (two, "another"), (other, ""), ("", ""), ("", "")]
    found = course(*(written(next(one), name=name, login=login) for name, login in students))
    alike = [sheet.alike for sheet in found.sheets]
    assert alike[:3] == [
        ["Same name as b.json"],
        ["Same name as a.json, c.json"],
        ["Same name as b.json"],
    ]
    assert alike[3:] == [[], [], []]


@pytest.mark.parametrize("login", ["ZOË", "zoe\u0308", "z\u200boë", "ｚoë"])
def test_two_spellings_of_one_login_are_one_row_and_marked(login):
    one = notes()
    found = course(written(next(one), login="zoë"), written(next(one), lessons={}, login=login))
    assert [sheet.alike for sheet in found.sheets] == [
        ["Same login as b.json"],
        ["Same login as a.json"],
    ]
    assert len(tables.canvas(found, Scheme(), "F")) == 3
    assert tables.canvas(found, Scheme(), "F")[2][3] == "zoë"


@pytest.mark.parametrize(
    "login", ["\u0430nna@example.org", "\u0391NNA@example.org", "anna@examp1e.0rg"]
)
def test_a_login_that_only_looks_the_same_is_marked_and_has_a_row_of_its_own(login):
    one = notes()
    found = course(written(next(one), login="anna@example.org"), written(next(one), login=login))
    alike = [[f"Looks like the same login as {other}.json"] for other in "ba"]
    assert [sheet.alike for sheet in found.sheets] == alike
    assert len(tables.canvas(found, Scheme(), "F")) == 4


def test_the_table_says_which_points_are_the_students_word():
    found = course(written(), written({"won": WON}, login="b"), b"{")
    assert [ONLY.split(sheet) for sheet in found.sheets[:2]] == [(25.0, 0.0), (25.0, 75.0)]
    rows = tables.students(found, ONLY)
    students = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert [[row[name] for name in ("Points", *tables.SPLIT)] for row in students] == [
        ["25.00", "25.00", "0.00", "0.00"],
        ["100.00", "25.00", "75.00", "0.00"],
        ["", "", "", ""],
    ]


def test_being_right_counts_only_if_staff_say_so_and_every_text_says_the_same():
    wrong = {
        "prediction": next(name for name in TRAP.prediction.ids if name != TRAP.prediction.right),
        "reflection": next(name for name in TRAP.reflection.ids if name != TRAP.reflection.right),
    }
    found = course(written({"won": WON}), written(wrong | {"won": WON}))
    assert [ONLY.points(sheet) for sheet in found.sheets] == [100.0, 100.0]
    strict = Scheme({**ONLY.weights, "reflection_right": 8.0})
    assert [strict.points(sheet) for sheet in found.sheets] == [100.0, 50.0]
    for place in ("ui/page/staff.toml", "docs/deploying.md", "docs/decisions.md"):
        text = " ".join((ROOT / place).read_text(encoding="utf-8").split())
        assert courses.RULE in text, place
    assert courses.RULE in rubric.ABOUT


def test_a_perfect_report_on_what_was_assigned_gets_every_point():
    [sheet] = course(written({"won": WON})).sheets
    assert Scheme(assigned=["trap"]).points(sheet) == 100.0
    core = [lesson.id for lesson in LESSONS if not lesson.theme]
    assert Scheme(assigned=core).points(sheet) == pytest.approx(100 / len(core))
    with pytest.raises(ValueError, match="no lesson called mars"):
        Scheme(assigned=["mars"])
    with pytest.raises(ValueError, match="At least one lesson"):
        Scheme(assigned=[])


def test_a_report_with_a_lesson_that_the_app_does_not_have_is_read_for_the_rest():
    found = course(written(lessons={"trap": RECORD | {"won": WON}, "mars": {"prediction": "a"}}))
    assert not found.refused and ONLY.points(found.sheets[0]) == 100.0
    assert tables.to_look_at(found.sheets[0]) == (
        "Not read, because this app has no such lesson: mars."
    )


def test_reports_that_do_not_look_like_the_assignment_are_told():
    found = course(written(), written(login="b"))
    said = " ".join(tables.doubts(found, Scheme(assigned=["notebooks"])))
    assert "No report has anything on “" + NOTEBOOKS.title in said
    assert "Most reports have something on “" + TRAP.title in said
    assert not list(tables.doubts(found, Scheme(assigned=["trap"])))


def test_points_count_what_was_locked_and_not_whether_the_guess_was_right():
    wrong = next(one for one in TRAP.prediction.ids if one != TRAP.prediction.right)
    found = course(
        written({"won": WON}),
        written({"prediction": wrong, "won": WON}),
        written({"prediction": "skipped"}),
    )
    assert [ONLY.points(sheet) for sheet in found.sheets] == [100.0, 100.0, 12.5]
    strict = Scheme({**ONLY.weights, **dict.fromkeys(courses.PARTS, 1.0)})
    assert [strict.points(sheet) for sheet in found.sheets] == [100.0, 80.0, 40.0]
    assert Scheme(total=24.0).points(found.sheets[0]) == pytest.approx(24.0 / len(LESSONS))


@pytest.mark.slow
def test_random_clickers_get_a_quarter_on_average_as_is_said_beside_the_weights():
    dice = random.Random(1)
    scheme = Scheme()

    def clicked() -> str:
        answers = {
            one.id: (dice.choice(one.prediction.ids), dice.choice(one.reflection.ids))
            for one in LESSONS
        }
        return written(
            lessons={
                name: {"prediction": one, "reflection": two} for name, (one, two) in answers.items()
            }
        )

    courses = [handed(*(file(f"{n}.json", clicked()) for n in range(100))) for _ in range(2)]
    points = [scheme.points(sheet) for found in courses for sheet in found.sheets]
    error = 3 * statistics.stdev(points) / len(points) ** 0.5
    assert scheme.at_random() == 25.0 < 30 and statistics.mean(points) == pytest.approx(
        25.0, abs=error
    )


def test_a_lesson_without_a_challenge_can_be_had_in_full(monkeypatch):
    right = {"prediction": NOTEBOOKS.prediction.right, "reflection": NOTEBOOKS.reflection.right}
    half, whole = (
        course(written(lessons={NOTEBOOKS.id: dict(answers)})).sheets[0]
        for answers in ([*right.items()][:1], right)
    )
    assert 0 < Scheme().points(half) < Scheme().points(whole) < 100 / len(LESSONS)
    monkeypatch.setattr(courses, "lessons", lambda: [replace(NOTEBOOKS, challenge=None)])
    assert Scheme().points(half) == 50.0 and Scheme().points(whole) == 100.0


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"trap": -1.0}, "The weight of trap must be between 0 and 100, not -1"),
        ({"trap": float("nan")}, "The weight of trap"),
        ({"mars": 1.0}, "no lesson or part of a lesson called mars"),
        (dict.fromkeys(courses.PARTS, 0.0), "At least one lesson"),
    ],
)
def test_weights_that_are_none_are_refused_in_one_sentence(weights, says):
    with pytest.raises(ValueError, match=says):
        Scheme(weights)


@pytest.mark.slow
@pytest.mark.parametrize("reports", [60, pytest.param(300, marks=pytest.mark.nightly)])
def test_of_many_reports_the_30_broken_or_forged_ones_are_found_and_no_other(monkeypatch, reports):
    if reports < 300:  # the lesson that simulates a whole fleet at each setting
        monkeypatch.setattr(
            made, "LESSONS", [lesson for lesson in made.LESSONS if lesson.id != "policy"]
        )
    found = handed(*(file(name, data) for name, data in made.reports(reports, 30)))
    list(found.go_on(600.0))
    refused = [file for file, _ in found.refused]
    files = [*refused, *(sheet.file for sheet in found.sheets)]
    assert len(files) == reports and found.left == 0
    names = {file: file[4:].removesuffix(".json").replace("-", " ") for file in files}
    differ = [
        one.file
        for one in found.sheets
        if any(checked.differences for checked in one.checked.values())
    ]
    assert {names[one] for one in refused} == set(made.BROKEN) and {
        names[one] for one in differ
    } == set(made.FORGED)
    assert {*refused, *differ} == {one for one, what in names.items() if what != "honest"}
    assert len({*refused, *differ}) == 30
    assert all(why.count(". ") == 0 for _, why in found.refused)
    assert not any(sheet.alike for sheet in found.sheets)
    rows = tables.canvas(found, Scheme(), "Fleet What-If")
    assert len(rows) == 2 + reports - len(refused)


def test_reading_and_counting_ask_for_every_report_whether_to_go_on():
    asked = []
    with pace.paced(lambda: asked.append(1)):
        found = handed(
            *(file(f"{number}.json", written(login=f"{number}@x.org")) for number in range(20))
        )
        assert len(asked) >= 20
        for count in (tables.students, partial(tables.moodle, assignment="A")):
            before = len(asked)
            count(found, Scheme())
            assert len(asked) - before >= 20
        before = len(asked)
        tables.to_csv(tables.canvas(found, Scheme(), "A"))
        assert len(asked) - before >= 22
