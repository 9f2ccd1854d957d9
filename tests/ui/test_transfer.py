"""Transfer questions: their numbers and what they say, what is sent when, when they are asked, and
what is kept.
"""

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import grade_reports
import pytest
from driving import BROWSER, BY_ID, all_text, brought_back, click, keys, put, sent, unlocked, visit
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from ui.base.sentences import Elsewhere
from ui.base.words import PLACEHOLDER, fill
from ui.grades.course import Scheme
from ui.record import ledger, recall, report, report_page

TRAP = BY_ID["trap"]
ASKED = [
    (lesson, one.id, number) for lesson in LESSONS for one in lesson.transfer for number in range(3)
]
EACH = pytest.mark.parametrize(
    ("lesson", "name", "variant"), ASKED, ids=lambda one: str(getattr(one, "id", one))
)
WRONG = re.compile(
    r"\bnan\b|\bNone\b|\binf\b|[{}]|(?<![\d.,])1 (?:days|jobs|batches|burners)\b|[-−]0\b(?!\.)|  "
)


def place(lesson, name, variant):
    """The numbers of a variant, and what the model finds."""
    asked = next(one for one in lesson.transfer if one.id == name)
    return asked, Elsewhere(
        lesson.places.get(name, lesson.settings), asked.variants[variant], asked.cases
    )


@EACH
def test_a_question_is_whole_and_its_answers_are_computed_and_far_apart(lesson, name, variant):
    asked, there = place(lesson, name, variant)
    question = lesson.transferred(name, variant)
    said = [
        question.text,
        question.options[0].feedback,
        *(option.text for option in question.options),
    ]
    assert not [text for text in said if WRONG.search(text)] and question.text.endswith("?")
    assert len(question.options) == 4 and question.options[0].feedback.endswith(".")
    values = []
    for option in asked.options:
        (placeholder,) = PLACEHOLDER.findall(option.text)
        assert not re.search(r"\d", PLACEHOLDER.sub("", option.text)), "a number is typed"
        values.append(float(replace(lesson.say, cases={}).value(placeholder, there)))
    assert all(high >= 1.15 * low and high > low for low, high in pairwise(sorted(values))), values


def test_variants_have_other_numbers():
    for lesson in LESSONS:
        assert len(lesson.transfer) in (2, 3)
        for one in lesson.transfer:
            assert len(one.variants) >= 3
            said = [lesson.transferred(one.id, number) for number in range(len(one.variants))]
            right = [question.option(question.right).text for question in said]
            assert len({question.text for question in said}) == len(said)
            assert len(
                {tuple(option.text for option in question.options) for question in said}
            ) == len(said)
            assert len(set(right)) > 1, (lesson.id, one.id)


def each(lesson_id, name):
    """The places of all variants of a question."""
    lesson = BY_ID[lesson_id]
    asked = next(one for one in lesson.transfer if one.id == name)
    return [place(lesson, name, number)[1] for number in range(len(asked.variants))]


