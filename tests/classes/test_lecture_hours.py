"""Time, phones and the end of a class."""

import re
from dataclasses import replace

from driving import all_text, click, elements, keys, put
from voting import at, cast, csv_of, entered, hall, opened, plays, reveal

from lessons import LESSONS
from polls import stage, store
from polls.stage import Stage
from polls.store import Poll
from ui.base.words import load
from ui.classes import pace, playlist, results
from ui.classes.moves import Screens

TRAP = load("utilization_trap")
PLAN = playlist.read(playlist.shipped()["trap/30"].encode())


def screens(place: int, lasts: float | None, age: float = 0.0) -> Screens:
    """A class at a step of the trap in 30 minutes, so long after its first step was left [s]."""
    held = Stage(PLAN.write(), place, place, age=age, lasts=lasts)
    return Screens.of(Poll("ABCDEF", "trap", 1, store.OPEN), held, PLAN)


# Time


def test_a_lecture_is_late_by_what_it_took_beyond_its_playlist_from_the_first_step_on():
    planned = 60 * sum(step.minutes for step in PLAN.steps[1:5])
    assert pace.behind(screens(5, planned + 30, 30)) == 0
    assert pace.behind(screens(5, planned + 30 + 180, 30)) == 180
    # A step that takes longer than its minutes is late from then on.
    late = 60 * PLAN.steps[5].minutes + 90
    assert pace.behind(screens(5, planned + late, late)) == 90
    assert pace.behind(screens(0, None, 900)) is None


def test_who_is_late_is_told_what_to_leave_out_and_it_is_never_a_vote():
    planned = 60 * sum(step.minutes for step in PLAN.steps[1:5])
    assert pace.sentence(screens(5, planned + 50)) == ""
    text = pace.sentence(screens(5, planned + 180))
    assert text.startswith("3 minutes behind.")
    for late in range(60, 1800, 60):
        spare = pace.to_skip(screens(5, planned), late)
        assert all(PLAN.steps[place].do in playlist.SCENES for place in spare)
        minutes = sum(PLAN.steps[place].minutes for place in spare)
        scenes = [step.minutes for step in PLAN.steps[6:] if step.do in playlist.SCENES]
        assert 60 * minutes >= late or minutes == sum(scenes)
    place = pace.to_skip(screens(5, planned), 180)[0]
    assert f"skip step {place + 1} (" in text


def test_the_time_of_a_lecture_begins_when_its_first_step_is_left(database):
    poll, _ = store.open_class(at(database, 100.0), "trap")
    begun = Stage(PLAN.write())
    assert stage.write(at(database, 100.0), poll, Stage(), begun)
    assert stage.read(at(database, 400.0), poll.code).lasts is None
    assert stage.write(at(database, 500.0), poll, begun, replace(begun, place=1, far=1))
    here = replace(begun, place=1, far=1)
    assert stage.write(at(database, 560.0), poll, here, replace(here, place=2, far=2))
    assert stage.read(at(database, 620.0), poll.code).lasts == 120.0
    again = replace(here, place=2, far=2)
    assert stage.write(at(database, 700.0), poll, again, Stage("title = 'x'"))
    assert stage.read(at(database, 710.0), poll.code).lasts is None


def test_a_playlist_that_begins_once_more_is_not_late_by_its_first_run(database):
    poll, _ = store.open_class(at(database, 100.0), "trap")
    begun = Stage(PLAN.write())
    away = replace(begun, place=1, far=1)
    back = replace(begun, far=1)
    for time, before, after in (
        (100.0, Stage(), begun),
        (200.0, begun, away),
        (300.0, away, back),
        (400.0, back, away),
    ):
        assert stage.write(at(database, time), poll, before, after)
    assert stage.read(at(database, 500.0), poll.code).lasts == 300.0
    assert stage.write(at(database, 1000.0), poll, away, begun)
    assert stage.read(at(database, 1100.0), poll.code).lasts is None
    assert stage.write(at(database, 1200.0), poll, begun, away)
    assert stage.read(at(database, 1230.0), poll.code).lasts == 30.0


def test_without_a_playlist_nothing_is_late():
    stage_of_question = Stage("", 3, 3, age=900.0, lasts=1000.0)
    question = playlist.Playlist.of("trap")
    seen = Screens.of(Poll("ABCDEF", "trap", 2, store.REVEALED), stage_of_question, question)
    assert pace.behind(seen) is None and pace.sentence(seen) == ""
    assert pace.behind(replace(seen, stage=replace(stage_of_question, plan=PLAN.write())))


