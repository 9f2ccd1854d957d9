"""The words of every lesson load, and a mistake in a file is one sentence with file, table and
key.
"""

import re
from html import unescape
from pathlib import Path

import pytest
from driving import BROWSER, ROOT, each_lesson, lock, put, texts, unlocked, visit

from lessons import LESSONS
from ui.base.words import FOLDER, LessonError, fill, read
from ui.knobs import declared as knobs
from ui.page import script

#: Those that a speaker has a script for: all, but one that an author has just begun.
SCRIPTED = [pytest.param(one, id=one.page) for one in LESSONS if one.script]


@each_lesson("slow")
def test_a_lesson_has_words_a_page_and_a_number_for_every_placeholder(lesson):
    assert (ROOT / lesson.path).exists()
    values = lesson.values(lesson.settings())
    assert lesson.placeholders() <= set(values)
    assert all(isinstance(value, str) and value for value in values.values())


@each_lesson()
def test_every_declared_knob_is_on_the_page_with_words_and_default_and_results_follow_from_them(
    lesson,
):
    app = unlocked(lesson)
    record = app.session_state["ledger"][lesson.id]
    settings, missing = knobs.read(lesson.settings, record["settings"])
    assert (
        record["results"] == {one.label: one.text for one in lesson.results(settings)} != {}
        and not missing
    )
    every = knobs.knobs_of(lesson.settings)
    for name, held in record["settings"].items():
        # A widget in other units than SI may round the last digit.
        if every[name].kind != "text":
            default = knobs.default_of(lesson.settings, name)
        else:
            default = held
        assert held == (pytest.approx(default, rel=1e-9) if isinstance(default, float) else default)
    for view in lesson.pictures:
        put(app, f"{lesson.id}_view", view.id)
        drawn = {
            widget.key.removeprefix(f"{lesson.id}_"): widget
            for widget in widgets(app)
            if widget.key
        }
        shown = {name for name, knob in every.items() if knob.kind != "text" and name in view.knobs}
        assert drawn.keys() & every.keys() == shown and (shown or view.knobs == ())
        assert all(drawn[name].label == every[name].label for name in shown)
        assert all(drawn[name].proto.help == every[name].help for name in shown)


def widgets(part) -> list:
    """The knobs that a part of a page shows."""
    kinds = ("slider", "select_slider", "number_input", "selectbox", "toggle", "button_group")
    return [widget for kind in kinds for widget in part.get(kind)]


@each_lesson()
def test_staff_find_a_plan_for_every_lesson_and_what_it_quotes_is_on_the_page(lesson):
    before = texts(visit(lesson))
    seen = {*before, *texts(unlocked(lesson))} | {*lesson.views.values()}
    staff = lesson.staff
    assert staff is not None and len(staff.heard) >= 3
    quoted = re.findall("“(.+?)”", f"{staff.ten} {staff.thirty}")
    assert quoted and set(quoted) <= seen
    # What a speaker presses is there, too, and nothing of the script is on a student's page.
    told = lesson.script
    if told:
        beats = told.steps
    else:
        beats = ()
    assert {name for beat in beats for name in re.findall("“(.+?)”", beat.press)} <= seen
    assert not any(
        text[:40] in sight for beat in beats for text in (beat.ask, beat.say) for sight in seen
    )


@pytest.mark.parametrize("lesson", SCRIPTED)
def test_a_lessons_script_holds_its_message_answers_and_numbers(lesson):
    values = lesson.values(lesson.settings())
    assert {*lesson.script.tempts} == {*lesson.prediction.ids} - {lesson.prediction.right}
    written = unescape(script.to_html(lesson).decode())
    for text in (
        lesson.prediction.text,
        lesson.reflection.text,
        *(one.text for one in lesson.prediction.options),
    ):
        assert text in written
    for text in (
        *lesson.script.tempts.values(),
        *(beat.say for beat in lesson.script.steps),
        *lesson.takeaways,
    ):
        assert fill(text, values).replace("\\", "") in written
    assert written.count("✓ right") == 1 and not re.search(r"\{[a-z]", written.split("</style>")[1])


