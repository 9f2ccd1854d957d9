"""A lecture on two screens: the projector shows, the remote steps; both share one playlist in the
database.
"""

import re
from dataclasses import replace

import pytest
import voting
from driving import ROOT, all_text, click, keys, put
from voting import at, cast, hall, opened, plays

from lessons import LESSONS as COURSE
from polls import stage, store
from polls.stage import Stage
from ui.base.words import load
from ui.charts.look import Look
from ui.classes import playlist

TRAP = load("utilization_trap")
SHIPPED = playlist.shipped()


def listed(*steps: str, top: str = 'lesson = "trap"') -> bytes:
    return "\n".join([top, *(f"[[steps]]\n{one}" for one in steps)]).encode()


@pytest.fixture
def two(come):
    """A remote that has begun the 10 minutes of the trap, and the projector of the same class."""
    _, code, pin = opened(come)
    remote = come(class_=code, remote="1")
    assert "class_next" not in keys(remote)
    click(put(remote, "class_pin", pin), "class_enter", "class_plan_begin")
    return remote, come(class_=code, present="screen"), code


@pytest.mark.slow
def test_shipped_playlists_of_the_core_course_fill_their_minutes_and_each_scene_can_be_drawn():
    core = [lesson.id for lesson in COURSE if not lesson.theme]
    assert list(SHIPPED) == [f"{name}/{minutes}" for name in core for minutes in playlist.SHIPPED]
    for name, written in SHIPPED.items():
        found = playlist.read(written.encode(), {})
        assert (
            found.minutes == float(name.partition("/")[2])
            and playlist.read(found.write().encode(), {}) == found
        )
        for step in found.steps:
            if step.do in ("animation", "picture"):
                lesson, view, settings = step.scene()
                assert lesson.id == name.partition("/")[0] and not view.after
                assert step.do == "animation" or view.figures(settings, Look(present=True))


def test_the_documents_example_is_a_playlist():
    blocks = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8"), re.S
    )
    found = [playlist.read(one.encode(), {}) for one in blocks if "[[steps]]" in one]
    assert [[step.do for step in one.steps] for one in found] == [["vote", "reveal", "picture"]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", "The playlist is not valid TOML"),
        (b'theme = "x"', "may have title, lesson, steps, got the key 'theme'"),
        (b'lesson = "trap"', "needs 1 to 60 steps"),
        (listed('do = "vote"', top='lesson = "trip"'), "lesson must be one of trap, .* got 'trip'"),
        (
            listed('do = "sing"'),
            "Step 1 of the playlist: do must be one of question, .* got 'sing'",
        ),
        (listed('do = "vote"\nloud = 1'), "Step 1 .*the key 'loud'"),
        (listed('do = "vote"\nminutes = -1'), "minutes must be a number from 0 to 90, got '-1'"),
        (listed('do = "vote"', 'do = "vote"\nnotes = 3'), "Step 2 .*notes must be a text"),
        (listed('do = "discussion"'), "before a discussion the class must vote"),
        (
            listed('do = "vote"', 'do = "second vote"', 'do = "second vote"'),
            "Step 3 .*two votes at most",
        ),
        (
            listed('do = "vote"', 'do = "reveal"\nask = "io"'),
            "before a reveal the class must vote on the question",
        ),
        (listed('do = "vote"\nask = "own/1"'), "there is no question 'own/1'"),
        (listed('do = "vote"', top=""), "it must say which lesson is meant"),
        (listed('do = "picture"\npreset = "moon"'), "trap has no preset 'moon'; it has director"),
        (listed('do = "picture"\nview = "film"'), "trap has no picture 'film'; it has wait"),
        (listed('do = "animation"\nlesson = "fair"'), "fair has no animation"),
        (listed('do = "vote"\nview = "wait"'), "only an animation or a picture has a view"),
    ],
)
def test_a_fault_of_a_playlist_is_one_sentence_that_names_the_step(data, said):
    with pytest.raises(ValueError, match=said) as refusal:
        playlist.read(data, {})
    assert "\n" not in str(refusal.value) and str(refusal.value).endswith(".")


def test_a_pasted_playlist_begins_and_a_bad_one_is_refused_in_a_sentence(two):
    remote, projector, _ = two
    plays(remote, 'lesson = "io"\n[[steps]]\ndo = "dance"')
    assert "Step 1 of the playlist: do must be one of" in remote.warning[0].value
    assert "1 of 7: The question" in all_text(remote)
    plays(remote, 'lesson = "io"\n[[steps]]\ndo = "vote"\nnotes = "*Wait*"')
    assert "1 of 1: Vote" in all_text(remote) and r"\*Wait\*" in all_text(remote)
    assert load("io_bottleneck").prediction.text in all_text(projector.run())


