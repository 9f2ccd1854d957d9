"""Every playlist, walked to its end: no device shows an answer before its press.

The remote is for the lecturer's eyes; projector, mirrored laptop and phone are read whole.
"""

import re

import pytest
from driving import all_text, click
from voting import ballots, opened, plays

from polls import stage, store
from ui.base.device import render_text
from ui.base.lesson.curtain import ASKED
from ui.charts.look import Look
from ui.classes import playlist, scenes
from ui.classes.moves import NUMBERS, PRESSES, SENTENCE, Screens
from ui.classes.results import ADVICE

SHIPPED = playlist.shipped()
#: What says or narrows down the right answer of any question.
SIGNS = (
    "% right in the",
    ": what are the reasons for each?",
    "✓",
    "Right: **",
    "is right.",
    *ADVICE.values(),
)


def seen_by(app) -> str:
    """Everything that a device shows, its charts' words, too."""
    drawn = [f"{one.proto.alt} {one.proto.spec}" for one in app.get("vega_lite_chart")]
    return "\n".join([all_text(app), *drawn])


def screens_of(database, code: str) -> Screens:
    """What the class's screens show."""
    poll = store.find(database, code)
    held = stage.read(database, code)
    return Screens.of(poll, held, playlist.plan(held.plan, poll.lesson))


def answers(question) -> list[str]:
    """What is said of a question's answers once they are told: beginnings that hold no number."""
    lesson = question.lesson
    options = lesson.reflection.options
    if question.locks:
        options = lesson.prediction.options
    beginnings = (re.split(r"[{*`]", option.feedback)[0][:60] for option in options)
    return [text for text in beginnings if len(text) > 20]


def sentences(screens: Screens) -> tuple[list, list[str]]:
    """The headline numbers and the last sentences of the picture in sight."""
    number = screens.press // PRESSES
    lesson, view, settings = screens.step.scene(number)
    metrics = lesson.speaker(view, "metrics")(settings)
    if screens.step.do == "tour":
        text = render_text(screens.step.tour[number].text, lesson.values(settings))
        return metrics, [text]
    return metrics, [render_text(lesson.speaker(view, "verdict")(settings).text)]


def walk(come, database, name: str) -> None:
    laptop, code, _ = opened(come, present="1")
    plays(laptop, SHIPPED[name])
    if "class_confirm_yes" in {button.key for button in laptop.button}:
        click(laptop, "class_confirm_yes")
    projector = come(class_=code, present="screen")
    phone = come(class_=code)
    for _ in range(200):
        screens = screens_of(database, code)
        if screens.poll.phase == store.OPEN:
            ballots(database, code, "abcabc", screens.poll.round)
        devices = {"laptop": laptop, "projector": projector.run(), "phone": phone.run()}
        for device, app in devices.items():
            text = seen_by(app)
            assert not app.exception
            assert (
                device == "phone"
                or screens.step.do not in ("vote", "question")
                or (screens.question.plain[:40] in text or screens.question.text[:40] in text)
            )
            if not screens.shows_answer:
                shown = [one for one in (*SIGNS, *answers(screens.question)) if one in text]
                assert not shown, (device, screens.step, shown)
            if screens.step.do in playlist.PICTURES:
                metrics, last = sentences(screens)
                press = screens.press % PRESSES
                if press < SENTENCE:
                    assert not [one for one in last if one in text], (device, screens.step)
                elif device != "phone":
                    assert [one for one in last if one in text], (device, screens.step)
                if device == "projector" and press < NUMBERS:
                    assert {one.value for one in app.metric} <= {ASKED}
                elif device == "projector":
                    assert [one.value for one in app.metric] == [one.value for one in metrics]
        if screens.is_over:
            return
        click(laptop, "class_next")
    raise AssertionError("the lecture has no end")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHIPPED if name.endswith("/10")])
def test_no_device_shows_an_answer_before_its_press(come, database, name):
    walk(come, database, name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in SHIPPED if not name.endswith("/10")])
def test_in_no_playlist_a_device_shows_an_answer_before_its_press(come, database, name):
    walk(come, database, name)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_a_picture_opens_with_a_question_and_without_a_number_but_on_its_axes(name):
    for step in playlist.read(SHIPPED[name].encode()).steps:
        if step.do not in playlist.PICTURES:
            continue
        stops = len(step.tour) if step.do == "tour" else 1
        assert step.asks or all(stop.ask.endswith("?") for stop in step.tour)
        for number in range(stops):
            _, view, settings = step.scene(number)
            for figure in view.figures(settings, Look(present=True)):
                hidden = scenes.without_numbers(view, figure)
                assert not [label for label in hidden.labels if re.search(r"\d", label)]
                assert hidden.alt == scenes.HIDDEN


def test_every_lecture_of_thirty_minutes_takes_the_tour_and_the_trap_shows_the_purchase():
    for name, text in SHIPPED.items():
        steps = playlist.read(text.encode()).steps
        assert name.endswith("/10") or "tour" in [step.do for step in steps]
    trap = playlist.read(SHIPPED["trap/10"].encode()).steps
    assert "purchase" in [step.preset for step in trap]