def test_every_room_with_words_is_on_the_menu_and_has_an_id_of_its_own():
    assert {path.parent.name for path in FOLDER.glob("*/words.toml")} == {
        lesson.page for lesson in LESSONS
    }
    assert len({lesson.id for lesson in LESSONS}) == len(LESSONS)


GOOD = (FOLDER / "utilization_trap" / "words.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("find", "put", "says"),
    [
        (r'title = "Utilization trap"', "", "broken.toml: key title: is missing"),
        (
            r"minutes = \d+",
            'minutes = "ten"',
            "broken.toml: key minutes: must be a whole number, found 'ten'",
        ),
        (
            r"right = true",
            "",
            "table [prediction], key options: exactly one option must have right = true, found 0",
        ),
        (
            r'id = "d"',
            'id = "e"',
            "table [prediction], key options: ids must be a, b, c, d, each once, found a, b, c, e",
        ),
        (
            r"What do I answer\?",
            "It is {wait}.",
            "{wait} appears in a text that is shown before the lock",
        ),
        (r'\[message\]\nsender = "[^"]*"', "[message]", "table [message], key sender: is missing"),
        (
            r'd = "Everybody',
            'e = "Everybody',
            "table [script.tempts], key e: is not an option of the prediction",
        ),
    ],
)
def test_a_mistake_in_a_lesson_is_one_sentence(tmp_path: Path, find, put, says):
    text, changed = re.subn(find, lambda _: put, GOOD, count=1)
    assert changed
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as refusal:
        read(path)
    sentence = str(refusal.value)
    assert says in sentence and sentence.startswith("broken.toml") and "\n" not in sentence


def test_a_file_that_is_not_there_and_a_number_that_no_page_computes_are_refused(tmp_path: Path):
    with pytest.raises(LessonError, match=r"gone.toml: there is no such file"):
        read(tmp_path / "gone.toml")
    with pytest.raises(LessonError, match=r"no value for \{wait\}"):
        fill("The wait is {wait}.", {})


@each_lesson("slow")
def test_on_a_phone_the_knobs_of_the_picture_stand_under_it(lesson):
    app = unlocked(lesson, {"_agent": "Mozilla/5.0 (Phone) Mobile"})
    assert not app.exception

    def drawn(part):
        found = {widget.key for widget in widgets(part)}
        return {name for name in knobs.knobs_of(lesson.settings) if f"{lesson.id}_{name}" in found}

    assert drawn(app.main) == {*lesson.pictures[0].knobs} and not drawn(app.sidebar)


def places(node: object, at: tuple[int, ...] = ()) -> dict[str, tuple[int, ...]]:
    """Where each keyed widget of a part of the page stands."""
    if getattr(node, "key", None):
        found = {node.key: at}
    else:
        found = {}
    for index, child in getattr(node, "children", {}).items():
        found |= places(child, (*at, index))
    return found


@each_lesson("slow")
def test_the_lock_turns_every_knob_on_and_leaves_it_in_its_place_so_that_none_leaves_the_address(
    lesson,
):
    app = visit(lesson, BROWSER)
    before = places(app.sidebar)
    assert all(widget.proto.disabled for widget in widgets(app.sidebar))
    after = places(lock(app, lesson).sidebar)
    assert not any(widget.proto.disabled for widget in widgets(app.sidebar))
    declared = {f"{lesson.id}_{name}" for name in knobs.knobs_of(lesson.settings)} & after.keys()
    assert declared and {key: after[key] for key in declared} == {
        key: before.get(key) for key in declared
    }


def test_a_browser_that_keeps_nothing_is_told_so_without_moving_the_main_knob_of_a_phone():
    app = unlocked("utilization_trap", {"_agent": "Mozilla/5.0 (Phone) Mobile"})
    before = places(app.main)["trap_utilization"]
    app.session_state["_storable"] = False
    app.run()
    assert any("does not save what you do" in text for text in texts(app))
    assert places(app.main)["trap_utilization"] == before