@pytest.mark.slow
def test_the_remote_walks_to_the_end_and_the_hall_sees_no_bars_before_the_second_vote_is_over(
    come, two
):
    remote, projector, code = two
    assert "Our 1,024 GPUs" in all_text(projector) and TRAP.prediction.option(
        "a"
    ).text not in all_text(projector)
    students = [come(class_=code) for _ in range(6)]
    for number, answers in ((1, "accbbd"), (2, "cccccb")):
        click(remote, "class_next")
        for student, answer in zip(students, answers, strict=True):
            cast(student.run(), answer)
        remote.run()
        assert re.search(r"\d+% right in the", all_text(remote)) and remote.get("vega_lite_chart")
        projector.run()
        assert f"{('first', 'second')[number - 1]} vote: **6**" in all_text(projector)
        assert "% right" not in all_text(projector) and not projector.get("vega_lite_chart")
        click(remote, "class_next")
        if number == 1:
            assert "Compare B with C: what are the reasons for each?" not in all_text(
                remote
            )  # below 35%: explain
            projector.run()
            assert "Discuss it with your neighbors" in all_text(projector)
            assert (
                not projector.get("vega_lite_chart")
                and students[0].run().radio(key="class_answer").proto.disabled
            )
    chart = projector.run().get("vega_lite_chart")[0].proto
    assert "is right" not in chart.alt and "% right" not in all_text(projector)
    click(remote, "class_next")
    chart = projector.run().get("vega_lite_chart")[0].proto
    assert (
        "first vote of 6" in chart.alt
        and "second vote of 6" in chart.alt
        and "is right" in chart.alt
    )
    assert "33% right in the first vote, 83% in the second." in all_text(projector)
    assert "go on" not in all_text(projector)
    click(remote, "class_next")
    assert "Utilization trap" in all_text(projector.run()) and not projector.get("vega_lite_chart")
    assert "class_play" in keys(remote)
    # All the way back, and to the bars again: no vote is lost.
    click(remote, *["class_play"] * 2, *["class_back"] * 5, *["class_next"] * 5)
    assert projector.run().get("vega_lite_chart")[0].proto.alt == chart.alt


def test_on_one_screen_a_playlist_shows_its_step_and_its_last_step_leads_to_the_results(presenter):
    assert "class_next" not in keys(presenter)
    plays(presenter, listed('do = "vote"', 'do = "reveal"').decode())
    assert "1 of 2: Vote" in all_text(presenter)
    click(presenter, "class_next", "class_next")
    assert "2 of 2: Reveal" in all_text(presenter) and "This is the last step." in all_text(
        presenter
    )
    assert {"class_results", "class_page", "class_back"} <= keys(presenter)


def test_the_projector_of_two_has_nothing_that_can_be_pressed_nor_the_pin(come, two):
    remote, projector, _ = two
    for _ in range(5):
        click(remote, "class_next")
        projector.run()
        assert not (
            projector.button or projector.expander or projector.radio or projector.text_input
        )
        assert not projector.title and not projector.sidebar.children


def test_a_visitor_of_the_remote_without_a_pin_gets_no_controls_and_no_question(come, two):
    stranger = come(class_=two[2], remote="1")
    assert "class_next" not in keys(stranger) and "class_vote" not in keys(stranger)


def test_the_remote_names_two_rivals_to_discuss_and_a_mirrored_laptop_does_not(
    come, presenter, code, pin
):
    hall(come, code, "cccbba")
    click(presenter, "class_close")
    letters = sorted(TRAP.prediction.letter(one) for one in "bc")
    rivals = f"Compare {letters[0]} with {letters[1]}: what are the reasons for each?"
    assert "Compare" not in all_text(presenter) and "% right" not in all_text(presenter)
    assert not presenter.get("vega_lite_chart")
    remote = click(put(come(class_=code, remote="1"), "class_pin", pin), "class_enter")
    assert rivals in all_text(remote)


def test_back_and_forth_keeps_all_votes_and_a_question_that_is_new_begins_without(
    database, presenter, code
):
    asked = ("trap/reflection", 1, "0" * 32)
    voting.ask(database, code, asked[0])
    assert store.vote(database, code, *asked, "a")
    plays(presenter.run(), listed('do = "vote"', 'do = "reflection"').decode())
    assert "Those votes would be deleted." in presenter.warning[0].value
    click(presenter, "class_confirm_yes")

    def votes() -> int:
        return store.count(database, store.find(database, code))

    click(presenter, "class_next")
    assert store.find(database, code).lesson == asked[0] and votes() == 0
    assert store.vote(database, code, *asked, "c")
    click(presenter, "class_back", "class_next")
    assert votes() == 1


def test_a_key_on_each_of_two_screens_moves_one_step_and_the_time_begins_with_it(database):
    poll, _ = store.open_class(at(database, 100.0), "trap")
    seen = stage.read(at(database, 100.0), poll.code)
    assert stage.write(
        at(database, 150.0), poll, seen, Stage("", 1, 1), replace(poll, phase="closed")
    )
    assert not stage.write(
        at(database, 150.0), poll, seen, Stage("", 1, 1), replace(poll, phase="closed")
    )
    now = store.find(at(database, 150.0), poll.code)
    held = stage.read(at(database, 180.0), poll.code)
    assert (now.phase, held.place, held.age) == ("closed", 1, 30.0)
    assert stage.write(at(database, 190.0), now, held, Stage("", 1, 1, plays=1))
    assert stage.read(at(database, 200.0), poll.code).age == 50.0  # to play starts no new step


def test_in_a_hall_what_a_bar_s_solid_part_means_makes_room_for_the_right_answer(
    come, presenter, code, database
):
    for voter in range(5):
        store.vote(database, code, "trap", 1, f"{voter:032x}", "c", certain=True)
    click(presenter, "class_close", "class_reveal")
    projector = come(class_=code, present="screen")
    assert "The solid part of a bar" in all_text(projector)
    click(presenter, "class_right", "class_confirm_yes")
    assert "Right: " in all_text(projector.run())
    assert "The solid part" not in all_text(projector)
    assert "The solid part" in all_text(presenter)