def test_a_vote_whose_earlier_votes_are_deleted_has_its_whole_time(database):
    poll, _ = store.open_class(at(database, 100.0), "trap")
    held = Stage('title = "x"\n[[steps]]\ndo = "vote"\nask = "trap"\nminutes = 2.0\n')
    assert stage.write(at(database, 100.0), poll, Stage(), held, poll)
    for time, drop, age in ((1000.0, False, 910.0), (1020.0, True, 10.0)):
        assert stage.write(at(database, time), poll, held, held, poll, drop)
        assert stage.read(at(database, time + 10), poll.code).age == age


def test_a_vote_is_counted_down_while_it_is_open(presenter, code, database):
    plays(
        presenter, 'lesson = "trap"\n[[steps]]\ndo = "vote"\nminutes = 2\n[[steps]]\ndo = "reveal"'
    )
    assert 'left": null' not in timer(presenter)
    click(presenter, "class_close")
    assert 'left": null' in timer(presenter)


def timer(app) -> str:
    """What the timer on a page was sent."""
    sent = [str(one.proto) for one in app.get("bidi_component")]
    return next(text for text in sent if "clock" in text).replace("\\", "")


# Phones


def test_after_the_answer_a_phone_shows_it_with_the_bars_and_one_sentence_why(
    come, presenter, code
):
    phone, *_ = hall(come, code, "cccab")
    reveal(presenter)
    assert not phone.run().get("vega_lite_chart") and "Right:" not in all_text(phone)
    click(presenter, "class_right", "class_confirm_yes")
    text = all_text(phone.run())
    assert f"Right: **{TRAP.prediction.letter('c')}**" in text
    assert "is right" in phone.get("vega_lite_chart")[0].proto.alt
    why = re.split(r"[{]", TRAP.prediction.option("c").feedback)[0]
    assert why in text and len(why) > 20


def test_join_is_the_blue_button_of_the_class_page(come):
    look = {button.key: button.proto.type for button in come().button}
    assert look["class_join"] == "primary" and look["class_open"] != "primary"


def test_who_has_just_opened_a_class_is_offered_the_projector_window_before_the_pin(presenter):
    kinds = [one.type for one in elements(presenter)]
    assert kinds.index("link_button") < kinds.index("info")
    assert presenter.get("popover")


# The end


def test_ending_says_what_stays_and_for_how_long_and_keeps_it_until_it_is_deleted(
    come, presenter, code, database, pin
):
    phone, *_ = hall(come, code, "cccab")
    click(presenter, "class_end")
    said = " ".join(warning.value for warning in presenter.warning)
    assert "votes, results, and own questions stay until 24 hours after" in said
    click(presenter, "class_end_yes")
    assert "The class is over" in all_text(presenter)
    text = all_text(phone.run())
    assert "The class is over" in text and "Your answers are in your report." in text
    assert "The class is over" in all_text(come(class_=code, present="screen"))
    assert "class_vote" not in keys(phone)
    poll = store.find(database, code)
    kept = results.outcomes(*store.results(database, poll), {})
    assert csv_of(kept)[0]["votes"] == "5"
    assert not store.vote(database, code, "trap", 1, "f" * 32, "a")
    # Later, from another browser.
    assert "class_results" in keys(entered(come, code, pin))
    click(presenter, "class_resume")
    assert store.find(database, code).phase == store.CLOSED
    click(presenter, "class_end", "class_end_yes", "class_delete")
    assert store.find(database, code) is not None
    click(presenter, "class_delete_yes")
    assert store.find(database, code) is None


def test_a_presenter_who_shows_a_lesson_live_finds_the_way_back(come):
    app, code, _ = opened(come, travels=True)
    app.switch_page(f"pages/{LESSONS[0].page}.py").run()
    links = [one.proto for one in app.get("page_link")]
    back = next(one for one in links if one.label == "Back to your class")
    assert code in back.query_string
    visitor = come(travels=True)
    visitor.switch_page(f"pages/{LESSONS[0].page}.py").run()
    assert "Back to your class" not in [one.proto.label for one in visitor.get("page_link")]


def test_the_remote_leads_to_the_lesson_live(come, code, pin):
    remote = click(put(come(class_=code, remote="1"), "class_pin", pin), "class_enter")
    assert "Show the lesson live: Utilization trap" in all_text(remote)


def test_the_votes_of_a_class_that_is_over_lock_in(come, presenter, code):
    phone = cast(come(travels=True, class_=code), "b")
    click(presenter, "class_end", "class_end_yes")
    assert phone.run().session_state["predictions"] == {"trap": "b"}