def test_what_the_feedback_says_holds_at_every_variant():
    for there in each("trap", "booths"):
        assert there.evening.wait > 5 * there.wait and there.evening.load < 1.2 * there.load
    for there in each("policy", "counter"):
        mean = there.favored * there.urgent + (1 - there.favored) * there.others
        assert mean == pytest.approx(there.in_order)
    for there in each("policy", "presses"):
        assert (
            there.behind == there.left + there.large
            and there.small <= there.left
            and there.idle > 1
        )
    for there in each("io", "forklift"):
        assert there.packed.sample_time == pytest.approx(there.latency / 8 + there.sample_size)
    for there in each("io", "vault"):
        assert there.scanner.sample_time == pytest.approx(there.latency + there.sample_size / 10)
        assert there.latency > 0.85 * there.sample_time
    for there in each("storage", "customs"):
        papers = there.demand / there.unit_size * there.operations_per_file
        assert there.achieved == pytest.approx(there.server_rate * there.metadata_servers / papers)
    for there in each("storage", "laboratory"):
        assert there.second.achieved == there.achieved and there.desk.achieved == pytest.approx(
            2 * there.achieved
        )
    for name in ("kitchen", "studio"):
        for there in each("drf", name):
            assert there.drf.a + there.drf.b == there.turns.a + there.turns.b == there.steps
            assert max(there.drf.a_share, there.drf.b_share) < max(
                there.turns.a_share, there.turns.b_share
            )
            assert there.drf.a_share == pytest.approx(there.drf.a * there.a_most)
            assert (
                there.a_most == there.a_first / there.first
                and there.b_most == there.b_second / there.second
            )
    for there in each("fair", "microscope"):
        assert there.counts_as < there.alone / 2 and there.never.wait == there.alone
    for there in each("notebooks", "posters"):
        assert there.mean == 1.5 * there.first and there.ordered.one < there.equal.one
        assert there.ordered.two == pytest.approx(there.equal.two)
    for there in each("notebooks", "downloads"):
        assert (
            there.ordered.two
            == pytest.approx(there.first + there.second)
            == pytest.approx(there.equal.one)
        )
    for there in each("autoscale", "checkouts"):
        fleet = BY_ID["autoscale"].settings
        assert fleet(upper=there.upper, lower=there.limit).counterexample is None
        assert fleet(upper=there.upper, lower=there.limit + 0.01).counterexample is not None
        assert there.limit < there.lower
    for there in each("autoscale", "lifts"):
        assert there.fleets["smaller"] == 1 and 2 < there.changes < there.quick.changes
        assert (
            there.fleets["smaller_busy"] > there.upper and there.fleets["larger_busy"] < there.lower
        )
    for there in each("spot", "tablet"):
        assert there.best.interval == pytest.approx((2 * there.dump * there.mtbf) ** 0.5, rel=0.05)
        assert there.best.interval < there.mtbf / 10
    for there in each("spot", "sensors"):
        assert there.one.best.interval == pytest.approx(2 * there.best.interval, rel=0.05)
    for there in each("slices", "campsite"):
        assert (
            there.vans * there.each <= there.power < (there.vans + 1) * there.each
            and there.vans < there.pitches
        )
    for there in each("share", "workshop"):
        assert there.together == pytest.approx(there.most) and there.a_saw > there.a_bench
        assert there.alike == pytest.approx(2 * there.a_saw)
    for there in each("place", "crane"):
        assert there.far_run == pytest.approx(there.runtime * there.far / there.near)
    for there in each("place", "bricks"):
        assert there.links == 3 and there.work > there.far
        assert there.far_run == pytest.approx(
            there.runtime * (there.work + there.far) / (there.work + there.near)
        )
    for there in each("trial", "window"):
        assert there.halved == pytest.approx(4 * there.needed, rel=0.02)
    for there in each("trial", "bakery"):
        assert there.needed == pytest.approx(
            there.independent * (1 + there.r) / (1 - there.r), rel=0.03
        )


def feedback(lesson) -> set[str]:
    """What may be said of the answers, of every variant, sentence by sentence."""
    said = [
        lesson.transferred(one.id, number)
        for one in lesson.transfer
        for number in range(len(one.variants))
    ]
    texts = [fill(question.options[0].feedback, {}) for question in said]
    return {part for text in texts for part in re.split(r"(?<=\.)\s", text) if len(part) > 25}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_the_question_follows_the_takeaways_and_nothing_tells_its_answer_before_the_lock(lesson):
    key = f"{lesson.id}_transfer"
    before = unlocked(lesson.page, BROWSER)
    assert key not in keys(before) and not [
        one for one in feedback(lesson) if one in all_text(before)
    ]
    app = unlocked(lesson.page, BROWSER | {"reflections": {lesson.id: "a"}, "_me_report": "a" * 32})
    assert not app.exception and key in keys(app)
    assert not [one for one in feedback(lesson) if one in sent(app) + all_text(app)]
    click(app, f"{key}_lock")
    assert "Choose one of the answers first" in all_text(app) and "transfer" not in ledger_of(
        app, lesson
    )
    click(put(app, key, "b"), f"{key}_lock")
    assert [one for one in feedback(lesson) if one in all_text(app)]
    (given,) = ledger_of(app, lesson)["transfer"].values()
    assert given["answer"] == "b" and app.radio(key=key).disabled


