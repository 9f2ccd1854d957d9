"""The report holds what was done, reads back as it was written, and refuses anything else in one
sentence.
"""

import json
from contextlib import suppress
from pathlib import Path

import grade_reports
import pytest
from driving import BY_ID, all_text, brought_back, click, each_lesson, keys, put, unlocked, visit
from grade_reports import TRAP
from hypothesis import given
from hypothesis import strategies as st_

from lessons import LESSONS as COURSE
from ui.base.words import load
from ui.record import design_ledger, local_storage, plain, report, report_page

#: A record that says all: a wrong guess, a note that is no markup, a pin.
RECORD = grade_reports.RECORD | {
    "prediction": "a",
    "right": False,
    "predicted_at": "2026-03-01T10:00:00+00:00",
    "reflected_at": "2026-03-01T10:05:00+00:00",
    "note": "<script>alert(1)</script> & **bold** $x$",
    "pins": [{"settings": {"Fleet": "1024"}, "results": {"Mean wait": [1440.0, "24 min"]}}],
}


def written(record: object = None, **top: object) -> bytes:
    return grade_reports.written(
        **{"lessons": {"trap": RECORD if record is None else record}} | top
    )


def imported(app, data: bytes = b"", take: bool = True):
    """Hand a file to the report's page, and import it."""
    app.file_uploader(key="report_import").upload("r.json", data or written(), "application/json")
    app.run()
    if take:
        return click(app, "report_take")
    return app


def test_a_report_holds_predictions_settings_results_and_versions():
    app = unlocked("utilization_trap", answer="a")
    app.switch_page("pages/report.py").run()
    assert not app.exception
    text = all_text(app)
    assert (
        "incorrect" in text and "4.46 h" in text and TRAP.prediction.option("a").text[:30] in text
    )


@each_lesson()
def test_a_record_without_any_setting_is_computed_at_the_defaults(lesson):
    model = {result.label: result.text for result in lesson.results(lesson.settings())}
    assert model and report.recomputed(lesson, {"settings": {}, "results": model}) == []


def test_settings_that_are_none_are_named_in_one_sentence():
    app = imported(visit("report"), written(RECORD | {"settings": {"fleet": "many"}}), take=False)
    said = (
        f"{TRAP.title}: its results cannot be computed again: fleet must be a number, got 'many'."
    )
    assert [warning.value.replace("\\", "") for warning in app.warning] == [said]


