"""What is handed in: every answer, the challenge, what is missing, and settings in the page's own
labels and units.
"""

import json
import re
from html import unescape

from driving import all_text, brought_back, click, each_lesson, put, unlocked, visit
from grade_reports import TRAP, written
from streamlit.testing.v1 import AppTest

from lessons import LESSONS as COURSE
from polls import store
from ui.base.words import fill
from ui.knobs.declared import default_of, knobs_of, quantities
from ui.knobs.declared import read as read_settings
from ui.record import local_storage, report, report_page

TOKEN = "0123456789abcdef" * 2
AT = "2026-03-01T10:00:00+00:00"


def page(records: dict, **top: object) -> str:
    """Write records as the HTML page, as words."""
    found = report.read(written(lessons=records, **top))
    return unescape(report_page.to_html(report.blank() | found).decode())


def document(**state: object) -> dict:
    """What the report's page would offer as JSON."""
    return brought_back(**state).session_state["report"]


def turned(lesson) -> dict:
    """Settings with every knob off its default, as far as the others allow."""
    found: dict[str, object] = {}
    for name, knob in knobs_of(lesson.settings).items():
        default = default_of(lesson.settings, name)
        if knob.kind == "number":  # a list of all that can be typed takes gigabytes
            found[name] = knob.nearest(sum(knob.bounds(found)) / 2, found) * knob.unit
            continue
        others = [value for value in knob.values(found) if value != default]
        if others:
            found[name] = others[len(others) // 2]
        else:
            found[name] = quantities(lesson.settings())[name]
    return quantities(read_settings(lesson.settings, found)[0])


@each_lesson()
def test_settings_are_worded_with_the_labels_and_units_of_the_page(lesson):
    settings = turned(lesson)
    words = page({lesson.id: {"prediction": "a", "settings": settings}})
    section = re.sub("<[^>]*>", "", words.split("<section>")[1])
    knobs = knobs_of(lesson.settings)
    named = [name for name in settings if settings[name] != quantities(lesson.settings())[name]]
    assert len(named) > len(knobs) / 2
    assert not [knobs[name].label for name in named if f"{knobs[name].label}: " not in section]
    assert not re.findall(r"\d[eE][+-]?\d", section)
    assert not [name for name in settings if "_" in name and name in section]


def test_what_stands_at_its_default_is_not_listed():
    settings = quantities(TRAP.settings())
    assert report.worded(TRAP, settings) == {}
    assert report.worded(TRAP, settings | {"added": 256}) == {"GPUs bought": "256 GPUs"}
    assert "Every setting: at its default" in re.sub(
        "<[^>]*>", "", page({"trap": {"settings": settings}})
    )


def test_every_answer_is_in_the_report_the_second_vote_too():
    record = {"prediction": "a", "second": "b", "second_at": AT, "reflection": "c"}
    words = page({TRAP.id: record})
    for one, answer in zip(
        (TRAP.prediction, TRAP.prediction, TRAP.reflection), ("a", "b", "c"), strict=True
    ):
        assert one.option(answer).text in words
    answers = report.answers(TRAP, record)
    assert [kind for kind, *_ in answers] == ["Prediction", "Second vote in class", "Reflection"]
    assert [right for *_, right, _ in answers] == [False, False, True]


def test_what_is_missing_is_listed():
    whole = {"prediction": "a", "reflection": "a", "won": {"fleet": 1024}, "note": "Mine."}
    assert report.missing({"lessons": {"trap": {}}})[1] == (
        f"Missing: {TRAP.title} (prediction, reflection, challenge)."
    )
    words = page({"trap": {"prediction": "a"}})
    assert (
        f"Missing: {TRAP.title} (reflection, challenge)." in words
        and f"Not started: {COURSE[1].title}" in words
    )
    assert report.missing({"lessons": {lesson.id: whole for lesson in COURSE}}) == []


def test_a_report_has_the_question_the_answer_the_models_number_the_takeaway_and_ones_own_words():
    record = {"prediction": "a", "reflection": "c", "note": "The free share counts."}
    record |= {"predicted_at": "2026-03-01T10:00:00+00:00", "won": {"gpus_per_job": 64}}
    words = re.sub("<[^>]*>", "", page({"trap": record}))
    order = [
        TRAP.prediction.text,
        TRAP.prediction.option("a").text,
        "The model: " + fill(TRAP.prediction.option("a").test.found, TRAP.values(TRAP.settings())),
        TRAP.reflection.text,
        "Takeaway: ",
        "The free share counts.",
        "Challenge won with. GPUs per job: 64",
        report_page.TEACHERS,
        "Prediction: incorrect, 2026-03-01, 10:00",
    ]
    places = [words.index(text) for text in order]
    assert places == sorted(places)
    before = words[: words.index(report_page.TEACHERS)]
    assert "incorrect" not in before and "10:00" not in before


def test_an_import_says_what_it_has_done_where_it_was_pressed():
    app = visit("report", {"predictions": {"trap": "c"}})
    data = written(lessons={"trap": {"prediction": "a"}, "io": {"prediction": "b"}})
    app.file_uploader(key="report_import").upload("r.json", data, "application/json")
    click(app.run(), "report_take")
    said = [one.value for one in app.success]
    assert (
        f"Imported: {TRAP.title}, {COURSE[2].title}. What you had locked in stays in {TRAP.title}."
        in said
    )
    assert "report_take" not in {button.key for button in app.button}


def test_each_pin_is_listed_with_its_results():
    pins = [
        {"settings": {}, "results": {"Mean wait": [float(value), f"{value} min"]}}
        for value in (24, 12)
    ]
    words = re.sub("<[^>]*>", "", page({"trap": {"prediction": "a", "pins": pins}}))
    assert "Pinned 1. Mean wait: 24 min." in words and "Pinned 2. Mean wait: 12 min." in words


def test_what_a_student_writes_of_the_whole_is_in_the_report_and_escaped():
    texts = {
        "login": "s1@example.org",
        "rejected": "More GPUs:\nqueueing <b>",
        "doubts": "The arrivals are not Poisson.",
    }
    found = document(**{f"_me_{part}": text for part, text in texts.items()})
    assert {part: found[part] for part in texts} == texts
    words = report_page.to_html(found).decode()
    assert (
        "queueing &lt;b&gt;" in words
        and "What I rejected and why" in words
        and "s1@example.org" in words
    )


def test_a_report_of_before_is_still_read():
    assert "incorrect" in page({"trap": {"prediction": "a", "right": False}}, name="A student")


def test_a_report_has_a_token_of_its_own_and_keeps_those_of_reports_taken_over():
    begun = {"ledger": {"trap": {"prediction": "a"}}}
    assert document()["tokens"] == []
    assert re.fullmatch("[0-9a-f]{32}", document(**begun)["tokens"][0])
    assert document(**begun, _me_report=TOKEN, _me_voter="f" * 32)["tokens"] == [TOKEN]
    app = visit("report", {"_me_report": "a" * 32})
    data = written(lessons={"trap": {"prediction": "a"}}, tokens=[TOKEN], login="s1")
    app.file_uploader(key="report_import").upload("r.json", data, "application/json")
    click(app.run(), "report_take")
    assert (
        app.session_state["_me_taken"] == TOKEN and app.text_input(key="report_login").value == "s1"
    )
    assert document(**begun, _me_report="a" * 32, _me_taken=TOKEN)["tokens"] == ["a" * 32, TOKEN]


def test_what_is_new_is_kept_in_the_browser_and_forgotten_with_the_rest():
    fields = {
        "trap/won": {"fleet": 1024, "utilization": 0.9},
        "trap/second": {"answer": "b", "at": AT},
        "me/login": "s1@example.org",
        "me/rejected": "More GPUs:\nqueueing",
        "me/report": TOKEN,
        "me/taken": "f" * 32,
    }
    # A token of one's own was made before the browser answered.
    app = brought_back(
        {name: json.dumps(value) for name, value in fields.items()}, _me_report="a" * 32
    )
    kept = {name: json.loads(text) for name, text in app.session_state["kept"].items()}
    assert {name: kept[name] for name in fields} == fields
    elsewhere = app.session_state["kept_in_a_lesson"]
    assert "me/rejected" not in elsewhere and "me/login" in elsewhere
    click(app, "all_start_over", "all_start_over_yes")
    assert not fields.keys() & app.session_state["kept"].keys()


def test_settings_that_win_the_challenge_are_noted_once_and_stay_when_the_knobs_move_on():
    assert "won" not in unlocked("utilization_trap").session_state["ledger"]["trap"]
    app = unlocked("utilization_trap", trap_gpus_per_job="64", trap_utilization="90.5")
    assert "won" not in unlocked("utilization_trap").session_state["ledger"]["trap"]
    won = app.session_state["ledger"]["trap"]["won"]
    assert TRAP.challenge.judge(read_settings(TRAP.settings, won)[0]).good
    put(app, "trap_gpus_per_job", 256)
    assert app.session_state["ledger"]["trap"]["won"] == won
    app.switch_page("pages/report.py").run()
    assert "Challenge won with" in all_text(app) and "| won |" in all_text(app)


def test_a_second_vote_in_class_goes_into_the_report_once_its_round_is_over(tmp_path, monkeypatch):
    from ui.record import polls

    monkeypatch.setattr(
        polls, "secret_of_host", lambda: {"url": f"sqlite:///{tmp_path / 'polls.sqlite'}"}
    )

    def settled(phase: str, answer: str | None = "b") -> AppTest:
        monkeypatch.setattr(store, "my_vote", lambda *_: answer)
        app = AppTest.from_function(settling)
        app.session_state["_me_voter"], app.session_state["phase"] = TOKEN, phase
        assert not app.run().exception
        return app

    assert settled(store.CLOSED).session_state["ledger"]["trap"]["second"] == "b"
    assert "ledger" not in settled(store.OPEN).session_state
    assert "ledger" not in settled(store.CLOSED, None).session_state


def settling() -> None:
    """Settle a class in its second round."""
    import streamlit as st

    import lessons  # noqa: F401 -- enrolls them
    from polls.store import Poll
    from ui.record import polls

    polls.lock_votes(
        Poll("ABCDEF", "trap", 2, st.session_state["phase"]),
        "ABCDEF",
    )


def test_the_longest_texts_fit_into_what_a_browser_keeps():
    assert max(local_storage.LONGEST.values()) * 6 < local_storage.MOST_FIELD