def ledger_of(app, lesson) -> dict:
    return app.session_state["ledger"].get(lesson.id, {})


def finished(*ids: str, at: str = "2026-03-01T10:00:00+00:00", **records: dict) -> dict:
    """Session state of who has finished some lessons."""
    done = {one: BY_ID[one].reflection.right for one in ids}
    records = {one: {"reflected_at": at} | records.get(one, {}) for one in ids}
    return {"predictions": done, "reflections": done, "ledger": records}


def test_home_asks_two_questions_of_finished_lessons_on_a_later_day_one_at_a_time():
    app = visit("app", finished("trap", "io"))
    seen = set()
    for label in ("Next question", "Done"):
        (lesson,) = [one for one in (TRAP, BY_ID["io"]) if f"about “{one.title}”" in all_text(app)]
        seen.add(lesson.id)
        assert not [part for part in feedback(lesson) if part in sent(app) + all_text(app)]
        click(put(app, "home_recall", "b"), "home_recall_lock")
        assert [part for part in feedback(lesson) if part in all_text(app)]
        assert app.button(key="home_recall_next").label == label
        click(app, "home_recall_next")
    assert seen == {"trap", "io"} and "home_recall" not in keys(app)
    again = visit(
        "app", {name: app.session_state[name] for name in ("predictions", "reflections", "ledger")}
    )
    assert "home_recall" not in keys(again)


def test_home_asks_nothing_on_the_day_itself_without_a_finished_lesson_or_after_a_skip():
    assert "home_recall" not in keys(visit("app", finished("trap", at=ledger.now())))
    assert "home_recall" not in keys(visit("app", {"predictions": {"trap": "c"}}))
    app = visit("app", finished("trap"))
    click(app, "home_recall_skip")
    assert "home_recall" not in keys(app) and app.session_state["_me_rested"] == ledger.now()[:10]
    assert "home_recall" in keys(visit("app", finished("trap") | {"_me_rested": "2026-03-02"}))


def due(today: str, state: dict) -> list[tuple[str, str]]:
    """What a day would ask whom the ledger describes."""

    def script():
        from datetime import date

        import streamlit as st

        import lessons  # noqa: F401
        from ui.record import recall

        st.json(
            [
                (lesson.id, name)
                for lesson, name in recall.due(date.fromisoformat(st.session_state["today"]))
            ]
        )

    app = AppTest.from_function(script)
    for key, value in (state | {"today": today}).items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return [tuple(one) for one in json.loads(app.json[0].value)]


def test_each_day_asks_other_numbers_until_the_bank_is_empty_and_lessons_take_turns():
    state = finished("trap", "io", "drf")
    day = date(2026, 3, 2)
    asked = []
    while now := due(str(day), state):
        assert now == due(str(day), state) and len(now) <= recall.A_DAY
        for number, (lesson, name) in enumerate(now):
            entry = {name: {"answer": "a", "at": f"{day}T12:00:00+00:00"}}
            held = state["ledger"][lesson]
            held["transfer"] = held.get("transfer", {}) | entry
            if not number:
                assert due(str(day), state) == now, "an answer does not change what is asked today"
        asked += now
        day += timedelta(days=1)
    assert len(asked) == len(set(asked)) == 3 * (2 * 3 - 1)
    order = [lesson for lesson, _ in asked]
    assert all(set(order[at : at + 4]) == {"trap", "io", "drf"} for at in range(9))


