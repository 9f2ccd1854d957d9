"""Whatever a presenter presses, in any playlist: all devices are on one question, no vote is
skipped or opened again by a key, and the answer takes a press of its own.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS
from polls.stage import Stage
from polls.store import CLOSED, OPEN, REVEALED, WAITING, Poll
from ui.base import state
from ui.classes import playlist, present
from ui.classes.lecture import Lecture
from ui.classes.moves import Change, Screens

SHIPPED = {name: playlist.read(text.encode()) for name, text in playlist.shipped().items()}
VOTES = ("vote", "second vote", "reflection")
POLL = Poll("ABCDEF", "trap", 1, OPEN)


class Class:
    """A class without a database: its screens, and in which rounds anybody has voted."""

    def __init__(self, poll: Poll = POLL):
        self.voted: dict[str, int] = {}
        self.seen = Screens.of(poll, Stage(), playlist.Playlist.of(poll.lesson))
        self.vote()

    def vote(self) -> None:
        """Let somebody vote if the round is open."""
        poll = self.seen.poll
        if poll.phase == OPEN:
            self.voted[poll.lesson] = max(poll.round, self.voted.get(poll.lesson, 0))

    def make(self, change: Change | None) -> None:
        """Make a change, confirmed or not."""
        if change is None:
            return
        stands = change.poll or self.seen.poll
        if change.drop:
            self.voted.pop(stands.lesson, None)
        told = change.stage.told == stands.lesson
        plan = playlist.plan(change.stage.plan, stands.lesson)
        self.seen = Screens.of(replace(stands, told=told), change.stage, plan)
        self.vote()

    def beginning(self, name: str) -> Change:
        """Return what begins a shipped lecture."""
        plan = SHIPPED[name]
        return self.seen.playlist_change(plan, plan.write(), self.voted)

    def press(self, name: str, choice: int = 0) -> Change | None:
        """Press something, and return the change."""
        seen = self.seen
        presses = {
            "next": lambda: seen.next_change(self.voted),
            "back": lambda: seen.previous_change(self.voted),
            "jump": lambda: seen.step_change(choice % len(seen.plan.steps), self.voted),
            "close": lambda: seen.phase_change(CLOSED),
            "reveal": lambda: seen.phase_change(REVEALED),
            "again": lambda: seen.phase_change(OPEN, 2),
            "tell": lambda: seen.answer_change(),
            "ask": lambda: seen.question_change(LESSONS[choice % len(LESSONS)].id, self.voted),
            "begin": lambda: self.beginning(sorted(SHIPPED)[choice % len(SHIPPED)]),
            "end": lambda: seen.playlist_change(
                playlist.plan("", seen.poll.lesson), "", self.voted
            ),
        }
        change = presses[name]()
        self.make(change)
        return change


def begun(name: str, do: str = "", lesson: str = "trap") -> Class:
    """A class that has begun a lecture, and has gone to the first step of a kind."""
    screens = Class(replace(POLL, lesson=lesson))
    screens.make(screens.beginning(name))
    while do and screens.seen.step.do != do:
        screens.press("next")
    return screens


NAMES = st.sampled_from(sorted(SHIPPED))
KEYS = st.sampled_from(["next", "next", "next", "back"])
ALL = st.sampled_from(
    ["next", "next", "back", "jump", "close", "reveal", "again", "tell", "ask", "begin", "end"]
)
ORDERS = st.lists(st.tuples(ALL, st.integers(0, 99)), max_size=25)


@given(NAMES, st.sampled_from([one.id for one in LESSONS]), ORDERS)
def test_whatever_is_pressed_all_devices_are_on_the_question_of_the_step_in_sight(
    name, opened, presses
):
    screens = begun(name, lesson=opened)
    for press, choice in [*presses, ("next", 0)]:
        seen = screens.seen
        assert seen.question.id == seen.poll.lesson == seen.step.ask, (press, seen.step)
        screens.press(press, choice)


@given(NAMES, ORDERS)
def test_bars_and_answer_are_two_presses_always(name, presses):
    screens = begun(name)
    for press, choice in presses:
        before = screens.seen
        screens.press(press, choice)
        after = screens.seen
        if after.shows_answer and not before.shows_answer:
            assert before.poll.phase == REVEALED and before.poll.lesson == after.poll.lesson


@given(NAMES, st.lists(KEYS, max_size=40))
def test_keys_skip_no_vote_and_open_none_again(name, presses):
    screens = begun(name)
    opened = set()
    for press in presses:
        before = screens.seen
        change = screens.press(press)
        seen = screens.seen
        assert change is None or not change.confirm
        if seen.poll.phase == OPEN and change is not None:
            assert seen.index not in opened and press == "next" and before.index < seen.index
            opened.add(seen.index)
        for place in range(seen.index):
            assert seen.plan.steps[place].do not in VOTES or place in opened


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_keys_alone_lead_through_every_step_of_a_lecture_to_its_end(name):
    screens = begun(name)
    places = {0}
    for _ in range(sum(1 for _ in SHIPPED[name].steps) * 15):
        if screens.seen.is_over:
            break
        screens.press("next")
        places.add(screens.seen.index)
    assert screens.seen.is_over and places == set(range(len(SHIPPED[name].steps)))


def test_reveal_at_the_discussion_shows_bars_alone_and_the_second_vote_follows():
    screens = begun("trap/10", "discussion")
    screens.press("reveal")
    assert (screens.seen.step.do, screens.seen.poll.phase) == ("discussion", REVEALED)
    assert not screens.seen.shows_answer
    screens.press("next")
    assert (screens.seen.step.do, screens.seen.poll.phase) == ("second vote", OPEN)


def test_the_way_back_from_the_bars_leaves_the_second_vote_closed_and_to_open_it_asks():
    screens = begun("trap/10", "reveal")
    screens.press("back")
    assert (screens.seen.step.do, screens.seen.poll.phase) == ("second vote", CLOSED)
    assert screens.seen.poll.round == 2
    assert "has moved on" in screens.seen.phase_change(OPEN).confirm


def test_a_jump_over_a_vote_asks_and_what_was_left_out_is_not_revealed():
    screens = begun("trap/10", "discussion")
    change = screens.press("jump", 4)
    assert change.confirm == "This would skip a step: second vote."
    assert (screens.seen.poll.round, screens.seen.poll.phase) == (1, REVEALED)


def test_votes_that_are_being_cast_stay_when_a_lecture_on_the_question_begins():
    screens = Class()
    change = screens.beginning("trap/10")
    assert not change.drop and not change.confirm and change.poll.phase == WAITING
    screens.press("close")
    change = screens.beginning("trap/10")
    assert change.drop and change.confirm.startswith("This class has voted on Utilization trap")


def test_the_answer_is_not_kept_ready_before_the_bars_are_shown():
    screens = begun("drf/10")
    screens.press("tell")
    screens.press("jump", 4)
    assert screens.seen.poll.phase == REVEALED and not screens.seen.shows_answer


def test_the_answer_before_the_second_vote_asks_first():
    screens = begun("trap/10", "discussion")
    screens.press("reveal")
    assert "before the second vote" in screens.seen.answer_change().confirm


def test_a_second_vote_that_a_playlist_has_not_foreseen_is_revealed_too():
    plan = playlist.read(b'lesson = "trap"\n[[steps]]\ndo = "vote"\n[[steps]]\ndo = "reveal"')
    screens = Class()
    screens.make(screens.seen.playlist_change(plan, plan.write(), screens.voted))
    screens.press("close")
    screens.press("again")
    screens.press("next")
    assert (screens.seen.poll.round, screens.seen.poll.phase) == (2, REVEALED)


def test_a_class_that_ended_at_its_bars_and_is_resumed_goes_on_with_next():
    screens = begun("trap/10", "reveal")
    screens.press("tell")
    seen = screens.seen
    screens.seen = replace(seen, poll=replace(seen.poll, phase=CLOSED))
    places = []
    for _ in range(3):
        screens.press("next")
        seen = screens.seen
        places.append((seen.step.do, seen.poll.phase, seen.shows_answer))
    assert places == [
        ("reveal", REVEALED, False),
        ("reveal", REVEALED, True),
        ("animation", REVEALED, True),
    ]


@pytest.mark.parametrize("closes", [False, True])
def test_a_second_vote_that_a_playlist_has_not_foreseen_opens_at_the_bars_and_next_shows_them(
    closes,
):
    plan = playlist.read(b'lesson = "trap"\n[[steps]]\ndo = "vote"\n[[steps]]\ndo = "reveal"')
    screens = Class()
    screens.make(screens.seen.playlist_change(plan, plan.write(), screens.voted))
    screens.press("next")
    screens.press("again")
    assert (screens.seen.step.do, screens.seen.poll.phase) == ("reveal", OPEN)
    if closes:
        screens.press("close")
    for shows_answer in (False, True):
        screens.press("next")
        assert (screens.seen.poll.round, screens.seen.poll.phase) == (2, REVEALED)
        assert screens.seen.shows_answer == shows_answer


@pytest.mark.parametrize(
    ("phase", "place", "content"),
    [(WAITING, 0, "the vote"), (CLOSED, 3, "the votes"), (OPEN, 3, "the votes")],
)
def test_the_remote_says_that_next_opens_a_waiting_vote_or_shows_the_bars(phase, place, content):
    poll = replace(POLL, phase=phase)
    lecture = Lecture.of(poll, Stage("", place, place), playlist.Playlist.of(POLL.lesson))
    assert present._next_content(lecture) == content
    change = lecture.next_change({})
    assert (change.stage.place, change.poll.phase != phase) == (place, True)


@pytest.mark.parametrize("forged", [["next"], {"next": 1}, None, 3, "delete", "__init__"])
def test_a_key_that_no_keyboard_has_presses_nothing(forged, monkeypatch):
    lecture = Lecture.of(POLL, Stage(), playlist.Playlist.of(POLL.lesson))
    sent = {"key": {"at": lecture.mark, "go": forged}}
    monkeypatch.setattr(state, "read", lambda name: sent)
    monkeypatch.setattr(state, "get", lambda name: None)
    pressed = []
    monkeypatch.setattr(Lecture, "_do", lambda self, change: pressed.append(change))
    lecture.key()
    assert not pressed