def test_an_older_second_prediction_and_what_a_file_says_of_being_right_do_not_count():
    found = report.read(written(RECORD | {"predictions": {"2": "a"}, "right": True}))["lessons"][
        "trap"
    ]
    assert report.answers(TRAP, found)[0][2] == RECORD["prediction"] and found["right"] is False


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe\x00", "not readable JSON"),
        (b"[" * 100_000, "not readable JSON"),
        (b'{"app": NaN}', "not readable JSON"),
        (b'{"app": "other"}', "not written by this app"),
        (b'{"app": "fleet-what-if", "schema": true}', "does not say which version"),
        (written(schema=2), "newer version"),
        (written(lessons=[]), "contains no lessons"),
        (written(lessons={"<b>": {}}), "a lesson that this app does not have: b."),
        (written(RECORD | {"prediction": "z"}), "a prediction that is not one of the answers"),
        (written(RECORD | {"note": "x" * 3000}), "notes that are not a text"),
        (written(RECORD | {"settings": {"fleet": 10**400}}), "settings that are not numbers"),
        (written(RECORD | {"results": {"a": 1}}), "results that are not short texts"),
        (
            written(RECORD | {"reflection": "skipped"}),
            "a reflection that is not one of the answers",
        ),
        (written(RECORD | {"predicted_at": "<b>"}), "a time that cannot be read"),
        (
            written(RECORD | {"reflected_at": "1970-01-01T00:00:00+00:00"}),
            "at which nothing can have been locked",
        ),
        (
            written(
                RECORD | {"changes": [{"of": "prediction", "from": "a", "to": "b", "at": "then"}]}
            ),
            "a history that",
        ),
        (written(name="\udfff"), "not readable JSON"),
        (written().replace(b"3600.0", b"1e999"), "not readable JSON"),
        (
            written(RECORD | {"settings": {f"k{i}": "x" * 3000 for i in range(50)}}),
            "more settings, results, or pins",
        ),
        (written(RECORD | {"pins": [1]}), "pinned results that cannot be read"),
        (written("text"), "is not a record"),
        (
            written(doubts="x" * 2001),
            "“What could still go wrong” in the file is not a text of at most 2,000",
        ),
        (written(tokens=["x"]), "random tokens in the file are not valid"),
        (written(tokens=["0" * 32] * 7), "random tokens in the file are not valid"),
        (written(RECORD | {"second": "z"}), "a second vote that is not one of the answers"),
        (b" " * 1_000_001, "larger than 1 MB"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(data, says):
    with pytest.raises(report.ReportError) as refusal:
        report.read(data)
    sentence = str(refusal.value)
    assert says in sentence and sentence.count(". ") == 0 and "\n" not in sentence


LEAVES = (
    st_.none()
    | st_.booleans()
    | st_.floats(allow_nan=False)
    | st_.integers()
    | st_.text(max_size=20)
)
ANY_JSON = st_.recursive(
    LEAVES,
    lambda inner: (
        st_.lists(inner, max_size=4) | st_.dictionaries(st_.text(max_size=9), inner, max_size=4)
    ),
)


@given(ANY_JSON)
def test_no_json_breaks_the_reader(value):
    for data in (
        json.dumps(value).encode(),
        written(lessons={"trap": value}),
        written(RECORD | {"settings": value}),
    ):
        try:
            found = report.read(data)
        except report.ReportError:
            continue
        for lesson in COURSE:
            record = found["lessons"].get(lesson.id)
            if record:
                with suppress(ValueError, ArithmeticError):
                    report.recomputed(lesson, record)
        report_page.to_html(report.blank() | found)


def test_every_text_of_a_visitor_is_escaped_in_the_html():
    found = report.read(written(name="<img src=x onerror=alert(1)>"))
    html = report_page.to_html(report.blank() | found).decode()
    assert "<script>alert" not in html and "<img" not in html and "&lt;script&gt;alert(1)" in html
    assert "http" not in html


def test_an_import_brings_locks_settings_and_notes_and_leaves_existing_locks_alone():
    app = imported(visit("report"), take=False)
    assert not app.exception and any(
        "the model finds the same results" in s.value for s in app.success
    )
    assert "predictions" not in app.session_state
    click(app, "report_take")
    assert (
        app.session_state["predictions"]["trap"] == "a"
        and app.session_state["reflections"]["trap"] == "c"
    )
    app.switch_page("pages/utilization_trap.py").run()
    assert app.slider(key="trap_added").value == 256
    assert app.text_area(key="trap_note").value == RECORD["note"]

    other = unlocked("utilization_trap", answer="d")
    other.switch_page("pages/report.py").run()
    assert imported(other).session_state["predictions"]["trap"] == "d"


def test_a_refused_file_changes_nothing():
    app = imported(visit("report"), written(RECORD | {"prediction": "z"}), take=False)
    assert not app.exception and len(app.error) == 1 and "report_take" not in keys(app)
    assert not {"predictions", "reflections", "ledger", "pins"} & app.session_state.to_dict().keys()


def test_the_name_on_the_report_is_kept():
    app = visit("report")
    put(put(app, "report_name", "A <b>student</b>"), "report_name", "A student")
    app.switch_page("app.py").run()
    app.switch_page("pages/report.py").run()
    assert app.text_input(key="report_name").value == "A student"


def test_settings_in_any_script_are_read_as_long_as_the_app_saves_them():
    settings = {f"text {number}": "\N{MICRO SIGN}" * 300 for number in range(30)}
    data = grade_reports.written({"settings": settings})
    assert len(plain.encoded(settings)) < local_storage.MOST_FIELD
    assert report.read(data)["lessons"]["trap"]["settings"] == settings


def test_a_name_that_the_visitor_has_emptied_is_emptied_in_the_browser_too():
    app = brought_back({"me/name": '"Ann"'}, {"me/name": '""'})
    assert app.session_state["kept"]["me/name"] == '"Ann"'
    app = put(put(visit("report"), "report_name", "Ann"), "report_name", "")
    emptied = brought_back(_me_name=app.session_state["_me_name"])
    assert emptied.session_state["kept"]["me/name"] == '""'


def test_a_pasted_text_with_control_characters_is_kept_without_them():
    app = put(visit("report"), "report_doubts", "One slide\x0bline\r\nand more")
    assert app.session_state["_me_doubts"] == "One slide line \nand more"


def test_a_text_of_the_year_and_of_the_report_is_one_text():
    app = put(visit("your_year"), "year_first_look", "The loaders.")
    put(app.switch_page("pages/report.py").run(), "report_first_look", "The queue.")
    app.switch_page("pages/your_year.py").run()
    assert app.text_area(key="year_first_look").value == "The queue."


#: What a script, an older version or a hand may have left behind; no report can be made of it.
BROKEN = [
    {"reflection": "skipped", "prediction": "a"},
    {"note": "\ud800", "prediction": "a"},
    {"settings": {"fleet": float("nan")}, "prediction": "a"},
    {"settings": {("a",): 1}, "prediction": "a"},
    {"settings": 3, "results": "x", "prediction": "a"},
    {"prediction": ["c"], "note": 3},
    {"prediction": "a", "predicted_at": float("nan")},
]


@pytest.mark.parametrize("record", BROKEN)
def test_what_no_report_can_hold_of_a_record_is_left_out_of_it(record):
    app = brought_back(ledger={"trap": record, "io": {"prediction": "b", "right": True}})
    found = report.read(report.to_json(app.session_state["report"]))
    assert found["lessons"]["io"]["prediction"] == "b"
    page = visit("report", {"ledger": {"trap": record, "io": {"prediction": "b"}}})
    assert not page.exception and load("io_bottleneck").title in all_text(page)


def test_start_over_is_there_even_when_the_report_cannot_be_drawn(monkeypatch):
    monkeypatch.setattr(report_page, "to_html", lambda _: 1 / 0)
    app = unlocked("utilization_trap", answer="b")
    app.switch_page("pages/report.py").run()
    assert app.exception
    for key in ("all_start_over", "all_start_over_yes"):  # the page still fails
        app.button(key=key).click().run()
    assert not app.session_state["predictions"]


def test_a_whole_course_fits_three_times_into_what_the_browser_hands_back():
    full = {f"a_long_quantity_{i}": "x" * 20 for i in range(20)}
    pins = [
        {"settings": full, "results": {f"A headline number {i}": [1.0, "y" * 30] for i in range(4)}}
    ] * 3
    record = RECORD | {"settings": full, "note": "x" * 2000, "pins": pins}
    found = report.read(written(lessons={lesson.id: record for lesson in COURSE}))
    fields = {part: plain.encoded(record[part]) for part in ("settings", "note", "pins")}
    assert (
        3 * sum(map(len, fields.values())) * len(found["lessons"]) < 370_000
    )  # MOST in local_storage.js
    script = Path(local_storage.__file__).parent / "local_storage.js"
    assert "const MOST = 370000 " in script.read_text(encoding="utf-8")


def test_start_over_asks_twice_and_then_forgets_everything():
    app = unlocked("utilization_trap", answer="b")
    for key in ("trap_start_over", "trap_start_over_no", "trap_start_over"):
        assert click(app, key).metric and app.session_state["predictions"] == {"trap": "b"}
    assert not click(app, "trap_start_over_yes").metric
    assert (
        "trap" not in app.session_state["predictions"] and "trap" not in app.session_state["ledger"]
    )


def test_the_ledger_of_the_drafts_has_their_keys_and_the_models_numbers():
    held = {
        "trap": {"prediction": "c"},
        "io": {"prediction": "b"},
        "storage": {"prediction": "b"},
        "drf": {},
    }
    found = design_ledger.drafted(report.blank() | {"lessons": held})
    chapters = {one["chapter"]: one["design"] for one in found["history"]}
    assert chapters["v2_08"] == {"act1_prediction": "c", "act1_correct": True}
    assert chapters["v2_04"] == {
        "context": "distributed_fs",
        "data_workers_per_gpu": 1,
        "io_throughput_gbs": pytest.approx(1.22, abs=0.01),  # 11.9% of 10.24 GB/s
        "act1_prediction": "B",
        "act1_correct": True,
        "storage_type": "individual_files",
        "gpu_count": 4096,
        "act2_result": pytest.approx(245.76),
        "act2_decision": "individual_files",
        "constraint_hit": True,
        "mds_saturated": True,
    }
    assert (
        found["current_chapter"] == "v2_08"
        and design_ledger.drafted(report.blank())["history"] == []
    )
    assert "report_ledger" not in keys(visit("report"))
    assert "report_ledger" in keys(visit("report", {"report_drafts": True}))


def test_settings_that_nobody_can_compute_leave_a_chapter_of_the_ledger_out():
    held = {"io": {"prediction": "b", "settings": {"workers": "many"}}}
    assert design_ledger.drafted(report.blank() | {"lessons": held})["history"] == []


@pytest.mark.slow
def test_the_draft_of_scheduling_kept_waits_and_a_policy_by_name():
    held = {
        "policy": {"prediction": "skipped", "settings": {"order": "priority", "backfill": "easy"}}
    }
    design = design_ledger.drafted(report.blank() | {"lessons": held})["history"][0]["design"]
    assert design["scheduling_policy"] == "backfill" and design["act2_decision"] == "not_set"
    wait = design["interactive_wait_min"]
    assert design["sla_met"] is (wait <= 5) and design["act2_result"] == wait
    assert (
        design["cluster_utilization"] == pytest.approx(77.9, abs=0.1)
        and 0 < design["training_starvation_pct"] < 20
    )


def test_a_record_whose_prediction_was_never_tested_has_no_results_to_differ_in():
    record = {"prediction": "a", "settings": {"added": 256}}
    assert report.recomputed(BY_ID["trap"], record) == []
    with pytest.raises((ValueError, ArithmeticError)):
        report.recomputed(BY_ID["trap"], {"settings": {"added": "x"}})