def test_a_later_day_asks_the_core_idea_first_and_of_parts_only_what_was_opened():
    for lesson in LESSONS:
        assert not lesson.transfer[0].part
        assert all(not one.part or one.part in lesson.parts for one in lesson.transfer)
        (_, first), *_ = due("2026-03-05", finished(lesson.id))
        assert first.split("/")[0] == lesson.transfer[0].id
    state = finished("slices")
    assert {name.split("/")[0] for _, name in due("2026-03-05", state)} == {"campsite"}
    state["ledger"]["slices"]["parts"] = ["gang"]
    assert {name.split("/")[0] for _, name in due("2026-03-05", state)} == {"campsite", "choir"}


def test_an_opened_part_is_kept_by_the_browser_and_an_unknown_one_is_not():
    tested = {"ledger": {"slices": {"steps": {"tested": "2026-03-01T10:00:00+00:00"}}}}
    app = unlocked("gpu_slices", BROWSER | tested, slices_view="gang")
    assert app.session_state["ledger"]["slices"]["parts"] == ["gang"]
    app = brought_back({"trap/parts": ["knee", "nothing", 3]})
    assert json.loads(app.session_state["kept"]["trap/parts"]) == ["knee"]


def test_one_finished_lesson_is_asked_two_different_questions():
    (one, first), (other, second) = due("2026-03-05", finished("trap"))
    assert one == other == "trap" and first.split("/")[0] != second.split("/")[0]


GIVEN = {"beds/0": {"answer": "b", "at": "2026-03-02T10:00:00+00:00"}}
HOSTILE = {
    "beds/9": GIVEN["beds/0"],
    "x/0": GIVEN["beds/0"],
    "beds/1": {"answer": "z", "at": "2026-03-02T10:00:00+00:00"},
}
HOSTILE |= {"booths/0": {"answer": "a", "at": "soon"}, "booths/1": 3, "booths/2": {"answer": ["a"]}}


def test_what_is_no_answer_is_left_out_and_the_first_answer_stands():
    assert ledger.transfers(TRAP, GIVEN | HOSTILE) == GIVEN
    assert all(ledger.transfers(TRAP, none) == {} for none in (None, 3, [], "beds/0", {3: 3}))

    first, second = ({"answer": answer, "at": GIVEN["beds/0"]["at"]} for answer in "bc")
    app = brought_back(
        *({"trap/transfer/beds/0": one, "trap/transfer/x/0": one} for one in (first, second))
    )
    assert app.session_state["told"]["transfer"] == GIVEN
    kept = {name: text for name, text in app.session_state["kept"].items() if "transfer" in name}
    assert kept == {"trap/transfer/beds/0": json.dumps(GIVEN["beds/0"])}


def test_the_report_shows_answers_with_their_numbers_and_reads_those_of_other_versions():
    state = finished(
        "trap", trap={"transfer": GIVEN, "schema": 1, "prediction": "c", "reflection": "c"}
    )
    question = TRAP.transferred("beds", 0)
    app = visit("report", state)
    assert not app.exception and question.text in all_text(app)
    record = {"prediction": "c", "transfer": GIVEN | HOSTILE}
    found = report.read(
        json.dumps(
            {"app": report.APP, "schema": 1, "name": "", "lessons": {"trap": record}}
        ).encode()
    )
    assert found["lessons"]["trap"]["transfer"] == GIVEN
    assert [one[2:4] for one in recall.answered(TRAP, found["lessons"]["trap"])] == [("b", True)]
    assert question.text in report_page.to_html(report.blank() | found).decode()
    for transfer in (None, 3, []):
        record = {"prediction": "c", "transfer": transfer}
        assert report.read(
            json.dumps({"app": report.APP, "schema": 1, "lessons": {"trap": record}}).encode()
        )


def test_it_is_never_graded():
    course = grade_reports.course(
        grade_reports.written(), grade_reports.written({"transfer": GIVEN | HOSTILE})
    )
    without, given = (Scheme().points(sheet) for sheet in course.sheets)
    assert given == without > 0
