"""What comes back from a browser: old, edited by hand or hostile, it is used, or set aside with a
sentence.
"""

import pytest
from driving import BY_ID, after_the_test, all_text, brought_back, click, sent, unlocked, visit

from lessons import LESSONS as COURSE
from ui.base.words import load
from ui.record import ledger, local_storage, recall

TRAP = load("utilization_trap")
LOCK = {"answer": "a", "at": "2026-03-01T10:00:00+00:00"}


def handed(*visits: dict[str, object]):
    """Hand fields of the trap over, one visit of the component after another."""
    return brought_back(
        *({f"trap/{name}": value for name, value in fields.items()} for fields in visits)
    )


@pytest.mark.parametrize(
    "time", ["9999-01-01T00:00:00+00:00", "1970-01-01T00:00:00+00:00", "2026-03-01", "x", 3, None]
)
def test_an_impossible_time_of_a_lock_is_refused_and_the_lock_stays(time):
    app = handed({"prediction": {"answer": "b", "at": time}})
    record = app.session_state["ledger"]["trap"]
    assert app.session_state["predictions"]["trap"] == "b" and record["predicted_at"] != time
    assert (
        handed({"prediction": LOCK}).session_state["ledger"]["trap"]["predicted_at"] == LOCK["at"]
    )


def test_a_lock_that_becomes_another_shows_in_the_history_of_the_report_and_comes_back():
    assert (
        "changes"
        not in handed({"prediction": LOCK}, {"prediction": LOCK}).session_state["ledger"]["trap"]
    )
    app = handed({"prediction": LOCK}, {"prediction": LOCK | {"answer": "c"}})
    (change,) = app.session_state["ledger"]["trap"]["changes"]
    assert (change["of"], change["from"], change["to"]) == ("prediction", "a", "c")
    later = handed(
        {"changes": [change, {"of": "prediction"}], "prediction": LOCK | {"answer": "c"}}
    )
    assert later.session_state["ledger"]["trap"]["changes"] == [change]
    report = visit(
        "report", {name: later.session_state[name] for name in ("predictions", "ledger")}
    )
    said = all_text(report).replace("\\", "")
    day = change["at"][:10]
    assert f"The locked prediction was changed outside the lesson page, {day}" in said
    assert TRAP.prediction.option("a").text in said and not report.exception


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("prediction", "prediction", {"answer": "zzz", "at": ""}),
        ("reflection", "reflection", {"answer": "skipped", "at": ""}),
        ("prediction", "prediction", None),
        ("tried", "settings", '{"settings": {"fleet": NaN}, "results": {}}'),
        ("tried", "settings", "["),
        ("note", "note", '"\\ud800"'),
        ("pins", "pins", [3]),
        ("won", "challenge", "x"),
        ("won", "challenge", {"fleet": [1]}),
        ("pins", "pins", '[{"settings": {}, "results": {"a": [1e999, "b"]}}]'),
        ("pins", "pins", f"[{' ' * local_storage.MOST_FIELD}]"),
        ("won", "challenge", {"fleet": [1]}),
    ],
)
def test_a_kept_field_that_cannot_be_read_is_set_aside_with_a_sentence_and_can_be_removed(
    field, words, value
):
    app = handed({field: value})
    sentence = (
        f"What this browser saved as the {words} of “{TRAP.title}” cannot be read, so it is "
        "ignored."
    )
    assert [warning.value for warning in app.warning] == [sentence]
    click(app, "trap_remove_unreadable")
    assert not app.warning and app.session_state["_erase"]["lessons"] == [f"trap/{field}"]


@pytest.mark.parametrize("agent", ["Mozilla/5.0", ""])
def test_staff_page_and_corrections_send_no_answer_before_a_fold_is_opened(agent):
    for page in ("staff", "corrections"):
        app = visit(page, {"_agent": agent})
        assert (
            not app.exception
            and "Right: " not in sent(app)
            and "| The draft says |" not in sent(app)
        )
    app = visit("staff", {"_agent": agent, "staff_trap": True})
    assert sent(app).count("Right: ") == 1
    opened = visit(
        "corrections", {"_agent": agent} | {f"corrections_{lesson.id}": True for lesson in COURSE}
    )
    assert sent(opened).count("| The draft says |") == sum(
        bool(lesson.corrections) for lesson in COURSE
    )


def test_who_can_keep_nothing_is_told_to_take_the_report_along_once_something_is_locked():
    told = "Download your report before you leave"
    assert told not in all_text(visit("utilization_trap", {"predictions": {"trap": "a"}}))
    assert told in all_text(
        visit("utilization_trap", {"predictions": {"trap": "a"}, "_storable": False})
    )
    assert told not in all_text(visit("utilization_trap", {"_storable": False}))


def test_a_voters_token_that_the_browser_has_kept_stands_so_nobody_votes_twice():
    """A server that has started again is sent the choice before the browser's token."""
    token = f'"{"a" * 32}"'
    kept = brought_back({"me/voter": token}, _me_voter="b" * 32).session_state["kept"]
    assert kept["me/voter"] == token


def test_the_results_of_other_settings_are_not_added_to_the_visitors_own():
    other = {"settings": {"added": 512}, "results": {"Mean wait": "1 s"}}
    own = {"ledger": {"trap": {"schema": 1, "settings": {"added": 256}}}}
    record = brought_back({"trap/tried": other}, **own).session_state["ledger"]["trap"]
    assert record["settings"] == {"added": 256} and "results" not in record
    same = other | {"settings": {"added": 256}}
    record = brought_back({"trap/tried": same}, **own).session_state["ledger"]["trap"]
    assert record["results"] == {"Mean wait": "1 s"}


def test_a_number_of_steps_of_the_tour_is_no_truth():
    assert ledger.toured(TRAP, True) == 0 and ledger.toured(TRAP, 1) == 1


def test_later_answers_are_listed_in_the_order_of_their_times_in_any_zone():
    lesson = COURSE[0]
    names = [name for question in lesson.transfer for name in ledger.variants(question)][:2]
    times = ("2026-03-01T10:00:00+00:00", "2026-03-01T11:00:00+02:00")
    entries = {}
    for name, at in zip(names, times, strict=True):
        question = next(one for one in lesson.transfer if name in ledger.variants(one))
        entries[name] = {"answer": question.options[0].id, "at": at}
    found = recall.answered(lesson, {"transfer": entries})
    assert [answer.at for answer in found] == list(reversed(times))


def test_a_pinned_quantity_that_no_visitor_can_set_is_left_out():
    pin = {"settings": {}, "results": {}, "quantities": {"batch": "x", "workers": 4}}
    app = unlocked("io_bottleneck", after_the_test(BY_ID["io"]) | {"pins": {"io": [pin]}})
    assert not app.exception
